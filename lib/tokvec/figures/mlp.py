"""Figure: the MLP language model, computed in the page from its trained weights."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import numpy as np
import traitlets

from tokvec import mlp
from tokvec.bigram import BOUNDARY, SYMBOLS, V, encode
from tokvec.figures._base import Figure, table

LONGEST = 16


def pack(model: mlp.MLP) -> str:
    """Return all parameters, one after the other, as little-endian half-precision numbers in base64."""
    numbers = np.concatenate([p.numpy().ravel() for p in model])
    return base64.b64encode(numbers.astype("<f2").tobytes()).decode("ascii")


class MLPFigure(Figure):
    """Type a prefix; see the rows it looks up, the hidden layer, and the distribution of the next symbol.

    Attributes
    ----------
    weights : str
        What `pack` returned; by default the stored model of k = 3.
    shape : list of int
        k, d and hidden.
    prefix : str
        The letters it begins with.
    seed : int
        Seed of the sampling.
    """

    module = "mlp"
    weights = traitlets.Unicode().tag(sync=True)
    shape = traitlets.List(traitlets.Int(), [3, mlp.D, mlp.HIDDEN]).tag(sync=True)
    prefix = traitlets.Unicode("emm").tag(sync=True)
    seed = traitlets.Int(5).tag(sync=True)
    alt = traitlets.Unicode(
        "A prefix to type, the three rows of ten numbers it looks up, 200 hidden units drawn as squares, and the "
        "probability of each of the 27 symbols that may come next, as buttons that append the symbol."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Type a name, or let the model write one. Change the third letter from the end: one row and the whole hidden "
        "layer change. Change the fourth: nothing does, because the model cannot see it."
    ).tag(sync=True)

    @traitlets.default("weights")
    def _stored(self) -> str:
        return pack(mlp.stored("k3"))

    def fallback(self) -> str:
        """Return the ten likeliest symbols after the prefix."""
        p = Twin(self.weights, self.shape).next_symbol(self.prefix)
        best = np.argsort(-p, kind="stable")[:10]
        rows = [[SYMBOLS[i] if i else ". (the end)", f"{100 * p[i]:.1f} %"] for i in best]
        return table([f"after {self.prefix or 'the start'}", "probability"], rows)


class Twin:
    """What the module computes, in plain numpy: the forward pass on half-precision weights, and the sampling.

    Parameters
    ----------
    weights : str
        Base64 of the packed parameters.
    shape : list of int
        k, d and hidden.
    """

    def __init__(self, weights: str, shape: list[int]) -> None:
        self.k, d, hidden = shape
        numbers = np.frombuffer(base64.b64decode(weights), dtype="<f2").astype(np.float64)
        shapes = [(V, d), (self.k * d, hidden), (hidden,), (hidden, V), (V,)]
        ends = np.cumsum([int(np.prod(s)) for s in shapes])
        parts = np.split(numbers, ends[:-1])
        self.C, self.W1, self.b1, self.W2, self.b2 = (p.reshape(s) for p, s in zip(parts, shapes, strict=True))

    def next_symbol(self, prefix: str) -> np.ndarray:
        """Return the distribution after `prefix`, shape (27,), float64."""
        context = ([BOUNDARY] * self.k + encode(prefix))[-self.k :]
        z = np.tanh(self.C[context].ravel() @ self.W1 + self.b1) @ self.W2 + self.b2
        e = np.exp(z - z.max())
        return e / e.sum()

    def write(self, random: Iterator[float]) -> str:
        """Draw a name as the button does: at most 16 letters, one random number a symbol."""
        prefix = ""
        while True:
            reached = np.cumsum(self.next_symbol(prefix)) > next(random)
            i = int(reached.argmax()) if reached.any() else V - 1
            if i == BOUNDARY or len(prefix) >= LONGEST:
                return prefix
            prefix += SYMBOLS[i]


def mulberry32(seed: int) -> Iterator[float]:
    """Yield the numbers in [0, 1) that the module draws; the generator of that name by Tommy Ettinger."""
    state, bits = seed & 0xFFFFFFFF, 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & bits
        t = state
        t = ((t ^ (t >> 15)) * (t | 1)) & bits
        t ^= (t + ((t ^ (t >> 7)) * (t | 61) & bits)) & bits
        yield ((t ^ (t >> 14)) & bits) / 4294967296
