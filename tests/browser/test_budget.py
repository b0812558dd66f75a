"""The parameter budget, driven in a browser and compared with `tokvec.embedding.GPT2Shape`."""

import pytest

from tokvec.embedding import GPT2, GPT2Shape
from tokvec.figures.budget import BudgetFigure, cells


def shown(root) -> list[str]:
    names = ("tokens", "positions", "blocks", "total", "embedding-share")
    return [root.locator(f'[data-tv="{name}"]').inner_text() for name in names]


def test_the_four_sizes(page, open_figure):
    root = open_figure(page, BudgetFigure())
    assert shown(root) == cells(GPT2["small"])
    assert shown(root)[3:] == ["124,439,808", "31.6\N{NO-BREAK SPACE}%"]
    for name, shape in GPT2.items():
        root.locator(f'[data-tv="preset-{name}"]').click()
        assert shown(root) == cells(shape)
        assert root.locator(f'[data-tv="preset-{name}"]').get_attribute("aria-pressed") == "true"
    assert shown(root)[4] == "5.3\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize(("vocabulary", "width", "layers"), [(100_277, 4_096, 32), (257, 64, 1), (50_257, 12_288, 96)])
def test_sliders(page, open_figure, vocabulary, width, layers):
    root = open_figure(page, BudgetFigure())
    for name, value in (("vocabulary", vocabulary), ("width", width), ("layers", layers)):
        root.locator(f'[data-tv="{name}"]').fill(str(value))
    assert shown(root) == cells(GPT2Shape(width, layers, vocabulary))
    assert root.locator('[aria-pressed="true"]').count() == 0, "this is none of the four"


def test_a_slider_by_keyboard(page, open_figure):
    root = open_figure(page, BudgetFigure())
    root.locator('[data-tv="layers"]').focus()
    page.keyboard.press("ArrowRight")
    assert shown(root) == cells(GPT2Shape(768, 13))
    assert "parameters" in root.locator('[data-tv="says"]').inner_text()
