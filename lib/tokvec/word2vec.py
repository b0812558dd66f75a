"""Word vectors by word2vec: keep the language model's lookup, throw the rest of it away.

A language model scores every word of the vocabulary at every step. Skip-gram with negative
sampling asks a smaller question: here is a pair of words, did it come from the text or was it
made up? For a true pair (centre, context) the dot product of two rows is pushed up, for
``negatives`` pairs with a random word it is pushed down, and the vocabulary's size appears
nowhere in the cost.

The module reads top to bottom: vocabulary, the two distributions (which words are kept, which
are drawn as noise), the gradient in ten lines of torch, the same gradient as a numba kernel,
training, and the vectors that come out.

References
----------
Mikolov, Chen, Corrado and Dean (2013), arXiv:1301.3781 (skip-gram, CBOW). Mikolov, Sutskever,
Chen, Corrado and Dean (2013), arXiv:1310.4546 (negative sampling, subsampling, the power 3/4).
Niu, Recht, Re and Wright (2011), arXiv:1106.5730 (updates without locks: Hogwild). Ji, Satish, Li
and Dubey (2016), arXiv:1604.04661 (noise words shared by a batch).
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import torch

END = -1  # stands after every sentence in an array of ids; no window looks across it
LINE = 32  # a row fills a multiple of so many float32 numbers: two cache lines, and two of the widest vectors
POOL = 48  # noise words drawn at once, a multiple of four
SHARE = 32  # neighbouring centre words that share them
CHUNK = 20_000  # ids that a thread takes at a time
STORED = Path(__file__).parent / "data" / "dictionary_sgns"


class UnknownWord(KeyError):
    """The vocabulary has no such word; the message suggests near spellings."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


# Words and ids ---------------------------------------------------------------------------


def tokenize(text: str) -> list[str]:
    """Return the words of a text: runs of the letters a to z, in lower case."""
    return re.findall(r"[a-z]+", text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """The words that get a row, most frequent first.

    Attributes
    ----------
    words : list of str
        Word i has id i.
    counts : numpy.ndarray, shape (V,), int64
        How often each was seen.
    """

    words: list[str]
    counts: np.ndarray

    @classmethod
    def build(cls, sentences: Iterable[Sequence[str]], min_count: int = 5) -> Vocabulary:
        """Count the words of all sentences and keep those seen at least `min_count` times.

        Words of equal count are ordered alphabetically, so that the ids depend on the text alone.

        Raises
        ------
        ValueError
            If there is no word at all, or none that frequent.
        """
        counts: Counter[str] = Counter()
        for sentence in sentences:
            counts.update(sentence)
        if not counts:
            raise ValueError("The corpus is empty: there is no word to learn from.")
        frequent = sorted((-n, word) for word, n in counts.items() if n >= min_count)
        if not frequent:
            word, most = counts.most_common(1)[0]
            raise ValueError(
                f"No word is seen min_count = {min_count} times; the most frequent, {word!r}, is seen {most} times. "
                "Use a smaller min_count or a larger corpus."
            )
        return cls([word for _, word in frequent], np.array([-n for n, _ in frequent], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the id of every word."""
        return {word: i for i, word in enumerate(self.words)}

    def id(self, word: str) -> int:
        """Return the id of `word`.

        Raises
        ------
        UnknownWord
            If it has none.
        """
        try:
            return self.index[word]
        except KeyError:
            near = difflib.get_close_matches(str(word).lower(), self.words[:50_000], n=3)
            hint = f"Did you mean {', '.join(near)}?" if near else "No word here is spelled nearly like it."
            raise UnknownWord(f"{word!r} is not among the {len(self):,} words of this vocabulary. {hint}") from None

    def encode(self, sentences: Iterable[Sequence[str]]) -> np.ndarray:
        """Return one array of ids for all sentences, `END` after each; words without a row are left out.

        Returns
        -------
        numpy.ndarray, shape (n,), int32
        """
        index, ids = self.index, []
        for sentence in sentences:
            ids += [index[word] for word in sentence if word in index]
            ids.append(END)
        return np.array(ids, dtype=np.int32)


# Two distributions -----------------------------------------------------------------------


def keep_probability(counts: np.ndarray, sample: float = 1e-3) -> np.ndarray:
    """Return the probability with which one occurrence of each word is kept (subsampling).

    A word of relative frequency f is kept with probability ``sqrt(sample / f) + sample / f``, at most 1:
    the formula of the word2vec program. ``the`` mostly goes, rare words always stay.

    Parameters
    ----------
    counts : numpy.ndarray, shape (V,)
        Of every word.
    sample : float
        About the relative frequency above which words are thinned out; 0 keeps all.

    Returns
    -------
    numpy.ndarray, shape (V,), float32
    """
    if sample == 0:
        return np.ones(len(counts), dtype=np.float32)
    ratio = sample * counts.sum() / counts
    return np.minimum(1, np.sqrt(ratio) + ratio).astype(np.float32)


def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    """Return the distribution that noise words are drawn from: counts to a power, normalised.

    Parameters
    ----------
    counts : numpy.ndarray, shape (V,)
        Of every word.
    power : float
        1 draws words as often as they occur, 0 draws all alike; the paper found 3/4 best.

    Returns
    -------
    numpy.ndarray, shape (V,), float64
    """
    weights = np.asarray(counts, dtype=np.float64) ** power
    return weights / weights.sum()


def noise_table(counts: np.ndarray, power: float = 0.75, size: int = 1 << 20) -> np.ndarray:
    """Lay `noise_distribution` out as a table, so that a draw is one random index.

    Parameters
    ----------
    counts : numpy.ndarray, shape (V,)
        Of every word.
    power : float
        As in `noise_distribution`.
    size : int
        A power of two. A word's share of the table is right to one entry.

    Returns
    -------
    numpy.ndarray, shape (size,), int32
        Ids in ascending order.
    """
    ends = np.cumsum(noise_distribution(counts, power))
    table = np.searchsorted(ends, (np.arange(size) + 0.5) / size)
    return np.minimum(table, len(counts) - 1).astype(np.int32)


# The loss, as one writes it first -----------------------------------------------------------


def reference_loss(v: torch.Tensor, u: torch.Tensor, noise: torch.Tensor, weight: float = 1.0) -> torch.Tensor:
    """Return the loss of one centre word, its contexts and its noise words, for torch to differentiate.

    Parameters
    ----------
    v : torch.Tensor, shape (d,)
        Row of the centre word.
    u : torch.Tensor, shape (m, d)
        Context rows of the m words in its window: pairs from the text.
    noise : torch.Tensor, shape (p, d)
        Context rows of the noise words: pairs made up.
    weight : float
        What each noise word counts. p = m * negatives of weight 1 is the paper's sum; p fewer words of weight
        ``m * negatives / p`` have the same expectation.
    """
    from torch.nn.functional import logsigmoid

    return -logsigmoid(u @ v).sum() - weight * logsigmoid(-noise @ v).sum()


# The same, fast --------------------------------------------------------------------------
#
# Two ideas make it fast. First, SHARE neighbouring centre words share POOL noise words. A noise word of the
# paper meets one pair; here each meets every centre word of the block, with a weight that keeps the expected
# gradient the same. Their rows are copied side by side and stay in the fastest cache; afterwards what has
# changed is added back.
# Second, threads do not wait for each other. Each takes the next chunk of text and writes to the same two
# tables without locks. Two threads seldom hold the same row at once, since a text uses few of its words at a
# time, and where they do a small step gets lost (Niu and others, 2011, "Hogwild"). The price: with more than
# one thread no two runs are equal bit by bit.
# `fastmath` lets the compiler sum a dot product in any order, without which it can't use vector instructions.

_compiled = njit(nogil=True, fastmath=True, error_model="numpy", cache=True)
_inlined = njit(nogil=True, fastmath=True, error_model="numpy", inline="always")


@_inlined
def _random(state):
    """Step Marsaglia's 64-bit xorshift generator; return 31 random bits as an int."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64(x >> np.uint64(33))


@_inlined
def _sigmoid(x):
    """Return ``1 / (1 + exp(-x))`` to five decimals, from Lambert's continued fraction of tanh cut off at 17.

    ``tanh y = y / (1 + y^2 / (3 + y^2 / (5 + ...)))`` written as one fraction: unlike ``exp`` it is made of
    instructions that run on a whole vector of numbers at once.
    """
    y = np.float32(0.5) * x
    z = y * y
    above = np.float32(34459425) + z * (np.float32(4729725) + z * (np.float32(135135) + z * (np.float32(990) + z)))
    below = np.float32(34459425) + z * (
        np.float32(16216200) + z * (np.float32(945945) + z * (np.float32(13860) + z * np.float32(45)))
    )
    p = np.float32(0.5) + np.float32(0.5) * y * above / below
    return min(max(p, np.float32(0)), np.float32(1))


@_compiled
def _subsample(ids, keep, state):
    """Return the ids that are kept, each by its own coin; sentence ends stay."""
    kept = np.empty(len(ids), np.int32)
    n = 0
    for i in ids:
        if i == END or _random(state) < keep[i] * 2147483648.0:
            kept[n] = i
            n += 1
    return kept[:n]


@_compiled
def _pull(v, u, rate):
    """Bring one true pair together: both rows move by ``rate * (1 - sigmoid(v . u))`` along the other."""
    dot = v.dtype.type(0)
    for k in range(len(v)):
        dot += v[k] * u[k]
    step = rate * _sigmoid(-dot)
    for k in range(len(v)):
        before = v[k]
        v[k] = before + step * u[k]
        u[k] += step * before


@_compiled
def _push(v, w, pool, rate_v, rate_w, steps):
    """Push two centre rows and all noise rows apart: dot products, then sigmoids, then updates.

    Two centre rows at once, so that each noise row is fetched and stored once for both. `steps`, shape (2, noise
    rows), is scratch memory.
    """
    for j in range(0, len(pool), 4):
        a, b, c, d = pool[j], pool[j + 1], pool[j + 2], pool[j + 3]
        va = vb = vc = vd = wa = wb = wc = wd = v.dtype.type(0)
        for k in range(len(v)):
            va += v[k] * a[k]
            vb += v[k] * b[k]
            vc += v[k] * c[k]
            vd += v[k] * d[k]
            wa += w[k] * a[k]
            wb += w[k] * b[k]
            wc += w[k] * c[k]
            wd += w[k] * d[k]
        steps[0, j], steps[0, j + 1], steps[0, j + 2], steps[0, j + 3] = va, vb, vc, vd
        steps[1, j], steps[1, j + 1], steps[1, j + 2], steps[1, j + 3] = wa, wb, wc, wd
    for j in range(len(pool)):
        steps[0, j] = -rate_v * _sigmoid(steps[0, j])
        steps[1, j] = -rate_w * _sigmoid(steps[1, j])
    for j in range(0, len(pool), 4):
        a, b, c, d = pool[j], pool[j + 1], pool[j + 2], pool[j + 3]
        va, vb, vc, vd = steps[0, j], steps[0, j + 1], steps[0, j + 2], steps[0, j + 3]
        wa, wb, wc, wd = steps[1, j], steps[1, j + 1], steps[1, j + 2], steps[1, j + 3]
        for k in range(len(v)):
            x, y = v[k], w[k]
            v[k] = x + va * a[k] + vb * b[k] + vc * c[k] + vd * d[k]
            w[k] = y + wa * a[k] + wb * b[k] + wc * c[k] + wd * d[k]
            a[k] += va * x + wa * y
            b[k] += vb * x + wb * y
            c[k] += vc * x + wc * y
            d[k] += vd * x + wd * y


@_compiled
def _fetch(rows, noise, pool, start):
    """Copy the noise words' rows side by side, twice: to work on, and to know afterwards what has changed."""
    for j in range(len(noise)):
        row, work, copy = rows[noise[j]], pool[j], start[j]  # looked up once a row, not once a number
        for k in range(len(row)):
            work[k] = row[k]
            copy[k] = row[k]


@_compiled
def _write_back(rows, noise, pool, start):
    """Add what has changed in the pool to the rows it was copied from."""
    for j in range(len(noise)):
        row, work, copy = rows[noise[j]], pool[j], start[j]
        for k in range(len(row)):
            row[k] += work[k] - copy[k]


@_compiled
def _window(kept, i, reach):
    """Return the first and last position of the window round position i, cut at the ends of the sentence."""
    first = last = i
    while first > 0 and i - first < reach and kept[first - 1] != END:
        first -= 1
    while last < len(kept) - 1 and last - i < reach and kept[last + 1] != END:
        last += 1
    return first, last


@_compiled
def _learn(ids, centre, context, keep, table, window, negatives, rate, cbow, size, state):
    """Train on one chunk of text, changing the rows of `centre` and `context` in place.

    Returns
    -------
    noise : array of int32
        The ids of the noise words of the last block (for the tests).
    """
    kept = _subsample(ids, keep, state)
    noise = np.empty(size, np.int32)
    pool = np.empty((size, centre.shape[1]), centre.dtype)
    start = np.empty_like(pool)
    steps = np.empty((2, size), centre.dtype)
    mean, before, nobody = np.empty_like(pool[0]), np.empty_like(pool[0]), np.zeros_like(pool[0])
    real = centre.dtype.type  # plain Python numbers would turn the arithmetic into float64
    for block in range(0, len(kept), SHARE):
        for j in range(size):
            noise[j] = table[_random(state) & (len(table) - 1)]
        _fetch(context, noise, pool, start)
        waiting, weight = END, real(0)  # a centre row that waits for a second one to be pushed with it
        for i in range(block, min(block + SHARE, len(kept))):
            if kept[i] == END:
                continue
            first, last = _window(kept, i, 1 + _random(state) % window)
            m = last - first  # true pairs; each stands against `negatives` made-up ones
            if m == 0:
                continue
            if not cbow:  # the centre word predicts every word of its window
                v = centre[kept[i]]
                for j in range(first, last + 1):
                    if j != i:
                        _pull(v, context[kept[j]], rate)
                share = rate * real(m * negatives / size)
                if waiting == END or waiting == kept[i]:
                    waiting, weight = kept[i], weight + share
                else:
                    _push(centre[waiting], v, pool, weight, share, steps)
                    waiting, weight = END, real(0)
            else:  # the mean of the window predicts the centre word
                mean[:] = 0
                for j in range(first, last + 1):
                    if j != i:
                        mean += centre[kept[j]]
                mean /= real(m)
                before[:] = mean
                _pull(mean, context[kept[i]], rate)
                _push(mean, nobody, pool, rate * real(negatives / size), real(0), steps)
                before[:] = (mean - before) / real(m)
                for j in range(first, last + 1):
                    if j != i:
                        centre[kept[j]] += before
        if waiting != END:
            _push(centre[waiting], nobody, pool, weight, real(0), steps)
        _write_back(context, noise, pool, start)
    return noise


def step(
    v: np.ndarray, contexts: np.ndarray, noise: np.ndarray, rate: float, weight: float = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Take one step with the compiled kernel: the true pairs one after the other, then the noise rows together.

    Parameters
    ----------
    v : numpy.ndarray, shape (d,)
        Row of the centre word.
    contexts : numpy.ndarray, shape (m, d)
        Rows of the words in its window.
    noise : numpy.ndarray, shape (p, d)
        Rows of the noise words; p is a multiple of four.
    rate, weight : float
        Learning rate, and what a noise word counts.

    Returns
    -------
    v, contexts, noise : numpy.ndarray
        Copies, moved.
    """
    if len(noise) % 4:
        raise ValueError(f"{len(noise)} noise rows: the kernel takes them in fours.")
    v, contexts, noise = v.copy(), contexts.copy(), noise.copy()
    for u in contexts:
        _pull(v, u, v.dtype.type(rate))
    zero = np.zeros_like(v)
    _push(v, zero, noise, v.dtype.type(rate * weight), v.dtype.type(0), np.empty((2, len(noise)), dtype=v.dtype))
    return v, contexts, noise


def _aligned(rows: int, width: int, dtype: type) -> np.ndarray:
    """Return zeros whose rows begin at cache lines, so that no two rows, and no two threads, share one.

    The compiled loops take `LINE` numbers at a time; a row of 100 gets 128, since what is left over at a row's end
    would cost more than 28 zeros do.
    """
    width = -(-width // LINE) * LINE
    size = rows * width * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, dtype=np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin : begin + size].view(dtype).reshape(rows, width)


# Training --------------------------------------------------------------------------------


def fit(
    ids: np.ndarray,
    vocabulary: Vocabulary,
    *,
    dimension: int = 100,
    window: int = 5,
    negatives: int = 5,
    passes: int = 3,
    sample: float = 1e-3,
    learning_rate: float = 0.025,
    cbow: bool = False,
    pool: int = POOL,
    threads: int = 1,
    seed: int = 1,
    progress: bool = False,
) -> WordVectors:
    """Train on a text of ids.

    Parameters
    ----------
    ids : numpy.ndarray, shape (n,), int32
        From `Vocabulary.encode`: sentences, `END` after each.
    vocabulary : Vocabulary
        Of the ids.
    dimension : int
        Length d of the vectors.
    window : int
        Longest distance of a pair. The reach is drawn anew for every centre word, evenly from 1 to `window`, so near
        words count more.
    negatives : int
        Made-up pairs for every true one.
    passes : int
        How often the text is read.
    sample : float
        Subsampling threshold, see `keep_probability`; 0 keeps every word.
    learning_rate : float
        At the start; falls linearly with the text read, to a ten-thousandth of itself.
    cbow : bool
        Predict the centre from the mean of its window (CBOW) instead of the window from the centre (skip-gram).
    pool : int
        How many noise words a block of `SHARE` centre words shares, a multiple of four. Fewer is faster,
        more is nearer to drawing them anew for every pair.
    threads : int
        With 1 the same seed gives the same vectors, bit by bit. With more the run is faster and
        differs a little each time.
    seed : int
        Seeds the one generator behind the first vectors and the coins of every chunk.
    progress : bool
        Show a bar.

    Returns
    -------
    WordVectors
        Float32, with the context rows.

    Raises
    ------
    ValueError
        If a number is out of its range, or no sentence has two words.
    """
    numbers = {"dimension": dimension, "window": window, "negatives": negatives, "passes": passes, "threads": threads}
    numbers["pool"] = pool
    for name, value in numbers.items():
        if int(value) != value or value < 1:
            raise ValueError(f"{name} = {value}: a whole number, 1 or more, is needed.")
    if pool % 4:
        raise ValueError(f"pool = {pool}: the kernel takes noise words in fours, use a multiple of four.")
    if learning_rate <= 0 or sample < 0:
        raise ValueError(
            f"learning_rate = {learning_rate}, sample = {sample}: use a positive rate, and a sample of 0 or more."
        )
    ids = np.asarray(ids, dtype=np.int32)
    if not ((ids[:-1] != END) & (ids[1:] != END)).any():
        raise ValueError(
            "No sentence has two known words side by side: there is no pair to learn from. Use a larger corpus."
        )

    generator = np.random.default_rng(seed)
    centre = _aligned(len(vocabulary), dimension, np.float32)
    context = _aligned(len(vocabulary), dimension, np.float32)
    centre[:, :dimension] = generator.uniform(-1, 1, (len(vocabulary), dimension)) / dimension
    keep, table = keep_probability(vocabulary.counts, sample), noise_table(vocabulary.counts)

    starts = range(0, len(ids), CHUNK)
    total = passes * len(starts)
    seeds = generator.integers(1, 2**63, size=total, dtype=np.uint64)

    def learn(job: int) -> None:
        at = starts[job % len(starts)]
        rate = np.float32(learning_rate * max(1 - job / total, 1e-4))
        state = seeds[job : job + 1].copy()
        _learn(ids[at : at + CHUNK], centre, context, keep, table, window, negatives, rate, cbow, pool, state)

    from tqdm.auto import tqdm

    # The threads are plain Python threads: the kernel releases the interpreter's lock while it runs.
    with ThreadPoolExecutor(threads) as workers:
        run = workers.map(learn, range(total)) if threads > 1 else map(learn, range(total))
        for _ in tqdm(run, total=total, desc="word2vec", unit="chunk", disable=None if progress else True):
            pass
    return WordVectors(vocabulary, centre[:, :dimension].copy(), context[:, :dimension].copy())


def train(texts: Iterable[str], *, min_count: int = 5, **settings: object) -> WordVectors:
    """Split texts into words, build the vocabulary, and `fit`.

    Parameters
    ----------
    texts : iterable of str
        No pair reaches from one text into the next.
    min_count : int
        Words seen less often are left out.
    **settings
        Those of `fit`.
    """
    sentences = [tokenize(text) for text in texts]
    vocabulary = Vocabulary.build(sentences, min_count)
    return fit(vocabulary.encode(sentences), vocabulary, **settings)


# The vectors -----------------------------------------------------------------------------


@dataclass(frozen=True)
class WordVectors:
    """One row a word: what is kept of the training.

    Attributes
    ----------
    vocabulary : Vocabulary
    vectors : numpy.ndarray, shape (V, d), float32
        Row i belongs to word i.
    contexts : numpy.ndarray, shape (V, d), float32, optional
        The context rows, which are usually thrown away.
    manifest : dict
        How the vectors were made, where that is known.
    """

    vocabulary: Vocabulary
    vectors: np.ndarray
    contexts: np.ndarray | None = None
    manifest: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.vectors) != len(self.vocabulary):
            raise ValueError(f"{len(self.vectors)} vectors for {len(self.vocabulary)} words: one row a word is needed.")

    @property
    def words(self) -> list[str]:
        """Return the words, most frequent first."""
        return self.vocabulary.words

    @cached_property
    def unit(self) -> np.ndarray:
        """Return the vectors divided by their lengths, shape (V, d), float32; a zero vector stays zero."""
        rows = np.asarray(self.vectors, dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))

    def __contains__(self, word: str) -> bool:
        return word in self.vocabulary.index

    def __getitem__(self, word: str) -> np.ndarray:
        """Return the vector of `word`, shape (d,); an unknown one raises `UnknownWord`."""
        return self.vectors[self.vocabulary.id(word)]

    def similarity(self, a: str, b: str) -> float:
        """Return the cosine of two words."""
        return float(self.unit[self.vocabulary.id(a)] @ self.unit[self.vocabulary.id(b)])

    def neighbours(self, word: str, n: int = 5, among: int | None = None) -> list[tuple[str, float]]:
        """Return the `n` words with the largest cosine to `word`, itself excluded.

        Parameters
        ----------
        word : str
            One of the vocabulary.
        n : int
            How many.
        among : int, optional
            Search only this many of the most frequent words.

        Raises
        ------
        UnknownWord
        """
        i = self.vocabulary.id(word)
        cosines = self.unit[:among] @ self.unit[i]
        if i < len(cosines):
            cosines[i] = -np.inf
        best = np.argsort(-cosines, kind="stable")[: min(n, len(cosines) - (i < len(cosines)))]
        return [(self.words[j], float(cosines[j])) for j in best]

    # Files

    def save(self, folder: str | Path, dtype: type = np.float32) -> None:
        """Write ``vectors.npy``, ``vocabulary.txt`` (word, tab, count) and ``manifest.json`` into a new folder.

        The folder appears under its name only when it is complete; one that an earlier save made is replaced.

        Parameters
        ----------
        folder : str or Path
            Where to; its parents are made.
        dtype : type
            ``numpy.float16`` halves the size and keeps three digits.

        Raises
        ------
        FileExistsError
            If `folder` is something else than earlier vectors.
        """
        folder = Path(folder)
        if folder.exists() and not (folder.is_dir() and (folder / "vectors.npy").is_file()):
            raise FileExistsError(f"{folder} exists and holds no vectors of ours: name another folder.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as temporary:
            new, old = Path(temporary) / "new", Path(temporary) / "old"
            new.mkdir()
            np.save(new / "vectors.npy", np.asarray(self.vectors).astype(dtype))
            lines = (f"{word}\t{n}\n" for word, n in zip(self.words, self.vocabulary.counts, strict=True))
            (new / "vocabulary.txt").write_text("".join(lines), encoding="utf-8")
            (new / "manifest.json").write_text(json.dumps(self.manifest, indent=1) + "\n", encoding="utf-8")
            WordVectors.load(new)
            if folder.exists():
                os.replace(folder, old)
            os.replace(new, folder)

    @classmethod
    def load(cls, folder: str | Path) -> WordVectors:
        """Read what `save` wrote.

        Raises
        ------
        FileNotFoundError
            If `folder` holds no vectors.
        ValueError
            If its files do not belong together.
        """
        folder = Path(folder)
        if not (folder / "vectors.npy").is_file():
            raise FileNotFoundError(
                f"{folder} holds no vectors.npy. Make it: "
                f"python -m tokvec.word2vec train --corpus dictionary --out {folder}"
            )
        lines = (folder / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
        words, counts = zip(*(line.split("\t") for line in lines), strict=True)
        vectors = np.load(folder / "vectors.npy", allow_pickle=False).astype(np.float32)
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return cls(Vocabulary(list(words), np.array(counts, dtype=np.int64)), vectors, manifest=manifest)

    def save_text(self, path: str | Path) -> None:
        """Write the text format of the word2vec program, which gensim's ``load_word2vec_format`` reads.

        A line with V and d, then a line a word: the word and its d numbers. float32 survives it unchanged.
        """
        path = Path(path)
        part = path.with_name(path.name + ".part")
        rows = np.asarray(self.vectors, dtype=np.float32)
        with _removed_on_error(part), open(part, "w", encoding="utf-8") as out:
            out.write(f"{rows.shape[0]} {rows.shape[1]}\n")
            for word, row in zip(self.words, rows, strict=True):
                out.write(f"{word} {' '.join([f'{x:.9g}' for x in row.tolist()])}\n")
        os.replace(part, path)

    @classmethod
    def load_text(cls, path: str | Path) -> WordVectors:
        """Read the text format; the counts, which it does not hold, are set to fall with the rank.

        Raises
        ------
        ValueError
            If the file is not what its first line says; the message names the line.
        """
        with open(path, encoding="utf-8") as lines:
            try:
                rows, width = map(int, next(lines, "").split())
            except ValueError:
                raise ValueError(f"{path}: the first line must hold the number of words and the dimension.") from None
            words, vectors = [], np.empty((rows, width), dtype=np.float32)
            for n, line in enumerate(lines, start=2):
                word, *numbers = line.rstrip("\n").split(" ")
                if n - 2 >= rows or len(numbers) != width:
                    raise ValueError(
                        f"{path}, line {n}: {len(numbers)} numbers; "
                        f"the first line says {rows} words of {width} numbers."
                    )
                words.append(word)
                vectors[n - 2] = numbers
        if len(words) != rows:
            raise ValueError(f"{path} ends after {len(words)} words; its first line says {rows}.")
        return cls(Vocabulary(words, np.arange(rows, 0, -1)), vectors)


@contextlib.contextmanager
def _removed_on_error(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def stored() -> WordVectors:
    """Load the vectors that the book carries: skip-gram on the dictionary, its most frequent words, 100 dimensions.

    ``manifest`` says by which command they were made. They are stored as float16.
    """
    return WordVectors.load(STORED)


# python -m tokvec.word2vec ---------------------------------------------------------------


def corpus(name: str) -> list[list[str]]:
    """Return the sentences of a corpus by name: ``dictionary``, or ``text8`` in pieces of 1,000 words."""
    from tokvec import datasets

    if name == "text8":
        words = datasets.text8().split()
        return [words[i : i + 1000] for i in range(0, len(words), 1000)]
    return [tokenize(text) for text in datasets.dictionary()]


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m tokvec.word2vec train``; returns the exit code."""
    from tokvec import __version__, datasets

    parser = argparse.ArgumentParser(prog="python -m tokvec.word2vec", description="Train word vectors.")
    command = parser.add_subparsers(dest="command", required=True).add_parser("train", help="train and save vectors")
    command.add_argument("--corpus", choices=["text8", "dictionary"], required=True)
    command.add_argument("--out", type=Path, required=True, help="a new folder, or one of earlier vectors")
    command.add_argument("--cbow", action="store_true", help="CBOW instead of skip-gram")
    for name, value in (
        ("dimension", 100),
        ("window", 5),
        ("negatives", 5),
        ("passes", 3),
        ("min-count", 5),
        ("pool", POOL),
    ):
        command.add_argument(f"--{name}", type=int, default=value)
    command.add_argument("--learning-rate", type=float, default=0.025)
    command.add_argument("--threads", type=int, default=1, help="1 (the default) makes the run repeatable")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--keep", type=int, help="save only so many of the most frequent words")
    command.add_argument("--half", action="store_true", help="save as float16")
    chosen = vars(parser.parse_args(arguments))
    settings = {name: value for name, value in chosen.items() if name not in ("command", "out", "half", "keep")}
    fitting = {name: value for name, value in settings.items() if name not in ("corpus", "min_count")}
    try:
        sentences = corpus(chosen["corpus"])
        vocabulary = Vocabulary.build(sentences, chosen["min_count"])
        print(f"{int(sum(map(len, sentences))):,} words, {len(vocabulary):,} of them different ones with a row")
        trained = fit(vocabulary.encode(sentences), vocabulary, progress=True, **fitting)
        keep = chosen["keep"] or len(vocabulary)
        manifest = {
            "what": "word vectors trained by tokvec.word2vec",
            "command": " ".join(["python -m tokvec.word2vec", *(sys.argv[1:] if arguments is None else arguments)]),
            "settings": {**settings, "keep": keep},
            "corpus_sha256": {file.name: file.sha256 for file in datasets.describe(chosen["corpus"]).files},
            "licence_of_the_corpus": datasets.describe(chosen["corpus"]).licence,
            "versions": {"tokvec": __version__, "numpy": np.__version__, "python": sys.version.split()[0]},
        }
        WordVectors(
            Vocabulary(vocabulary.words[:keep], vocabulary.counts[:keep]), trained.vectors[:keep], manifest=manifest
        ).save(chosen["out"], np.float16 if chosen["half"] else np.float32)
    except (ValueError, OSError, datasets.DatasetError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"wrote {chosen['out']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
