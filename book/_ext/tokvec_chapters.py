"""The directive ``chapters-table``: for each chapter its time, the data it needs, and its exercises.

Nothing is typed in: titles and times are read from the chapters, data from their metadata, points from the masters.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lib"))

from tokvec import datasets  # noqa: E402


def size(names: list[str]) -> str:
    """Say which data sets a chapter needs and how large they are."""
    if not names:
        return "none"
    parts = []
    for name in names:
        megabytes = datasets.describe(name).size / 1e6
        parts.append(f"{name.replace('_', ' ')} ({megabytes:.{int(megabytes < 10)}f} MB)")
    return ", ".join(parts)


def exercises(number: str) -> str:
    """Return questions and points of a chapter's exercise master; those a person marks come after the plus sign."""
    master = next((ROOT / "notebooks" / "exercises").glob(f"{number}_*.py"), None)
    if master is None:
        return ""
    marked = r"BEGIN QUESTION\n# name: \w+\n# points: (\d+)(\n# manual: true)?"
    blocks = re.findall(marked, master.read_text(encoding="utf-8"))
    machine = sum(int(points) for points, manual in blocks if not manual)
    person = sum(int(points) for points, manual in blocks if manual)
    return f"{len(blocks)} questions, {machine} + {person} points"


def rows() -> list[str]:
    """Return one Markdown row for each chapter."""
    found = []
    for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        first = "".join(notebook["cells"][0]["source"])
        title = re.search(r"^# (.+)$", first, re.MULTILINE)[1]
        time = re.search(r"About (\d+) minutes to read", " ".join(first.split()))
        needs = notebook["metadata"].get("tokvec", {}).get("requires", [])
        minutes = f"{time[1]} minutes" if time else ""
        found.append(f"| [{title}](/notebooks/{path.name}) | {minutes} | {size(needs)} | {exercises(path.name[:2])} |")
    return found


class ChaptersTable(SphinxDirective):
    """Write the table."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        lines = ["| chapter | to read | data it needs | exercises |", "|---|---|---|---|", *rows()]
        for notebook in (ROOT / "notebooks").rglob("*.py"):
            self.env.note_dependency(str(notebook))
        container = nodes.container(classes=["chapters-table"])
        self.state.nested_parse(StringList(lines, source="chapters-table"), self.content_offset, container)
        return [container]


def setup(app: Sphinx) -> dict:
    app.add_directive("chapters-table", ChaptersTable)
    return {"version": "1", "parallel_read_safe": True}
