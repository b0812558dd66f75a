"""Figure: shuffle a sentence. Its rows travel with their tokens, and nothing tells which came first."""

from __future__ import annotations

import math

import traitlets

from tokvec.figures._base import Figure, number, table

TOKENS = ["the", "dog", "bit", "the", "man"]
VECTORS = [
    [0.20, -0.40, 0.10, 0.30],
    [0.90, 0.30, -0.60, 0.40],
    [-0.30, 0.80, 0.50, -0.20],
    [0.20, -0.40, 0.10, 0.30],
    [0.60, 0.50, -0.10, -0.70],
]
POSITIONS = [
    [0.00, 0.50, 0.00, 0.50],
    [0.42, 0.27, 0.05, 0.50],
    [0.45, -0.21, 0.10, 0.49],
    [0.07, -0.49, 0.15, 0.48],
    [-0.38, -0.33, 0.19, 0.46],
]
ORDERS = [[0, 1, 2, 3, 4], [0, 4, 2, 3, 1], [2, 0, 4, 3, 1], [1, 4, 0, 3, 2]]


class ShuffleFigure(Figure):
    """Shuffle five rows, with and without a position code.

    Attributes
    ----------
    tokens : list of str
        The sentence.
    vectors : list of list of float
        One row a token.
    positions : list of list of float
        One row a position, added when the reader asks for it.
    orders : list of list of int
        The first order, and the shuffles that the button goes through.
    watched : int
        The word whose attention output is shown.
    digits : int
        Decimals shown.

    """

    module = "shuffle"
    tokens = traitlets.List(traitlets.Unicode(), TOKENS).tag(sync=True)
    vectors = traitlets.List(traitlets.List(traitlets.Float()), VECTORS).tag(sync=True)
    positions = traitlets.List(traitlets.List(traitlets.Float()), POSITIONS).tag(sync=True)
    orders = traitlets.List(traitlets.List(traitlets.Int()), ORDERS).tag(sync=True)
    watched = traitlets.Int(1).tag(sync=True)
    digits = traitlets.Int(2).tag(sync=True)
    alt = traitlets.Unicode(
        "The sentence 'the dog bit the man' as five rows of four numbers. A button shuffles it, a switch "
        "adds a position code; beside it stands the output of one attention head for 'dog' in both orders."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "The first shuffle makes the man bite the dog, out of the same five rows: for ‘dog’ nothing has "
        "changed. Add the positions and shuffle again."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the rows and what survives the first shuffle, with and without positions."""
        rows = [
            [f"{place} {token}", *(number(x, self.digits) for x in row)]
            for place, (token, row) in enumerate(zip(self.tokens, self.vectors, strict=True))
        ]
        plain, coded = compare(1, coded=False), compare(1, coded=True)
        return (
            table(["", "1", "2", "3", "4"], rows)
            + f"\n<p>The man bit the dog: without positions {plain[0]} of 5 rows are the same, and the "
            f"attention output for dog differs by {plain[1]:.2f}; with positions {coded[0]} of 5, and "
            f"{coded[1]:.2f}.</p>"
        )


def attend(x: list[list[float]]) -> list[list[float]]:
    """Run one unmasked attention head with identity projections: the twin of the module's ``attend``.

    Parameters
    ----------
    x : list of list of float
        One vector a place.

    Returns
    -------
    list of list of float
        softmax(X X^T / sqrt(d)) X.

    """
    scale = math.sqrt(len(x[0]))
    output = []
    for query in x:
        scores = [sum(q * k for q, k in zip(query, key, strict=True)) / scale for key in x]
        weights = [math.exp(score) for score in scores]
        total = sum(weights)
        output.append([sum(w / total * row[j] for w, row in zip(weights, x, strict=True)) for j in range(len(query))])
    return output


def rows_of(order: list[int], coded: bool) -> list[list[float]]:
    """Return the rows of the sentence in an order, with the position code added if asked for."""
    return [
        [x + (p if coded else 0.0) for x, p in zip(VECTORS[word], POSITIONS[place], strict=True)]
        for place, word in enumerate(order)
    ]


def compare(turn: int, coded: bool, watched: int = 1) -> tuple[int, float]:
    """Compare a shuffle with the first order.

    Parameters
    ----------
    turn : int
        Which of ``ORDERS``.
    coded : bool
        Whether positions are added.
    watched : int
        The word whose attention output is compared.

    Returns
    -------
    found : int
        How many rows of the first order are still there, each counted once.
    gap : float
        The largest difference of the attention output for the watched word.

    """
    first, now = rows_of(ORDERS[0], coded), rows_of(ORDERS[turn], coded)
    rest = [[number(x) for x in row] for row in now]
    found = 0
    for row in first:
        text = [number(x) for x in row]
        if text in rest:
            rest.remove(text)
            found += 1
    before, after = attend(first)[watched], attend(now)[ORDERS[turn].index(watched)]
    return found, max(abs(a - b) for a, b in zip(before, after, strict=True))
