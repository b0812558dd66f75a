"""Check that every chapter's script and notebook are one text, and that the stored outputs belong to it.

``python tools/check_pairs.py`` prints what is wrong and exits with 1, or prints nothing.
The comparison is of the texts: a newer file never overwrites an older one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from notebooks import NOTEBOOKS, STAMP, as_script, chapters, stamp


def problems(script: Path) -> list[str]:
    """Return what is wrong with one pair, in sentences; an empty list when nothing is."""
    path = script.with_suffix(".ipynb")
    remedy = f"run: make store CHAPTERS=notebooks/{script.name}"
    if not path.exists():
        return [f"{script.name} has no notebook; {remedy}"]
    notebook = nbformat.read(path, as_version=4)
    found = []
    if as_script(notebook) != script.read_text(encoding="utf-8"):
        found.append(f"{script.name} and {path.name} differ; {remedy}")
    if notebook.metadata.get(STAMP) != stamp(notebook):
        found.append(f"{path.name} was not run since its code, or a number in its prose, was changed; {remedy}")
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            if cell.execution_count is None:
                found.append(f"{path.name}, cell {number}: never run, so nbval would compare nothing; {remedy}")
            if any(output.output_type == "error" for output in cell.outputs):
                found.append(f"{path.name}, cell {number}: the stored output is an error")
    return found


def main() -> int:
    found = [line for script in chapters() for line in problems(script)]
    scripts = {script.stem for script in chapters()}
    for path in NOTEBOOKS.glob("*.ipynb"):
        if path.stem not in scripts:
            found.append(f"{path.name} has no script")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
