"""A class of 30: fourteen good copies of one assignment, eight wrong ones, eight broken ones, graded two at a time.

There is no peer that grades such a folder to its end (Otter's own runner has no time limit, and nbgrader stops for
nothing either), so the peer here is the aim: five minutes.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENT = "03_bigram"
BROKEN = [
    "while True:\n    pass",
    "while True:\n    try:\n        while True: sum(range(9))\n    except Exception: pass",
    "import os; os.kill(os.getpid(), 9)",
    "def smooth(N, add):\n    while True: pass",
    "def smooth(N, add)\n    return N",
    "for _ in range(10_000): print('x' * 100_000)",
    "open('/another_students.ipynb', 'w')",
    "big = bytearray(10**12)",
]


def hand_in(folder: Path, notebook: dict) -> None:
    """Write the 30 submissions."""
    mistakes = tomllib.loads((ROOT / "tests" / "exercise_mistakes.toml").read_text(encoding="utf-8"))[ASSIGNMENT]
    wrong = [(question, text) for question, texts in mistakes.items() for text in texts][:8]
    extras = [(None, "")] * 14 + wrong + [("q2", text) for text in BROKEN]
    for number, (question, text) in enumerate(extras, 1):
        cells = list(notebook["cells"])
        if question:
            before = next(i for i, cell in enumerate(cells) if f'check("{question}")' in "".join(cell["source"]))
            cells.insert(
                before, {"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
            )
        (folder / f"student{number:02d}.ipynb").write_text(json.dumps({**notebook, "cells": cells}), encoding="utf-8")


def run() -> dict:
    """Build the assignment, grade the class, and say how long the grading took."""
    sys.path.insert(0, str(ROOT / "tools"))
    import coursework

    from tokvec import grade

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        coursework.build(coursework.masters([ASSIGNMENT])[0], coursework.build_wheel(folder), folder)
        reference = json.loads((folder / "solutions" / f"{ASSIGNMENT}.ipynb").read_text(encoding="utf-8"))
        (folder / "class").mkdir()
        hand_in(folder / "class", reference)
        autograder = grade.read_autograder(folder / "autograder" / f"{ASSIGNMENT}-autograder.zip")
        began = time.perf_counter()
        rows = grade.grade_all(autograder, grade.collect([folder / "class"]), folder / "grades.csv", jobs=2)
        seconds = time.perf_counter() - began
        complete = len((folder / "grades.csv").read_text(encoding="utf-8").splitlines()) == 31
        marks = sum(row["total"] == row["possible"] for row in rows)
        notes = sum(bool(row["note"]) for row in rows)
    return {
        "name": "grading",
        "ours": round(seconds, 1),
        "peer": 300.0,
        "unit": "seconds for a class of 30",
        "peer_is": "no peer, the aim of five minutes",
        "ratio": round(300 / seconds, 2),
        "same": f"{marks} full marks, {notes} with a note" if complete else "NOT all in the csv",
    }
