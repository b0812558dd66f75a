"""The merge-by-merge table, driven in a browser and compared with `textbook_merges`."""

import pytest

from tokvec.figures.mergetable import MergeTableFigure
from tokvec.tokenizers.bpe import count_pairs, textbook_merges

OTHER = [["abab", 3], ["aaaa", 2], ["banana", 4]]


@pytest.mark.parametrize("words", [MergeTableFigure().words, OTHER])
def test_every_merge_is_pythons(page, open_figure, words):
    figure = MergeTableFigure(words=words)
    root = open_figure(page, figure)
    steps = list(textbook_merges(dict(map(tuple, words)), 100, figure.end))
    following = root.locator('[data-tv="next"]')
    for k, step in enumerate(steps, 1):
        following.click()
        listed = root.locator('[data-tv="merges"] li').nth(k - 1).inner_text()
        assert listed == f"{step.pair[0]} + {step.pair[1]} ({step.count})"
        shown = [
            tuple(root.locator(f'[data-tv="word-{i}"] .tv-tok').all_inner_texts()) for i in range(len(words))
        ]
        assert shown == list(step.words)
        if pairs := count_pairs(step.words):
            assert root.locator('[data-tv="pair-count-0"]').inner_text() == str(max(pairs.values()))
    assert "no pair is left" in root.locator('[data-tv="says"]').inner_text()
    page.keyboard.press("Enter")
    assert root.locator('[data-tv="merges"] li').count() == len(steps), "nothing happens after the end"


def test_back_and_run_to_the_end(page, open_figure):
    figure = MergeTableFigure()
    root = open_figure(page, figure)
    root.locator('[data-tv="run"]').click()
    n = len(list(textbook_merges(dict(map(tuple, figure.words)), 100)))
    assert root.locator('[data-tv="merges"] li').count() == n
    root.locator('[data-tv="back"]').click()
    assert root.locator('[data-tv="merges"] li').count() == n - 1
    assert page.evaluate("document.activeElement.dataset.tv") == "back"
    root.locator('[data-tv="reset"]').click()
    assert root.locator('[data-tv="merges"] li').count() == 0


def test_it_lives_in_a_notebook_too(page, open_live):
    root = open_live(MergeTableFigure(steps=3))
    assert root.locator('[data-tv="merges"] li').count() == 3
    page.evaluate("cleanup()")


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, MergeTableFigure(steps=4), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
