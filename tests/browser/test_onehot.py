"""The one-hot figure, driven in a browser and compared with its Python twin."""

import pytest

from tokvec.figures._base import number
from tokvec.figures.onehot import OneHotFigure, one_hot_product


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text()


@pytest.mark.parametrize("token_id", [1, 4])
def test_the_product_step_by_step_is_the_looked_up_row(page, open_figure, token_id):
    figure = OneHotFigure(token_id=token_id)
    root = open_figure(page, figure)
    product, multiplications = one_hot_product(token_id, figure.table)
    step = root.locator('[data-tv="step"]')
    for done in range(1, multiplications + 1):
        step.click()
        assert read(root, "multiplications") == str(done)
    shown = [read(root, f"product-{j}") for j in range(4)]
    assert shown == [number(value) for value in product]
    assert shown == [number(value) for value in figure.table[token_id]]
    assert shown == [read(root, f"lookup-{j}") for j in range(4)]
    assert read(root, "multiplications") == "20"
    page.keyboard.press("Enter")
    assert read(root, "multiplications") == "20", "there is no twenty-first multiplication"
    assert "20 multiplications for 4 numbers" in read(root, "says")


def test_another_token_by_keyboard(page, open_figure):
    figure = OneHotFigure()
    root = open_figure(page, figure)
    root.locator('[data-tv="token"]').select_option(value="2")
    root.locator('[data-tv="step"]').focus()
    for _ in range(7):
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.tv") == "step", "the focus stays where it was"
    assert read(root, "multiplications") == "7"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert [read(root, f"product-{j}") for j in range(4)] == [number(value) for value in figure.table[2]]


def test_gpt2_shape_is_counted(page, open_figure):
    root = open_figure(page, OneHotFigure())
    root.locator('[data-tv="gpt2"]').click()
    assert read(root, "gpt2-multiplications") == "38,597,376"
    assert read(root, "gpt2-kept") == "768"
    assert read(root, "gpt2-times") == "50,257 times"


def test_it_lives_in_a_notebook_too(page, open_live):
    root = open_live(OneHotFigure())
    root.locator('[data-tv="run"]').click()
    assert read(root, "multiplications") == "20"
    page.evaluate("cleanup()")


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, OneHotFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_jupyters_own_style_does_not_narrow_the_counts(page, open_figure):
    """JupyterLab floats every dt and gives it a fifth of the width, which broke words apart."""
    root = open_figure(page, OneHotFigure())
    page.evaluate("document.querySelector('main').className = 'jp-RenderedHTMLCommon'")
    page.add_style_tag(content=".jp-RenderedHTMLCommon dt {float: left; width: 20%}")
    names = root.locator(".tv-counts dt")
    assert names.evaluate_all("all => all.every((dt) => getComputedStyle(dt).float === 'none')")
    assert min(names.evaluate_all("all => all.map((dt) => dt.offsetHeight)")) < 30, "one line each"
