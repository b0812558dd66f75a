"""The letter map, driven in a browser and compared with its Python twin."""

import numpy as np
import pytest

from tokvec.bigram import SYMBOLS
from tokvec.figures.lettermap import LetterMapFigure, means, moved, neighbours

STEP = 0.15  # as in the module


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').text_content()


def shown(root) -> list[tuple[str, str]]:
    return [(read(root, f"near-{i}-name"), read(root, f"near-{i}")) for i in range(3)]


def test_every_letter_s_neighbours_are_python_s(page, open_figure):
    figure = LetterMapFigure()
    root = open_figure(page, figure)
    E = np.array(figure.tables[-1])
    for i, symbol in enumerate(SYMBOLS):
        root.locator('[data-tv="letter"]').select_option(symbol)
        assert shown(root) == neighbours(E, i), symbol
    assert [read(root, name) for name in ("vowels", "consonants", "across")] == means(E)
    assert read(root, "vowels") == "0.1889"


@pytest.mark.parametrize("checkpoint", [0, 4, 7])
def test_the_slider_goes_through_training(page, open_figure, checkpoint):
    figure = LetterMapFigure(letter="e")
    root = open_figure(page, figure)
    root.locator('[data-tv="time"]').fill(str(checkpoint))
    assert read(root, "time-value") == f"{figure.steps[checkpoint]:,}"
    E = np.array(figure.tables[checkpoint])
    assert shown(root) == neighbours(E, SYMBOLS.index("e"))
    assert [read(root, name) for name in ("vowels", "consonants", "across")] == means(E)


def test_arrow_keys_move_the_vector_and_the_focus_stays(page, open_figure):
    figure = LetterMapFigure(letter="a")
    root = open_figure(page, figure)
    i = SYMBOLS.index("a")
    before = shown(root)
    root.locator('[data-tv="dot-a"]').focus()
    for key, times in (("ArrowRight", 9), ("ArrowUp", 4)):
        for _ in range(times):
            page.keyboard.press(key)
    assert shown(root) == neighbours(moved(figure.tables[-1], i, 9 * STEP, 4 * STEP, figure.directions), i)
    assert shown(root) != before
    assert page.evaluate("document.activeElement.dataset.tv") == "dot-a"
    root.locator('[data-tv="reset"]').click()
    assert shown(root) == before


def test_dragging_with_the_pointer_moves_it_too(page, open_figure):
    root = open_figure(page, LetterMapFigure(letter="o"))
    dot = root.locator('[data-tv="dot-q"]')
    box = dot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=5)
    page.mouse.up()
    after = dot.bounding_box()
    assert after["x"] - box["x"] == pytest.approx(60, abs=2) and after["y"] - box["y"] == pytest.approx(30, abs=2)
    assert read(root, "says").startswith("Nearest to q: ")


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, LetterMapFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
