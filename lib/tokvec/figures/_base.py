"""The base of every interactive figure: an anywidget with a life of its own on a static page.

A figure is one ES module in anywidget's front-end form, ``export default { render({ model, el }) }``,
and it has two hosts. In a live notebook anywidget runs it. On the built page, where there is no kernel,
``book/_static/tokvec-host.js`` runs the same module over the state stored in the page. What a notebook
stores is therefore plain HTML: a placeholder with the state as JSON and, inside it, a static fallback
that is seen without JavaScript, on GitHub, and in print.

References
----------
anywidget's front-end module format: https://anywidget.dev/en/afm/

"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path
from typing import ClassVar

import anywidget
import traitlets

STATIC = Path(__file__).resolve().parent.parent / "static"

_IMPORT = re.compile(r"""^import\s*\{[^}]*\}\s*from\s*["']\./kit\.js["'];?[ \t]*$""", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+default\b", re.MULTILINE)


@cache
def figure_source(module: str) -> str:
    """Join the kit and one figure's module into a single ES module.

    Both hosts are given one text: imports between files work neither over ``file://`` nor in anywidget's
    ``_esm``. The kit's exports become plain functions, the import of it goes, and what the module exports
    is wrapped in the kit's frame (figure, stage, caption).

    Parameters
    ----------
    module : str
        The module's name: the file is ``tokvec/static/<module>.js``.

    Returns
    -------
    str
        The source of an ES module with one default export.

    Raises
    ------
    ValueError
        If the module imports anything but the kit, or has not exactly one ``export default``.
    FileNotFoundError
        If there is no such module.

    """
    kit = re.sub(r"^export ", "", (STATIC / "kit.js").read_text(encoding="utf-8"), flags=re.MULTILINE)
    body = _IMPORT.sub("", (STATIC / f"{module}.js").read_text(encoding="utf-8"))
    if stray := re.search(r"^import\b.*$|\bimport\(", body, re.MULTILINE):
        raise ValueError(f"{module}.js: {stray[0].strip()!r}: a figure may import only from './kit.js'")
    body, exports = _EXPORT.subn("const __figure =", body)
    if exports != 1:
        raise ValueError(f"{module}.js has {exports} lines that begin with 'export default', not one")
    # The module's own names live in a block, so that they may repeat names of the kit they don't import.
    return f"{kit}\nexport default framed((() => {{\n{body}\nreturn __figure;\n}})());\n"


def page_script(module: str) -> str:
    """Return the classic script that carries one module to a built page, as a string for the host to import.

    Parameters
    ----------
    module : str
        The module's name.

    Returns
    -------
    str
        JavaScript that may stand in a file or between ``<script>`` tags.

    """
    source = json.dumps(figure_source(module)).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return f"(window.tokvecFigures ??= {{}})[{json.dumps(module)}] = {source};"


class Figure(anywidget.AnyWidget):
    """An interactive figure.

    A subclass names its front-end ``module``, holds what the module reads as synced traits (plain JSON,
    rounded to the digits shown, so that another machine stores the same bytes), and says in ``alt`` and
    ``caption`` what there is to see.

    Attributes
    ----------
    module : str
        Name of the front-end module, ``tokvec/static/<module>.js``.
    alt : str
        What the figure is and does, for a reader who cannot see it.
    caption : str
        One or two sentences under the figure: what to do and what to notice.

    """

    module: ClassVar[str] = ""
    alt = traitlets.Unicode("").tag(sync=True)
    caption = traitlets.Unicode("").tag(sync=True)

    def __init_subclass__(cls, **kwargs: object) -> None:
        # anywidget makes a further subclass for every instance; only a class that names a module is ours.
        if "module" in cls.__dict__:
            cls._esm = figure_source(cls.module)
            cls._css = (STATIC / "figures.css").read_text(encoding="utf-8")
        super().__init_subclass__(**kwargs)

    def fallback(self) -> str:
        """Return the static HTML shown where no JavaScript runs: a table or an SVG with the same numbers."""
        raise NotImplementedError(f"{type(self).__name__} has no fallback(): return a static table or SVG")

    def state(self) -> dict[str, object]:
        """Return what the module reads: the figure's own synced traits, by name, without anywidget's."""
        own = set(self.trait_names(sync=True)) - set(anywidget.AnyWidget.class_trait_names())
        return {name: getattr(self, name) for name in sorted(own) if not name.startswith("_")}

    def html(self) -> str:
        """Return the placeholder a built page starts from: the state as JSON, and the fallback inside it."""
        state = json.dumps(self.state(), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return (
            f'<div data-tv-figure="{self.module}" data-tv-state="{html.escape(state)}">\n'
            f'<figure class="tv-figure tv-static" aria-label="{html.escape(self.alt)}">\n{self.fallback()}\n'
            f"<figcaption>{html.escape(self.caption)}</figcaption></figure></div>"
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        # Without the widget's id, so that stored outputs compare equal from run to run.
        return {**data, "text/plain": f"{type(self).__name__}()", "text/html": self.html()}, metadata


def number(value: float, digits: int = 2) -> str:
    """Write a number as the figures do: fixed decimals, a real minus sign, never a negative zero.

    Parameters
    ----------
    value : float
        The number.
    digits : int
        Decimals to show.

    Returns
    -------
    str
        For instance ``"−0.25"``.

    """
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.replace("-", "")
    return text.replace("-", "\N{MINUS SIGN}")


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a plain HTML table for a fallback; the first cell of each row is its heading.

    Parameters
    ----------
    head : list of str
        Column headings.
    rows : list of list of str
        The cells, as text.

    Returns
    -------
    str
        One ``<table>``.

    """
    top = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    body = "\n".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f'<table class="tv-grid">\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
