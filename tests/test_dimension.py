"""Distances, cosines, effective dimension, hubs and costs, against scipy and against arithmetic by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import dimension as dim


def rng(seed=1):
    return np.random.default_rng(seed)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 60), d=st.integers(1, 40), block=st.integers(1, 70), seed=st.integers(0, 10_000))
def test_extremes_are_scipys_to_the_last_digits(n, d, block, seed):
    distance = pytest.importorskip("scipy.spatial.distance")
    points = rng(seed).random((n, d))
    every = distance.pdist(points)
    found = dim.extreme_distances(points, block=block)
    assert found.nearest == pytest.approx(every.min(), rel=1e-9)
    assert found.farthest == pytest.approx(every.max(), rel=1e-12)


def test_extremes_survive_points_far_from_the_origin():
    # the plain identity |x|² + |y|² - 2xy would lose the small distance altogether
    points = 1e8 + np.array([[0.0], [1e-3], [5.0]])
    found = dim.extreme_distances(points)
    assert found.nearest == pytest.approx(1e-3, rel=1e-4)
    assert found.farthest == pytest.approx(5.0)


def test_coinciding_points_have_an_infinite_ratio():
    assert dim.extreme_distances(np.array([[0.0, 0], [0, 0], [1, 1]])).ratio == math.inf


def test_all_distances_agree_with_scipy():
    distance = pytest.importorskip("scipy.spatial.distance")
    points = rng().random((50, 7))
    assert np.allclose(dim.pair_distances(points), distance.pdist(points))


@pytest.mark.parametrize("d", [100, 1000])
def test_the_distance_law_holds_for_random_points(d):
    mean, deviation = dim.cube_distance_law(d)
    distances = dim.pair_distances(rng().random((400, d)))
    assert distances.mean() == pytest.approx(mean, rel=0.01)
    assert distances.std() == pytest.approx(deviation, rel=0.05)
    assert deviation == pytest.approx(math.sqrt(7 / 120))


def test_the_ratio_law_is_near_the_measurement_and_falls_to_one():
    measured = dim.extreme_distances(rng().random((1000, 2000))).ratio
    assert dim.extreme_ratio_law(1000, 2000) == pytest.approx(measured, abs=0.03)
    assert dim.extreme_ratio_law(1000, 3) == math.inf
    assert 1 < dim.extreme_ratio_law(1000, 10**8) < 1.001


@pytest.mark.parametrize("d", [2, 3, 10, 100, 768])
def test_cosine_density_and_tail_are_the_beta_law(d):
    stats = pytest.importorskip("scipy.stats")
    # a squared coordinate of a random unit vector is Beta(1/2, (d - 1)/2)
    law = stats.beta(0.5, (d - 1) / 2)
    for t in (0.0, 0.02, 0.1, 0.4, 0.9, 1.0):
        assert dim.cosine_tail(t, d) == pytest.approx(law.sf(t * t), rel=1e-6, abs=1e-14)
    c = np.array([0.01, 0.1, 0.3])
    assert np.allclose(dim.cosine_density(c, d), law.pdf(c**2) * c)


@pytest.mark.parametrize("d", [3, 100, 768])
def test_random_cosines_spread_as_one_over_root_d(d):
    n = 5_000
    cosines = dim.random_cosines(n, d, rng())
    assert abs(cosines.mean()) < 4 / math.sqrt(d * n)
    # the standard error of a standard deviation of n near-normal draws is sd / sqrt(2 n)
    assert cosines.std() == pytest.approx(1 / math.sqrt(d), abs=4 / math.sqrt(2 * n * d))


def test_effective_dimension_of_known_sets():
    assert dim.effective_dimension(np.ones((5, 9))) == pytest.approx(1)
    assert dim.effective_dimension(np.eye(7)) == math.inf
    flat = rng().standard_normal((3000, 50))
    assert dim.effective_dimension(flat) == pytest.approx(50, rel=0.02)
    flat[:, 5:] *= 0.001  # forty-five of the fifty directions are as good as unused
    assert dim.effective_dimension(flat) == pytest.approx(5, rel=0.03)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 30), d=st.integers(1, 12), seed=st.integers(0, 1000))
def test_effective_dimension_is_one_over_the_mean_squared_cosine(n, d, seed):
    x = rng(seed).standard_normal((n, d)) + 0.3
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    squares = (unit @ unit.T)[np.triu_indices(n, k=1)] ** 2
    assert dim.effective_dimension(x) == pytest.approx(1 / squares.mean(), rel=1e-6)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_neighbour_counts_agree_with_scikit_learn(metric):
    neighbors = pytest.importorskip("sklearn.neighbors")
    x = rng().random((200, 20))
    fitted = neighbors.NearestNeighbors(n_neighbors=5, metric=metric).fit(x)
    theirs = np.bincount(fitted.kneighbors(return_distance=False).ravel(), minlength=200)
    assert (dim.neighbour_counts(x, 5, metric) == theirs).all()


def test_neighbour_counts_keep_their_mean_with_duplicates():
    x = np.repeat(rng().standard_normal((10, 4)), 6, axis=0)
    assert dim.neighbour_counts(x, 3).sum() == 60 * 3


def test_skewness_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    values = rng().exponential(size=500)
    assert dim.skewness(values) == pytest.approx(stats.skew(values))
    assert dim.skewness(np.ones(4)) == 0


def test_first_layer_grows_by_one_slab_a_position():
    torch = pytest.importorskip("torch")
    for k in (1, 3, 8):
        assert dim.mlp_first_layer(k) == torch.nn.Linear(10 * k, 200, bias=False).weight.numel()


@pytest.mark.parametrize(("n", "d"), [(16, 32), (32, 32), (64, 8)])
def test_attention_multiplications_are_what_torch_counts(n, d):
    torch = pytest.importorskip("torch")
    counter = pytest.importorskip("torch.utils.flop_counter")
    q, k, v = (torch.ones(n, d) for _ in range(3))
    with counter.FlopCounterMode(display=False) as flops:
        torch.softmax(q @ k.T, dim=1) @ v
    assert flops.get_total_flops() == 2 * dim.attention_multiplications(n, d)  # torch counts the additions too


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: dim.extreme_distances(np.ones((1, 3))), "at least 2 points"),
        (lambda: dim.extreme_distances(np.array([[1.0], [np.nan]])), "not finite"),
        (lambda: dim.extreme_distances(np.ones(3)), "shape"),
        (lambda: dim.random_cosines(0, 3, rng()), "n_pairs is 0"),
        (lambda: dim.random_cosines(3, 0, rng()), "dimension is 0"),
        (lambda: dim.cosine_density(0.1, 1), "dimension is 1"),
        (lambda: dim.cosine_tail(1.5, 10), "1.5"),
        (lambda: dim.effective_dimension(np.zeros((2, 2))), "length 0"),
        (lambda: dim.effective_dimension(np.ones((1, 2))), "needs 2 vectors"),
        (lambda: dim.neighbour_counts(np.ones((3, 2)), 3), "k is 3"),
        (lambda: dim.neighbour_counts(np.ones((3, 2)), 1, "taxi"), "'taxi'"),
        (lambda: dim.extreme_ratio_law(1, 10), "at least 2"),
        (lambda: dim.mlp_first_layer(0), "context is 0"),
        (lambda: dim.attention_multiplications(4, 0), "width is 0"),
    ],
)
def test_bad_input_gets_an_error_that_names_it(call, says):
    with pytest.raises(ValueError, match=says):
        call()
