"""One attention head, and four ways to tell it the order of the tokens.

Read it top to bottom: the head itself, the mask that hides the future, then positions as
sines and cosines, as a learned table, as rotations (RoPE) and as a penalty on distance
(ALiBi). Everything works on one sequence: a tensor of shape (tokens, width).

References
----------
Vaswani et al., "Attention Is All You Need", NeurIPS 2017, sections 3.2 and 3.5.
https://arxiv.org/abs/1706.03762
Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
section 3.2. https://arxiv.org/abs/2104.09864
Press, Smith, Lewis, "Train Short, Test Long: Attention with Linear Biases Enables Input
Length Extrapolation", ICLR 2022, section 3. https://arxiv.org/abs/2108.12409
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention of one head (Vaswani et al., equation 1).

    Every query is compared with every key; the softmax of the comparisons says how much
    of each value goes into the answer: ``softmax(Q K^T / sqrt(d) + bias) V``.

    Parameters
    ----------
    queries : Tensor, shape (m, d)
        What each of m tokens looks for.
    keys : Tensor, shape (n, d)
        What each of n tokens is found by.
    values : Tensor, shape (n, d_out)
        What each of n tokens passes on.
    mask : Tensor of bool, shape (m, n), optional
        True where query i may look at key j.
    bias : Tensor, shape (m, n), optional
        Added to the scaled scores; :func:`alibi_bias` makes one.

    Returns
    -------
    outputs : Tensor, shape (m, d_out)
    weights : Tensor, shape (m, n)
        Each row is non-negative and sums to 1.

    Raises
    ------
    ValueError
        If shapes don't fit, or the mask leaves a query with nothing to look at.
    """
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(f"queries have {queries.shape[-1]} coordinates, keys {keys.shape[-1]}: make them equal")
    if keys.shape[0] != values.shape[0]:
        raise ValueError(f"{keys.shape[0]} keys for {values.shape[0]} values: give one key a value")
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])
    for name, extra in (("mask", mask), ("bias", bias)):
        if extra is not None and extra.shape != scores.shape:
            expected = tuple(scores.shape)
            raise ValueError(f"the {name} has shape {tuple(extra.shape)}, the scores {expected}: make them equal")
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        blind = (~mask.any(dim=1)).nonzero().flatten().tolist()
        if blind:
            raise ValueError(f"the mask hides every key from query {blind[0]}: leave it at least itself")
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=1)
    return weights @ values, weights


def self_attention(
    x: Tensor,
    w_query: Tensor | None = None,
    w_key: Tensor | None = None,
    w_value: Tensor | None = None,
    *,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Let the tokens of one sequence attend to each other.

    Parameters
    ----------
    x : Tensor, shape (tokens, width)
        One vector a token.
    w_query, w_key, w_value : Tensor, shape (width, d), optional
        The three projections; a missing one is the identity.
    mask, bias : Tensor, shape (tokens, tokens), optional
        As in :func:`attention`.

    Returns
    -------
    outputs : Tensor, shape (tokens, d)
    weights : Tensor, shape (tokens, tokens)
    """
    queries, keys, values = (x if w is None else x @ w for w in (w_query, w_key, w_value))
    return attention(queries, keys, values, mask=mask, bias=bias)


def causal_mask(length: int) -> Tensor:
    """Return the mask that lets token i see tokens 0 to i: bool, shape (length, length)."""
    return torch.ones(length, length, dtype=torch.bool).tril()


# --- positions that are added to the vectors ----------------------------------------


def frequencies(width: int, base: float = 10_000.0) -> Tensor:
    """Return how far each pair of coordinates turns a position, in radians.

    Returns
    -------
    Tensor, float64, shape (width / 2,)
        ``base ** (-2 i / width)``: 1 for the first pair, ever slower after it.
    """
    if width < 2 or width % 2:
        raise ValueError(f"width {width} has no pairs of coordinates; choose an even number of at least 2")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoidal_positions(length: int, width: int, base: float = 10_000.0) -> Tensor:
    """Return the sinusoidal code of positions 0 to length - 1 (Vaswani et al., section 3.5).

    Returns
    -------
    Tensor, float64, shape (length, width)
        Even coordinates are sines, odd ones cosines, of position times frequency.
    """
    angles = torch.arange(length, dtype=torch.float64)[:, None] * frequencies(width, base)
    return torch.stack((angles.sin(), angles.cos()), dim=2).flatten(1)


class LearnedPositions(nn.Module):
    """A table with one trainable vector a position, as in BERT and GPT-2.

    Parameters
    ----------
    length : int
        Positions the table has a row for.
    width : int
    generator : torch.Generator, optional
        Draws the initial rows (normal, standard deviation 0.02).
    """

    def __init__(self, length: int, width: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(length, width, generator=generator))

    def forward(self, length: int) -> Tensor:
        """Return the first ``length`` rows, shape (length, width).

        Raises
        ------
        IndexError
            If the table has no row for the last position.
        """
        if length > len(self.table):
            raise IndexError(
                f"position {length - 1} has no row: the table was made for {len(self.table)} positions; "
                f"shorten the text, or train a longer table"
            )
        return self.table[:length]


# --- positions inside the comparison -------------------------------------------------


def rotate(x: Tensor, positions: Tensor, base: float = 10_000.0) -> Tensor:
    """Turn every pair of coordinates by an angle that grows with the position (RoPE).

    Applied to queries and keys, never to values. The dot product of a query rotated to
    position m with a key rotated to position n depends on m - n alone, because turning
    both by the same angle changes no angle between them (Su et al., equation 16).

    Parameters
    ----------
    x : Tensor, shape (tokens, width)
        Coordinates (0, 1), (2, 3), ... are the pairs, as in the paper. Llama's code pairs
        coordinate i with i + width / 2, which is the same up to the order.
    positions : Tensor, shape (tokens,)
        Any numbers, also past the training's length, also negative.
    base : float
        Sets how slow the slowest pair is; see :func:`frequencies`.

    Returns
    -------
    Tensor, shape (tokens, width)
        Lengths of vectors are unchanged.
    """
    angles = positions[:, None].to(torch.float64) * frequencies(x.shape[-1], base)
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[:, 0::2], x[:, 1::2]
    turned = (first * cosine - second * sine, first * sine + second * cosine)
    return torch.stack(turned, dim=2).flatten(1)


def alibi_slopes(heads: int) -> Tensor:
    """Return the penalty a token of distance, one for each head (Press et al., section 3).

    For a power of two heads the slopes fall geometrically from 2^(-8 / heads) to 2^-8;
    the authors' code fills other numbers of heads from the next larger power of two.

    Returns
    -------
    Tensor, float64, shape (heads,)
    """
    if heads < 1:
        raise ValueError(f"{heads} heads; choose at least 1")
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    slopes += [2 ** (-4 * (2 * i + 1) / power) for i in range(heads - power)]
    return torch.tensor(slopes, dtype=torch.float64)


def alibi_bias(length: int, slope: float) -> Tensor:
    """Return ALiBi's bias: minus the slope times the distance, at any length.

    The paper adds it behind a causal mask; the distance counts the same both ways here,
    so that it serves an encoder too.

    Returns
    -------
    Tensor, float64, shape (length, length)
    """
    places = torch.arange(length, dtype=torch.float64)
    return -slope * (places[:, None] - places).abs()
