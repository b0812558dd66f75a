"""The directive ``claims-ledger``: every claim, the source's figure, ours, the status, and a link to its cell.

Nothing is typed in: the rows come from ``claims.toml`` and from the stored outputs of the chapters.
"""

from __future__ import annotations

import sys
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lib"))

from tokvec import claims  # noqa: E402


def counts() -> dict[str, int]:
    """Return how many rows have each status, in the order reproduced ... no cell yet."""
    rows = {record["id"].partition(".")[0]: record["row_status"] for record in claims.ledger()}
    found = list(rows.values())
    return {status: found.count(status) for status in reversed(claims.STATUSES) if status in found}


def _cell(text: str) -> str:
    """Make a text safe inside one cell of a Markdown table."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


class ClaimsCounts(SphinxDirective):
    """Write how many claims have each status."""

    def run(self) -> list[nodes.Node]:
        by_status = counts()
        shares = ", ".join(f"**{n}** {status}" for status, n in by_status.items())
        container = nodes.container(classes=["claims-counts"])
        line = f"{sum(by_status.values())} claims: {shares}."
        self.state.nested_parse(StringList([line], source="claims"), self.content_offset, container)
        return [container]


class ClaimsLedger(SphinxDirective):
    """Write one table a chapter."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        records = claims.ledger()
        lines: list[str] = []
        for chapter in sorted({record["chapter"] for record in records}):
            document = f"notebooks/{chapter}"
            built = document in self.env.found_docs
            title = f"[Chapter {int(chapter[:2])}](/{document}.ipynb)" if built else f"Chapter {int(chapter[:2])}"
            lines += [f"**{title}**", "", "| claim | source | ours | status |", "|---|---|---|---|"]
            shown = ""
            for record in (r for r in records if r["chapter"] == chapter):
                row, _, quantity = record["id"].partition(".")
                statement = f'<b id="claim-{row}">{row}</b> {_cell(record["claim"])}. ' if row != shown else ""
                shown = row
                ours = _cell(record["ours"] or "")
                if ours and built:
                    address = self.env.app.builder.get_relative_uri(self.env.docname, document)
                    ours = f'<a href="{address}#{record["id"]}">{ours}</a>'
                lines.append(
                    f"| {statement}*{_cell(quantity.replace('_', ' '))}* | {_cell(record['source'] or '')} "
                    f'| {ours} | <span class="tv-status" data-status="{record["status"]}">{record["status"]}</span> |'
                )
            lines.append("")
        self.env.note_dependency(str(ROOT / "lib/tokvec/claims.toml"))
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            self.env.note_dependency(str(notebook))
        container = nodes.container(classes=["claims-ledger"])
        self.state.nested_parse(StringList(lines, source="claims-ledger"), self.content_offset, container)
        return [container]


class ClaimsFindings(SphinxDirective):
    """Write what the sources got wrong or too general: the claims that are contradicted, or have a finding."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        records = [record for record in claims.ledger() if record["status"] == claims.CONTRADICTED]
        lines = []
        for claim in claims.claims().values():
            figures = "; ".join(
                f"{r['id'].partition('.')[2].replace('_', ' ')}: the source {r['source']}, ours {r['ours']}"
                for r in records
                if r["id"].partition(".")[0] == claim.id
            )
            if figures or claim.finding:
                shown = f" *{_cell(figures)}.*" if figures else ""
                link = f'<a href="#claim-{claim.id}"><b>{claim.id}</b></a>'
                lines.append(f"- {link} {_cell(claim.statement)}.{shown} {claim.finding}")
        container = nodes.container(classes=["claims-findings"])
        self.state.nested_parse(StringList(lines or ["None so far."], source="claims"), self.content_offset, container)
        return [container]


def setup(app: Sphinx) -> dict:
    app.add_directive("claims-counts", ClaimsCounts)
    app.add_directive("claims-ledger", ClaimsLedger)
    app.add_directive("claims-findings", ClaimsFindings)
    return {"version": "1", "parallel_read_safe": True}
