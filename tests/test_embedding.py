"""tokvec.embedding: against its definitions, against PyTorch, and over random shapes."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tokvec import embedding
from tokvec.embedding import GPT2, GPT2Shape


@st.composite
def reads(draw):
    rows, width = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    ids = draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.normal(size=(rows, width)), np.array(ids), rng.normal(size=(len(ids), width))


@given(reads())
def test_lookup_is_the_one_hot_product(case):
    table, ids, _ = case
    np.testing.assert_array_equal(embedding.lookup(table, ids), embedding.one_hot(ids, len(table)) @ table)


@given(reads())
def test_gradient_is_autograd_s(case):
    table, ids, upstream = case
    weights = torch.tensor(table, requires_grad=True)
    (torch.nn.functional.embedding(torch.tensor(ids), weights) * torch.tensor(upstream)).sum().backward()
    ours = embedding.lookup_gradient(ids, upstream, len(table))
    np.testing.assert_allclose(ours, weights.grad.numpy(), atol=1e-12)
    assert not ours[np.setdiff1d(np.arange(len(table)), ids)].any(), "rows that were not read get nothing"


@given(reads(), st.randoms(use_true_random=False))
def test_renaming_ids_with_their_rows_changes_nothing(case, random):
    table, ids, _ = case
    new_name = list(range(len(table)))
    random.shuffle(new_name)
    new_name = np.array(new_name)
    renamed = np.empty_like(table)
    renamed[new_name] = table
    np.testing.assert_array_equal(embedding.lookup(renamed, new_name[ids]), embedding.lookup(table, ids))


def test_shape_of_ids_is_kept():
    table = np.arange(12.0).reshape(4, 3)
    assert embedding.lookup(table, [[0, 1], [3, 3]]).shape == (2, 2, 3)
    assert embedding.lookup(table, []).shape == (0, 3)
    assert embedding.lookup_gradient([[0, 1]], np.ones((1, 2, 3)), 4).shape == (4, 3)


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ([0, 4], IndexError, "id 4 has no row: this table has ids 0 to 3"),
        ([-1], IndexError, "id -1 has no row"),
        ([0.5], TypeError, "whole numbers"),
        (["cat"], TypeError, "encode the text first"),
    ],
)
def test_ids_without_a_row_are_named(ids, error, message):
    with pytest.raises(error, match=message):
        embedding.lookup(np.zeros((4, 2)), ids)


def test_upstream_must_match_the_ids():
    with pytest.raises(ValueError, match="one vector for each"):
        embedding.lookup_gradient([0, 1, 1], np.ones((2, 2)), 4)


def test_the_counter_counts_and_the_product_is_right():
    rng = np.random.default_rng(0)
    x, table = rng.normal(size=7), rng.normal(size=(7, 3))
    product, multiplications = embedding.count_multiplications(x, table)
    np.testing.assert_allclose(product, x @ table)
    assert multiplications == 21


@pytest.mark.parametrize("shape", [GPT2Shape(width=64, layers=2, vocabulary=101, context=16), GPT2["small"]])
def test_parameters_agree_with_transformers(shape):
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=shape.vocabulary,
        n_positions=shape.context,
        n_embd=shape.width,
        n_layer=shape.layers,
        n_head=4,
    )
    with torch.device("meta"):  # shapes without memory
        model = transformers.GPT2LMHeadModel(config)
    model.tie_weights()
    assert sum(p.numel() for p in {id(p): p for p in model.parameters()}.values()) == shape.total


def test_published_sizes():
    assert GPT2["small"].token_table == 38_597_376
    assert GPT2["small"].total == 124_439_808
    assert round(100 * GPT2["XL"].embedding_share, 1) == 5.3
    assert GPT2["small"].untied_total - GPT2["small"].total == GPT2["small"].token_table
