"""Analogies: "a is to b as c is to ?", asked honestly.

The question paris : france :: rome : ? is answered with the word x nearest to ``b - a + c``. The usual
score has a rule in it that is seldom mentioned: the three words of the question may not be the answer.
This module asks with the rule and without it, and asks the baselines that leave out the arithmetic.

All vectors are unit vectors here, so a dot product is a cosine. Then ``x . (b - a + c)`` is
``cos(x, b) - cos(x, a) + cos(x, c)``: every method below needs only three cosines of each candidate. The
19,544 questions of the standard set use 905 different words, so one product of the vocabulary with 905 rows
holds all the cosines there are, and a question costs two additions a candidate instead of a dot product.

References
----------
Mikolov, Chen, Corrado and Dean (2013), arXiv:1301.3781 (the questions; 3CosAdd). Levy and Goldberg (2014),
doi:10.3115/v1/W14-1618 (3CosMul). Linzen (2016), doi:10.18653/v1/W16-2503 (the baselines, and what exclusion hides).
Finkelstein and others (2002), doi:10.1145/503104.503110 (WordSim-353).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit
from threadpoolctl import threadpool_limits

# The signs of cos(x, a), cos(x, b), cos(x, c) in the score of candidate x.
METHODS = {
    "add": (-1, 1, 1),  # 3CosAdd: nearest to b - a + c
    "mul": (-1, 1, 1),  # 3CosMul: the same of the logarithms, cosines mapped to 0..1: cos b * cos c / cos a
    "c": (0, 0, 1),  # nearest to c
    "b": (0, 1, 0),  # nearest to b
    "b+c": (0, 1, 1),  # nearest to b + c: a is left out
}
BLOCK = 256  # candidates compared at a time: their cosines with all question words fit the second-level cache
EPSILON = 0.001  # added to the factors of 3CosMul, so that none is zero


# Questions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Questions:
    """Analogy questions by section.

    Attributes
    ----------
    sections : dict of str to list of (str, str, str, str)
        The words a, b, c and the expected answer, as the file spells them.
    """

    sections: dict[str, list[tuple[str, str, str, str]]]

    @classmethod
    def load(cls, path: str | Path) -> Questions:
        """Read a file of questions: a line ``: section``, then four words a line.

        Raises
        ------
        ValueError
            If a line has not four words, or stands before the first section; the message names it.
        """
        sections: dict[str, list[tuple[str, str, str, str]]] = {}
        current: list | None = None
        for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
            words = line.split()
            if not words:
                continue
            if words[0].startswith(":"):
                current = sections.setdefault(line.lstrip(": ").strip(), [])
            elif len(words) != 4 or current is None:
                raise ValueError(f"{path}, line {n}: {line!r} is not four words below a ': section' line.")
            else:
                current.append(tuple(words))
        return cls(sections)

    def __len__(self) -> int:
        return sum(map(len, self.sections.values()))

    @staticmethod
    def semantic(section: str) -> bool:
        """Say whether a section is semantic; the syntactic ones are called ``gram...``."""
        return not section.startswith("gram")

    def count(self, semantic: bool) -> int:
        """Return the number of semantic, or of syntactic, questions."""
        return sum(len(rows) for name, rows in self.sections.items() if self.semantic(name) == semantic)

    def encode(self, words: Sequence[str]) -> tuple[np.ndarray, list[str]]:
        """Return the questions whose four words are all among `words`, as row numbers.

        Parameters
        ----------
        words : sequence of str
            The vocabulary, most frequent first: pass ``words[:30_000]`` to restrict it. Case is ignored; of several
            spellings the more frequent one counts.

        Returns
        -------
        ids : numpy.ndarray, shape (n, 4), int64
        sections : list of str
            The section of each.

        Raises
        ------
        ValueError
            If no question is left.
        """
        index: dict[str, int] = {}
        for i, word in enumerate(words):
            index.setdefault(word.lower(), i)
        ids, names = [], []
        for name, rows in self.sections.items():
            for row in rows:
                found = [index.get(word.lower(), -1) for word in row]
                if min(found) >= 0:
                    ids.append(found)
                    names.append(name)
        if not ids:
            raise ValueError(f"Not one of the {len(self):,} questions has all four words among these {len(words):,}.")
        return np.array(ids, dtype=np.int64), names


# Answers ---------------------------------------------------------------------------------


def unit(vectors: np.ndarray) -> np.ndarray:
    """Return rows of length one, float32; a zero row stays zero."""
    rows = np.asarray(vectors, dtype=np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))


_compiled = njit(nogil=True, fastmath=True, error_model="numpy", cache=True)


@_compiled
def _best_of_block(cosines, begin, columns, rows, signs, exclude, best, best_row):
    """Update every question's best candidate with those of one block.

    Parameters
    ----------
    cosines : (words of the questions, BLOCK) float32
        Of every question word with every candidate of the block.
    begin : int
        Row number of the block's first candidate.
    columns, rows : (n, 3) int64
        a, b, c of each question, as lines of `cosines` and as row numbers.
    signs : (3,) float32
        Of a, b and c in the score.
    exclude : bool
        Whether a, b and c are passed over.
    best : (n,) float32
        The best score so far, changed in place.
    best_row : (n,) int64
        Whose it is.
    """
    size = cosines.shape[1]
    for q in range(len(columns)):
        a, b, c = cosines[columns[q, 0]], cosines[columns[q, 1]], cosines[columns[q, 2]]
        excluding = False
        if exclude:
            for i in range(3):
                excluding |= rows[q, i] >= begin and rows[q, i] < begin + size
        if not excluding:  # the common case: a loop that is all vector instructions, and mostly finds nothing better
            top = best[q]
            for j in range(size):
                top = max(top, signs[0] * a[j] + signs[1] * b[j] + signs[2] * c[j])
            if top <= best[q]:
                continue
        for j in range(size):
            row = begin + j
            if excluding and (row == rows[q, 0] or row == rows[q, 1] or row == rows[q, 2]):
                continue
            score = signs[0] * a[j] + signs[1] * b[j] + signs[2] * c[j]
            if score > best[q]:
                best[q], best_row[q] = score, row


def _cosines(vectors: np.ndarray, few: np.ndarray, method: str) -> np.ndarray:
    """Return the cosines of a few words with many, shape (few, many); for 3CosMul their logarithms, from 0 to 1."""
    cosines = few @ vectors.T
    return np.log((1 + cosines) / 2 + np.float32(EPSILON)) if method == "mul" else cosines


def winners(vectors: np.ndarray, ids: np.ndarray, method: str = "add", exclude: bool = True) -> np.ndarray:
    """Answer every question with the best candidate of all rows.

    Parameters
    ----------
    vectors : numpy.ndarray, shape (V, d), float32
        Unit vectors; see `unit`.
    ids : numpy.ndarray, shape (n, 3) or (n, 4)
        Row numbers of a, b, c (and of the expected answer, which is not looked at).
    method : str
        One of `METHODS`.
    exclude : bool
        Whether a, b and c are forbidden as answers: the usual rule.

    Returns
    -------
    numpy.ndarray, shape (n,), int64
        Row numbers; of equal scores the lower row wins.

    Raises
    ------
    ValueError
        If the method is not known, or a row number is outside `vectors`.
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method!r}.")
    if ids.size and not (ids.min() >= 0 and ids.max() < len(vectors)):
        raise ValueError(f"row numbers run from {ids.min()} to {ids.max()}; there are {len(vectors):,} vectors.")
    used, columns = np.unique(ids[:, :3], return_inverse=True)
    columns = columns.reshape(-1, 3)
    rows = np.ascontiguousarray(ids[:, :3])
    signs = np.array(METHODS[method], dtype=np.float32)
    few = np.ascontiguousarray(vectors[used])

    def search(begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        best = np.full(len(ids), -np.inf, dtype=np.float32)
        best_row = np.zeros(len(ids), dtype=np.int64)
        for at in range(begin, end, BLOCK):
            cosines = _cosines(vectors[at : min(at + BLOCK, end)], few, method)
            _best_of_block(cosines, at, columns, rows, signs, exclude, best, best_row)
        return best, best_row

    # A thread a processor, each with its part of the vocabulary. The matrix product's own threads would only
    # get in their way.
    parts = min(os.cpu_count() or 1, 1 + len(vectors) // 20_000)
    cuts = [len(vectors) * i // parts for i in range(parts + 1)]
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(parts) as workers:
        found = list(workers.map(search, cuts[:-1], cuts[1:]))
    best, best_row = found[0]
    for other, other_row in found[1:]:
        better = other > best
        best[better], best_row[better] = other[better], other_row[better]
    return best_row


def ranking(
    vectors: np.ndarray, a: int, b: int, c: int, method: str = "add", exclude: bool = True, n: int = 5
) -> list[tuple[int, float]]:
    """Return the `n` best candidates for one question, with their scores.

    The score of ``add`` and ``b+c`` is the cosine with ``b - a + c`` or ``b + c``, brought to unit length.

    Parameters
    ----------
    vectors : numpy.ndarray, shape (V, d), float32
        Unit vectors.
    a, b, c : int
        Row numbers.
    method, exclude
        As in `winners`.
    n : int
        How many to return.
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method!r}.")
    scores = np.array(METHODS[method], dtype=np.float32) @ _cosines(vectors, vectors[[a, b, c]], method)
    if method == "mul":
        scores = np.exp(scores)
    target = {"add": vectors[b] - vectors[a] + vectors[c], "b+c": vectors[b] + vectors[c]}.get(method)
    if target is not None:
        scores = scores / np.linalg.norm(target)
    order = [i for i in np.argsort(-scores, kind="stable")[: n + 3].tolist() if not (exclude and i in (a, b, c))]
    return [(i, float(scores[i])) for i in order[:n]]


# Scores ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """How a set of questions was answered.

    Attributes
    ----------
    questions : int
        Questions whose four words are all in the vocabulary.
    correct : int
    inputs : int
        Answers that were one of the question's own words a, b, c.
    """

    questions: int
    correct: int
    inputs: int

    @property
    def accuracy(self) -> float:
        """Return the share of correct answers, 0 where nothing was asked."""
        return self.correct / self.questions if self.questions else 0.0

    @property
    def input_share(self) -> float:
        """Return the share of answers that were words of the question."""
        return self.inputs / self.questions if self.questions else 0.0


def evaluate(
    words: Sequence[str],
    vectors: np.ndarray,
    questions: Questions,
    method: str = "add",
    exclude: bool = True,
    vocabulary: int | None = None,
) -> dict[str, Score]:
    """Ask all questions of a vocabulary.

    Parameters
    ----------
    words : sequence of str
        Most frequent first.
    vectors : numpy.ndarray, shape (V, d)
        Row i belongs to ``words[i]``; need not be of unit length.
    questions : Questions
        What to ask.
    method, exclude
        As in `winners`.
    vocabulary : int, optional
        Ask and answer with only so many of the most frequent words.

    Returns
    -------
    dict of str to Score
        ``semantic``, ``syntactic``, ``all``, and every section that has questions left.
    """
    words, rows = words[:vocabulary], unit(vectors[:vocabulary])
    ids, sections = questions.encode(words)
    answers = winners(rows, ids, method, exclude)
    right = answers == ids[:, 3]
    own = (answers[:, None] == ids[:, :3]).any(1)
    names = np.array(sections)
    semantic = np.array([questions.semantic(name) for name in sections])
    groups = {"semantic": semantic, "syntactic": ~semantic, "all": np.ones(len(ids), dtype=bool)}
    groups |= {name: names == name for name in dict.fromkeys(sections)}
    return {name: Score(int(g.sum()), int(right[g].sum()), int(own[g].sum())) for name, g in groups.items()}


def word_similarity(words: Sequence[str], vectors: np.ndarray, path: str | Path) -> tuple[float, int]:
    """Compare cosines with human scores of word pairs (WordSim-353) by Spearman's rank correlation.

    Parameters
    ----------
    words, vectors
        As in `evaluate`.
    path : str or Path
        Tab-separated word, word, score; ``#`` starts a comment.

    Returns
    -------
    correlation : float
    pairs : int
        Pairs whose two words are both in the vocabulary; the others are left out.

    Raises
    ------
    ValueError
        If fewer than two pairs are left, or a line is not word, word, score.
    """
    from scipy.stats import spearmanr

    index: dict[str, int] = {}
    for i, word in enumerate(words):
        index.setdefault(word.lower(), i)
    left, right, human = [], [], []
    for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        try:
            a, b, score = line.split("\t")
            score = float(score)
        except ValueError:
            raise ValueError(f"{path}, line {n}: {line!r} is not word, word, score with tabs between.") from None
        if a.lower() in index and b.lower() in index:
            left.append(index[a.lower()])
            right.append(index[b.lower()])
            human.append(score)
    if len(human) < 2:
        raise ValueError(f"{len(human)} pairs of {path} are in this vocabulary; a correlation needs two.")
    a, b = unit(vectors[left]), unit(vectors[right])
    return float(spearmanr((a * b).sum(1), human)[0]), len(human)
