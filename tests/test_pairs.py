"""Scripts and notebooks are one text, their outputs belong to it, and the check that says so can fail."""

import json
import shutil

import check_pairs
import pytest
from notebooks import STAMP, as_script, chapters, read_script, stamp


@pytest.mark.parametrize("script", chapters(), ids=lambda path: path.stem)
def test_the_pair_is_in_step_and_its_outputs_are_fresh(script):
    assert check_pairs.problems(script) == []


@pytest.mark.parametrize("script", chapters(), ids=lambda path: path.stem)
def test_the_script_is_in_the_form_that_the_tools_write(script):
    assert as_script(read_script(script)) == script.read_text(encoding="utf-8")


@pytest.fixture
def pair(tmp_path):
    script = tmp_path / "03_bigram.py"
    shutil.copy(chapters()[0].with_name("03_bigram.py"), script)
    shutil.copy(chapters()[0].with_name("03_bigram.ipynb"), script.with_suffix(".ipynb"))
    return script


def _edit(notebook, change):
    content = json.loads(notebook.read_text(encoding="utf-8"))
    change(content)
    notebook.write_text(json.dumps(content), encoding="utf-8")


def test_an_edited_script_is_noticed(pair):
    pair.write_text(pair.read_text(encoding="utf-8").replace("add=1", "add=2"), encoding="utf-8")
    assert "differ" in check_pairs.problems(pair)[0]


def test_old_outputs_on_new_code_are_noticed(pair):
    """The pair agrees and the outputs are old: only the stamp tells."""
    text = pair.read_text(encoding="utf-8").replace("add=1", "add=2")
    pair.write_text(text, encoding="utf-8")

    def change(content):
        for cell in content["cells"]:
            cell["source"] = "".join(cell["source"]).replace("add=1", "add=2")

    _edit(pair.with_suffix(".ipynb"), change)
    (problem,) = check_pairs.problems(pair)
    assert "was not run since its code" in problem


def test_a_cell_that_never_ran_and_a_stored_error_are_noticed(pair):
    def change(content):
        code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        code[2]["execution_count"] = None
        code[3]["outputs"] = [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]

    _edit(pair.with_suffix(".ipynb"), change)
    found = " ".join(check_pairs.problems(pair))
    assert "never run" in found and "is an error" in found


def test_a_missing_notebook_is_noticed(pair):
    pair.with_suffix(".ipynb").unlink()
    assert "has no notebook" in check_pairs.problems(pair)[0]


def test_a_number_changed_by_hand_in_both_files_is_noticed(pair):
    """Even when another cell prints that very number, as one does 2.4543."""
    for path in (pair, pair.with_suffix(".ipynb")):
        text = path.read_text(encoding="utf-8").replace("What is 2.4546?", "What is 2.4543?")
        path.write_text(text, encoding="utf-8")
    (problem,) = check_pairs.problems(pair)
    assert "a number in its prose" in problem


def test_the_stamp_is_of_the_code_and_of_the_numbers_in_the_prose():
    notebook = read_script(chapters()[0])
    before = stamp(notebook)
    notebook.cells[0].source += "\n\nMore prose."
    assert stamp(notebook) == before
    notebook.cells[0].source += " And 12 numbers."
    assert stamp(notebook) != before
    notebook = read_script(chapters()[0])
    next(cell for cell in notebook.cells if cell.cell_type == "code").source += "\n1"
    assert stamp(notebook) != before
    assert STAMP not in as_script(notebook)
