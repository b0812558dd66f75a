"""Co-occurrence counts, PMI and GloVe against slow versions of themselves, and against torch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import glove
from tokvec.word2vec import END, Vocabulary


@pytest.fixture(scope="module")
def toy() -> tuple[np.ndarray, Vocabulary]:
    generator = np.random.default_rng(0)
    topics = [["sun", "rain", "wind", "cloud", "snow"], ["bread", "salt", "milk", "egg", "flour"]]
    sentences = [[*generator.choice(topics[i % 2], 6), "the"] for i in range(600)]
    vocabulary = Vocabulary.build(sentences)
    return vocabulary.encode(sentences), vocabulary


@settings(deadline=None)
@given(st.lists(st.integers(-1, 6), max_size=40), st.integers(1, 5))
def test_counts_are_those_of_two_loops(ids, window):
    V = 5  # ids 5 and 6 keep their place and are passed over
    slow = np.zeros((V, V))
    for i, a in enumerate(ids):
        for j in range(i + 1, min(i + window + 1, len(ids))):
            if END in ids[i : j + 1]:
                break
            if a < V and ids[j] < V:
                slow[a, ids[j]] += 1 / (j - i)
                slow[ids[j], a] += 1 / (j - i)
    ids = np.array(ids, dtype=np.int32)
    if not slow.any():
        with pytest.raises(ValueError, match="no two words"):
            glove.cooccurrences(ids, V, window)
        return
    np.testing.assert_allclose(glove.cooccurrences(ids, V, window).toarray(), slow, atol=1e-12)


def test_pmi_by_hand():
    X = glove.cooccurrences(np.array([0, 1, END, 0, 1, END, 2, 2, END, 0, 2, END], dtype=np.int32), 3, 1)
    dense = X.toarray()
    P = dense / dense.sum()
    found = glove.pmi(X).toarray()
    for i in range(3):
        for j in range(3):
            expected = np.log(P[i, j] / (P[i].sum() * P[:, j].sum())) if P[i, j] else 0
            assert found[i, j] == pytest.approx(expected, abs=1e-12)
    smoothed = glove.pmi(X, power=0.75).toarray()
    context = dense.sum(0) ** 0.75
    assert smoothed[0, 1] == pytest.approx(np.log(P[0, 1] / P[0].sum() / (context[1] / context.sum())))


def test_pmi_of_independent_words_is_zero(toy):
    """'the' ends every sentence, whatever its topic: it tells nothing, and PMI says so."""
    ids, vocabulary = toy
    M = glove.pmi(glove.cooccurrences(ids, len(vocabulary), 6)).toarray()
    the = vocabulary.id("the")
    others = [i for i in range(len(vocabulary)) if i != the]
    assert np.abs(M[the, others] - M[the, others].mean()).max() < 0.12


@pytest.mark.parametrize("method", ["svd", "glove"])
def test_words_of_one_topic_come_together(toy, method):
    ids, vocabulary = toy
    X = glove.cooccurrences(ids, len(vocabulary), 4)
    if method == "svd":
        vectors = glove.ppmi_svd(X, vocabulary, dimension=3)
    else:
        vectors, losses = glove.fit(X, vocabulary, dimension=4, passes=40)
        assert losses[-1] < losses[0] / 2
    for word, topic in (("sun", {"rain", "wind", "cloud", "snow"}), ("milk", {"bread", "salt", "egg", "flour"})):
        assert {w for w, _ in vectors.neighbours(word, 4)} == topic


def test_full_rank_svd_gives_the_matrix_back(toy):
    ids, vocabulary = toy
    X = glove.cooccurrences(ids, len(vocabulary), 4)
    V = len(vocabulary)
    M = np.maximum(glove.pmi(X, 0.75).toarray() - np.log(2), 0)
    singular = np.linalg.svd(M, compute_uv=False)
    vectors = glove.ppmi_svd(X, vocabulary, dimension=V - 1, negatives=2).vectors
    np.testing.assert_allclose((vectors**2).sum(0), singular[: V - 1], atol=1e-4)


def test_weight():
    np.testing.assert_allclose(glove.weight([1, 100, 1e6], 100, 0.75), [0.01**0.75, 1, 1])


def test_gradients_agree_with_torch(toy):
    torch = pytest.importorskip("torch")
    ids, vocabulary = toy
    cells = glove.cooccurrences(ids, len(vocabulary), 3).tocoo()
    generator = np.random.default_rng(1)
    V, d = len(vocabulary), 6
    W, C = (generator.normal(size=(V, d + 1)) * 0.5 for _ in range(2))
    rows, columns = cells.row, cells.col
    one = np.array([7])  # one cell: then the order of the updates plays no part
    f, log_x = glove.weight(cells.data), np.log(cells.data)
    tensors = [torch.from_numpy(a).requires_grad_() for a in (W[:, :d], C[:, :d], W[:, d], C[:, d])]
    x, weights = torch.from_numpy(cells.data[one]), torch.from_numpy(f[one])
    loss = glove.reference_loss(
        *tensors, torch.from_numpy(rows[one]).long(), torch.from_numpy(columns[one]).long(), x, weights
    )
    loss.backward()
    moved = [W.copy(), C.copy()]
    sums = [np.ones((V, d + 1)) for _ in range(2)]  # AdaGrad's sums begin at one: its first step is the plain gradient
    total = glove._adagrad(one, rows, columns, log_x, f, *moved, *sums, 1e-6)
    assert total == pytest.approx(loss.item(), abs=1e-9)
    for before, after, plain, bias in ((W, moved[0], tensors[0], tensors[2]), (C, moved[1], tensors[1], tensors[3])):
        gradient = np.column_stack([plain.grad.numpy(), bias.grad.numpy()])
        np.testing.assert_allclose((after - before) / 1e-6, -gradient, atol=1e-5)
    for table, total_squares in zip((tensors[0], tensors[1]), sums, strict=True):
        np.testing.assert_allclose(total_squares[:, :d] - 1, table.grad.numpy() ** 2, atol=1e-9)


def test_same_seed_same_vectors(toy):
    ids, vocabulary = toy
    X = glove.cooccurrences(ids, len(vocabulary), 3)
    a, b, c = (glove.fit(X, vocabulary, dimension=5, passes=3, seed=seed)[0].vectors for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    s, t = (glove.ppmi_svd(X, vocabulary, dimension=5).vectors for _ in range(2))
    np.testing.assert_allclose(s, t, atol=1e-6)


def test_only_frequent_words_get_a_row(toy):
    ids, vocabulary = toy
    vectors = glove.ppmi_svd(glove.cooccurrences(ids, 8, 4), vocabulary, dimension=3)
    assert vectors.words == vocabulary.words[:8] and vectors.vectors.shape == (8, 3)


def test_bad_input_is_named(toy):
    ids, vocabulary = toy
    X = glove.cooccurrences(ids, len(vocabulary), 2)
    for call, words in (
        (lambda: glove.cooccurrences(ids, 5, 0), "window = 0"),
        (lambda: glove.cooccurrences(ids[:0], 5, 1), "corpus is empty"),
        (lambda: glove.ppmi_svd(X, vocabulary, dimension=99), "dimension = 99"),
        (lambda: glove.fit(X, vocabulary, dimension=0), "dimension = 0"),
        (lambda: glove.fit(X * 0, vocabulary), "counts above zero"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
