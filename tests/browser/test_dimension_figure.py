"""The dimension figure, driven in a browser and compared with its Python twin."""

import math

from tokvec.figures._base import number
from tokvec.figures.dimension import DimensionFigure, measure


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text().replace("\N{NO-BREAK SPACE}", " ")


def expect(root, figure: DimensionFigure, d: int) -> None:
    found = measure(figure.points, d, figure.seed)
    assert read(root, "dimension-value") == str(d)
    assert read(root, "ratio") == number(found["ratio"], 2)
    assert read(root, "spread") == number(found["spread"], 4)
    assert read(root, "law") == number(1 / math.sqrt(d), 4)
    assert read(root, "beyond") == number(100 * found["beyond"], 1) + " %"
    for name in ("distances", "cosines"):
        counts = root.locator(f'[data-tv="{name}"]').get_attribute("data-counts")
        assert [int(n) for n in counts.split()] == found[name]


def test_every_stop_shows_pythons_numbers(page, open_figure):
    figure = DimensionFigure()
    root = open_figure(page, figure)
    expect(root, figure, 3)
    root.locator('[data-tv="dimension"]').focus()
    page.keyboard.press("Home")
    for d in figure.dimensions:
        expect(root, figure, d)
        page.keyboard.press("ArrowRight")
    assert "1000 dimensions" in read(root, "says")


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, DimensionFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
