"""The threshold figure, driven in a browser and compared with its Python twin."""

import math

import numpy as np
import pytest

from tokvec.figures._base import number
from tokvec.figures.threshold import ThresholdFigure, histogram, judge
from tokvec.sentences.evaluation import precision_recall

BINS = 65
RNG = np.random.default_rng(3)
SIGNAL, NOISE = RNG.normal(0.7, 0.15, 300).clip(-0.29, 0.99), RNG.normal(0.05, 0.1, 900)


def figure() -> ThresholdFigure:
    return ThresholdFigure(signal=histogram(SIGNAL, -0.3, 0.02, BINS), noise=histogram(NOISE, -0.3, 0.02, BINS))


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text().replace("\N{NO-BREAK SPACE}", " ")


def expect(root, first: int, ratio: float = 1) -> None:
    shown = figure()
    precision, recall = judge(shown.signal, shown.noise, first, ratio)
    assert read(root, "recall") == f"{number(100 * recall, 1)} %"
    assert read(root, "precision") == ("nothing kept" if math.isnan(precision) else f"{number(100 * precision, 1)} %")
    assert read(root, "kept") == f"{sum(shown.signal[first:])} of 300"
    assert read(root, "wrong") == f"{sum(shown.noise[first:])} of 900"
    assert read(root, "threshold-value") == number(-0.3 + 0.02 * first, 2)


def test_slider_and_ratio(page, open_figure):
    root = open_figure(page, figure())
    expect(root, 35)
    bar = root.locator('[data-tv="threshold"]')
    for first in (0, 20, 50, 65):
        bar.evaluate("(node, value) => { node.value = value; node.dispatchEvent(new Event('input')) }", str(first))
        expect(root, first)
    bar.focus()
    page.keyboard.press("Home")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    expect(root, 30)
    for ratio in (10, 1000, 1):
        root.locator(f'[data-tv="ratio-{ratio}"]').click()
        expect(root, 30, ratio)
    assert "recall" in read(root, "says")


def test_the_line_is_dragged(page, open_figure):
    root = open_figure(page, figure())
    box = root.locator('[data-tv="plot"]').bounding_box()
    at = lambda bin_: box["x"] + box["width"] * (12 + bin_ / BINS * 416) / 440  # noqa: E731
    page.mouse.move(at(35), box["y"] + 50)
    page.mouse.down()
    page.mouse.move(at(45), box["y"] + 60, steps=4)
    page.mouse.up()
    expect(root, 45)
    page.mouse.move(at(10), box["y"] + 60)  # the button is up: nothing moves
    expect(root, 45)


@pytest.mark.parametrize("first", [20, 35, 50])
def test_the_twin_is_precision_and_recall_of_the_values(first):
    shown = figure()
    exact = precision_recall(SIGNAL, NOISE, [-0.3 + 0.02 * first - 1e-9])
    precision, recall = judge(shown.signal, shown.noise, first, ratio=900 / 300)
    assert precision == pytest.approx(exact.precision[0])
    assert recall == pytest.approx(exact.recall[0])


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, figure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
