"""How good is a similarity? Rank correlation with people, top-1 retrieval, precision and recall.

References
----------
Cer, Diab, Agirre, Lopez-Gazpio, Specia (2017), "SemEval-2017 Task 1: Semantic textual similarity",
arXiv:1708.00055 (the STS benchmark).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokvec.sentences.vectors import similarity

Pair = tuple[float, str, str]
"""A human score from 0 (unrelated) to 5 (same meaning), and two sentences."""


def ranks(values: np.ndarray) -> np.ndarray:
    """Return 1-based ranks, smallest first; equal values share the mean of their places."""
    _, group, sizes = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return (last - (sizes - 1) / 2)[group]


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Return Spearman's rank correlation: Pearson's correlation of the ranks.

    It asks only whether two measures put things in the same order, not whether they agree in size.

    Raises
    ------
    ValueError
        Different lengths, fewer than two values, a value that is not finite, or a constant side.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(f"need two lists of the same length, 2 or more; got shapes {a.shape} and {b.shape}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a value is not finite: a rank needs numbers that can be ordered")
    x, y = ranks(a), ranks(b)
    if x.std() == 0 or y.std() == 0:
        raise ValueError("one side is constant: it orders nothing, so there is no rank correlation")
    return float(np.corrcoef(x, y)[0, 1])


def pair_similarity(method, pairs: Sequence[Pair]) -> np.ndarray:
    """Return the similarity a method gives each pair, shape (n,)."""
    _, left, right = zip(*pairs, strict=True)
    return np.diagonal(similarity(method, left, right)).copy()


def strongest(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Return the pairs people scored highest; among equal scores, the first in the file."""
    if not 1 <= count <= len(pairs):
        raise ValueError(f"count is {count} and there are {len(pairs)} pairs: choose from 1 to {len(pairs)}")
    return sorted(pairs, key=lambda pair: -pair[0])[:count]


def top1(scores: np.ndarray) -> float:
    """Return the share of rows whose largest score is on the diagonal.

    A tie that the diagonal shares with t others counts as 1 / (t + 1): what picking one at random
    would give on average, so that a method which calls everything equal gains nothing.
    """
    s = np.asarray(scores)
    if s.ndim != 2 or s.shape[0] != s.shape[1]:
        raise ValueError(f"scores must be a square, query i belonging to text i; the shape is {s.shape}")
    best = s.max(axis=1)
    # float32 products of equal texts may differ in the last bit: ties are equal to within 1e-6
    tied = s >= best[:, None] - 1e-6
    return float((tied.diagonal() / tied.sum(axis=1)).mean())


class Retrieval(NamedTuple):
    """Top-1 retrieval: left sentences as queries on an index of the right ones, and the reverse."""

    left_to_right: float
    right_to_left: float

    @property
    def mean(self) -> float:
        """The mean of the two directions."""
        return (self.left_to_right + self.right_to_left) / 2


def retrieval(method, pairs: Sequence[Pair], count: int = 200) -> Retrieval:
    """Index one side of the `count` strongest pairs, query with the other, both ways round."""
    _, left, right = zip(*strongest(pairs, count), strict=True)
    scores = similarity(method, left, right)
    return Retrieval(top1(scores), top1(scores.T))


class PrecisionRecall(NamedTuple):
    """Precision and recall at each threshold, arrays of one shape; precision is nan if nothing passes."""

    threshold: np.ndarray
    precision: np.ndarray
    recall: np.ndarray

    @property
    def f1(self) -> np.ndarray:
        """The harmonic mean of precision and recall; 0 where nothing passes."""
        p = np.nan_to_num(self.precision)
        return 2 * p * self.recall / np.maximum(p + self.recall, 1e-12)


def precision_recall(signal: np.ndarray, noise: np.ndarray, thresholds: np.ndarray) -> PrecisionRecall:
    """Count what a threshold keeps of true pairs and of unrelated pairs.

    Recall is the share of `signal` at or above the threshold. Precision is the share of signal
    among all that is kept, and so depends on how much noise there is for each signal.
    """
    signal, noise = np.sort(np.asarray(signal)), np.sort(np.asarray(noise))
    if len(signal) == 0 or len(noise) == 0:
        raise ValueError(f"need both kinds of pairs: {len(signal)} true ones and {len(noise)} unrelated ones given")
    t = np.asarray(thresholds, dtype=np.float64)
    true = len(signal) - np.searchsorted(signal, t, side="left")
    false = len(noise) - np.searchsorted(noise, t, side="left")
    kept = true + false
    precision = np.where(kept > 0, true / np.maximum(kept, 1), np.nan)
    return PrecisionRecall(t, precision, true / len(signal))
