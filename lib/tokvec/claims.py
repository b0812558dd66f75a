"""No number without a cell: the sources' figures, and the check that compares ours with them.

``claims.toml`` holds every claim with the figure its source prints. A chapter calls
``check("N3.val_loss", loss)``: the value is compared, and one line is printed,

    N3.val_loss: ours 2.4546, source 2.4546: reproduced

or, when it differs, an error is raised with both values. The printed line is stored in
the notebook, nbval compares it at every run, and ``python -m tokvec.claims`` reads it
back: what the ledger shows as ours was computed by a cell, never typed in.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

NO_CELL = "no cell yet"
REPRODUCED = "reproduced"
MEASURED = "measured"
CONTRADICTED = "contradicted"
NOT_RUN = "not run here"
# A row of several quantities takes the first status of this list that one of them has.
STATUSES = (NO_CELL, CONTRADICTED, NOT_RUN, MEASURED, REPRODUCED)
COMPARISONS = ("digits", "tolerance", "order", "holds", "measure", "contradicts", "online")


class ClaimError(AssertionError):
    """A value is not what its source says, or the claim is not in the list."""


@dataclass(frozen=True)
class Quote:
    """One quantity of a claim, as ``claims.toml`` describes it.

    Attributes
    ----------
    id : str
        For example ``"N3.val_loss"``.
    chapter : str
        The notebook that computes it, for example ``"03_bigram"``.
    source : str or list of str, optional
        The figure as the source prints it.
    compare : str
        How ours is compared; one of `COMPARISONS`.
    unit, reason : str
        For the reader.
    digits : int, optional
        Decimals of ours, where the source prints none.
    tolerance : float, optional
        Largest difference allowed when `compare` is ``"tolerance"``.
    """

    id: str
    chapter: str
    source: str | list[str] | None = None
    compare: str = "digits"
    unit: str = ""
    reason: str = ""
    digits: int | None = None
    tolerance: float | None = None


@dataclass(frozen=True)
class Claim:
    """One row of the ledger: a statement, where it comes from, and its quantities.

    `finding` says what is wrong with the claim, or where it stops being true.
    """

    id: str
    chapter: str
    statement: str
    source: str
    how: str
    quotes: tuple[Quote, ...]
    finding: str = ""


@functools.cache
def claims() -> dict[str, Claim]:
    """Return every row of ``claims.toml`` by id, in the order of the file."""
    table = tomllib.loads((Path(__file__).parent / "claims.toml").read_text(encoding="utf-8"))
    found = {}
    for row_id, row in table.items():
        quotes = row.pop("quotes")
        quotes = tuple(
            Quote(**{"id": f"{row_id}.{name}", "chapter": row["chapter"], **quote})
            for name, quote in quotes.items()
        )
        found[row_id] = Claim(id=row_id, quotes=quotes, **row)
    return found


def quote(claim_id: str) -> Quote:
    """Return the quantity called `claim_id` (``"ROW.quantity"``).

    Raises
    ------
    ClaimError
        If ``claims.toml`` has none of that name; near spellings are suggested.
    """
    known = {q.id: q for claim in claims().values() for q in claim.quotes}
    if claim_id not in known:
        near = difflib.get_close_matches(claim_id, known, n=3)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise ClaimError(f"claims.toml has no quantity {claim_id!r}.{hint}")
    return known[claim_id]


def as_printed(value: object, like: str | None, digits: int | None = None) -> str:
    """Write `value` the way the source writes `like`: the same decimals, commas between thousands.

    Parameters
    ----------
    value : number, bool or str
        Ours.
    like : str or None
        The source's figure, for example ``"38,597,376"`` or ``"0.004048"``; None for no source.
    digits : int, optional
        Decimals to use when `like` is not a number; without it four.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "yes" if value else "no"
    number = float(value)  # numpy and torch scalars too
    if digits is None:
        if like is not None and re.fullmatch(r"[-+]?[\d,]+(\.\d+)?", like):
            digits = len(like.partition(".")[2])
        else:
            digits = 0 if number.is_integer() else 4
    text = f"{number:,.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text  # no minus before a zero


def _can_be_compared(value: object, q: Quote) -> bool:
    """Say whether `value` is a number, or a text where texts are compared."""
    if isinstance(value, str):
        return q.compare != "tolerance"
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def check(claim_id: str, value: object) -> None:
    """Compare `value` with its source's figure and print one line that says how it went.

    Parameters
    ----------
    claim_id : str
        ``"ROW.quantity"`` of ``claims.toml``.
    value : number, str, bool, or a sequence of them
        What the cell computed. Percentages are passed as percent (31.6, not 0.316).

    Raises
    ------
    ClaimError
        If the value differs from the source's (or, for a claim marked as contradicted, does
        not), or if there is no such claim.
    """
    q = quote(claim_id)
    if hasattr(value, "tolist"):  # numpy and torch
        value = value.tolist()
    several = isinstance(value, Sequence) and not isinstance(value, str)
    source = q.source
    if q.compare != "holds":
        for one in value if several else [value]:
            if not _can_be_compared(one, q):
                raise ClaimError(f"{claim_id}: a number is compared, not {one!r} ({type(one).__name__}).")
    if q.compare == "holds":
        ours, agrees = "holds" if value else "does not hold", bool(value)
        source = "holds"
    elif several:
        likes = source if isinstance(source, list) else [source] * len(value)
        if q.compare != "measure" and source is not None and len(likes) != len(value):
            raise ClaimError(f"{claim_id}: ours has {len(value)} values, the source {len(likes)}: {value}, {source}")
        parts = [as_printed(v, likes[i] if i < len(likes) else None, q.digits) for i, v in enumerate(value)]
        ours, agrees = " ".join(parts), parts == source
    else:
        if isinstance(source, list):
            raise ClaimError(f"{claim_id}: ours is the one value {value!r}, the source has {len(source)}: {source}")
        ours = as_printed(value, source, q.digits)
        agrees = ours == source
    if q.compare == "tolerance":
        agrees = abs(float(value) - float(source.replace(",", ""))) <= q.tolerance
    shown = " ".join(source) if isinstance(source, list) else source

    if q.compare == "measure":
        status = MEASURED
    elif q.compare == "contradicts":
        status = CONTRADICTED
        if agrees:
            raise ClaimError(f"{claim_id} is marked as contradicted, yet ours is {ours} and the source's {shown}.")
    elif agrees:
        status = REPRODUCED
    else:
        within = f" (within {q.tolerance})" if q.compare == "tolerance" else ""
        raise ClaimError(f"{claim_id}: ours is {ours}, the source's {shown}{within}; unrounded, ours is {value!r}.")
    _report(q, ours, shown, status)


def not_run(claim_id: str, why: str) -> None:
    """Print the line of a claim that cannot run on this machine, with the source's figure.

    Parameters
    ----------
    claim_id : str
        A quantity whose `compare` is ``"online"``.
    why : str
        What is missing, for example ``"needs text8"``.

    Raises
    ------
    ClaimError
        If the claim could run here.
    """
    q = quote(claim_id)
    if q.compare != "online":
        raise ClaimError(f"{claim_id} is not marked online in claims.toml: compute it and check it.")
    shown = " ".join(q.source) if isinstance(q.source, list) else q.source
    _report(q, f"none ({why})", shown, NOT_RUN)


def _report(q: Quote, ours: str, source: str | None, status: str) -> None:
    unit = f" {q.unit}" if q.unit and status != NOT_RUN else ""
    against = "" if source is None else f", source {source}"
    print(f"{q.id}: ours {ours}{unit}{against}: {status}")


# Reading the stored outputs back -----------------------------------------------------------

LINE = re.compile(
    r"^(?P<id>[A-Z]\d+\.\w+): ours (?P<ours>.*?)(?:, source (?P<source>.*))?: (?P<status>"
    + "|".join(STATUSES[1:])
    + r")$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Result:
    """What a chapter's stored outputs say of one quantity.

    Attributes
    ----------
    id, chapter : str
        Quantity, and the notebook whose output this is.
    cell : int
        Index of the cell in the notebook, from 0.
    heading : str
        The nearest heading above the cell.
    ours, source, status : str
        As printed; `source` is None when the source has no figure.
    """

    id: str
    chapter: str
    cell: int
    heading: str
    ours: str
    source: str | None
    status: str


def notebooks_folder() -> Path:
    """Return the project's ``notebooks`` folder.

    Raises
    ------
    FileNotFoundError
        If the package runs from somewhere else than a checkout of the book.
    """
    folder = Path(__file__).resolve().parents[2] / "notebooks"
    if not folder.is_dir():
        raise FileNotFoundError(
            f"There is no {folder}: the ledger reads the book's notebooks. Run it in a checkout of the book, "
            "or name the folder with --notebooks."
        )
    return folder


def text_of(cell: dict) -> str:
    """Return all the text a notebook cell printed or displayed, without its pictures."""
    parts = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        for text in (output.get("text"), data.get("text/plain"), data.get("text/html"), data.get("text/markdown")):
            if text:
                parts.append(text if isinstance(text, str) else "".join(text))
    return "\n".join(parts)


def results(folder: Path | None = None) -> dict[str, Result]:
    """Read what the stored outputs of all chapters say of each quantity.

    Parameters
    ----------
    folder : Path, optional
        The notebooks' folder; by default the checkout's.

    Returns
    -------
    dict of str to Result
        By quantity id. Where a quantity is checked twice the first counts.
    """
    found: dict[str, Result] = {}
    for path in sorted((folder or notebooks_folder()).glob("*.ipynb")):
        heading = ""
        for index, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            if cell["cell_type"] == "markdown":
                for title in re.findall(r"^#{1,4} (.+)$", "".join(cell["source"]), flags=re.MULTILINE):
                    heading = title
            for match in LINE.finditer(text_of(cell) if cell["cell_type"] == "code" else ""):
                result = Result(chapter=path.stem, cell=index, heading=heading, **match.groupdict())
                found.setdefault(result.id, result)
    return found


def status_of(claim: Claim, found: dict[str, Result]) -> str:
    """Return the status of a row: the first of `STATUSES` that one of its quantities has."""
    have = {found[q.id].status if q.id in found else NO_CELL for q in claim.quotes}
    return next(status for status in STATUSES if status in have)


def ledger(folder: Path | None = None) -> list[dict]:
    """Return one record a quantity: id, claim, chapter, heading, source value, our value, status."""
    found = results(folder)
    records = []
    for claim in claims().values():
        for q in claim.quotes:
            result = found.get(q.id)
            source = "holds" if q.compare == "holds" else q.source
            records.append(
                {
                    "id": q.id,
                    "claim": claim.statement,
                    "chapter": q.chapter,
                    "heading": result.heading if result else None,
                    "source": " ".join(source) if isinstance(source, list) else source,
                    "ours": result.ours if result else None,
                    "status": result.status if result else NO_CELL,
                    "row_status": status_of(claim, found),
                    "quote": {k: v for k, v in asdict(q).items() if k in ("compare", "unit", "reason") and v},
                }
            )
    return records


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m tokvec.claims [--json]``; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tokvec.claims", description="Every claim, and what became of it.")
    parser.add_argument("--json", action="store_true", help="one JSON list, for machines")
    parser.add_argument("--notebooks", type=Path, help="the folder of the notebooks (default: the checkout's)")
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without UTF-8 gets escapes, not an error
        sys.stdout.reconfigure(errors="backslashreplace")
    chosen = parser.parse_args(arguments)
    try:
        records = ledger(chosen.notebooks)
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if chosen.json:
        json.dump(records, sys.stdout, indent=1)
        print()
        return 0
    for record in records:
        source, ours = record["source"] or "-", record["ours"] or "-"
        print(f"{record['id']:<26} {record['chapter']:<18} {source[:34]:<34} {ours[:34]:<34} {record['status']}")
    rows = {record["id"].partition(".")[0]: record["row_status"] for record in records}
    counts = ", ".join(f"{n} {s}" for s in reversed(STATUSES) if (n := list(rows.values()).count(s)))
    print(f"\n{len(rows)} claims: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
