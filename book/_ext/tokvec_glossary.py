"""The glossary: a directive that writes the page from ``glossary.toml``, and links from the first use in each chapter.

The links are made on the built page only. The notebooks stay plain Markdown, as Colab and GitHub show them.
"""

from __future__ import annotations

import functools
import html
import re
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

SOURCE = Path(__file__).resolve().parents[1] / "glossary.toml"
LANGUAGES = {"fr": "French", "pl": "Polish", "th": "Thai"}
# Where a word is already something else: a link, code, a formula, a heading, a caption of its own.
CLOSED = (nodes.reference, nodes.literal, nodes.literal_block, nodes.math, nodes.title, nodes.raw, nodes.caption)
UNLINKED_SECTIONS = ("Exercises", "Sources")  # titles of works are not uses of a term


@functools.cache
def terms() -> tuple[dict, ...]:
    """Return the terms in alphabetical order."""
    found = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["term"]
    return tuple(sorted(found, key=lambda term: term["en"].lower()))


def anchor(term: dict) -> str:
    """Return the id of a term on the glossary page."""
    return "term-" + nodes.make_id(term["en"])


@functools.cache
def pattern() -> re.Pattern:
    """Return a pattern that finds any form of any term, the longest first."""
    forms = [form for term in terms() for form in (term["en"], *term.get("also", []))]
    forms.sort(key=len, reverse=True)
    # Capitals count in names and abbreviations (BPE, GloVe); ordinary words may begin a sentence.
    parts = []
    for form in forms:
        plain = form == form.lower()
        parts.append(f"[{form[0]}{form[0].upper()}]{re.escape(form[1:])}" if plain else re.escape(form))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])")


@functools.cache
def by_form() -> dict[str, dict]:
    """Return the term of each form, by the form in lower case."""
    return {form.lower(): term for term in terms() for form in (term["en"], *term.get("also", []))}


def section_title(node: nodes.Node) -> str:
    """Return the title of the section that a node stands in, or an empty text."""
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node[0].astext() if node is not None and len(node) else ""


class BookGlossary(SphinxDirective):
    """Write every term with its names, meaning and chapter."""

    def run(self) -> list[nodes.Node]:
        lines = []
        for term in terms():
            names = "; ".join(f'<span lang="{code}">{html.escape(term[code])}</span>' for code in LANGUAGES)
            chapter = next(
                (d for d in sorted(self.env.found_docs) if d.startswith(f"notebooks/{term['chapter']:02d}_")), None
            )
            where = f"[Chapter {term['chapter']}](/{chapter}.ipynb)" if chapter else f"Chapter {term['chapter']}"
            lines += [
                f'<b id="{anchor(term)}">{html.escape(term["en"])}</b> <small class="tv-names">{names}</small>',
                f": {term['text']} {where}.",
                "",
            ]
        self.env.note_dependency(str(SOURCE))
        container = nodes.container(classes=["tv-glossary"])
        self.state.nested_parse(StringList(lines, source="glossary"), self.content_offset, container)
        return [container]


class FirstUse(SphinxPostTransform):
    """Link the first use of each term in a chapter to its entry."""

    default_priority = 710
    formats = ("html",)

    def run(self, **kwargs) -> None:
        if not self.env.docname.startswith("notebooks/") or "book/glossary" not in self.env.found_docs:
            return
        page = self.app.builder.get_relative_uri(self.env.docname, "book/glossary")
        seen: set[str] = set()
        for text in list(self.document.findall(nodes.Text)):
            paragraph = text.parent
            while paragraph is not None and not isinstance(paragraph, (nodes.paragraph, *CLOSED)):
                paragraph = paragraph.parent
            if not isinstance(paragraph, nodes.paragraph) or isinstance(text.parent, CLOSED):
                continue
            if section_title(paragraph) in UNLINKED_SECTIONS:
                continue
            pieces: list[nodes.Node] = []
            done = 0
            for found in pattern().finditer(text):
                term = by_form()[found[0].lower()]
                if term["en"] in seen:
                    continue
                seen.add(term["en"])
                pieces.append(nodes.Text(text[done : found.start()]))
                link = nodes.reference("", found[0], internal=True, refuri=f"{page}#{anchor(term)}")
                link["reftitle"] = term["text"]
                link["classes"] = ["tv-term"]
                pieces.append(link)
                done = found.end()
            if pieces:
                pieces.append(nodes.Text(text[done:]))
                text.parent.replace(text, [piece for piece in pieces if piece.astext()])


def setup(app: Sphinx) -> dict:
    app.add_directive("book-glossary", BookGlossary)
    app.add_post_transform(FirstUse)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
