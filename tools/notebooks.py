"""What the tools share: where the chapters are, how a script becomes a notebook and back, and the stamp.

A chapter is a pair. ``NN_name.py`` is the source; ``NN_name.ipynb`` is the same with the
outputs of one run. The notebook carries a stamp, the hash of the code it was run from and
of the numbers in its prose: an edited cell whose old outputs are still there no longer fits
it, nor does a number changed by hand in both files.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

try:
    import jupytext
    import nbformat
except ModuleNotFoundError as missing:
    right = " ".join([".venv/bin/python", *sys.argv])
    raise SystemExit(f"error: this Python has no {missing.name}; after make book, use the book's: {right}") from None

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
STAMP = "tokvec_stamp"
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}


def chapters() -> list[Path]:
    """Return the chapters' scripts, in the book's order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py"))


def read_script(path: Path) -> nbformat.NotebookNode:
    """Return a script in percent format as a notebook without outputs, its cell ids fixed by their order."""
    notebook = jupytext.read(path, fmt="py:percent")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    requires = notebook.metadata.get("tokvec")
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    if requires:
        notebook.metadata["tokvec"] = requires
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    return notebook


def as_script(notebook: nbformat.NotebookNode) -> str:
    """Return a notebook as the percent script that it is paired with."""
    notebook = nbformat.from_dict(json.loads(json.dumps(notebook)))
    notebook.metadata["jupytext"] = {
        "notebook_metadata_filter": "kernelspec,tokvec,-all",
        "cell_metadata_filter": "tags,-all",
    }
    return jupytext.writes(notebook, fmt="py:percent")


def stamp(notebook: nbformat.NotebookNode) -> str:
    """Return the SHA-256 of all code in a notebook, cell by cell, and of every number in its prose."""
    digest = hashlib.sha256()
    for cell in notebook.cells:
        text = cell.source if cell.cell_type == "code" else " ".join(re.findall(r"\d[\d.,]*", cell.source))
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()
