"""No number without a cell: what the prose quotes, a cell of the same chapter printed."""

import json

import pytest
from notebooks import NOTEBOOKS
from prose import quoted, tokens, uncomputed

NOTEBOOK_FILES = sorted(NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOK_FILES, ids=lambda path: path.stem)
def test_every_number_in_the_prose_was_computed(path):
    assert uncomputed(path) == []


def test_numbers_are_found_where_they_stand():
    assert tokens("loss 2.4546, and 38,597,376 of 50,257; N3 and v2 are names") == ["2.4546", "38597376", "50257"]
    assert quoted("In chapter 3, `x = 5`, [a link](https://a.org/1234): 113 of $27^{19683}$.") == ["27", "19683", "113"]


@pytest.mark.parametrize("path", NOTEBOOK_FILES[:1], ids=lambda path: path.stem)
def test_one_changed_digit_is_noticed(path, tmp_path):
    """Change the last digit of quoted numbers, one at a time: nearly all changes must be noticed."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    changed = noticed = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown" or "## Exercises" in "".join(cell["source"]):
            continue
        source = "".join(cell["source"])
        for number in {n for n in quoted(source) if "." in n and n in source}:
            wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
            cell["source"] = source.replace(number, wrong)
            copy = tmp_path / path.name
            copy.write_text(json.dumps(notebook), encoding="utf-8")
            changed += 1
            noticed += bool(uncomputed(copy))
        cell["source"] = source
    assert changed > 5
    assert noticed >= 0.9 * changed
