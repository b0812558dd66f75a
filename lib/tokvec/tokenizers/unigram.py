"""Unigram language model: start from too many pieces, keep those the corpus can't do without.

BPE and WordPiece build a vocabulary up; this family whittles one down [1]_. A text is thought
of as pieces drawn independently, each with a probability. The same word can then be cut in many ways,
each with its own probability: the best is found by the Viterbi algorithm, and others can be sampled,
which makes a model that trains on them more robust ("subword regularisation"). As
SentencePiece does [2]_, a space is an ordinary character, written ▁ (U+2581).

References
----------
.. [1] T. Kudo, "Subword Regularization: Improving Neural Network Translation Models with Multiple
   Subword Candidates", ACL 2018, https://arxiv.org/abs/1804.10959
.. [2] T. Kudo, J. Richardson, "SentencePiece", EMNLP 2018, https://arxiv.org/abs/1808.06226
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import exp, fsum, inf, log, log1p
from typing import NamedTuple

import regex

SPACE = "\u2581"
UNKNOWN = "<unk>"
_UNKNOWN_PENALTY = 10.0  # nats below the rarest piece, as in SentencePiece

_WORD = regex.compile(f"{SPACE}[^{SPACE}]*|[^{SPACE}]+")


class Edge(NamedTuple):
    """One piece in the lattice of a word: it leads from character `start` to character `end`."""

    start: int
    end: int
    piece: str
    log_probability: float


def mark_spaces(text: str) -> list[str]:
    """Write spaces as ▁, one in front of the text too, and cut before each of them.

    Examples
    --------
    >>> mark_spaces("low tide")
    ['▁low', '▁tide']
    """
    return _WORD.findall(SPACE + text.replace(" ", SPACE)) if text else []


def _log_add(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b)) without overflow."""
    if a == -inf:
        return b
    return a + log1p(exp(b - a)) if a > b else b + log1p(exp(a - b))


class Unigram:
    """A unigram-language-model tokeniser.

    Parameters
    ----------
    pieces : sequence of (str, float)
        Pieces with their log-probabilities in nats. The first must be ``<unk>``; its value is not used.

    Attributes
    ----------
    pieces : list of str
    log_probabilities : list of float
    """

    def __init__(self, pieces: Sequence[tuple[str, float]]):
        self.pieces = [piece for piece, _ in pieces]
        self.log_probabilities = [float(value) for _, value in pieces]
        if not self.pieces or self.pieces[0] != UNKNOWN:
            raise ValueError(f"the first piece must be {UNKNOWN!r}, not {self.pieces[:1]}")
        self._id_of = {piece: i for i, piece in enumerate(self.pieces) if i}
        if len(self._id_of) != len(self.pieces) - 1:
            twice = next(p for p, k in Counter(self.pieces).items() if k > 1)
            raise ValueError(f"the vocabulary lists {twice!r} twice; each piece may have one id")
        self._longest = max(map(len, self.pieces))
        self._unknown = min(self.log_probabilities[1:], default=0.0) - _UNKNOWN_PENALTY
        self._encode_word = lru_cache(maxsize=1 << 16)(self._best_ids)

    def __repr__(self) -> str:
        return f"Unigram(vocab_size={self.vocab_size:,})"

    @property
    def vocab_size(self) -> int:
        """Number of pieces, ``<unk>`` included."""
        return len(self.pieces)

    # Using ----------------------------------------------------------------------------------

    def lattice(self, word: str, without: str | None = None) -> list[Edge]:
        """List every known piece at every place of a word.

        A character that no single-character piece covers gets an edge of its own, ``<unk>``.

        Parameters
        ----------
        word : str
            Characters, spaces already written as ▁.
        without : str, optional
            A piece to leave out.

        Returns
        -------
        list of Edge
            In order of start, then of end.
        """
        edges = []
        for start, end, i in self._edges(word, without):
            value = self.log_probabilities[i] if i else self._unknown
            edges.append(Edge(start, end, word[start:end] if i else UNKNOWN, value))
        return edges

    def _edges(self, word: str, without: str | None = None) -> list[tuple[int, int, int]]:
        """The lattice as plain tuples: start, end, id."""
        edges, n, id_of = [], len(word), self._id_of
        for start in range(n):
            for end in range(start + 1, min(n, start + self._longest) + 1):
                piece = word[start:end]
                i = id_of.get(piece, 0)
                if i and piece != without:
                    edges.append((start, end, i))
                elif end == start + 1:
                    edges.append((start, end, 0))
        return edges

    def viterbi(self, word: str, without: str | None = None) -> tuple[list[Edge], float]:
        """Find the most probable way to cut a word, with the lattice's parameters.

        Returns
        -------
        path : list of Edge
            The pieces from left to right. Of two equally probable ways, the one whose last piece
            starts earlier, at every step.
        score : float
            Its log-probability in nats.
        """
        score = [0.0] + [-inf] * len(word)
        best: list[Edge | None] = [None] * (len(word) + 1)
        for edge in self.lattice(word, without):  # by start, so score[edge.start] is final when it is read
            candidate = score[edge.start] + edge.log_probability
            if candidate > score[edge.end]:
                score[edge.end], best[edge.end] = candidate, edge
        path, end = [], len(word)
        while end:
            edge = best[end]
            path.append(edge)
            end = edge.start
        return path[::-1], score[-1]

    def _ids(self, path: Iterable[Edge]) -> tuple[int, ...]:
        """Ids of a path; neighbouring unknown characters are one unknown token."""
        ids: list[int] = []
        for edge in path:
            i = self._id_of.get(edge.piece, 0)
            if i or not ids or ids[-1]:
                ids.append(i)
        return tuple(ids)

    def _best_ids(self, word: str) -> tuple[int, ...]:
        return self._ids(self.viterbi(word)[0])

    def encode(self, text: str) -> list[int]:
        """Turn text into the ids of its most probable pieces."""
        return list(chain.from_iterable(map(self._encode_word, mark_spaces(text))))

    def split(self, text: str) -> list[str]:
        """Cut text into its most probable pieces, as strings."""
        return [self.pieces[i] for i in self.encode(text)]

    def sample(self, text: str, rng: random.Random, alpha: float = 1.0) -> list[int]:
        """Draw one way to cut the text instead of the best one.

        Parameters
        ----------
        text : str
            Any text.
        rng : random.Random
            The source of chance.
        alpha : float, optional
            Draw in proportion to probability to this power: 1 follows the model, 0 makes all
            ways equally likely, a large value returns to Viterbi's answer.

        Notes
        -----
        Forward filtering, backward sampling: sum the weight of all ways to reach each character,
        then walk back from the end, choosing each piece in proportion to the weight behind it. This
        draws from all ways at once, without listing any.
        """
        if alpha < 0:
            raise ValueError(f"alpha={alpha} is negative; use 0 or more")
        ids: list[int] = []
        for word in mark_spaces(text):
            edges = self.lattice(word)
            reach = [0.0] + [-inf] * len(word)
            into: defaultdict[int, list[Edge]] = defaultdict(list)
            for edge in edges:
                reach[edge.end] = _log_add(reach[edge.end], reach[edge.start] + alpha * edge.log_probability)
                into[edge.end].append(edge)
            path, end = [], len(word)
            while end:
                ways = into[end]
                weights = [exp(reach[e.start] + alpha * e.log_probability - reach[end]) for e in ways]
                path.append(rng.choices(ways, weights)[0])
                end = path[-1].start
            ids.extend(self._ids(path[::-1]))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """Join pieces into text; ▁ becomes a space again, the one in front goes.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        pieces = []
        for i in ids:
            if not 0 <= i < len(self.pieces):
                raise ValueError(f"unknown piece id {i}: this vocabulary has ids 0 to {len(self.pieces) - 1}")
            pieces.append(self.pieces[i])
        return "".join(pieces).replace(SPACE, " ").removeprefix(" ")

    # Learning -------------------------------------------------------------------------------

    @classmethod
    def train(
        cls,
        texts: str | Iterable[str],
        vocab_size: int,
        seed_size: int | None = None,
        longest: int = 12,
        shrink: float = 0.75,
        passes: int = 2,
    ) -> "Unigram":
        """Learn a vocabulary: candidates, then expectation-maximisation and pruning in turn.

        Parameters
        ----------
        texts : str or iterable of str
            The corpus.
        vocab_size : int
            Pieces wanted, ``<unk>`` and every character of the corpus included.
        seed_size : int, optional
            Candidates to start from; ten times `vocab_size` unless given.
        longest : int, optional
            Characters in the longest candidate.
        shrink : float, optional
            Share of the pieces that survives each pruning.
        passes : int, optional
            EM steps before each pruning.

        Raises
        ------
        ValueError
            If the corpus is empty, `vocab_size` smaller than its alphabet, or `shrink` not in (0, 1).
        """
        if not 0 < shrink < 1:
            raise ValueError(f"shrink={shrink} must lie between 0 and 1, for example 0.75")
        words: Counter = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            words.update(mark_spaces(text))
        if not words:
            raise ValueError("the corpus is empty: give at least one text with one character")
        alphabet = set(chain.from_iterable(words))
        if vocab_size < len(alphabet) + 1:
            raise ValueError(
                f"vocab_size={vocab_size} is smaller than the alphabet: this corpus has "
                f"{len(alphabet)} characters, and {UNKNOWN}; ask for at least {len(alphabet) + 1}"
            )
        model = cls._with_counts(seed_pieces(words, seed_size or 10 * vocab_size, longest))
        while True:
            for _ in range(passes):
                counts = model.expected_counts(words)
                # Every character stays, even one whose every use some longer piece has taken over.
                model = cls._with_counts({p: max(n, 1e-3 if p in alphabet else 0.0) for p, n in counts.items()})
            if model.vocab_size <= vocab_size:
                break
            keep = max(vocab_size - 1, int(shrink * (model.vocab_size - 1)))
            losses = model.losses(counts)
            ranked = sorted(model.pieces[1:], key=lambda p: (p not in alphabet, -round(losses[p], 6), p))
            model = cls._with_counts({p: counts[p] or 1e-3 for p in ranked[:keep]})
        scored = zip(model.pieces[1:], model.log_probabilities[1:], strict=True)
        ranked = sorted(scored, key=lambda pair: (-round(pair[1], 6), pair[0]))
        return cls([(UNKNOWN, 0.0), *ranked])

    @classmethod
    def _with_counts(cls, counts: Mapping[str, float]) -> "Unigram":
        """M-step: probabilities in proportion to counts; pieces with none are dropped."""
        total = log(fsum(counts.values()))  # sum() adds floats in another way since Python 3.12; this one is exact
        return cls([(UNKNOWN, 0.0), *((p, log(n) - total) for p, n in counts.items() if n > 0)])

    def expected_counts(self, words: Mapping[str, int]) -> dict[str, float]:
        """E-step: how often each piece occurs, over all ways to cut each word, by their probability.

        Parameters
        ----------
        words : mapping
            Word (spaces as ▁) to its number of occurrences.

        Returns
        -------
        dict
            Piece to expected count.

        Notes
        -----
        Forward-backward. With a(i) the log-probability of all ways to reach character i
        and b(i) of all ways from there to the end, an edge from i to j is used with probability
        ``exp(a(i) + log p + b(j) - a(n))``.
        """
        counts, values = [0.0] * len(self.pieces), [*self.log_probabilities]
        values[0] = self._unknown
        for word, n in words.items():
            edges = self._edges(word)
            forward = [0.0] + [-inf] * len(word)
            for start, end, i in edges:
                forward[end] = _log_add(forward[end], forward[start] + values[i])
            backward = [-inf] * len(word) + [0.0]
            for start, end, i in reversed(edges):
                through = values[i] + backward[end]
                backward[start] = _log_add(backward[start], through)
                counts[i] += n * exp(forward[start] + through - forward[-1])
        return dict(zip(self.pieces[1:], counts[1:], strict=True))

    def losses(self, counts: Mapping[str, float]) -> dict[str, float]:
        """Estimate by how much the corpus's log-likelihood falls when a piece is removed.

        Each use of the piece is replaced by the best way to spell it with the others; its
        count times the difference is the loss. Characters, which can't be spelled otherwise,
        lose infinitely much.
        """
        losses = {}
        for piece, value in zip(self.pieces[1:], self.log_probabilities[1:], strict=True):
            path, spelled = self.viterbi(piece, without=piece)
            unknown = any(edge.piece == UNKNOWN for edge in path)
            losses[piece] = inf if unknown else counts[piece] * (value - spelled)
        return losses


def seed_pieces(words: Mapping[str, int], size: int, longest: int) -> dict[str, float]:
    """Choose candidates: every character, and the strings inside words that cover most text.

    Returns
    -------
    dict
        Piece to its count. Strings of two characters or more must occur twice; those with the largest
        count times length are kept until there are `size` pieces.
    """
    counts: Counter = Counter()
    for word, n in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + longest) + 1):
                counts[word[start:end]] += n
    characters = {p: float(n) for p, n in counts.items() if len(p) == 1}
    longer = [p for p, n in counts.items() if len(p) > 1 and n > 1]
    longer.sort(key=lambda p: (-counts[p] * len(p), p))
    room = max(0, size - len(characters))
    return characters | {p: float(counts[p]) for p in longer[:room]}
