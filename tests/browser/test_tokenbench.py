"""The tokeniser bench in the page gives the same ids as Python."""

import random

import pytest

from tokvec.figures.tokenbench import TokenBenchFigure
from tokvec.tokenizers import BPE, parallel_text

CUT = """([text, n]) => {
    const root = document.querySelector('[data-tv-figure="tokenbench"]');
    const slider = root.querySelector('[data-tv="merges"]');
    slider.value = n;
    slider.dispatchEvent(new Event("input"));
    const box = root.querySelector('[data-tv="text"]');
    box.value = text;
    box.dispatchEvent(new Event("input"));
    return [...root.querySelectorAll(".tvb-id")].map((cell) => Number(cell.textContent));
}"""


@pytest.fixture(scope="module")
def figure() -> TokenBenchFigure:
    corpus = "\n".join(sentence for some in parallel_text().values() for sentence in some)
    return TokenBenchFigure(BPE.train(corpus, 1024))


def strings(n: int) -> list[str]:
    """Random strings over many scripts, with words, spaces of every kind, digits and emoji."""
    rng = random.Random(200)
    words = " ".join(sentence for some in parallel_text().values() for sentence in some).split(" ")
    blocks = [(0x20, 0x7E), (0xA0, 0x17F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA)]
    blocks += [(0xE01, 0xE3A), (0x2000, 0x206F), (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xFE00, 0xFE0F)]
    blocks += [(0x1F300, 0x1F64F), (0xFEFF, 0xFEFF), (0x85, 0x85), (0x1C, 0x1F), (0x660, 0x669)]
    made = []
    for _ in range(n):
        parts = []
        for _ in range(rng.randint(1, 10)):
            if rng.random() < 0.5:
                parts.append(rng.choice(words) + rng.choice(["", " ", "  ", "\n", "'s ", "\t "]))
            else:
                low, high = rng.choice(blocks)
                parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 5))))
        made.append("".join(parts))
    return made


def test_the_ids_equal_pythons_on_two_hundred_random_strings(page, open_figure, figure):
    open_figure(page, figure)
    rng = random.Random(7)
    for i, text in enumerate(["", " ", "plain", "e\u0301", *strings(200)]):
        n = len(figure.merges) if i % 2 == 0 else rng.randrange(len(figure.merges))
        text = text.replace("\r", "\n")  # a text area knows one kind of line end
        assert page.evaluate(CUT, [text, n]) == figure.ids(text, n), (ascii(text), n)


def test_merges_are_undone_and_redone_one_by_one(page, open_figure, figure):
    root = open_figure(page, figure)
    read = lambda name: root.locator(f'[data-tv="{name}"]').inner_text()  # noqa: E731
    n = len(figure.merges)
    assert int(read("tokens")) == len(figure.ids(figure.text, n))
    undo = root.locator('[data-tv="undo"]')
    for k in range(1, 6):
        undo.click()
        assert read("merges-value") == str(n - k)
        assert int(read("tokens")) == len(figure.ids(figure.text, n - k))
    assert f"Merge {n - 5}," in read("last")
    assert f"with {n - 5} merges" in read("says")
    assert page.evaluate("document.activeElement.dataset.tv") == "undo", "the focus stays where it was"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert read("merges-value") == str(n - 4)


def test_no_merges_are_bytes(page, open_figure, figure):
    root = open_figure(page, figure)
    slider = root.locator('[data-tv="merges"]')
    slider.focus()
    page.keyboard.press("Home")
    assert root.locator('[data-tv="tokens"]').inner_text() == str(len(figure.text.encode()))
    root.locator('[data-tv="example-2"]').click()
    assert root.locator(".tvb-piece").first.inner_text() == "⟨E0⟩"
    assert root.locator('[data-tv="tokens"]').inner_text() == root.locator('[data-tv="bytes"]').inner_text()


def test_it_lives_in_a_notebook_too(page, open_live, figure):
    root = open_live(figure)
    assert root.locator(".tvb-id").count() == len(figure.ids(figure.text, figure.n_merges))
    page.evaluate("cleanup()")


def test_it_fits_a_phone(page, open_figure, figure):
    open_figure(page, figure, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
