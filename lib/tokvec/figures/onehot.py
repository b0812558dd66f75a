"""Figure: a one-hot vector times the embedding table, counted, beside the lookup."""

from __future__ import annotations

import traitlets

from tokvec.figures._base import Figure, number, table

TOKENS = ["the", "cat", "sat", "on", "mats"]
TABLE = [
    [0.21, -0.40, 0.05, 0.33],
    [0.87, 0.12, -0.64, 0.50],
    [-0.35, 0.71, 0.28, -0.19],
    [0.10, -0.22, -0.08, 0.46],
    [0.79, 0.25, -0.58, 0.31],
]


class OneHotFigure(Figure):
    """Multiply a one-hot row vector with a small table, one multiplication at a time.

    Attributes
    ----------
    tokens : list of str
        One token a row.
    table : list of list of float
        The embedding table, ``len(tokens)`` rows of equal length.
    token_id : int
        The row that is picked at first.
    digits : int
        Decimals shown.
    gpt2_shape : list of int
        Rows and columns for the count at full size.

    """

    module = "onehot"
    tokens = traitlets.List(traitlets.Unicode(), TOKENS).tag(sync=True)
    table = traitlets.List(traitlets.List(traitlets.Float()), TABLE).tag(sync=True)
    token_id = traitlets.Int(1).tag(sync=True)
    digits = traitlets.Int(2).tag(sync=True)
    gpt2_shape = traitlets.List(traitlets.Int(), [50257, 768]).tag(sync=True)
    alt = traitlets.Unicode(
        "A table of five tokens by four numbers. A one-hot vector stands beside it; each press of Step does "
        "one multiplication of the product, and a counter counts them."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Step through the product. Every row but one is multiplied by zero, and what comes out at the bottom "
        "is the row that the lookup reads at once."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the table, the one-hot vector and the row that comes out."""
        rows = [
            [token, str(int(i == self.token_id)), *(number(value, self.digits) for value in row)]
            for i, (token, row) in enumerate(zip(self.tokens, self.table, strict=True))
        ]
        product, _ = one_hot_product(self.token_id, self.table)
        rows.append(["product", "", *(number(value, self.digits) for value in product)])
        return table(["", "one-hot", *(str(j + 1) for j in range(len(product)))], rows)


def one_hot_product(token_id: int, table: list[list[float]]) -> tuple[list[float], int]:
    """Multiply a one-hot row vector with a table the long way, and count: the twin of ``longWay``.

    Parameters
    ----------
    token_id : int
        Where the 1 stands.
    table : list of list of float
        The table, V rows of d numbers.

    Returns
    -------
    product : list of float
        The d sums.
    multiplications : int
        How many multiplications it took: V times d.

    """
    one_hot = [float(i == token_id) for i in range(len(table))]
    product, multiplications = [], 0
    for column in range(len(table[0])):
        total = 0.0
        for x, row in zip(one_hot, table, strict=True):
            total += x * row[column]
            multiplications += 1
        product.append(total)
    return product, multiplications
