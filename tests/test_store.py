"""Storing outputs: two runs give the same bytes, a failing cell changes nothing, widgets leave what a page can show."""

import json
import subprocess
import sys

import pytest
from notebooks import ROOT

SCRIPT = """# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 11 · Made for a test

# %%
import ipywidgets
import torch

g = torch.Generator().manual_seed(1)
print(torch.randn(2, generator=g))

# %%
@ipywidgets.interact(n=(1, 9, 1))
def shown(n=3):
    print(f"n squared is {n * n}")

# %%
{last}
"""


def run_store(script):
    """Run the tool as an author does, in a process of its own, which has its own event loop."""
    command = [sys.executable, str(ROOT / "tools" / "store.py"), str(script)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "11_made.py"
    path.write_text(SCRIPT.replace("{last}", "1 + 1"), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("given", "meant"),
    [("notebooks/03_bigram.ipynb", "03_bigram"), ("04_network_counts", "04_network_counts"), ("99.py", "01_tokens")],
)
def test_what_is_no_script_is_named_and_not_touched(given, meant):
    """The notebook's name instead of the script's would otherwise put a script into the notebook."""
    before = (ROOT / "notebooks" / "03_bigram.ipynb").read_bytes()
    done = run_store(given)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"error: {given} is not a chapter's script; give a script, as in make store CHAPTERS=" in done.stderr
    assert done.stderr.rstrip().endswith(f"notebooks/{meant}.py")
    assert (ROOT / "notebooks" / "03_bigram.ipynb").read_bytes() == before


def test_two_runs_give_the_same_bytes_and_widgets_leave_their_first_output(script):
    done = run_store(script)
    assert done.returncode == 0 and "WARNING" not in done.stderr
    first = script.with_suffix(".ipynb").read_bytes()
    before = script.read_bytes()
    assert run_store(script).returncode == 0
    assert script.with_suffix(".ipynb").read_bytes() == first
    assert script.read_bytes() == before
    assert b"widget-view" not in first and b"widget-state" not in first

    cells = json.loads(first)["cells"]
    text = json.dumps(cells[2]["outputs"])
    assert "n squared is 9" in text and "controls of this cell need Python" in text
    assert [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"] == [1, 2, 3]


def test_a_failing_cell_leaves_the_old_notebook(script):
    target = script.with_suffix(".ipynb")
    target.write_text("old")
    script.write_text(SCRIPT.replace("{last}", "1 / 0"), encoding="utf-8")
    done = run_store(script)
    assert done.returncode == 1 and "its notebook is left as it was" in done.stderr
    assert target.read_text() == "old"
    assert [path.name for path in script.parent.iterdir() if path.suffix == ".part"] == []
