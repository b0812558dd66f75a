"""What distance and cosine mean when a vector has many coordinates (chapter 10).

Four questions, in the order the chapter asks them: how far apart are random points, how large is
the cosine of two random directions, how many dimensions does a set of real vectors use, and what
does a longer context cost. Each has a measurement here and, beside it, the law that predicts it.

References
----------
Beyer, Goldstein, Ramakrishnan, Shaft (1999), "When is 'nearest neighbor' meaningful?", ICDT.
Aggarwal, Hinneburg, Keim (2001), "On the surprising behavior of distance metrics in high dimensional space", ICDT.
Radovanović, Nanopoulos, Ivanović (2010), "Hubs in space", JMLR 11.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from tokvec.sentences.search import checked_vectors, normalise, top_k

# The squared difference of two independent uniform numbers on [0, 1] has mean 1/6 and variance 7/180.
CUBE_MEAN = 1 / 6
CUBE_VARIANCE = 7 / 180


# Distances -----------------------------------------------------------------------------------------


class Extremes(NamedTuple):
    """The smallest and the largest distance between any two points of a set."""

    nearest: float
    farthest: float

    @property
    def ratio(self) -> float:
        """Farthest over nearest; infinite when two points coincide."""
        return self.farthest / self.nearest if self.nearest > 0 else math.inf


def extreme_distances(points: np.ndarray, block: int = 512) -> Extremes:
    """Find the nearest and the farthest pair, exactly, without holding all differences in memory.

    All n (n - 1) / 2 difference vectors of 1,000 points in 10,000 dimensions would take 40 GB. The
    identity |x - y|² = |x|² + |y|² - 2 x·y needs one matrix product instead, but it subtracts large
    numbers to get a small one. So the product only nominates: every pair that could be extreme
    within its rounding error is measured again from its own difference.

    Parameters
    ----------
    points : array of shape (n, d)
        One row a point, n >= 2.
    block : int
        Rows of the product held at a time; memory is ``block * n`` numbers.

    Returns
    -------
    Extremes
        Euclidean distances of the nearest and the farthest pair.

    Raises
    ------
    ValueError
        Fewer than two points, not a matrix, or a number that is not finite.
    """
    x = checked_vectors(points, "points").astype(np.float64)
    n, d = x.shape
    if n < 2:
        raise ValueError(f"a pair needs at least 2 points, and there is {n}: draw more points")
    x = x - x.mean(axis=0)  # distances do not change, and the numbers being subtracted get smaller
    squares = np.einsum("ij,ij->i", x, x)
    # a dot product of d terms is off by at most about d eps times the lengths; 4 covers the three terms
    error = 4 * (d + 2) * np.finfo(np.float64).eps * squares.max()
    low, high = math.inf, -math.inf
    near: list[tuple[int, int, float]] = []
    far: list[tuple[int, int, float]] = []
    for start in range(0, n, block):
        rows = x[start : start + block]
        squared = squares[start : start + block, None] + squares - 2 * (rows @ x.T)
        later = np.arange(n) > np.arange(start, start + len(rows))[:, None]  # each pair once
        if not later.any():
            continue
        low = min(low, squared[later].min())
        high = max(high, squared[later].max())
        near += _nominate(squared, later & (squared <= low + 2 * error), start)
        far += _nominate(squared, later & (squared >= high - 2 * error), start)
    nearest = min(np.linalg.norm(x[i] - x[j]) for i, j, s in near if s <= low + 2 * error)
    farthest = max(np.linalg.norm(x[i] - x[j]) for i, j, s in far if s >= high - 2 * error)
    return Extremes(float(nearest), float(farthest))


def _nominate(squared: np.ndarray, mask: np.ndarray, start: int) -> list[tuple[int, int, float]]:
    return [(int(i) + start, int(j), float(squared[i, j])) for i, j in zip(*np.nonzero(mask), strict=True)]


def pair_distances(points: np.ndarray) -> np.ndarray:
    """Return the distances of all pairs i < j, for a histogram; shape (n (n - 1) / 2,)."""
    x = checked_vectors(points, "points").astype(np.float64)
    x = x - x.mean(axis=0)
    squares = np.einsum("ij,ij->i", x, x)
    upper = np.triu_indices(len(x), k=1)
    return np.sqrt(np.maximum((squares[:, None] + squares - 2 * (x @ x.T))[upper], 0.0))


def cube_distance_law(dimension: int) -> tuple[float, float]:
    """Return mean and standard deviation of the distance of two random points of the unit cube.

    The squared distance is a sum of d independent terms: mean d/6, variance 7d/180. The root of a
    number near its mean m varies by its deviation over 2 sqrt(m), so the distance has mean about
    sqrt(d/6) and standard deviation about sqrt(7/120) = 0.2415, whatever d is.
    """
    _checked_dimension(dimension, at_least=1)
    mean = math.sqrt(dimension * CUBE_MEAN)
    return mean, math.sqrt(dimension * CUBE_VARIANCE) / (2 * mean)


def extreme_ratio_law(n_points: int, dimension: int) -> float:
    """Predict farthest over nearest for random points of the unit cube in many dimensions.

    Treat the N = n (n - 1) / 2 distances as normal draws with the mean and deviation of
    `cube_distance_law`. The largest of N normal draws lies about z deviations above the mean, where
    a share of 1/N lies beyond z, and the smallest as far below. With a mean that grows as sqrt(d)
    and a deviation that does not grow, the ratio falls to 1 as 1 + const / sqrt(d).

    Returns infinity where the prediction for the nearest pair is not positive (few dimensions).
    """
    if n_points < 2:
        raise ValueError(f"a pair needs at least 2 points, not {n_points}")
    mean, deviation = cube_distance_law(dimension)
    reach = normal_quantile(1 - 1 / max(2, n_points * (n_points - 1) // 2)) * deviation
    return (mean + reach) / (mean - reach) if mean > reach else math.inf


def normal_quantile(share: float) -> float:
    """Return z with the given share of a standard normal distribution below it."""
    return NormalDist().inv_cdf(share)


# Cosines -------------------------------------------------------------------------------------------


def random_cosines(n_pairs: int, dimension: int, generator: np.random.Generator) -> np.ndarray:
    """Return the cosines of `n_pairs` independent pairs of random directions, shape (n_pairs,).

    A vector of independent normal numbers points in a uniformly random direction.
    """
    _checked_dimension(dimension, at_least=1)
    if n_pairs < 1:
        raise ValueError(f"n_pairs is {n_pairs}: draw at least 1 pair")
    a, b = generator.standard_normal((2, n_pairs, dimension))
    return (normalise(a) * normalise(b)).sum(axis=1)


def cosine_density(cosine: np.ndarray, dimension: int) -> np.ndarray:
    """Return the exact density of the cosine of two random directions in d >= 2 dimensions.

    By symmetry one direction may be fixed, and the cosine is one coordinate of a uniformly random
    unit vector: its density is proportional to (1 - c²)^((d - 3) / 2). Its mean is 0 and its
    variance exactly 1/d, because the d squared coordinates share a sum of 1 equally.
    """
    _checked_dimension(dimension, at_least=2)
    c = np.asarray(cosine, dtype=np.float64)
    log_constant = math.lgamma(dimension / 2) - math.lgamma((dimension - 1) / 2) - math.log(math.pi) / 2
    with np.errstate(divide="ignore"):
        return np.exp(log_constant + (dimension - 3) / 2 * np.log1p(-(c**2)))


def cosine_tail(threshold: float, dimension: int) -> float:
    """Return the probability that two random directions have a cosine beyond ±threshold (d >= 2).

    With c = sin(a) the density becomes cos(a)^(d - 2), smooth on the whole interval, and Simpson's
    rule on 2,000 strips is exact to more digits than a chapter prints.
    """
    _checked_dimension(dimension, at_least=2)
    if not 0 <= threshold <= 1:
        raise ValueError(f"a cosine threshold lies between 0 and 1, not at {threshold}")
    log_constant = math.lgamma(dimension / 2) - math.lgamma((dimension - 1) / 2) - math.log(math.pi) / 2
    start = math.asin(threshold)
    # the integrand is negligible beyond some 40 deviations: integrate only where it lives
    angles = np.linspace(start, min(math.pi / 2, start + 40 / math.sqrt(dimension)), 2001)
    weights = np.ones(2001)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    heights = np.cos(angles) ** (dimension - 2)
    integral = float((weights * heights).sum()) * (angles[1] - angles[0]) / 3
    return min(1.0, 2 * math.exp(log_constant) * integral)


# Real vectors --------------------------------------------------------------------------------------


def effective_dimension(vectors: np.ndarray) -> float:
    """Return in how many dimensions random directions would have cosines as large as these vectors have.

    The cosine of two random directions has mean square 1/d. Turn that round: the effective dimension
    is 1 / mean(cosine²) over all pairs of different vectors. No pair needs to be visited. Scale every
    vector to length 1 and let M = XᵀX; the sum of the squares of M's entries is the sum of cosine²
    over all n² pairs, and n of these pair a vector with itself. For many vectors this is the
    participation ratio of M's eigenvalues, (sum of them)² / (sum of their squares): d when all
    directions are used alike, 1 when all vectors lie on one line.

    Parameters
    ----------
    vectors : array of shape (n, d)
        One row a vector, n >= 2.

    Returns
    -------
    float
        At least 1; infinite if every pair is orthogonal.

    Raises
    ------
    ValueError
        Fewer than two vectors, or a vector of length 0, which has no direction.
    """
    x = normalise(np.asarray(vectors, dtype=np.float64))
    n = len(x)
    if n < 2:
        raise ValueError(f"a cosine needs 2 vectors, and there is {n}: give more")
    if not (np.einsum("ij,ij->i", x, x) > 0.5).all():
        raise ValueError("a vector of length 0 has no direction: remove it first")
    squared_cosines = ((x.T @ x) ** 2).sum() - n
    # orthogonal vectors leave nothing but rounding
    return float(n * (n - 1) / squared_cosines) if squared_cosines > 1e-9 * n else math.inf


def neighbour_counts(vectors: np.ndarray, k: int, metric: str = "cosine") -> np.ndarray:
    """Count how often each vector is among the k nearest of the others; shape (n,).

    The counts have mean k. In many dimensions they can become lopsided: a few vectors, the hubs,
    are everybody's neighbour, and many are nobody's (Radovanović et al. 2010).

    Parameters
    ----------
    vectors : array of shape (n, d)
        One row a vector.
    k : int
        How many neighbours each vector names, 1 <= k < n.
    metric : str
        "cosine" or "euclidean".

    Raises
    ------
    ValueError
        k is not between 1 and n - 1, or there is no such metric.
    """
    if metric not in ("cosine", "euclidean"):
        raise ValueError(f'metric is {metric!r}: choose "cosine" or "euclidean"')
    x = normalise(vectors) if metric == "cosine" else checked_vectors(vectors, "vectors")
    if not 1 <= k < len(x):
        raise ValueError(f"k is {k}, and each of {len(x)} vectors has {len(x) - 1} others: choose k from 1 up to that")
    if metric == "cosine":
        _, ids = top_k(x, x, k + 1)
    else:
        # |x - y|² is smallest where 2 x·y - |y|² is largest: one more coordinate makes it a dot product
        squares = np.einsum("ij,ij->i", x, x)[:, None]
        _, ids = top_k(np.hstack([2 * x, -np.ones_like(squares)]), np.hstack([x, squares]), k + 1)
    own = ids == np.arange(len(x))[:, None]
    # a duplicate can push a vector out of its own list; then the last neighbour is the one too many
    own[~own.any(axis=1), -1] = True
    return np.bincount(ids[~own], minlength=len(x))


def skewness(values: np.ndarray) -> float:
    """Return the third standardised moment: 0 for a symmetric spread, large for a long right tail."""
    v = np.asarray(values, dtype=np.float64)
    deviation = v.std()
    return 0.0 if deviation == 0 else float((((v - v.mean()) / deviation) ** 3).mean())


# Costs of context ----------------------------------------------------------------------------------


def mlp_first_layer(context: int, embedding: int = 10, hidden: int = 200) -> int:
    """Count the weights of the first layer of chapter 5's MLP: one slab for every position."""
    for name, value in (("context", context), ("embedding", embedding), ("hidden", hidden)):
        _checked_dimension(value, at_least=1, name=name)
    return context * embedding * hidden


def attention_multiplications(context: int, width: int) -> int:
    """Count the multiplications of one unmasked attention head's scores and averages.

    The scores are the products of all n queries with all n keys, n² d multiplications; the averages
    weigh all n values for each of n positions, n² d more. The weights that make queries, keys and
    values cost n d² each and have no part in the square.
    """
    _checked_dimension(context, at_least=1, name="context")
    _checked_dimension(width, at_least=1, name="width")
    return 2 * context * context * width


def _checked_dimension(value: int, at_least: int, name: str = "dimension") -> None:
    if value < at_least:
        raise ValueError(f"{name} is {value}: choose {at_least} or more")
