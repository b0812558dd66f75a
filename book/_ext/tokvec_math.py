"""Sphinx extension: LaTeX to MathML while the book is built, so that no page needs a math library.

The package ``math-core`` converts; the browser sets the result in the font that ``tokvec_fonts`` cuts.
MathML is text: it is selected, copied once, searched, and read out by screen readers.
"""

from __future__ import annotations

import html
import re

from docutils import nodes
from math_core import LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)
converter = LatexToMathML(annotation=False)


def mathml(latex: str, *, display: bool, where: object = None) -> str:
    """Convert one formula.

    Parameters
    ----------
    latex : str
        The formula, without its dollars.
    display : bool
        Whether it stands on a line of its own.
    where : docutils node, optional
        What a warning points at.

    Returns
    -------
    str
        One ``<math>`` element; or the LaTeX as code, with a warning, where it can't be converted.

    """
    try:
        return converter.convert_with_local_state(latex.strip(), displaystyle=display)
    except Exception as error:  # math-core has one exception of its own; whatever comes, name the formula
        logger.warning("this formula can't be set: %s: %s", latex.strip(), error, location=where)
        return f"<code>{html.escape(latex)}</code>"


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in running text."""
    self.body.append(f'<span class="math">{mathml(node.astext(), display=False, where=node)}</span>')
    raise nodes.SkipNode


def visit_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number where it has one."""
    # A line break or an alignment mark outside any environment means `aligned`, as in Sphinx's MathJax.
    latex = node.astext()
    if ("\\\\" in latex or "&" in latex) and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(f'<div class="tv-scroll">{mathml(latex, display=True, where=node)}</div>')
    if node.get("number"):
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def hold_punctuation(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Keep a comma or full stop on the line of the formula before it: browsers break lines after MathML."""
    if body := context.get("body"):
        context["body"] = re.sub(
            r'(<span class="math">(?:(?!</span>).)*</span>)([.,;:!?)\u2019\u201d]+)',
            r'<span class="tv-nobreak">\1\2</span>',
            body,
            flags=re.DOTALL,
        )


def setup(app: Sphinx) -> dict[str, object]:
    """Register the renderer; ``html_math_renderer: mathml`` in the configuration chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("html-page-context", hold_punctuation)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
