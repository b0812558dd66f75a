"""The model in the page against the model in Python."""

import pytest

from tokvec import bigram, mlp
from tokvec.figures.mlp import LONGEST, MLPFigure, Twin, mulberry32

# Fifty prefixes: the empty one, common beginnings, and letters that no name has in a row.
PREFIXES = ["", *"abcdefghijklmnopqrstuvwxyz", "an", "be", "ch", "el", "ja", "ka", "li", "ma", "qu", "sa", "xz"]
PREFIXES += ["emm", "oli", "sop", "bre", "brzq", "qqq", "isabell", "christophe", "mich", "alexandri", "yv", "zzzz"]


def shown(root) -> list[float]:
    return root.locator("[data-p]").evaluate_all("buttons => buttons.map(b => Number(b.dataset.p))")


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text()


def test_fifty_prefixes_have_the_probabilities_of_python(page, open_figure):
    assert len(set(PREFIXES)) == 50
    figure, model = MLPFigure(), mlp.stored("k3")
    twin = Twin(figure.weights, figure.shape)
    root = open_figure(page, figure)
    for prefix in PREFIXES:
        root.locator('[data-tv="prefix"]').fill(prefix)
        p = shown(root)
        assert len(p) == 27
        assert p == pytest.approx(mlp.next_symbol(model, prefix).tolist(), abs=1e-3), prefix
        assert p == pytest.approx(twin.next_symbol(prefix).tolist(), abs=2e-6), prefix


def test_what_is_written_on_the_buttons_is_rounded_from_the_same_numbers(page, open_figure):
    root = open_figure(page, MLPFigure())
    p = shown(root)
    for symbol, value in zip(bigram.SYMBOLS, p, strict=True):
        assert read(root, f"next-{symbol}").replace("\n", "").replace("\xa0", " ") == f"{symbol}{100 * value:.1f} %"


def test_the_rows_shown_are_rows_of_the_table(page, open_figure):
    root = open_figure(page, MLPFigure(prefix="ab"))
    C = mlp.stored("k3").C.half().double()
    for place, letter in enumerate(".ab"):
        cells = [read(root, f"row-{place}-{j}").replace("\u2212", "-") for j in range(10)]
        row = C[bigram.SYMBOLS.index(letter)].tolist()
        assert [float(cell) for cell in cells] == pytest.approx(row, abs=0.0501)


def test_write_a_name_draws_what_python_draws(page, open_figure):
    figure = MLPFigure(seed=11)
    random, twin = mulberry32(11), Twin(figure.weights, figure.shape)
    root = open_figure(page, figure)  # with reduced motion a name is written at once
    root.locator('[data-tv="clear"]').click()
    expected = []
    for _ in range(5):
        root.locator('[data-tv="write"]').click()
        expected.insert(0, twin.write(random) or "(nothing)")
    assert read(root, "names") == "Written: " + ", ".join(expected)
    assert f"The name ends: {expected[0]}." == read(root, "says")


def test_symbols_can_be_appended_by_keyboard_and_the_focus_stays(page, open_figure):
    root = open_figure(page, MLPFigure(prefix=""))
    root.locator('[data-tv="next-a"]').focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert root.locator('[data-tv="prefix"]').input_value() == "aa"
    assert page.evaluate("document.activeElement.dataset.tv") == "next-a"
    assert "After \u201caa\u201d" in read(root, "says")
    root.locator('[data-tv="next-."]').click()
    assert read(root, "names") == "Written: aa"


def test_letters_without_an_id_are_dropped_and_long_names_cut(page, open_figure):
    root = open_figure(page, MLPFigure())
    field = root.locator('[data-tv="prefix"]')
    field.fill("\u00c4nn-A 3")
    assert field.input_value() == "nna"
    field.fill("a" * (LONGEST + 5))
    assert len(field.input_value()) == LONGEST


def test_it_lives_in_a_notebook_too(open_live, page):
    root = open_live(MLPFigure())
    root.locator('[data-tv="write"]').click()
    assert read(root, "names").startswith("Written: ")
    page.evaluate("cleanup()")


def test_it_fits_a_phone(page, open_figure):
    root = open_figure(page, MLPFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    heights = root.locator("button, input").evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert min(heights) >= 36
