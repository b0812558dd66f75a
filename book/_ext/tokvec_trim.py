"""Sphinx extension: take off the built page what the theme carries along and no reader needs.

The theme loads 1.5 MB of ``fontawesome.js`` on every page, to draw the dozen icons that its style sheet draws
from a font already. The script is emptied, and the font is cut to the icons the pages use.
"""

from __future__ import annotations

import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

_ICON_RULE = re.compile(r'((?:\.fa-[\w-]+::?before,?)+)\{content:"\\([0-9a-f]+)"\}')
_ICON_USE = re.compile(r"\bfa-[\w-]+")
_ICON = re.compile("[\ue000-\uf8ff]")
_ICON_CODE = re.compile(r'"\\([ef][0-9a-f]{3})"')


def lazy_images(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Let images below the first screen wait until they are scrolled to."""
    if body := context.get("body"):
        context["body"] = re.sub(r"<img (?![^>]*\bloading=)", '<img loading="lazy" ', body)


def trim(app: Sphinx, exception: Exception | None) -> None:
    """Empty the icon script, cut the icon fonts, drop the source maps."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    (static / "scripts" / "fontawesome.js").write_text("/* icons come from the font */\n", encoding="utf-8")
    for source_map in static.rglob("*.map"):
        source_map.unlink()
    styles = [path.read_text(encoding="utf-8") for path in static.rglob("*.css")]
    codes = {
        name: int(code, 16)
        for style in styles
        for names, code in _ICON_RULE.findall(style)
        for name in _ICON_USE.findall(names)
    }
    pages = [path.read_text(encoding="utf-8") for path in Path(app.outdir).rglob("*.html")]
    scripts = [path.read_text(encoding="utf-8") for path in static.rglob("*.js")]
    used = {codes[name] for text in [*pages, *scripts] for name in _ICON_USE.findall(text) if name in codes}
    # The style sheets also name icons by code point, escaped or as the character itself.
    for style in styles:
        rest = _ICON_RULE.sub("", style)
        used |= {int(code, 16) for code in _ICON_CODE.findall(rest)} | {
            ord(icon) for icon in _ICON.findall(rest)
        }
    for file in (static / "vendor" / "fontawesome" / "webfonts").glob("*.woff2"):
        cut_icons(file, used)


def cut_icons(file: Path, used: set[int]) -> None:
    """Replace one icon font by the subset of it that is used."""
    font = TTFont(file)
    if len(font.getGlyphOrder()) <= len(used) + 1:
        return  # already cut, by the build before
    cutter = subset.Subsetter(subset.Options(hinting=False, layout_features=[], notdef_outline=True))
    cutter.populate(unicodes=used)
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(file)
    file.with_suffix(".ttf").unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.connect("html-page-context", lazy_images)
    app.connect("build-finished", trim, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
