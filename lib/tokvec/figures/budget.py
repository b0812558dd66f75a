"""Figure: how the parameters of a GPT-2 divide between its tables and its blocks."""

from __future__ import annotations

from dataclasses import asdict

import traitlets

from tokvec.embedding import GPT2, GPT2Shape
from tokvec.figures._base import Figure, table


class BudgetFigure(Figure):
    """Choose a GPT-2, or a shape of your own, and see where its parameters are.

    The twin of its arithmetic is `tokvec.embedding.GPT2Shape`.

    Attributes
    ----------
    presets : list of (str, dict)
        The four published shapes, with their names.
    preset : str
        The one shown at first.

    """

    module = "budget"
    presets = traitlets.List([[name, asdict(shape)] for name, shape in GPT2.items()]).tag(sync=True)
    preset = traitlets.Unicode("small").tag(sync=True)
    alt = traitlets.Unicode(
        "A bar divided into token table, position table and blocks, a table with the same numbers, buttons "
        "for the four sizes of GPT-2 and sliders for vocabulary, width and layers."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "From small to XL the tables grow with d, the blocks with d squared and with the number of layers: the "
        "tables’ share falls. In a model of one layer they are most of what there is: try it."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the four sizes as a table."""
        return table(
            ["GPT-2", "token table", "positions", "blocks", "all", "tables' share"],
            [[name, *cells(shape)] for name, shape in GPT2.items()],
        )


def cells(shape: GPT2Shape) -> list[str]:
    """Return one shape's numbers as the figure writes them: parts, total, share of the tables."""
    numbers = (shape.token_table, shape.position_table, shape.blocks, shape.total)
    return [*(f"{n:,}" for n in numbers), f"{100 * shape.embedding_share:.1f}\N{NO-BREAK SPACE}%"]
