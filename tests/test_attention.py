"""The head and its four position codes: each property the chapter claims, and torch's answer."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from tokvec import attention as at


def generator(seed: int = 2147483647) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def draw(*shape: int, seed: int = 2147483647) -> torch.Tensor:
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


@settings(deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 8), st.booleans(), st.integers(0, 2**31))
def test_attention_equals_torch(m, n, d, masked, seed):
    q, k, v = draw(m, d, seed=seed), draw(n, d, seed=seed + 1), draw(n, 5, seed=seed + 2)
    mask = None
    if masked:
        mask = torch.rand(m, n, generator=generator(seed)) < 0.5
        mask[:, 0] = True
    ours, weights = at.attention(q, k, v, mask=mask)
    torch.testing.assert_close(ours, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    torch.testing.assert_close(weights.sum(1), torch.ones(m, dtype=torch.float64))
    assert (weights >= 0).all()
    if masked:
        assert (weights[~mask] == 0).all()


def test_bias_equals_torch():
    q, k, v, bias = draw(4, 6), draw(4, 6, seed=1), draw(4, 6, seed=2), at.alibi_bias(4, 0.25)
    ours, _ = at.attention(q, k, v, bias=bias)
    torch.testing.assert_close(ours, F.scaled_dot_product_attention(q, k, v, attn_mask=bias))


def test_projections():
    x, w = draw(5, 6), [draw(6, 3, seed=s) for s in (1, 2, 3)]
    ours, _ = at.self_attention(x, *w)
    torch.testing.assert_close(ours, F.scaled_dot_product_attention(*(x @ one for one in w)))
    identity, _ = at.self_attention(x)
    torch.testing.assert_close(identity, F.scaled_dot_product_attention(x, x, x))


@settings(deadline=None)
@given(st.permutations(range(7)), st.integers(0, 2**31))
def test_without_mask_and_positions_attention_is_equivariant(order, seed):
    x = draw(7, 4, seed=seed)
    w = [draw(4, 4, seed=seed + s) for s in (1, 2, 3)]
    out, _ = at.self_attention(x, *w)
    shuffled, _ = at.self_attention(x[list(order)], *w)
    assert (shuffled - out[list(order)]).abs().max() < 1e-6


@pytest.mark.parametrize("how", ["mask", "sinusoidal", "learned", "rope", "alibi"])
def test_a_mask_or_a_position_code_breaks_equivariance(how):
    def head(x):
        n, d = x.shape
        if how == "mask":
            return at.self_attention(x, mask=at.causal_mask(n))[0]
        if how == "sinusoidal":
            return at.self_attention(x + at.sinusoidal_positions(n, d))[0]
        if how == "learned":
            return at.self_attention(x + at.LearnedPositions(n, d, generator())(n).double())[0]
        if how == "rope":
            turned = at.rotate(x, torch.arange(n))
            return at.attention(turned, turned, x)[0]
        return at.self_attention(x, bias=at.alibi_bias(n, 0.5))[0]

    x, order = draw(6, 4), [3, 1, 5, 0, 2, 4]
    assert (head(x[order]) - head(x)[order]).abs().max() > 1e-3


def test_sinusoidal_formula():
    code = at.sinusoidal_positions(50, 16)
    for position, i in ((0, 0), (7, 3), (49, 7)):
        angle = position / 10_000 ** (2 * i / 16)
        assert code[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-12)
        assert code[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)


def test_sinusoidal_codes_are_distinct_and_near_for_neighbours():
    code = at.sinusoidal_positions(1_000, 64)
    assert torch.pdist(code).min() > 0.1
    similarity = F.cosine_similarity(code[:1], code)
    assert (similarity[:6].diff() < 0).all()  # falls at first; further out it waves
    assert similarity[1] > similarity[2:].max() + 0.05
    # How alike two codes are depends on their distance alone.
    torch.testing.assert_close(F.cosine_similarity(code[:-7], code[7:]), similarity[7].expand(993))
    torch.testing.assert_close(code.norm(dim=1), torch.full((1_000,), math.sqrt(32), dtype=torch.float64))


def test_learned_table_ends():
    positions = at.LearnedPositions(8, 4, generator())
    assert positions(8).shape == (8, 4)
    assert positions(3).requires_grad
    with pytest.raises(IndexError, match="position 8 has no row: the table was made for 8 positions"):
        positions(9)


@settings(deadline=None)
@given(st.integers(-500, 500), st.integers(-500, 500), st.integers(-3_000, 3_000), st.integers(0, 2**31))
def test_rope_depends_on_the_difference_alone(m, n, shift, seed):
    q, k = draw(1, 8, seed=seed), draw(1, 8, seed=seed + 1)

    def product(a, b):
        return (at.rotate(q, torch.tensor([a])) * at.rotate(k, torch.tensor([b]))).sum().item()

    assert product(m, n) == pytest.approx(product(m + shift, n + shift), abs=1e-9)
    assert at.rotate(q, torch.tensor([m])).norm().item() == pytest.approx(q.norm().item())


def test_rope_depends_on_the_difference():
    q, k = draw(1, 8), draw(1, 8, seed=1)
    products = [(at.rotate(q, torch.tensor([m])) @ k.T).item() for m in range(10)]
    assert len({round(p, 6) for p in products}) == 10


def test_rope_equals_transformers_llama():
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    d, n = 16, 12
    q, k, positions = draw(n, d), draw(n, d, seed=1), torch.arange(n)
    halves = torch.cat((torch.arange(0, d, 2), torch.arange(1, d, 2)))  # ours (0,1) is Llama's (0, d/2)
    angles = positions[:, None] * at.frequencies(d)
    cos, sin = (f(torch.cat((angles, angles), dim=1))[None] for f in (torch.cos, torch.sin))
    theirs_q, theirs_k = llama.apply_rotary_pos_emb(q[None, None, :, halves], k[None, None, :, halves], cos, sin)
    torch.testing.assert_close(at.rotate(q, positions)[:, halves], theirs_q[0, 0])
    torch.testing.assert_close(at.rotate(k, positions)[:, halves], theirs_k[0, 0])


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 12, 16])
def test_alibi_equals_transformers_bloom(heads):
    bloom = pytest.importorskip("transformers.models.bloom.modeling_bloom")
    theirs = bloom.build_alibi_tensor(torch.ones(1, 2), heads, torch.float64)[:, 0, 1]
    torch.testing.assert_close(at.alibi_slopes(heads), theirs.double(), rtol=1e-6, atol=0)


@settings(deadline=None)
@given(st.integers(1, 300), st.floats(0.001, 2))
def test_alibi_is_linear_at_any_length(length, slope):
    bias = at.alibi_bias(length, slope)
    assert bias.shape == (length, length)
    assert (bias.diagonal() == 0).all()
    for distance in {0, length // 2, length - 1}:
        expected = torch.full((length - distance,), -slope * distance, dtype=torch.float64)
        torch.testing.assert_close(bias.diagonal(distance), expected)
        torch.testing.assert_close(bias.diagonal(-distance), expected)
    # A longer text only adds rows and columns: the old part stays.
    torch.testing.assert_close(at.alibi_bias(length + 5, slope)[:length, :length], bias)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: at.attention(draw(2, 3), draw(2, 4), draw(2, 4)), "queries have 3 coordinates, keys 4"),
        (lambda: at.attention(draw(2, 3), draw(2, 3), draw(5, 3)), "2 keys for 5 values"),
        (lambda: at.self_attention(draw(2, 3), mask=at.causal_mask(3)), r"mask has shape \(3, 3\)"),
        (lambda: at.self_attention(draw(2, 3), bias=at.alibi_bias(4, 1.0)), r"bias has shape \(4, 4\)"),
        (
            lambda: at.self_attention(draw(2, 3), mask=torch.tensor([[True, True], [False, False]])),
            "hides every key from query 1",
        ),
        (lambda: at.sinusoidal_positions(4, 3), "width 3 has no pairs"),
        (lambda: at.alibi_slopes(0), "0 heads"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
