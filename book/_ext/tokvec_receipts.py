"""On the built page, a claim's line in a cell's output becomes a receipt: id, ours, the source's figure, the status.

The notebook stores plain text (``N3.val_loss: ours 2.4546 nats, source 2.4546: reproduced``), which nbval
compares. Only the page shows it otherwise: linked to its row in the ledger, and a target for the ledger's link back.
"""

from __future__ import annotations

import html
import sys
from itertools import groupby
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))

from tokvec import claims  # noqa: E402


def receipt(line: str, ledger: str) -> str:
    """Return one claim line as a list item.

    Parameters
    ----------
    line : str
        As `tokvec.claims.check` prints it.
    ledger : str
        Address of the ledger page, relative to this page.
    """
    found = claims.LINE.match(line).groupdict()
    row, _, quantity = found["id"].partition(".")
    statement = html.escape(claims.claims()[row].statement)
    source = ""
    if found["source"] not in (None, "holds"):
        source = f'<span class="source">source {html.escape(found["source"])}</span> '
    status = found["status"]
    return (
        f'<li class="tv-receipt" id="{found["id"]}" data-status="{status}">'
        f'<a href="{ledger}#claim-{row}" title="{statement}">{row}</a> '
        f'<span class="what">{html.escape(quantity.replace("_", " "))}</span> '
        f'<span class="ours">{html.escape(found["ours"])}</span> {source}<span class="status">{status}</span></li>'
    )


class Receipts(SphinxPostTransform):
    """Cut the claim lines out of the text outputs and put receipts in their place."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs) -> None:
        if "book/ledger" not in self.env.found_docs:
            return
        ledger = self.app.builder.get_relative_uri(self.env.docname, "book/ledger")
        for block in list(self.document.findall(nodes.literal_block)):
            if "stream" not in block["classes"] or not claims.LINE.search(block.astext()):
                continue
            pieces: list[nodes.Node] = []
            lines = block.astext().rstrip("\n").split("\n")
            for is_claim, group in groupby(lines, key=lambda line: bool(claims.LINE.match(line))):
                text = "\n".join(group)
                if is_claim:
                    items = "".join(receipt(line, ledger) for line in text.split("\n"))
                    pieces.append(nodes.raw("", f'<ul class="tv-receipts">{items}</ul>', format="html"))
                elif text.strip():
                    copy = block.copy()
                    copy += nodes.Text(text)
                    copy.rawsource = text
                    pieces.append(copy)
            block.replace_self(pieces)


def setup(app: Sphinx) -> dict:
    app.add_post_transform(Receipts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
