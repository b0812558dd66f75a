"""The cover figure: what it shows is what the model gives, and equal ids light up together."""

import pytest

from tokvec import datasets
from tokvec.figures import cover
from tokvec.figures._base import number


def test_the_numbers_are_the_model_s():
    try:
        datasets.minilm()
    except datasets.DatasetError as error:
        pytest.skip(str(error))
    assert cover.read_model() == (cover.TOKENS, cover.IDS, cover.VECTORS)


def test_tokens_ids_and_numbers_on_screen(page, open_figure):
    root = open_figure(page, cover.CoverFigure())
    for place, (token, token_id) in enumerate(zip(cover.TOKENS, cover.IDS, strict=True)):
        assert root.locator(f'[data-tv="token-{place}"]').inner_text() == token
        assert root.locator(f'[data-tv="id-{place}"]').inner_text() == str(token_id)
        for j, x in enumerate(cover.VECTORS[place]):
            assert root.locator(f'[data-tv="x-{place}-{j}"]').inner_text() == number(x)


def test_equal_ids_light_up_together(page, open_figure):
    root = open_figure(page, cover.CoverFigure())
    root.locator('[data-tv="token-3"]').focus()
    page.keyboard.press("Enter")
    pressed = [root.locator(f'[data-tv="token-{k}"]').get_attribute("aria-pressed") for k in range(6)]
    assert pressed == ["true", "false", "false", "true", "false", "false"]
    assert "in 2 places, with the same 384 numbers" in root.locator('[data-tv="says"]').inner_text()
    root.locator('[data-tv="token-5"]').click()
    assert root.locator('[aria-pressed="true"]').count() == 1
