"""The geometry of an embedding table: angles, neighbours, groups, an exact permutation test, a picture.

Everything here asks the same question of a table: which rows point the same way? And then the
question that keeps one honest: would a random choice of rows have looked as good?

References
----------
Fisher (1935), *The Design of Experiments*, section 21 (the permutation test). Pearson (1901),
*On lines and planes of closest fit* (principal components); Jolliffe and Cadima (2016),
doi:10.1098/rsta.2015.0202, section 2 (computing them by singular value decomposition).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

MOST_GROUPS = 5_000_000


def _table(E: ArrayLike) -> np.ndarray:
    """Return `E` as a float64 matrix without NaN, or say what is wrong with it."""
    E = np.asarray(E, dtype=np.float64)
    if E.ndim != 2:
        raise ValueError(f"A table has rows and columns; this has shape {E.shape}.")
    if not np.isfinite(E).all():
        raise ValueError(f"Row {int(np.argwhere(~np.isfinite(E))[0, 0])} holds a number that is not finite.")
    return E


def unit_rows(E: ArrayLike) -> np.ndarray:
    """Divide every row by its length.

    Parameters
    ----------
    E : array_like, shape (n, d)
        The table, one vector a row.

    Returns
    -------
    numpy.ndarray, shape (n, d), float64

    Raises
    ------
    ValueError
        If a row is all zeros: it points nowhere.
    """
    E = _table(E)
    # Scale first by the largest entry, so that no square overflows or vanishes.
    largest = np.abs(E).max(axis=1, keepdims=True)
    if (largest == 0).any():
        raise ValueError(f"Row {int(np.argmin(largest))} is all zeros: it has no direction, hence no cosine.")
    E = E / largest
    return E / np.linalg.norm(E, axis=1, keepdims=True)


def cosine_matrix(E: ArrayLike) -> np.ndarray:
    """Return the cosine of the angle between every two rows.

    Normalise once, and every cosine is a dot product: the whole matrix is one product.

    Parameters
    ----------
    E : array_like, shape (n, d)
        The table, one vector a row.

    Returns
    -------
    numpy.ndarray, shape (n, n), float64
        Symmetric, 1 on the diagonal, between -1 and 1.

    Raises
    ------
    ValueError
        If a row is all zeros.
    """
    U = unit_rows(E)
    S = np.clip(U @ U.T, -1, 1)
    np.fill_diagonal(S, 1)
    return S


def nearest(S: ArrayLike, row: int, count: int = 1) -> list[tuple[int, float]]:
    """Return the rows most similar to `row`, itself left out, the most similar first.

    Parameters
    ----------
    S : array_like, shape (n, n)
        Similarities, for example from `cosine_matrix`.
    row : int
        Whose neighbours are wanted.
    count : int
        How many; at most n - 1.

    Returns
    -------
    list of (int, float)
        Row and similarity. Equal similarities come in the order of the rows.

    Raises
    ------
    IndexError
        If there is no such row.
    """
    S = np.asarray(S)
    if not 0 <= row < len(S):
        raise IndexError(f"row {row} is outside the table: rows run from 0 to {len(S) - 1}.")
    order = np.argsort(-S[row], kind="stable")
    return [(int(i), float(S[row, i])) for i in order if i != row][:count]


@dataclass(frozen=True)
class GroupMeans:
    """Mean similarity of the pairs inside a group, outside it, and across.

    Attributes
    ----------
    within, outside, across : float
        Both rows in the group, both not in it, one of each. A row is never paired with itself.
    """

    within: float
    outside: float
    across: float


def group_means(S: ArrayLike, group: Sequence[int]) -> GroupMeans:
    """Average the similarities by membership.

    Parameters
    ----------
    S : array_like, shape (n, n)
        Symmetric similarities.
    group : sequence of int
        At least two different rows, and at least two must remain.

    Raises
    ------
    ValueError
        If the group repeats a row, or is too small or too large.
    """
    S = np.asarray(S, dtype=np.float64)
    inside = _membership(len(S), group)
    off_diagonal = ~np.eye(len(S), dtype=bool)
    return GroupMeans(
        within=float(S[np.outer(inside, inside) & off_diagonal].mean()),
        outside=float(S[np.outer(~inside, ~inside) & off_diagonal].mean()),
        across=float(S[np.outer(inside, ~inside)].mean()),
    )


def _membership(n: int, group: Sequence[int]) -> np.ndarray:
    group = list(group)
    if len(set(group)) != len(group):
        raise ValueError(f"The group {group} names a row twice.")
    if not 2 <= len(group) <= n - 2:
        raise ValueError(
            f"A group of {len(group)} out of {n} rows leaves no pairs to compare: use 2 to {n - 2}."
        )
    if min(group) < 0 or max(group) >= n:
        raise ValueError(f"The group {group} names a row outside the table: rows run from 0 to {n - 1}.")
    inside = np.zeros(n, dtype=bool)
    inside[group] = True
    return inside


@dataclass(frozen=True)
class PermutationTest:
    """All groups of one size, and where the observed one stands among them.

    Attributes
    ----------
    statistic : float
        Mean similarity within the observed group minus the mean across.
    distribution : numpy.ndarray, shape (groups,)
        The same for every group of that size, in lexicographic order; the observed one is among them.
    as_good : int
        Groups whose statistic is at least the observed one's.
    """

    statistic: float
    distribution: np.ndarray
    as_good: int

    @property
    def p_value(self) -> float:
        """Share of all groups that separate at least as well. Exact: nothing is drawn."""
        return self.as_good / len(self.distribution)


def all_groups(n: int, size: int) -> np.ndarray:
    """Return every group of `size` out of `n` rows, shape (n choose size, size), in lexicographic order."""
    return np.fromiter(chain.from_iterable(combinations(range(n), size)), dtype=np.intp).reshape(-1, size)


def separation(S: ArrayLike, groups: np.ndarray) -> np.ndarray:
    """Return, for each of many groups, mean similarity within minus mean similarity across.

    Parameters
    ----------
    S : array_like, shape (n, n)
        Symmetric similarities.
    groups : numpy.ndarray of int, shape (m, size)
        One group a row, as from `all_groups`.

    Returns
    -------
    numpy.ndarray, shape (m,), float64

    Notes
    -----
    With a row of 0 and 1 for each group (G, shape (m, n)), ``(G S G^T)`` on its diagonal is the sum of
    all similarities inside, and ``G S`` summed over each row the sum of all that touch the group; what
    touches it and is not inside goes across. Two products do all 65,780 groups of five letters.
    """
    S = np.asarray(S, dtype=np.float64)
    n, size = len(S), groups.shape[1]
    G = np.zeros((len(groups), n))
    np.put_along_axis(G, groups, 1, axis=1)
    inside = np.einsum("mi,mi->m", G @ S, G)
    touching = G @ S.sum(axis=1)
    itself = G @ np.diag(S)
    return (inside - itself) / (size * (size - 1)) - (touching - inside) / (size * (n - size))


def permutation_test(S: ArrayLike, group: Sequence[int]) -> PermutationTest:
    """Compare a group with every other group of its size.

    If the names of the rows meant nothing, the group would be one draw out of all of them, each as
    likely as any other: so the share of groups that separate at least as well is the p-value.

    Parameters
    ----------
    S : array_like, shape (n, n)
        Symmetric similarities.
    group : sequence of int
        The rows of the observed group.

    Raises
    ------
    ValueError
        If the group is malformed (see `group_means`) or there are more than five million groups.
    """
    S = np.asarray(S, dtype=np.float64)
    _membership(len(S), group)
    size = len(list(group))
    if comb(len(S), size) > MOST_GROUPS:
        raise ValueError(
            f"{comb(len(S), size):,} groups of {size} out of {len(S)} are too many to list "
            f"(the limit is {MOST_GROUPS:,}): draw random groups instead, with `separation`."
        )
    distribution = separation(S, all_groups(len(S), size))
    statistic = float(separation(S, np.array([sorted(group)]))[0])
    # The observed group is among all groups; rounding must not make it lose against itself.
    as_good = int((distribution >= statistic - 1e-9).sum())
    return PermutationTest(statistic, distribution, as_good)


def pca(E: ArrayLike, dimensions: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Project the rows on the directions in which they vary most.

    Parameters
    ----------
    E : array_like, shape (n, d)
        The table, one vector a row.
    dimensions : int
        At most min(n, d).

    Returns
    -------
    coordinates : numpy.ndarray, shape (n, dimensions)
    directions : numpy.ndarray, shape (dimensions, d)
        Orthonormal. Each is turned so that its largest entry in size is positive: the sign of a
        singular vector is arbitrary, and pictures should not flip from one machine to the next.
    share : numpy.ndarray, shape (dimensions,)
        Share of the total variance that each direction carries.

    Raises
    ------
    ValueError
        If there are not that many directions, or all rows are equal.
    """
    E = _table(E)
    if not 1 <= dimensions <= min(E.shape):
        raise ValueError(
            f"A table of shape {E.shape} has {min(E.shape)} principal directions, not {dimensions}."
        )
    centred = E - E.mean(axis=0)
    _, singular, directions = np.linalg.svd(centred, full_matrices=False)
    total = (singular**2).sum()
    if total == 0:
        raise ValueError("All rows are equal: there is no direction in which they vary.")
    directions = directions[:dimensions]
    turn = np.sign(directions[np.arange(dimensions), np.abs(directions).argmax(axis=1)])
    directions = directions * turn[:, None]
    return centred @ directions.T, directions, singular[:dimensions] ** 2 / total
