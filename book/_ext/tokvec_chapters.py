"""The directive ``chapters-table``, with each chapter's time, data and exercises; and links to chapters that are named.

Nothing is typed in: titles and times are read from the chapters, data from their metadata, points from the masters.
On the built page "chapter 4" is a link. The notebooks keep the plain words, as Colab and GitHub show them.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
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
        amount = f"{megabytes:.{int(megabytes < 10)}f} MB" if megabytes >= 0.05 else "a few kB"
        parts.append(f"{name.replace('_', ' ')} ({amount})")
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


MENTION = re.compile(r"\b[Cc]hapters? \d+(?:(?:, | and | to |, and )\d+)*")
# Where a word is already something else: a link, code, a formula, a heading.
CLOSED = (nodes.reference, nodes.literal, nodes.literal_block, nodes.math, nodes.title, nodes.raw)


def spans(text: str) -> list[tuple[int, int, int]]:
    """Return what a text says of chapters: start, end and number of each; a single "chapter 4" is one span."""
    found = []
    for mention in MENTION.finditer(text):
        numbers = list(re.finditer(r"\d+", mention[0]))
        for number in numbers:
            start = mention.start() + (number.start() if len(numbers) > 1 else 0)
            found.append((start, mention.start() + number.end(), int(number[0])))
    return found


def in_sources(node: nodes.Node) -> bool:
    """Say whether a node stands among the sources, where "chapter 3" may be of another book."""
    while node is not None:
        if isinstance(node, nodes.section) and node[0].astext() == "Sources":
            return True
        node = node.parent
    return False


class ChapterLinks(SphinxPostTransform):
    """Make a link of each chapter that a section names, where it names it first."""

    default_priority = 720
    formats = ("html",)

    def run(self, **kwargs) -> None:
        chapters = {int(doc[10:12]): doc for doc in self.env.found_docs if re.match(r"notebooks/\d\d_", doc)}
        seen: set[tuple[int, int]] = set()
        for text in list(self.document.findall(nodes.Text)):
            section = parent = text.parent
            while parent is not None and not isinstance(parent, CLOSED):
                parent = parent.parent
            if parent is not None or in_sources(text):
                continue
            while section is not None and not isinstance(section, nodes.section):
                section = section.parent
            pieces: list[nodes.Node] = []
            done = 0
            for start, end, number in spans(text):
                target = chapters.get(number)
                if target is None or target == self.env.docname or (id(section), number) in seen:
                    continue
                seen.add((id(section), number))
                uri = self.app.builder.get_relative_uri(self.env.docname, target)
                link = nodes.reference("", text[start:end], internal=True, refuri=uri)
                pieces += [nodes.Text(text[done:start]), link]
                done = end
            if pieces:
                text.parent.replace(text, [*pieces, nodes.Text(text[done:])])


def setup(app: Sphinx) -> dict:
    app.add_directive("chapters-table", ChaptersTable)
    app.add_post_transform(ChapterLinks)
    return {"version": "1", "parallel_read_safe": True}
