"""The rotary clocks, driven in a browser and compared with tokvec.attention, to 1e-4."""

import pytest

from tokvec.figures.clocks import KEY, QUERY, ClocksFigure, hands


def value(root, name: str) -> float:
    return float(root.locator(f'[data-tv="{name}"]').inner_text().replace("\N{MINUS SIGN}", "-"))


def matches(root, m: int, n: int) -> float:
    angles, adds = hands(QUERY, KEY, m, n)
    for i, (angle, add) in enumerate(zip(angles, adds, strict=True)):
        assert value(root, f"pair-{i}-0") == pytest.approx(angle, abs=1e-4)
        assert value(root, f"pair-{i}-1") == pytest.approx(add, abs=1e-4)
    assert value(root, "product") == pytest.approx(sum(adds), abs=1e-4)
    assert value(root, "distance") == m - n
    return value(root, "product")


def test_any_two_positions(page, open_figure):
    root = open_figure(page, ClocksFigure())
    for m, n in ((0, 0), (40, 0), (0, 40), (7, 31), (12, 12)):
        root.locator('[data-tv="m"]').fill(str(m))
        root.locator('[data-tv="n"]').fill(str(n))
        matches(root, m, n)


def test_moving_both_keeps_the_product(page, open_figure):
    figure = ClocksFigure()
    root = open_figure(page, figure)
    first = matches(root, figure.m, figure.n)
    on = root.locator('[data-tv="on"]')
    for step in range(1, 37):
        on.click()
        assert matches(root, figure.m + step, figure.n + step) == first
    on.click()
    assert "stands at the end" in root.locator('[data-tv="says"]').inner_text()
    assert matches(root, 40, 39) == first
    root.locator('[data-tv="back"]').click()
    assert matches(root, 39, 38) == first
    root.locator('[data-tv="m"]').fill("36")
    assert abs(matches(root, 36, 38) - first) > 0.01


def test_the_hands_are_drawn_where_the_numbers_say(page, open_figure):
    root = open_figure(page, ClocksFigure(m=0, n=0))
    lines = root.locator('[data-hand="q"] line')
    for i in range(3):
        x, y = (float(lines.nth(i).get_attribute(name)) for name in ("x2", "y2"))
        assert x * QUERY[2 * i + 1] == pytest.approx(-y * QUERY[2 * i], abs=0.05)
        assert x > 0


def test_keyboard_and_notebook(page, open_live):
    root = open_live(ClocksFigure())
    root.locator('[data-tv="m"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.tv") == "m"
    matches(root, 5, 3)


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, ClocksFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
