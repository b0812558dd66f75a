"""Interactive figures: one front-end module each, alive in a notebook and on the built page.

The Python side holds a figure's state and a twin of its arithmetic; the module in ``tokvec/static``
draws it. How to add one: ``book/add-a-figure.md``.
"""

from tokvec.figures._base import Figure, figure_source, number, table

__all__ = ["Figure", "figure_source", "number", "table"]
