"""Figure: rotary positions as clock hands. Turn both, and the angle between them stays."""

from __future__ import annotations

import math

import traitlets

from tokvec.figures._base import Figure, number, table

QUERY = [0.90, 0.20, 0.50, 0.60, 0.30, 0.70]
KEY = [0.60, 0.60, 0.80, -0.20, 0.50, 0.50]
BASE = 1000.0  # three pairs that turn 1, 0.1 and 0.01 radians a position


class ClocksFigure(Figure):
    """A query and a key of three pairs, each pair the hand of a clock.

    Attributes
    ----------
    query, key : list of float
        Before any rotation.
    base : float
        The slower pairs turn by ``base ** (-2 i / width)`` a position.
    m, n : int
        Where the query and the key stand at first.
    last : int
        The largest position.

    """

    module = "clocks"
    query = traitlets.List(traitlets.Float(), QUERY).tag(sync=True)
    key = traitlets.List(traitlets.Float(), KEY).tag(sync=True)
    base = traitlets.Float(BASE).tag(sync=True)
    m = traitlets.Int(4).tag(sync=True)
    n = traitlets.Int(3).tag(sync=True)
    last = traitlets.Int(40).tag(sync=True)
    alt = traitlets.Unicode(
        "Three clock faces, each with the solid hand of a query and the dashed hand of a key. Two sliders "
        "set their positions; a table gives the angle between the hands of each pair and the dot product."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Move both one on, again and again: the hands turn, the product stays, because only the angle "
        "between them counts. Move one alone: the product changes."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the products for a few positions: equal differences, equal products."""
        places = [
            (self.m, self.n),
            (self.m + 1, self.n + 1),
            (self.m + 30, self.n + 30),
            (self.m + 1, self.n),
        ]
        rows = []
        for m, n in places:
            angles, adds = hands(self.query, self.key, m, n, self.base)
            rows.append([f"m = {m}, n = {n}", number(m - n, 0), *map(number, angles), number(sum(adds), 4)])
        pairs = [f"angle, pair {i + 1}" for i in range(len(self.query) // 2)]
        return table(["", "m \N{MINUS SIGN} n", *pairs, "product"], rows)


def hands(query: list[float], key: list[float], m: int, n: int, base: float = BASE) -> tuple[list[float], list[float]]:
    """Rotate a query to position m and a key to n: the twin of the module, on :mod:`tokvec.attention`.

    Returns
    -------
    angles : list of float
        Between the two hands of each pair, 0 to pi.
    adds : list of float
        What each pair adds to the dot product.

    """
    import torch

    from tokvec.attention import rotate

    q = rotate(torch.tensor([query], dtype=torch.float64), torch.tensor([m]), base).view(-1, 2)
    k = rotate(torch.tensor([key], dtype=torch.float64), torch.tensor([n]), base).view(-1, 2)
    angles = [
        abs(math.remainder(math.atan2(b[1], b[0]) - math.atan2(a[1], a[0]), math.tau))
        for a, b in zip(q.tolist(), k.tolist(), strict=True)
    ]
    return angles, (q * k).sum(dim=1).tolist()
