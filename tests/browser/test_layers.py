"""The layer figure, driven in a browser and compared with tokvec.contextual."""

import numpy as np
import pytest
import torch

from tokvec import contextual, datasets
from tokvec.figures.layers import LayersFigure, plane


@pytest.fixture(scope="module")
def encoder():
    try:
        return contextual.load("minilm", dtype=torch.float64)
    except datasets.MissingDataset as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def figure(encoder) -> LayersFigure:
    return LayersFigure.measured({"minilm": ("MiniLM", encoder)})


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text().replace("\N{MINUS SIGN}", "-")


def test_every_layer_of_two_words(page, open_figure, figure, encoder):
    root = open_figure(page, figure)
    words = contextual.senses()
    measured = contextual.measure(encoder, {word: words[word] for word in ("bank", "trunk")})
    for word in measured:
        root.locator('[data-tv="word"]').select_option(word)
        for layer in range(encoder.layers + 1):
            root.locator('[data-tv="layer"]').fill(str(layer))
            same, cross = measured[word].same[layer].item(), measured[word].cross[layer].item()
            assert float(read(root, "same")) == pytest.approx(same, abs=6e-4)
            assert float(read(root, "cross")) == pytest.approx(cross, abs=6e-4)
            assert float(read(root, "gap")) == pytest.approx(same - cross, abs=6e-4)
            assert read(root, "right") == f"{round(measured[word].accuracy[layer].item() * 16)} of 16"


def test_sentences_and_notebook(page, open_live, figure):
    root = open_live(figure)
    assert [read(root, "sense-0"), read(root, "sense-1")] == ["river", "money"]
    root.locator('[data-tv="next"]').focus()
    page.keyboard.press("Enter")
    assert figure.words["bank"]["sentences"][0] in read(root, "sentence")
    root.locator('[data-tv="layer"]').fill("6")  # at layer 0 occurrences at one position coincide
    root.locator('[data-tv="point-9"]').click()
    assert figure.words["bank"]["sentences"][9] in read(root, "sentence")
    assert read(root, "sentence").startswith("money")


def test_it_fits_a_phone(page, open_figure, figure):
    open_figure(page, figure, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_plane_equals_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    x = torch.randn(9, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    theirs = decomposition.PCA(2).fit_transform(x.numpy())
    ours = plane(x).numpy()
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs) / np.abs(theirs).max(), atol=1e-9)
    assert (ours[np.abs(ours).argmax(0), [0, 1]] > 0).all()
