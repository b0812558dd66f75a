"""Sphinx extension: put the interactive figures, and only those a page shows, on the built page.

A notebook's output or the ``tokvec-figure`` directive leaves a placeholder in the page, a ``<div>`` with the
attribute ``data-tv-figure="name"``. For every name found, the page gets one classic script that carries the
module's source as a string, and ``tokvec-host.js`` imports it. Classic, because browsers refuse to load a
module file over ``file://``.
"""

from __future__ import annotations

import importlib
import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from tokvec.figures import Figure
from tokvec.figures._base import STATIC, page_script

_PLACEHOLDER = re.compile(r'data-tv-figure="([\w-]+)"')


def write_assets(app: Sphinx) -> None:
    """Write one script a module, and the style sheet that every page's palette comes from."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "figures"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(STATIC / "figures.css", target / "figures.css")
    app.add_css_file("figures/figures.css", priority=400)
    for module in sorted(STATIC.glob("*.js")):
        if module.stem != "kit":
            (target / module.name).write_text(page_script(module.stem), encoding="utf-8")


def pages_behind_the_look(app: Sphinx, env: object, added: set, changed: set, removed: set) -> list[str]:
    """Build everything anew after a change of style, template or module, which Sphinx does not look at."""
    built = Path(app.outdir) / "_static" / "tokvec.css"
    folders = [
        Path(app.srcdir) / "book" / "_static",
        Path(app.srcdir) / "book" / "_templates",
        STATIC,
        STATIC.parent / "figures",
    ]
    newest = max(file.stat().st_mtime for folder in folders for file in folder.rglob("*.*"))
    return sorted(env.found_docs) if built.exists() and newest > built.stat().st_mtime else []


def add_scripts(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Give a page the modules of the figures it shows, and the host that runs them."""
    modules = sorted(set(_PLACEHOLDER.findall(context.get("body") or "")))
    for name in modules:
        if not (STATIC / f"{name}.js").exists():
            raise ExtensionError(f"{pagename} shows a figure {name!r}, but there is no lib/tokvec/static/{name}.js")
        app.add_js_file(f"figures/{name}.js", loading_method="defer")
    if modules:
        app.add_js_file("tokvec-host.js", loading_method="defer", priority=900)


class FigureDirective(SphinxDirective):
    """``tokvec-figure``: show a figure of the package on a page that runs nothing.

    The argument names the class, ``tokvec.figures.onehot.OneHotFigure``; it is made without arguments.
    """

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the figure's placeholder as raw HTML."""
        module, _, name = self.arguments[0].rpartition(".")
        try:
            figure = getattr(importlib.import_module(module), name)()
        except (ImportError, AttributeError, ValueError) as error:
            raise self.error(f"no figure {self.arguments[0]!r}: {error}") from error
        if not isinstance(figure, Figure):
            raise self.error(f"{self.arguments[0]!r} is not a tokvec.figures.Figure")
        # The page depends on the module and on the class that fills it.
        self.env.note_dependency(str(STATIC / f"{figure.module}.js"))
        self.env.note_dependency(importlib.import_module(module).__file__)
        return [nodes.raw("", figure.html(), format="html")]


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.add_directive("tokvec-figure", FigureDirective)
    app.connect("builder-inited", write_assets)
    app.connect("env-get-outdated", pages_behind_the_look)
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
