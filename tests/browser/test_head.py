"""The attention-head figure, driven in a browser and compared with the Python it mirrors, to 1e-4."""

import pytest

from tokvec.figures.head import EXAMPLES, HeadFigure, compare, split, vector_of


def value(root, name: str) -> float:
    return float(root.locator(f'[data-tv="{name}"]').get_attribute("data-value"))


def matches(root, first: str, second: str, word: str, positions: bool, causal: bool) -> None:
    expected = compare(first, second, word, positions=positions, causal=causal)
    for side, sentence in enumerate((first, second)):
        length = len(split(sentence))
        for i in range(length):
            for j in range(length):
                shown = value(root, f"weight-{side}-{i}-{j}")
                assert shown == pytest.approx(expected.weights[side][i][j], abs=1e-4)
        for j, coordinate in enumerate(expected.outputs[side]):
            assert value(root, f"output-{side}-{j}") == pytest.approx(coordinate, abs=1e-4)
    for stage, cosine in enumerate(expected.cosines):
        name = f"cosine-{stage}"
        assert value(root, name) == pytest.approx(cosine, abs=1e-4)
        assert float(root.locator(f'[data-tv="{name}"]').inner_text().replace("\N{MINUS SIGN}", "-")) == (
            pytest.approx(cosine, abs=1e-4)
        )


def test_switches_in_every_position(page, open_figure):
    root = open_figure(page, HeadFigure())
    for key, example in EXAMPLES.items():
        root.locator(f'[data-tv="example-{key}"]').click()
        for positions in (True, False):
            root.locator(f'[data-tv="positions-{"on" if positions else "off"}"]').click()
            for causal in (True, False):
                root.locator(f'[data-tv="mask-{"on" if causal else "off"}"]').click()
                matches(root, *example["sentences"], example["word"], positions, causal)


def test_typing_other_words(page, open_figure):
    root = open_figure(page, HeadFigure())
    first, second = root.locator('[data-tv="sentence-0"]'), root.locator('[data-tv="sentence-1"]')
    first.fill("Zażółć  the kamienny zamek dog")
    second.fill("zamek 城 zażółć")
    root.locator('[data-tv="word"]').select_option("zażółć")
    matches(root, "Zażółć  the kamienny zamek dog", "zamek 城 zażółć", "zażółć", True, False)
    assert page.evaluate("document.activeElement.dataset.tv") in ("word", "sentence-1")
    second.fill("")
    assert "type at least one word" in root.locator('[data-tv="says"]').inner_text()
    second.fill("klucz most")
    assert "share no word" in root.locator('[data-tv="says"]').inner_text()
    second.fill("Zażółć  the kamienny zamek dog")
    assert value(root, "cosine-2") == 1


def test_seven_words_are_cut_to_six(page, open_figure):
    root = open_figure(page, HeadFigure())
    long = "a b c d e zamek g"
    root.locator('[data-tv="sentence-0"]').fill(long)
    root.locator('[data-tv="sentence-1"]').fill("zamek")
    matches(root, long, "zamek", "zamek", True, False)


def test_the_two_stories_look_alike_without_positions(page, open_figure):
    root = open_figure(page, HeadFigure(example="dog"))
    assert value(root, "cosine-2") < 0.999
    root.locator('[data-tv="positions-off"]').click()
    assert value(root, "cosine-2") == 1
    root.locator('[data-tv="mask-on"]').click()
    assert value(root, "cosine-2") < 0.999


def test_keyboard_and_notebook(page, open_live):
    root = open_live(HeadFigure())
    root.locator('[data-tv="positions-off"]').focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.tv") == "positions-off"
    matches(root, *EXAMPLES["castle"]["sentences"], "zamek", False, False)


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, HeadFigure(example="dog"), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_table_is_chapter_2s():
    laboratory = pytest.importorskip("tokvec.figures.laboratory")
    for word, row in zip(laboratory.TOKENS, laboratory.TABLE, strict=True):
        if word in HeadFigure().table:
            assert vector_of(word) == row
