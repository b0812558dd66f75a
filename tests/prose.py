"""Which numbers a chapter's prose quotes, and which its cells computed."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from tokvec import claims

ALLOWED = tomllib.loads((Path(__file__).parent / "prose_allowed.toml").read_text(encoding="utf-8"))
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")

# Not quoted results: code, addresses, references to chapters, list numbers, years of publications, the reading time.
SKIPPED = [
    r"```.*?```",
    r"`[^`]*`",
    r"\]\([^)]*\)",
    r"<[^>]+>",
    r"^\s*\d+\. ",
    r"\b[Cc]hapters?(?: \d+(?:,| to| and)?)+",
    r"^# \d+ · ",
    r"\((?:19|20)\d\d\)",
    r"^About .* minutes? to read.*$",
]
# Small numbers inside a formula are part of the formula (one half, squared, indices), not results.
SMALL_IN_MATH = re.compile(r"\$\$?[^$]*\$\$?", re.DOTALL)
UNCHECKED_SECTIONS = ("Exercises", "Sources")  # tasks for the reader, and bibliography


def tokens(text: str) -> list[str]:
    """Return the numbers in a text, without thousands' commas: ``"1,234 and 0.50"`` gives ``["1234", "0.50"]``."""
    return [match.rstrip(",").replace(",", "") for match in NUMBER.findall(text)]


def quoted(markdown: str) -> list[str]:
    """Return the numbers that a piece of prose quotes as results."""
    for pattern in SKIPPED:
        markdown = re.sub(pattern, " ", markdown, flags=re.MULTILINE | re.DOTALL if "```" in pattern else re.MULTILINE)
    for pattern in ALLOWED["patterns"]:
        markdown = re.sub(pattern, " ", markdown)
    found = []
    for formula in SMALL_IN_MATH.findall(markdown):
        found += [n for n in tokens(formula) if "." in n or int(n) > 10]
    return found + tokens(SMALL_IN_MATH.sub(" ", markdown))


def prose_and_pool(path: Path) -> tuple[list[tuple[int, str]], set[str]]:
    """Read one stored notebook.

    Returns
    -------
    prose : list of (int, str)
        Cell number and text of every Markdown cell and caption.
    pool : set of str
        Every number that a cell printed, and the sources' figures of the chapter's claims.
    """
    prose: list[tuple[int, str]] = []
    pool: set[str] = set()
    section = ""
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for part in re.split(r"(?m)^(?=#{1,3} )", source):
                if title := re.match(r"#{1,3} (.+)", part):
                    section = title[1].strip()
                if section not in UNCHECKED_SECTIONS:
                    prose.append((number, part))
            continue
        for output in cell.get("outputs", ()):
            text = output.get("text", output.get("data", {}).get("text/plain", ""))
            text = "".join(text)
            if text.startswith("Figure: "):
                prose.append((number, text))
            else:
                pool.update(tokens(text))
    for claim in claims.claims().values():
        for q in claim.quotes:
            if q.chapter == path.stem and q.source is not None:
                for source in [q.source] if isinstance(q.source, str) else q.source:
                    pool.update(tokens(source))
    return prose, pool


def uncomputed(path: Path) -> list[str]:
    """Return the quoted numbers of a chapter that no cell printed, with the place where each stands."""
    prose, pool = prose_and_pool(path)
    pool |= set(ALLOWED["chapters"].get(path.stem, []))
    missing = []
    for cell, text in prose:
        for number in quoted(text):
            if number not in pool:
                where = next((line.strip() for line in text.replace(",", "").splitlines() if number in line), "")
                missing.append(f"{path.stem}, cell {cell}: {number} in {where[:100]!r}")
    return missing
