"""Build the coursework from the exercise masters: ``python tools/coursework.py [NAME...] [--out FOLDER] [--jobs N]``.

A master (``notebooks/exercises/NN_name.py``) is a percent script with Otter-Grader's markers in raw cells. From it come

- ``student/NN_name.ipynb``, without solutions and hidden tests, which opens alone, in Jupyter and in Colab;
- ``autograder/NN_name-autograder.zip`` for ``python -m tokvec.grade`` and Gradescope, the package in it as a wheel;
- ``solutions/NN_name.ipynb``.

Then the reference solution is graded, which must score full marks, and the untouched student notebook, which must score
zero. Two builds give the same bytes.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from notebooks import KERNELSPEC, ROOT
from set_repository import repository

from tokvec.grade import Grader, read_autograder, setup_digest, take

MASTERS = ROOT / "notebooks" / "exercises"
OUT = ROOT / "_build" / "coursework"
OTTER = "7.0.0"
EPOCH = (2026, 1, 1, 0, 0, 0)  # the date of everything inside a zip, so that two builds give the same bytes

# One assignment config for all masters; https://otter-grader.readthedocs.io says what the keys do.
CONFIG = """# ASSIGNMENT CONFIG
init_cell: false
export_cell: false
solutions_pdf: false
template_pdf: false
show_question_points: true
tests: {files: true, ok_format: false}
generate: {pdf: false, show_hidden: false, show_stdout: false}
environment: environment.yml
requirements: ["tokvec @ file:///autograder/source/files/WHEEL"]
"""
# For Gradescope's image only: the CPU build of torch, so that pip does not fetch a much larger one.
ENVIRONMENT = "name: otter-env\nchannels: [conda-forge]\ndependencies: [pytorch-cpu]\n"

SETUP = """# @title Run this cell first { display-mode: "form" }
# It makes `grader`, which checks your answers. In Colab it also installs what the notebook needs.
import subprocess
import sys
from pathlib import Path

ASSIGNMENT = "NAME"
REPOSITORY = "URL"
if "google.colab" in sys.modules:
    needed = ["otter-grader==OTTER"] + ([f"tokvec @ git+{REPOSITORY}"] if REPOSITORY else [])
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", *needed], check=True)

TESTS = {}  # the tests that you may see, a file each; your work is graded with the teacher's copy
# TESTS
tests = Path(f"tests_{ASSIGNMENT}")
tests.mkdir(exist_ok=True)
for question, source in TESTS.items():
    (tests / f"{question}.py").write_text(source, encoding="utf-8")

import otter

grader = otter.Notebook(tests_dir=str(tests))
"""


def masters(names: list[str] | None = None) -> list[Path]:
    """Return the masters' scripts in the book's order, or those of the given names.

    Raises
    ------
    SystemExit
        If there is no master of a given name.
    """
    found = {path.stem: path for path in sorted(MASTERS.glob("[0-9][0-9]_*.py"))}
    if unknown := [name for name in names or [] if name not in found]:
        raise SystemExit(f"error: no master is called {unknown[0]}. There are: {', '.join(found)}.")
    return [found[name] for name in names] if names else list(found.values())


def build_wheel(folder: Path) -> Path:
    """Build the package as a wheel, the same bytes every time."""
    # From a copy: what an earlier build left in the checkout (build/, egg-info) would get into the wheel.
    copy = folder / "source"
    leave_out = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.nb[ci]")
    shutil.copytree(ROOT / "lib", copy / "lib", ignore=leave_out)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(folder), str(copy)], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"error: the package could not be built as a wheel:\n{done.stderr.strip()}")
    return next(folder.glob("tokvec-*.whl"))


def read_master(script: Path, wheel: str) -> nbformat.NotebookNode:
    """Return a master as the notebook that ``otter assign`` reads: the assignment's config first, no other metadata."""
    import jupytext

    master = jupytext.read(script, fmt="py:percent")
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    notebook.cells = [nbformat.v4.new_raw_cell(CONFIG.replace("WHEEL", wheel)), *master.cells]
    for number, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = nbformat.NotebookNode(), f"cell-{number:03d}"
    return notebook


def imports(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the modules, outside the standard library, that a notebook's own cells import."""
    names = set()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import):
                    names |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    names.add(node.module.partition(".")[0])
    return sorted(names - set(sys.stdlib_module_names))


def setup_cell(name: str, tests: dict[str, str]) -> nbformat.NotebookNode:
    """Return a student notebook's first code cell: what it installs in Colab, and the tests that it carries."""
    lines = []
    for question, source in tests.items():
        quoted = f"r'''{source}'''" if "'''" not in source and not source.endswith("\\") else repr(source)
        lines.append(f'TESTS["{question}"] = {quoted}')
    text = SETUP.replace("NAME", name).replace("URL", repository()).replace("OTTER", OTTER)
    cell = nbformat.v4.new_code_cell(text.replace("# TESTS\n", "\n".join(lines) + "\n").strip())
    cell.metadata = nbformat.from_dict({"cellView": "form", "jupyter": {"source_hidden": True}})
    return cell


def finish(path: Path, setup: nbformat.NotebookNode) -> str:
    """Return the text of a notebook that Otter wrote, with the setup cell below the title and nothing left over."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(1, setup)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    notebook.nbformat_minor = 5
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
        cell.source = cell.source.strip()
        if cell is not setup:
            cell.metadata = nbformat.NotebookNode()
    nbformat.validate(notebook)
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def pack(members: dict[str, bytes]) -> bytes:
    """Return a zip of the members, in the order of their names and without their dates."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(members):
            item = zipfile.ZipInfo(name, EPOCH)
            item.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            item.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(item, members[name])
    return stream.getvalue()


def build(script: Path, wheel: Path, out: Path) -> None:
    """Build one assignment: student notebook, autograder, solutions."""
    import otter.assign

    name = script.stem
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        master = folder / f"{name}.ipynb"
        notebook = read_master(script, wheel.name)
        by_hand = [
            re.search(r"^name: (\w+)", cell.source, re.MULTILINE)[1]
            for cell in notebook.cells
            if cell.cell_type == "raw" and re.search(r"^manual: true", cell.source, re.MULTILINE)
        ]
        nbformat.write(notebook, master)
        (folder / "environment.yml").write_text(ENVIRONMENT, encoding="utf-8")
        otter.assign.main(str(master), str(folder / "dist"), no_pdfs=True, no_run_tests=True)
        student, teacher = folder / "dist" / "student", folder / "dist" / "autograder"
        public = {path.stem: path.read_text(encoding="utf-8") for path in sorted((student / "tests").glob("*.py"))}
        setup = setup_cell(name, public)
        with zipfile.ZipFile(next(teacher.glob("*.zip"))) as archive:
            members = {item: archive.read(item) for item in archive.namelist()}
        members[f"files/{wheel.name}"] = wheel.read_bytes()
        about = {
            "assignment": name,
            "by_hand": by_hand,
            "imports": ["otter", *imports(notebook)],
            "setup": setup_digest(setup.source),
        }
        members["coursework.json"] = (json.dumps(about, indent=1) + "\n").encode()
        for place, content in (
            (out / "student" / f"{name}.ipynb", finish(student / f"{name}.ipynb", setup).encode()),
            (out / "solutions" / f"{name}.ipynb", finish(teacher / f"{name}.ipynb", setup).encode()),
            (out / "autograder" / f"{name}-autograder.zip", pack(members)),
        ):
            place.parent.mkdir(parents=True, exist_ok=True)
            part = place.with_name(place.name + ".part")
            part.write_bytes(content)
            part.replace(place)


def verify(name: str, out: Path, seconds: float = 120) -> list[str]:
    """Grade the reference and the untouched student notebook; return what is wrong with the scores."""
    problems = []
    title = nbformat.read(out / "student" / f"{name}.ipynb", as_version=4).cells[0].source
    said = re.search(r"make ([\d.]+) points", title)
    with Grader(read_autograder(out / "autograder" / f"{name}-autograder.zip"), seconds, jobs=2) as grader:
        grader.preflight()
        for kind, folder in (("the reference", "solutions"), ("the untouched notebook", "student")):
            row = grader.grade(take(name, out / folder / f"{name}.ipynb"))
            wanted = row["possible"] if folder == "solutions" else 0
            if row["total"] != wanted or (folder == "solutions" and row["note"]):
                points = {question: row[question] for question in grader.autograder.tests}
                problems.append(f"{name}: {kind} scores {row['total']} of {row['possible']} {points}. {row['note']}")
    if said and float(said[1]) != row["possible"]:
        remedy = f"correct the first cell of notebooks/exercises/{name}.py"
        problems.append(f"{name}: the introduction says {said[1]} points, the tests give {row['possible']}: {remedy}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help="assignments to build, as 03_bigram (default: all)")
    parser.add_argument("--out", type=Path, default=OUT, help="where to (default: _build/coursework)")
    parser.add_argument("--jobs", type=int, default=2, help="how many to grade at a time")
    chosen = parser.parse_args()
    from tqdm.auto import tqdm

    scripts = masters(chosen.name)
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        for script in tqdm(scripts, desc="building", disable=None):
            build(script, wheel, chosen.out)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        checks = pool.map(lambda script: verify(script.stem, chosen.out), scripts)
        problems = [line for found in tqdm(checks, desc="grading", total=len(scripts), disable=None) for line in found]
    if problems:
        print("error: " + "\n".join(problems), file=sys.stderr)
        return 1
    number = "1 assignment" if len(scripts) == 1 else f"{len(scripts)} assignments"
    print(f"{number} in {chosen.out}: each reference has full marks, each untouched notebook none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
