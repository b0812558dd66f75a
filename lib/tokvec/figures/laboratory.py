"""Figure: an embedding table small enough to hold in the hand. Read it, rename it, edit it, teach it."""

from __future__ import annotations

import math

import traitlets

from tokvec.figures._base import Figure, number, table

TOKENS = ["oto", "kamienny", "metalowy", "zamek", "klucz", "most"]
GLOSSES = "oto: here is; kamienny: of stone; metalowy: of metal; zamek: castle, or lock; klucz: key; most: bridge"
TABLE = [
    [0.10, -0.30, 0.25, 0.00, 0.40, -0.15],
    [0.30, 0.40, -0.10, 0.10, 0.20, 0.10],
    [0.35, 0.15, -0.20, 0.45, 0.30, -0.05],
    [-0.50, 0.60, 0.20, -0.35, 0.10, 0.70],
    [-0.25, 0.05, 0.55, -0.40, -0.60, 0.30],
    [-0.45, 0.65, -0.05, 0.20, -0.30, 0.50],
]
# The frozen output vectors. With D their difference, e.D = -0.12 and |D|^2 = 2.67, so that one step of 0.4
# takes the probability from 47.0 % to 61.0 %.
OUTPUT = {
    "zamek": [0.60, -0.30, 0.40, 0.20, -0.10, 0.30],
    "klucz": [-0.40, 0.50, -0.30, -0.30, 0.40, 0.10],
}
LESSON = {"input": 1, "right": "zamek", "wrong": "klucz", "rate": 0.4}


class LaboratoryFigure(Figure):
    """Six tokens, six coordinates, and four things to do to them.

    Attributes
    ----------
    tokens, glosses : list of str, str
        The words, and what they mean.
    table : list of list of float
        The embedding table.
    sequence : list of int
        The tokens that are read.
    swap : list of int
        The two tokens that trade ids.
    edit : int
        The token whose coordinates are edited at first.
    output : dict
        The two frozen output vectors, by token.
    lesson : dict
        The input token, the right and the wrong answer, the learning rate.
    digits : int
        Decimals shown.

    """

    module = "laboratory"
    tokens = traitlets.List(traitlets.Unicode(), TOKENS).tag(sync=True)
    glosses = traitlets.Unicode(GLOSSES).tag(sync=True)
    table = traitlets.List(traitlets.List(traitlets.Float()), TABLE).tag(sync=True)
    sequence = traitlets.List(traitlets.Int(), [3, 1, 3]).tag(sync=True)
    swap = traitlets.List(traitlets.Int(), [3, 4]).tag(sync=True)
    edit = traitlets.Int(3).tag(sync=True)
    output = traitlets.Dict(OUTPUT).tag(sync=True)
    lesson = traitlets.Dict(LESSON).tag(sync=True)
    digits = traitlets.Int(2).tag(sync=True)
    alt = traitlets.Unicode(
        "A table of six Polish words by six numbers, and the rows that a sequence of three ids reads from "
        "it. Controls rename two ids, edit a coordinate, and take a step of learning on the row of kamienny."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Swap two ids: the sequence’s ids change, its vectors do not. Edit zamek: both of its places move. "
        "Take a step: of six rows one moves, the one that was read."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the table, and what one step of learning does."""
        rows = [
            [f"{i} {token}", *(number(x, self.digits) for x in row)]
            for i, (token, row) in enumerate(zip(self.tokens, self.table, strict=True))
        ]
        (p0, loss0), (p1, loss1) = lesson(self.table[self.lesson["input"]], 1)
        return (
            table(["", *map(str, range(1, len(self.table[0]) + 1))], rows)
            + f"\n<p>One step of learning on the row of kamienny: p(zamek) from {100 * p0:.1f} % "
            f"to {100 * p1:.1f} %, loss from {loss0:.3f} to {loss1:.3f}.</p>"
        )


def predict(e: list[float]) -> tuple[float, float]:
    """Return the probability of the right answer and the loss: the twin of the module's ``predict``.

    Parameters
    ----------
    e : list of float
        The input token's row.

    Returns
    -------
    p, loss : float
        Softmax over the two answers, and its cross-entropy.

    """
    margin = sum(x * (a - b) for x, a, b in zip(e, OUTPUT["zamek"], OUTPUT["klucz"], strict=True))
    p = 1 / (1 + math.exp(-margin))
    return p, -math.log(p)


def learn(e: list[float]) -> list[float]:
    """Take one step of gradient descent on the input row: the twin of the module's ``learn``."""
    p, _ = predict(e)
    return [x + LESSON["rate"] * (1 - p) * (a - b) for x, a, b in zip(e, OUTPUT["zamek"], OUTPUT["klucz"], strict=True)]


def lesson(e: list[float], steps: int) -> list[tuple[float, float]]:
    """Return (p, loss) before the first step and after each."""
    results = [predict(e)]
    for _ in range(steps):
        e = learn(e)
        results.append(predict(e))
    return results
