"""The MLP language model: data, both trainers, the stored weights."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import bigram, datasets, mlp

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", max_size=8)


@pytest.fixture(scope="module")
def names():
    try:
        return bigram.split(datasets.names())
    except datasets.DatasetError as error:
        pytest.skip(str(error))


def random_model(k=3, d=10, hidden=20, tied=False, seed=5):
    g = bigram.generator(seed)
    model = mlp.init(k, g, d=d, hidden=hidden, tied=tied)
    model.b1.normal_(generator=g)
    model.b2.normal_(generator=g)
    if not tied:
        model.W2.mul_(50)  # as large as after training, so that no gradient is near zero
    return model


def random_batch(k, n=32, seed=6):
    g = bigram.generator(seed)
    return torch.randint(0, 27, (n, k), generator=g), torch.randint(0, 27, (n,), generator=g)


# Data -------------------------------------------------------------------------------------


def test_contexts_of_one_word():
    X, Y = mlp.contexts(["emma"], 3)
    shown = [(bigram.decode(x), bigram.decode([y])) for x, y in zip(X.tolist(), Y.tolist(), strict=True)]
    assert shown == [("...", "e"), ("..e", "m"), (".em", "m"), ("emm", "a"), ("mma", ".")]


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(1, 9))
def test_every_symbol_is_predicted_once_from_what_stands_before_it(words, k):
    X, Y = mlp.contexts(words, k)
    assert bigram.decode(Y.tolist()) == "".join(word + "." for word in words)
    text = iter(zip(X.tolist(), Y.tolist(), strict=True))
    for word in words:
        padded = "." * k + word + "."
        for i in range(len(word) + 1):
            x, _ = next(text)
            assert bigram.decode(x) == padded[i : i + k]


def test_one_symbol_of_context_is_the_bigrams(names):
    X, Y = mlp.contexts(names[1], 1)
    xs, ys = bigram.bigrams(names[1])
    assert torch.equal(X[:, 0], xs) and torch.equal(Y, ys)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: mlp.contexts("anna", 3), "one text"),
        (lambda: mlp.contexts([], 3), "corpus is empty"),
        (lambda: mlp.contexts(["anna"], 0), "k = 0"),
        (lambda: mlp.contexts(["änna"], 3), "'ä'"),
        (lambda: mlp.init(3, bigram.generator(), tied=True), "hidden = 200 must equal d = 10"),
        (lambda: mlp.init(0, bigram.generator()), "k = 0"),
        (lambda: mlp.logits(random_model(3), torch.zeros((2, 4), dtype=torch.int64)), "k = 3"),
        (lambda: mlp.train(random_model(3), *random_batch(4), bigram.generator()), r"\(32, 4\)"),
        (lambda: mlp.train(random_model(1), torch.tensor([[27]]), torch.tensor([0]), bigram.generator()), "0 to 26"),
        (lambda: mlp.stored("k2"), "'k2' is not a stored model"),
    ],
)
def test_bad_input_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


# The model --------------------------------------------------------------------------------


def test_the_forward_pass_is_the_formula_written_with_one_hot_products():
    model, (X, _) = random_model(), random_batch(3)
    one_hot = torch.nn.functional.one_hot(X, 27).float()
    e = (one_hot @ model.C).reshape(len(X), 30)
    expected = torch.tanh(e @ model.W1 + model.b1) @ model.W2 + model.b2
    assert torch.allclose(mlp.logits(model, X), expected, atol=1e-5)


@pytest.mark.parametrize("k, count", [(1, 7_897), (3, 11_897), (8, 21_897)])
def test_parameter_counts(k, count):
    assert mlp.parameter_count(mlp.init(k, bigram.generator())) == count


def test_a_tied_table_counts_once():
    untied = mlp.init(3, bigram.generator(), d=64, hidden=64)
    tied = mlp.init(3, bigram.generator(), d=64, hidden=64, tied=True)
    assert mlp.parameter_count(untied) - mlp.parameter_count(tied) == 27 * 64
    assert tied.tied and not untied.tied


def test_next_symbol_is_a_distribution_and_sees_only_k_symbols():
    model = random_model()
    p = mlp.next_symbol(model, "zzabc")
    assert p.sum().item() == pytest.approx(1, abs=1e-6)
    assert torch.equal(p, mlp.next_symbol(model, "abc"))
    assert not torch.allclose(p, mlp.next_symbol(model, "bc"))


def test_sampling_stops_with_an_error_when_the_boundary_never_comes():
    model = random_model()
    model.b2[0] = -1e4
    with pytest.raises(RuntimeError, match="50 letters"):
        mlp.sample(model, bigram.generator(), limit=50)


# Gradients --------------------------------------------------------------------------------


@pytest.mark.parametrize("k, tied", [(1, False), (3, False), (8, False), (3, True)])
def test_hand_written_gradients_equal_autograd(k, tied):
    model = random_model(k, d=20 if tied else 10, hidden=20, tied=tied)
    X, Y = random_batch(k)
    leaves = [p.clone().requires_grad_() for p in model]  # in a tied model too, C and W2 apart
    nll = torch.nn.functional.cross_entropy(mlp.logits(mlp.MLP(*leaves), X), Y)
    expected = torch.autograd.grad(nll, leaves)
    for name, ours, theirs in zip(mlp.MLP._fields, mlp.gradients(model, X, Y), expected, strict=True):
        assert theirs.abs().max() > 1e-3, f"{name} has no gradient to compare"
        assert torch.allclose(ours, theirs, rtol=0, atol=1e-6), name


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 5), st.integers(1, 40))
def test_gradients_for_any_batch(seed, k, n):
    model, (X, Y) = random_model(k, hidden=7, seed=seed), random_batch(k, n, seed)
    leaves = [p.clone().requires_grad_() for p in model]
    expected = torch.autograd.grad(torch.nn.functional.cross_entropy(mlp.logits(mlp.MLP(*leaves), X), Y), leaves)
    for ours, theirs in zip(mlp.gradients(model, X, Y), expected, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-5, atol=2e-6)


def test_saturated_units_and_extreme_logits_stay_finite():
    model = random_model()
    model.W1.mul_(1e4)
    model.W2.mul_(1e2)
    X, Y = random_batch(3)
    assert all(torch.isfinite(p).all() for p in mlp.gradients(model, X, Y))


# Training ---------------------------------------------------------------------------------


@pytest.mark.parametrize("tied", [False, True])
def test_both_trainers_take_the_same_steps(tied):
    X, Y = mlp.contexts(["emma", "olivia", "ava", "isabella", "sophia", "zoe", "quinn"] * 3, 3)
    start = random_model(3, d=20 if tied else 10, hidden=20, tied=tied)
    steps = range(69_980, 70_020)  # the learning rate changes on the way
    g, h = bigram.generator(), bigram.generator()
    slow, fast = mlp.train_by_autograd(start, X, Y, g, steps), mlp.train(start, X, Y, h, steps)
    assert torch.equal(g.get_state(), h.get_state()), "both drew the same batches"
    for name, a, b, before in zip(mlp.MLP._fields, slow, fast, start, strict=True):
        assert torch.allclose(a, b, rtol=0, atol=2e-5), name
        assert not torch.allclose(a, before, rtol=0, atol=1e-3), f"{name} was not trained"
    assert fast.tied == slow.tied == tied


def test_training_in_parts_is_the_same_training_and_leaves_the_start_alone():
    X, Y = mlp.contexts(["emma", "olivia", "ava"], 3)
    start = random_model()
    before = [p.clone() for p in start]
    whole = mlp.train(start, X, Y, bigram.generator(), range(0, 300))
    g = bigram.generator()
    parts = mlp.train(mlp.train(start, X, Y, g, range(0, 100)), X, Y, g, range(100, 300))
    assert all(torch.equal(a, b) for a, b in zip(whole, parts, strict=True))
    assert all(torch.equal(a, b) for a, b in zip(start, before, strict=True))


def test_the_step_size_falls_at_70_000():
    assert [mlp.learning_rate(step) for step in (0, 69_999, 70_000, 99_999)] == [0.1, 0.1, 0.01, 0.01]


def test_probabilities_hold_for_logits_of_any_size():
    """The kernel's own exp: sharp and flat rows, and logits so far apart that float32 has nothing between them."""
    model = random_model()
    X, Y = random_batch(3)
    for scale in (0, 1, 30, 1000):
        scaled = model._replace(W2=model.W2 * scale)
        found = mlp.gradients(scaled, X, Y).b2  # what the model said minus what happened, over the batch
        P = torch.softmax(mlp.logits(scaled, X).double(), dim=1)
        expected = (P - torch.nn.functional.one_hot(Y, 27)).mean(0)
        torch.testing.assert_close(found.double(), expected, atol=2e-6, rtol=0)


# The stored weights -----------------------------------------------------------------------


def test_manifest_describes_the_files_beside_it():
    manifest = json.loads((mlp.FOLDER / "manifest.json").read_text(encoding="utf-8"))
    found = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in mlp.FOLDER.glob("*.npz")}
    assert manifest["sha256"] == found
    assert manifest["seed"] == bigram.SEED


def test_manifest_names_the_training_data(names):
    manifest = json.loads((mlp.FOLDER / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["data"]["names.txt, training part"] == hashlib.sha256("\n".join(names[0]).encode()).hexdigest()


@pytest.mark.parametrize("name", ["k1", "k3", "k8", "untied", "tied-2"])
def test_stored_models_can_be_trained_again(names, name):
    again = mlp.recreate(name, names[0])
    kept = mlp.stored(name)
    assert kept.tied == again.tied
    # 100,000 steps of float32 on another processor: far apart in the last digits, equal in those we print.
    for field, a, b in zip(mlp.MLP._fields, again, kept, strict=True):
        assert torch.allclose(a, b, rtol=0, atol=2e-3), field
    validation = mlp.contexts(names[1], kept.k)
    assert mlp.loss(again, *validation) == pytest.approx(mlp.loss(kept, *validation), abs=2e-6)


def test_stored_tables_begin_at_the_random_table_and_end_at_the_model(names):
    on_the_way, by_seed = mlp.stored_tables()
    assert tuple(on_the_way) == mlp.MARKS and tuple(by_seed) == mlp.OTHER_SEEDS
    assert np.array_equal(on_the_way[0], mlp.init(3, bigram.generator()).C.numpy())
    assert np.allclose(on_the_way[100_000], mlp.stored("k3").C.numpy(), atol=1e-6)
    g = bigram.generator(mlp.OTHER_SEEDS[0])
    again = mlp.train(mlp.init(3, g), *mlp.contexts(names[0], 3), g)
    assert np.allclose(by_seed[mlp.OTHER_SEEDS[0]], again.C.numpy(), rtol=0, atol=2e-3)


@pytest.mark.parametrize("k, loss", [(1, 2.4577), (3, 2.1145), (8, 2.0506)])
def test_stored_models_print_the_recipe_s_digits(names, k, loss):
    assert round(mlp.loss(mlp.stored(f"k{k}"), *mlp.contexts(names[1], k)), 4) == loss


def test_import_needs_no_numba():
    code = "import tokvec.mlp, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
