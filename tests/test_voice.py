"""One book by one author: every chapter has the same parts in the same places, and spells alike."""

import re
import sys
from pathlib import Path

import pytest
from notebooks import chapters, read_script

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from tokvec_chapters import spans  # noqa: E402

CHAPTERS = sorted(chapters())
LAST_PARTS = ["What this chapter did not show", "Exercises", "Sources"]
EXERCISES = (
    "- **Exercises** [at the end](#exercises), "
    "and in [a notebook that checks itself](../book/how-to-run.md#the-exercises)."
)
# American spellings, contractions, and words spelled otherwise in the rest of the book.
ELSEWHERE = re.compile(
    r"\b(\w+n't|(?:color|center|neighbor|favor|behavior|gray|catalog|fulfill|labell?or)\w*"
    r"|(?:model|label|travel|cancel)(?:ed|ing)|(?:token|normal|regular|initial|general|optim|minim|maxim|special|organ"
    r"|real|recogn|memor|summar|random)iz\w+|analyz\w+|transformers?|percent|word2Vec|Word2Vec)\b"
)

every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def cells(path, kind):
    return [cell for cell in read_script(path).cells if cell.cell_type == kind]


def prose(path):
    """Return the text of a chapter without code, formulas, addresses and titles of works."""
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    for pattern in (r"```.*?```", r"\$\$.*?\$\$", r"\$[^$]*\$", r"`[^`]*`", r"\[[^\]]*\]\([^)]*\)"):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


def shown(path):
    """Return the cells of code that a reader sees: without the Colab cell, plots' code is folded."""
    tags = [(cell, cell.metadata.get("tags", [])) for cell in cells(path, "code")]
    return [cell for cell, tag in tags if not {"remove-cell", "hide-input"} & set(tag)]


def minutes(path):
    """Estimate the time to read: 200 words a minute, 10 lines of code, one figure or plot."""
    text = prose(path).split("## Exercises")[0]
    lines = sum(line.strip() != "" for cell in shown(path) for line in cell.source.splitlines())
    figures = sum("Figure" in cell.source or "plots.show" in cell.source for cell in cells(path, "code"))
    return len(text.split()) / 200 + lines / 10 + figures


@every_chapter
def test_every_head_has_one_form(path):
    title, *text, time, needs = cells(path, "markdown")[0].source.split("\n\n")
    assert re.fullmatch(rf"# {int(path.stem[:2])} · .+", title)
    assert "By the end you can" in " ".join(" ".join(text).split())
    assert re.fullmatch(r"About \d+ minutes to read, [\w ]+ to run\.", time)
    items = [" ".join(item.split()) for item in re.split(r"\n(?=- )", needs)]
    assert [item.split("**")[1] for item in items] == ["Builds on", "Reads", "Exercises"]
    assert items[2] == EXERCISES


@every_chapter
def test_the_reading_time_fits_the_text(path):
    said = int(re.search(r"About (\d+) minutes", cells(path, "markdown")[0].source)[1])
    assert abs(said - minutes(path)) <= 5, f"says {said} minutes, estimated {minutes(path):.0f}"


@every_chapter
def test_the_parts_come_in_one_order_and_lead_to_the_next_chapter(path):
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    assert re.findall(r"^## (.+)$", text, re.MULTILINE)[-3:] == LAST_PARTS
    did_not_show = text.split(f"## {LAST_PARTS[0]}\n")[1].split("\n## Exercises")[0].strip()
    last_paragraph = " ".join(did_not_show.split("\n\n")[-1].split())
    assert not last_paragraph.startswith("- ")
    if path != CHAPTERS[-1]:
        assert f"Chapter {int(path.stem[:2]) + 1} " in last_paragraph


@every_chapter
def test_code_fits_the_page(path):
    wide = [line for cell in shown(path) for line in cell.source.splitlines() if len(line) > 88]
    assert wide == []
    long = [cell.source.splitlines()[0] for cell in shown(path) if len(cell.source.splitlines()) > 15]
    assert long == []


@every_chapter
def test_one_spelling(path):
    assert ELSEWHERE.findall(prose(path)) == []


def test_chapters_are_found_where_a_text_names_them():
    assert spans("as chapter 4 showed") == [(3, 12, 4)]
    text = "chapters 2, 5 and 10; 7 nats"
    assert [(text[start:end], number) for start, end, number in spans(text)] == [("2", 2), ("5", 5), ("10", 10)]
    assert spans("the next chapter") == []
