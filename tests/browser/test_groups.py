"""The permutation test in the page against the one in Python."""

import pytest

from tokvec import geometry, mlp
from tokvec.figures._base import number
from tokvec.figures.groups import LETTERS, GroupsFigure, matrix


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').text_content()


def expected(figure, group: str, runs: int = 0) -> list[str]:
    test = geometry.permutation_test(matrix(figure.cosines[runs]), [LETTERS.index(c) for c in group])
    return [number(test.statistic, 4), f"{test.as_good:,} of {len(test.distribution):,}", f"{test.p_value:.5f}"]


def shown(root) -> list[str]:
    return [read(root, name) for name in ("statistic", "as-good", "p")]


def test_the_vowels_have_the_exact_p_value(page, open_figure):
    figure = GroupsFigure()
    root = open_figure(page, figure)
    assert shown(root) == expected(figure, "aeiou")
    exact = geometry.permutation_test(
        geometry.cosine_matrix(mlp.stored("k3").C.numpy())[1:, 1:], [LETTERS.index(c) for c in "aeiou"]
    )
    assert read(root, "p") == f"{exact.p_value:.5f}" == "0.02765"


@pytest.mark.parametrize("group", ["bcdfg", "aeiuy", "qzxjw"])
def test_any_five_letters(page, open_figure, group):
    figure = GroupsFigure()
    root = open_figure(page, figure)
    root.locator('[data-tv="none"]').click()
    for k, letter in enumerate(group):
        assert f"Choose {5 - k} more" in read(root, "says")
        assert shown(root) == ["\u2013"] * 3
        root.locator(f'[data-tv="letter-{letter}"]').press("Enter")
    assert shown(root) == expected(figure, group)
    assert page.evaluate("document.activeElement.dataset.tv") == f"letter-{group[-1]}"


def test_the_best_five_are_the_best(page, open_figure):
    root = open_figure(page, GroupsFigure())
    root.locator('[data-tv="best"]').click()
    assert read(root, "as-good") == "1 of 65,780"
    root.locator('[data-tv="letter-q"]').click()
    assert "away" in read(root, "says") or "more" in read(root, "says")


def test_the_mean_of_eleven_runs(page, open_figure):
    figure = GroupsFigure()
    root = open_figure(page, figure)
    root.locator('[data-tv="runs-1"]').click()
    assert shown(root) == expected(figure, "aeiou", runs=1)
    root.locator('[data-tv="best"]').click()
    every = geometry.separation(matrix(figure.cosines[1]), geometry.all_groups(26, 5))
    best = "".join(LETTERS[i] for i in geometry.all_groups(26, 5)[every.argmax()])
    pressed = root.locator('.tv-groups [aria-pressed="true"]').all_text_contents()
    assert "".join(pressed) == best
    assert shown(root) == expected(figure, best, runs=1)


def test_it_fits_a_phone(page, open_figure):
    root = open_figure(page, GroupsFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = root.locator("button").evaluate_all("all => all.flatMap(e => [e.offsetWidth, e.offsetHeight])")
    assert min(sizes) >= 36
