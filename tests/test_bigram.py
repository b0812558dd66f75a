"""The count model and the network that reaches it."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import bigram

WORDS = ["emma", "olivia", "ava", "isabella", "sophia", "charlotte", "mia", "amelia", "harper", "evelyn", "zoe"]
words = st.text(alphabet=bigram.SYMBOLS[1:], min_size=1, max_size=12)


@given(words)
def test_encoding_comes_back(word):
    assert bigram.decode(bigram.encode(word)) == word


@pytest.mark.parametrize(("word", "named"), [("Emma", "'E'"), ("zoë", "'ë'"), ("a b", "' '"), ("a.b", "boundary")])
def test_a_character_without_id_is_named(word, named):
    with pytest.raises(ValueError, match=named):
        bigram.encode(word)


@pytest.mark.parametrize("i", [-1, 27])
def test_an_id_outside_the_table_is_named(i):
    with pytest.raises(ValueError, match=f"id {i} is outside"):
        bigram.decode([i])


@given(st.lists(words, min_size=1, max_size=20))
def test_labels_are_the_data_shifted_by_one(corpus):
    xs, ys = bigram.bigrams(corpus)
    assert len(xs) == len(ys) == sum(len(word) + 1 for word in corpus)
    assert bigram.decode(xs.tolist()) == "".join("." + word for word in corpus)
    assert bigram.decode(ys.tolist()) == "".join(word + "." for word in corpus)


def test_symbols_of_two_lists_do_not_pair():
    xs, _ = bigram.bigrams(["emma"])
    _, ys = bigram.bigrams(["ava"])
    P = torch.full((27, 27), 1 / 27)
    for compute in (lambda: bigram.average_nll(P, xs, ys), lambda: bigram.count(xs, ys[:1])):
        with pytest.raises(ValueError, match="xs has 5 symbols, ys [14]: take both from one call"):
            compute()


def test_one_text_instead_of_a_list_is_refused():
    with pytest.raises(ValueError, match=r"one text, 'emma': give a list of words, as \['emma'\]"):
        bigram.bigrams("emma")


def test_an_empty_corpus_is_an_error():
    with pytest.raises(ValueError, match="empty"):
        bigram.bigrams([])
    with pytest.raises(ValueError, match="9 words"):
        bigram.split(["a"] * 9)


@given(st.integers(10, 500))
def test_the_split_loses_nothing(n):
    corpus = [f"w{i}" for i in range(n)]
    parts = bigram.split(corpus)
    assert sorted(sum(parts, [])) == sorted(corpus)
    assert [len(part) for part in parts] == [int(0.8 * n), int(0.9 * n) - int(0.8 * n), n - int(0.9 * n)]


def test_counting_is_what_a_loop_would_count():
    xs, ys = bigram.bigrams(WORDS)
    N = torch.zeros(27, 27, dtype=torch.int64)
    for word in WORDS:
        for a, b in zip("." + word, word + "."):
            N[bigram.SYMBOLS.index(a), bigram.SYMBOLS.index(b)] += 1
    assert torch.equal(bigram.count(xs, ys), N)


@settings(max_examples=30)
@given(st.lists(words, min_size=1, max_size=30), st.floats(0.01, 100))
def test_rows_sum_to_one_and_smoothing_never_gives_zero(corpus, add):
    P = bigram.probabilities(bigram.count(*bigram.bigrams(corpus)), add)
    assert torch.allclose(P.sum(1), torch.ones(27), atol=1e-6)
    assert (P > 0).all()


def test_a_row_without_counts_and_a_negative_add_are_errors():
    N = bigram.count(*bigram.bigrams(WORDS))
    with pytest.raises(ValueError, match="row 4 was never counted|row \\d+ was never counted"):
        bigram.probabilities(N)
    with pytest.raises(ValueError, match="add = -1"):
        bigram.probabilities(N, -1)


@pytest.mark.parametrize("V", [2, 10, 27, 1000])
def test_the_perplexity_of_the_uniform_model_is_the_number_of_symbols(V):
    P = torch.full((V, V), 1 / V)
    xs = torch.arange(V)
    loss = bigram.average_nll(P, xs, xs.flip(0))
    assert loss == pytest.approx(math.log(V), abs=1e-6)
    assert bigram.perplexity(loss) == pytest.approx(V, rel=1e-6)


def test_one_impossible_pair_makes_the_loss_infinite():
    P = torch.full((27, 27), 1 / 27)
    P[1, 2] = 0
    assert bigram.average_nll(P, torch.tensor([1, 1]), torch.tensor([3, 2])) == math.inf


def test_sampling_ends_repeats_and_gives_up_on_a_closed_loop():
    P = bigram.probabilities(bigram.count(*bigram.bigrams(WORDS)), add=1)
    first, second = ([bigram.sample(P, bigram.generator(7)) for _ in range(1)] for _ in range(2))
    assert first == second
    g = bigram.generator()
    assert all(bigram.BOUNDARY not in bigram.encode(bigram.sample(P, g)) for _ in range(50))
    closed = torch.zeros(27, 27)
    closed[:, 1] = 1
    with pytest.raises(RuntimeError, match="without a boundary"):
        bigram.sample(closed, g, limit=50)


@pytest.fixture(scope="module")
def pairs():
    train, _ = bigram.stored_counts()
    xs, ys = (ids.repeat_interleave(train[train > 0]) for ids in train.nonzero(as_tuple=True))
    return train, xs, ys


def test_both_forms_of_the_network_agree_step_by_step(pairs):
    N, xs, ys = pairs
    W = bigram.start(bigram.generator())
    assert bigram.loss_by_rows(W, xs, ys).item() == pytest.approx(bigram.loss_by_counts(W, N).item(), abs=1e-5)
    by_rows = by_counts = W
    for _ in range(5):
        by_rows = bigram.descend_by_rows(by_rows, xs, ys, 1, 50.0)
        by_counts, _ = bigram.descend(by_counts, N, 1, 50.0)
        assert torch.allclose(by_rows, by_counts, atol=2e-3)


def test_the_gradient_by_hand_is_autograds(pairs):
    N, _, _ = pairs
    W = bigram.start(bigram.generator(1)).requires_grad_()
    bigram.loss_by_counts(W, N).backward()
    after, _ = bigram.descend(W.detach(), N, 1, 1.0)
    assert torch.allclose(W.detach() - after, W.grad, atol=1e-6)


def test_the_descent_lowers_the_loss_and_ends_at_the_counts(pairs):
    N, _, _ = pairs
    start = bigram.start(bigram.generator())
    before = start.clone()
    W, trace = bigram.descend(start, N, 3000, 50.0, report=(1, 10, 100, 1000, 3000))
    assert torch.equal(start, before), "the weights given are left alone"
    losses, gaps = [t.train for t in trace], [t.gap for t in trace]
    assert losses == sorted(losses, reverse=True) and gaps[-1] < 0.005
    assert [t.step for t in trace] == [1, 10, 100, 1000, 3000] and trace[0].validation is None
    assert torch.softmax(W, 1).sub(bigram.probabilities(N)).abs().max().item() == pytest.approx(gaps[-1])


def test_no_steps_is_the_start_and_fewer_is_an_error(pairs):
    N, _, _ = pairs
    W = bigram.start(bigram.generator())
    assert torch.equal(bigram.descend(W, N, 0, 1.0)[0], W)
    with pytest.raises(ValueError, match="steps = -1"):
        bigram.descend(W, N, -1, 1.0)


def test_the_stored_table_is_the_one_that_the_names_give():
    from tokvec import datasets

    try:
        names = datasets.names()
    except datasets.DatasetError as error:
        pytest.skip(f"needs names: {error}")
    train, validation, _ = bigram.split(names)
    stored = bigram.stored_counts()
    assert torch.equal(stored[0], bigram.count(*bigram.bigrams(train)))
    assert torch.equal(stored[1], bigram.count(*bigram.bigrams(validation)))
