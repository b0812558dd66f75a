"""The analogy figure and the figure of one SGNS step, in a browser, against their Python twins."""

from __future__ import annotations

import numpy as np
import pytest

from tokvec.figures._base import number
from tokvec.figures.analogy import AnalogyFigure, quantise
from tokvec.figures.sgns import SgnsFigure, sgns_loss, sgns_step, sigmoid

WORDS = [
    "man",
    "king",
    "woman",
    "queen",
    "france",
    "paris",
    "italy",
    "rome",
    "good",
    "better",
    "bad",
    "worse",
    "doctor",
    "nurse",
    "walk",
    "walked",
    "play",
    "played",
]


@pytest.fixture
def figure() -> AnalogyFigure:
    return AnalogyFigure.of(WORDS, np.random.default_rng(1).normal(size=(len(WORDS), 20)))


def shown(root, figure: AnalogyFigure) -> list[tuple[str, str]]:
    read = [
        [root.locator(f'[data-tv="{what}-{i}"]').inner_text() for what in ("word", "cosine")]
        for i in range(figure.shown)
    ]
    return [(word, cosine) for word, cosine in read]


def expected(figure, question, method, exclude) -> list[tuple[str, str]]:
    return [(word, number(cosine, 3)) for word, cosine in figure.answers(question, method, exclude)]


def test_every_method_with_and_without_the_inputs(page, open_figure, figure):
    root = open_figure(page, figure)
    question = ("man", "king", "woman")
    for exclude in (False, True):
        for method in ("add", "b+c", "c", "b"):
            root.locator(f'[data-tv="method-{method}"]').click()
            assert shown(root, figure) == expected(figure, question, method, exclude)
        root.locator('[data-tv="exclude"]').click()
    notes = [root.locator(f'[data-tv="note-{i}"]').inner_text() for i in range(figure.shown)]
    assert notes[0] == "an input"  # back to "nearest to b", nothing excluded: b itself
    assert "king" in root.locator('[data-tv="says"]').inner_text()


def test_typing_and_presets(page, open_figure, figure):
    root = open_figure(page, figure, theme="dark", width=390)
    root.locator('[data-tv="c"]').fill("Queen")
    assert shown(root, figure) == expected(figure, ("man", "king", "queen"), "add", False)
    root.locator('[data-tv="preset-1"]').click()
    assert root.locator('[data-tv="b"]').input_value() == "paris"
    assert shown(root, figure) == expected(figure, ("france", "paris", "italy"), "add", False)
    before = shown(root, figure)
    root.locator('[data-tv="a"]').fill("xyzzy")
    root.locator('[data-tv="a"]').blur()
    assert "xyzzy" in root.locator('[data-tv="says"]').inner_text()
    assert root.locator('[data-tv="a"]').get_attribute("aria-invalid") == "true"
    assert shown(root, figure) == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_live_notebook_shows_the_same(open_live, figure):
    root = open_live(figure)
    assert shown(root, figure) == expected(figure, ("man", "king", "woman"), "add", False)


def test_presets_need_their_words():
    with pytest.raises(ValueError, match="asks for doctor"):
        few = [word for word in WORDS if word != "doctor"]
        AnalogyFigure.of(few, np.ones((len(few), 3)))


def test_quantising_keeps_cosines():
    vectors = np.random.default_rng(0).normal(size=(50, 50))
    codes = quantise(vectors).astype(float)
    assert np.abs(codes).max(axis=1).tolist() == [127.0] * 50
    unit, rounded = (m / np.linalg.norm(m, axis=1, keepdims=True) for m in (vectors, codes))
    assert np.abs(unit @ unit.T - rounded @ rounded.T).max() < 0.02


def test_sgns_steps(page, open_figure):
    figure = SgnsFigure()
    root = open_figure(page, figure, width=390)
    v, rows = np.array(figure.v), np.array(figure.rows)
    for step in range(4):
        for i, u in enumerate(rows):
            p = float(sigmoid(u @ v))
            for what, value in (("dot", float(u @ v)), ("p", p), ("error", (i == 0) - p)):
                assert root.locator(f'[data-tv="{what}-{i}"]').inner_text() == number(value, 3)
        assert root.locator('[data-tv="loss"]').inner_text() == number(sgns_loss(v, rows), 3)
        assert root.locator('[data-tv="steps"]').inner_text() == str(step)
        root.locator('[data-tv="step"]').click()
        v, rows = sgns_step(v, rows, figure.rate)
    root.locator('[data-tv="reset"]').click()
    assert root.locator('[data-tv="loss"]').inner_text() == number(
        sgns_loss(np.array(figure.v), np.array(figure.rows)), 3
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_sgns_step_is_the_gradient():
    torch = pytest.importorskip("torch")
    from tokvec.word2vec import reference_loss

    figure = SgnsFigure()
    v = torch.tensor(figure.v, dtype=torch.float64, requires_grad=True)
    rows = torch.tensor(figure.rows, dtype=torch.float64, requires_grad=True)
    loss = reference_loss(v, rows[:1], rows[1:])
    loss.backward()
    assert loss.item() == pytest.approx(sgns_loss(np.array(figure.v), np.array(figure.rows)))
    after_v, after_rows = sgns_step(np.array(figure.v), np.array(figure.rows), 0.1)
    np.testing.assert_allclose(after_v, (v - 0.1 * v.grad).detach())
    np.testing.assert_allclose(after_rows, (rows - 0.1 * rows.grad).detach())
