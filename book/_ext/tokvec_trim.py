"""Sphinx extension: take off the built page what the theme carries along and no reader needs.

The theme loads 1.5 MB of ``fontawesome.js`` on every page, to draw the dozen icons that its style sheet draws
from a font already. The script is emptied, and the font is cut to the icons the pages use.
"""

from __future__ import annotations

import base64
import hashlib
import re
import struct
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

_ICON_RULE = re.compile(r'((?:\.fa-[\w-]+::?before,?)+)\{content:"\\([0-9a-f]+)"\}')
_ICON_USE = re.compile(r"\bfa-[\w-]+")
_ICON = re.compile("[\ue000-\uf8ff]")
_ICON_CODE = re.compile(r'"\\([ef][0-9a-f]{3})"')


def lighten_images(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Move pictures that are written into the page to files, and let them wait until they are scrolled to.

    On the way, take out the bibliography's roles that screen readers stumble over.
    """
    body = context.get("body")
    if not body:
        return
    folder = Path(app.outdir) / "_images"

    def as_file(found: re.Match) -> str:
        picture = base64.b64decode(found[1])
        name = f"{hashlib.sha256(picture).hexdigest()[:16]}.png"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(picture)
        width, height = struct.unpack(">II", picture[16:24])  # the first two fields of a PNG's header
        return f'src="{context["pathto"](f"_images/{name}", 1)}" width="{width}" height="{height}"'

    body = re.sub(r'src="data:image/png;base64,([A-Za-z0-9+/=]+)"', as_file, body)
    body = re.sub(r"<img (?![^>]*\bloading=)", '<img loading="lazy" ', body)
    # Docutils marks bibliographies with a role that is withdrawn (DPUB-ARIA 1.1) and leaves their list empty.
    body = body.replace('<div role="list" class="citation-list">', '<div class="citation-list">')
    context["body"] = body.replace(' role="doc-biblioentry"', "")


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
        used |= {int(code, 16) for code in _ICON_CODE.findall(rest)} | {ord(icon) for icon in _ICON.findall(rest)}
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
    app.connect("html-page-context", lighten_images)
    app.connect("build-finished", trim, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
