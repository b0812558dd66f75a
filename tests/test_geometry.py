"""Cosines, neighbours, groups, the permutation test and PCA, against libraries and by hand."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cosine
from scipy.stats import permutation_test as scipy_permutation_test
from sklearn.decomposition import PCA

from tokvec import geometry as geo
from tokvec import mlp

FLOATS = st.floats(-1e3, 1e3, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-3)
SHAPES = st.tuples(st.integers(2, 9), st.integers(1, 6))
TABLES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=FLOATS))


def random_table(n=9, d=4, seed=3):
    return np.random.default_rng(seed).normal(size=(n, d))


@given(TABLES)
def test_cosines_are_scipys_and_ignore_length(E):
    if (E == 0).all(axis=1).any():
        with pytest.raises(ValueError, match="all zeros"):
            geo.cosine_matrix(E)
        return
    S = geo.cosine_matrix(E)
    for i, j in combinations(range(len(E)), 2):
        assert S[i, j] == pytest.approx(1 - cosine(E[i], E[j]), abs=1e-9)
    assert np.array_equal(S, S.T) and (np.abs(S) <= 1).all() and (np.diag(S) == 1).all()
    stretched = geo.cosine_matrix(E * np.arange(1, len(E) + 1)[:, None])
    assert np.allclose(S, stretched, atol=1e-9)


def test_huge_and_tiny_rows_have_directions_too():
    S = geo.cosine_matrix([[1e200, 0], [1e-200, 1e-200]])
    assert S[0, 1] == pytest.approx(np.sqrt(0.5))


def test_nearest_leaves_the_row_itself_out_and_is_sorted():
    S = geo.cosine_matrix(random_table())
    found = geo.nearest(S, 4, 99)
    assert sorted(i for i, _ in found) == [i for i in range(9) if i != 4]
    values = [value for _, value in found]
    assert values == sorted(values, reverse=True) and values[0] == max(np.delete(S[4], 4))
    assert geo.nearest(np.ones((4, 4)), 2, 2) == [(0, 1.0), (1, 1.0)]


def test_group_means_by_hand():
    S = geo.cosine_matrix(random_table())
    group = [7, 1, 4]
    rest = [i for i in range(9) if i not in group]
    means = geo.group_means(S, group)
    assert means.within == pytest.approx(np.mean([S[i, j] for i, j in combinations(group, 2)]))
    assert means.outside == pytest.approx(np.mean([S[i, j] for i, j in combinations(rest, 2)]))
    assert means.across == pytest.approx(np.mean([S[i, j] for i in group for j in rest]))


@settings(deadline=None)
@given(st.integers(5, 9), st.integers(2, 3), st.integers(0, 1000))
def test_all_groups_at_once_equal_one_group_at_a_time(n, size, seed):
    S = geo.cosine_matrix(random_table(n, 3, seed))
    groups = geo.all_groups(n, size)
    assert groups.tolist() == [list(c) for c in combinations(range(n), size)]
    slow = []
    for group in groups:
        means = geo.group_means(S, group.tolist())
        slow.append(means.within - means.across)
    assert np.allclose(geo.separation(S, groups), slow)


def test_permutation_test_equals_scipys_exact_one():
    S = geo.cosine_matrix(random_table(8))
    group = [1, 2, 5]
    ours = geo.permutation_test(S, group)

    def statistic(inside, outside):
        means = geo.group_means(S, [int(i) for i in inside])
        return means.within - means.across

    theirs = scipy_permutation_test(
        (group, [i for i in range(8) if i not in group]), statistic, alternative="greater", n_resamples=np.inf
    )
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p_value == pytest.approx(theirs.pvalue)


def test_permutation_test_extremes():
    E = np.zeros((8, 2))
    E[:3, 0] = E[3:, 1] = 1
    test = geo.permutation_test(geo.cosine_matrix(E), [0, 1, 2])
    assert (test.as_good, len(test.distribution)) == (1, 56), "nothing separates better than a perfect group"
    assert geo.permutation_test(np.ones((8, 8)), [0, 1, 2]).p_value == 1, "where all rows are equal, all groups are"


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: geo.unit_rows([1.0, 2.0]), r"shape \(2,\)"),
        (lambda: geo.cosine_matrix([[1.0, np.nan], [1, 2]]), "Row 0"),
        (lambda: geo.group_means(np.eye(5), [1, 1]), "twice"),
        (lambda: geo.group_means(np.eye(5), [1]), "no pairs"),
        (lambda: geo.group_means(np.eye(5), [1, 5]), "outside the table"),
        (lambda: geo.permutation_test(np.eye(60), range(10)), "too many to list"),
        (lambda: geo.pca(np.eye(3), 4), "not 4"),
        (lambda: geo.pca(np.ones((4, 3))), "All rows are equal"),
    ],
)
def test_bad_input_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_nearest_to_a_row_that_is_not_there():
    with pytest.raises(IndexError, match="row 9"):
        geo.nearest(np.eye(3), 9)


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4))
def test_pca_is_scikit_learns(seed, dimensions):
    E = random_table(12, 4, seed)
    coordinates, directions, share = geo.pca(E, dimensions)
    theirs = PCA(dimensions, svd_solver="full").fit(E)
    assert np.allclose(np.abs(directions), np.abs(theirs.components_), atol=1e-7)
    assert np.allclose(share, theirs.explained_variance_ratio_)
    assert np.allclose(np.abs(coordinates), np.abs(theirs.transform(E)), atol=1e-7)
    assert (directions[np.arange(dimensions), np.abs(directions).argmax(axis=1)] > 0).all()


def test_the_stored_table_gives_the_claims():
    """G1 to G3 from the stored weights, to the source's digits; needs no data."""
    symbols = ".abcdefghijklmnopqrstuvwxyz"
    S = geo.cosine_matrix(mlp.stored("k3").C.numpy())
    found = {}
    for letter in "cjiua.":
        i, value = geo.nearest(S, symbols.index(letter))[0]
        found[letter] = f"{symbols[i]} {value:.3f}"
    assert found == {"c": "k 0.598", "j": "z 0.650", "i": "y 0.541", "u": "e 0.482", "a": "h 0.367", ".": "q 0.077"}
    letters, vowels = S[1:, 1:], [symbols.index(v) - 1 for v in "aeiou"]
    means = geo.group_means(letters, vowels)
    assert [f"{x:.4f}" for x in (means.within, means.outside, means.across)] == ["0.1889", "0.0765", "-0.0042"]
    test = geo.permutation_test(letters, vowels)
    assert len(test.distribution) == 65_780 and f"{test.p_value:.4f}" == "0.0277"
