"""The Viterbi lattice, driven in a browser and compared with `Unigram`."""

import pytest

from tokvec.figures._base import number
from tokvec.figures.lattice import LatticeFigure, share_of_best
from tokvec.tokenizers import Unigram, parallel_text
from tokvec.tokenizers.unigram import SPACE, UNKNOWN

WORDS = ["unbelievably", "lowest", "a", "", "the window", "łąka", "zzz", "windowsill", "mississippi"]
WORDS += sorted({w for s in parallel_text()["english"] for w in s.split() if 7 <= len(w) <= 12 and w.isalpha()})[:60]


@pytest.fixture(scope="module")
def figure() -> LatticeFigure:
    return LatticeFigure(Unigram.train(" ".join(parallel_text()["english"]), 250))


def test_the_best_way_is_pythons(page, open_figure, figure):
    root = open_figure(page, figure)
    model = figure.model()
    read = lambda name: root.locator(f'[data-tv="{name}"]').inner_text()  # noqa: E731
    for word in WORDS:
        root.locator('[data-tv="word"]').fill(word)
        marked = SPACE + word.replace(" ", SPACE)
        path, score = model.viterbi(marked)
        ways, share = share_of_best(model, marked)
        assert read("best") == " | ".join(marked[e.start : e.end] for e in path)
        assert read("score") == number(score)
        assert read("edges") == str(len(model.lattice(marked)))
        assert read("ways") == f"{ways:,}"
        assert read("share") == f"{100 * share:.1f}\u00a0%"
        chosen = root.locator(".tvl-best")
        assert chosen.count() == len(path)
        unknown = sum(edge.piece == UNKNOWN for edge in path)
        assert sum("unknown" in text for text in chosen.all_inner_texts()) == unknown


def test_an_example_by_keyboard(page, open_figure, figure):
    root = open_figure(page, figure)
    root.locator('[data-tv="example-2"]').focus()
    page.keyboard.press("Enter")
    assert root.locator('[data-tv="word"]').input_value() == "lowest"
    assert page.evaluate("document.activeElement.dataset.tv") == "example-2"


def test_it_lives_in_a_notebook_too(page, open_live, figure):
    root = open_live(figure)
    assert root.locator(".tvl-best").count() == len(figure.model().viterbi(SPACE + figure.word)[0])
    page.evaluate("cleanup()")


def test_it_fits_a_phone(page, open_figure, figure):
    open_figure(page, figure, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
