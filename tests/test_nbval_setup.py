"""What conftest.py adds to nbval: a chapter without its data is skipped whole, a dead kernel is noticed at once."""

import os
import re
import subprocess
import sys
import time

import nbformat
import pytest
from notebooks import ROOT


@pytest.fixture
def run_notebook(tmp_path):
    """Run pytest on a notebook with the given cells, (source, stored text) each; return the finished process."""

    def run(cells, metadata=None, **environment):
        notebook = nbformat.v4.new_notebook(metadata=metadata or {})
        for source, text in cells:
            outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)] if text else []
            notebook.cells.append(nbformat.v4.new_code_cell(source, execution_count=1, outputs=outputs))
        nbformat.write(notebook, tmp_path / "11_made.ipynb")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "--rootdir", str(ROOT), "-c"]
        command += [str(ROOT / "pyproject.toml"), "--confcutdir", str(ROOT), "-p", "conftest", str(tmp_path)]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=120, env={**os.environ, **environment}
        )

    return run


def test_a_changed_digit_in_a_stored_output_fails(run_notebook):
    cells = [("print(round(2.45459, 4))", "2.4546\n")]
    assert run_notebook(cells).returncode == 0
    cells = [("print(round(2.45459, 4))", "2.4547\n")]
    done = run_notebook(cells)
    assert done.returncode == 1 and "2.4547" in done.stdout


def test_a_picture_may_differ_but_not_its_caption(run_notebook):
    source = "from tokvec import plots; import matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint('{}')"
    done = run_notebook([(source.format("a"), "b\n")])
    assert done.returncode == 1


def test_a_chapter_without_its_data_is_skipped_whole_with_the_command(run_notebook):
    metadata = {"tokvec": {"requires": ["text8"]}}
    done = run_notebook([("print(1)", "1\n"), ("print(2)", "2\n")], metadata, CI="", TOKVEC_CACHE="/nowhere")
    assert done.returncode == 0 and "2 skipped" in done.stdout
    command = r"\S*python\S* -m tokvec.datasets fetch text8"
    assert re.search(rf"Chapters skipped: 11_made \(needs text8: {command}\)", done.stdout)


def test_in_ci_an_unexpected_skip_fails(run_notebook):
    metadata = {"tokvec": {"requires": ["text8"]}}
    done = run_notebook([("print(1)", "1\n")], metadata, CI="true", TOKVEC_CACHE="/nowhere")
    assert done.returncode == 1 and "Skipped in CI" in done.stdout


def test_a_dead_kernel_is_noticed_at_once(run_notebook):
    began = time.monotonic()
    done = run_notebook([("import os; os._exit(1)", "")])
    assert done.returncode == 1 and "kernel died" in done.stdout.lower()
    assert time.monotonic() - began < 60, "the cell's time limit is 300 s"
