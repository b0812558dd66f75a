"""The shuffled sentence, driven in a browser and compared with its Python twin."""

import pytest

from tokvec.figures._base import number
from tokvec.figures.shuffle import ORDERS, TOKENS, ShuffleFigure, attend, compare, rows_of


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text()


@pytest.mark.parametrize("coded", [False, True])
def test_every_shuffle(page, open_figure, coded):
    root = open_figure(page, ShuffleFigure())
    if coded:
        root.locator('[data-tv="positions-on"]').click()
    for turn in range(1, len(ORDERS)):
        root.locator('[data-tv="shuffle"]').click()
        found, gap = compare(turn, coded)
        rows = rows_of(ORDERS[turn], coded)
        assert read(root, "sentence") == " ".join(TOKENS[word] for word in ORDERS[turn])
        assert [[read(root, f"row-{i}-{j}") for j in range(4)] for i in range(5)] == [
            [number(x) for x in row] for row in rows
        ]
        assert read(root, "found") == f"{found} of 5"
        assert read(root, "gap") == number(gap)
        after = attend(rows)[ORDERS[turn].index(1)]
        assert [read(root, f"output-1-{j}") for j in range(4)] == [number(x) for x in after]


def test_what_the_caption_says(page, open_figure):
    root = open_figure(page, ShuffleFigure())
    root.locator('[data-tv="shuffle"]').click()
    assert (read(root, "sentence"), read(root, "found"), read(root, "gap")) == (
        "the man bit the dog",
        "5 of 5",
        "0.00",
    )
    root.locator('[data-tv="positions-on"]').click()
    assert read(root, "found") != "5 of 5"
    assert read(root, "gap") != "0.00"
    root.locator('[data-tv="reset"]').click()
    assert (read(root, "found"), read(root, "gap")) == ("5 of 5", "0.00")
