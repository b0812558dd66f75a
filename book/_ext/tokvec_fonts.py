"""Sphinx extension: the book's typefaces, cut out of installed packages while the book is built.

No font file is committed and none is fetched by the reader's browser from elsewhere. The faces are under the
SIL Open Font License: Source Serif, Source Sans and Source Code (from the ``fontpkg-*`` packages) and STIX
Two Math (from ``ziamath``). A subset is a modified version, which may not carry the reserved name, so each
is renamed; the licences are written beside the files.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import shutil
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import fontTools
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.application import Sphinx
from sphinx.util import logging as sphinx_logging

logger = sphinx_logging.getLogger(__name__)


def _span(*ranges: tuple[int, int]) -> list[int]:
    return [code for first, last in ranges for code in range(first, last + 1)]


# Latin with the letters of French and Polish, punctuation, arrows, the signs that stand in running text.
LATIN = _span(
    (0x20, 0x7E), (0xA0, 0x17F), (0x2009, 0x2011), (0x2012, 0x2014), (0x2018, 0x2022), (0x2030, 0x2033)
)
LATIN += [
    0x2026,
    0x2039,
    0x203A,
    0x2044,
    0x20AC,
    0x2190,
    0x2191,
    0x2192,
    0x2193,
    0x2194,
    0x2212,
    0x221A,
    0x221E,
]
LATIN += [0x2248, 0x2260, 0x2264, 0x2265, 0x2581]
# Letters, accents, the usual operators, arrows and brackets; italic, bold and bold italic alphabets (Latin and Greek),
# double-struck capitals. Every page pays for these before anything is read, so rarer signs fall back to another font.
MATH = _span((0x20, 0x7E), (0xA0, 0xFF), (0x2C6, 0x2C7), (0x2DC, 0x2DC), (0x300, 0x304), (0x332, 0x332))
MATH += _span((0x391, 0x3F6), (0x2010, 0x2064), (0x2102, 0x2102), (0x210E, 0x210F), (0x2111, 0x2115))
MATH += _span((0x2119, 0x211D), (0x2124, 0x2124), (0x2190, 0x2199), (0x21A6, 0x21A6), (0x21D0, 0x21D5))
MATH += _span((0x2200, 0x222B), (0x2236, 0x2237), (0x223C, 0x223D), (0x2243, 0x224D), (0x2254, 0x2255))
MATH += _span((0x2260, 0x2265), (0x226A, 0x226B), (0x2282, 0x2287), (0x2295, 0x2299), (0x22A4, 0x22A5))
MATH += _span((0x22C5, 0x22C5), (0x22EE, 0x22EF), (0x2308, 0x230B), (0x23DE, 0x23DF), (0x27E8, 0x27E9))
MATH += _span((0x1D400, 0x1D467), (0x1D538, 0x1D551), (0x1D6A4, 0x1D71B))
TEXT_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "onum", "lnum", "pnum", "tnum"]
MATH_FEATURES = ["ccmp", "mark", "mkmk", "flac", "dtls"]  # not ssty: its second drawing of all letters weighs 60 KB


@dataclass(frozen=True)
class Face:
    """One font file of the book: where it is cut from, and what is kept."""

    name: str
    family: str
    package: str
    source: str
    characters: tuple[int, ...] = tuple(LATIN)
    axes: dict[str, object] = field(default_factory=dict)
    features: tuple[str, ...] = tuple(TEXT_FEATURES)
    licence: str = "LICENSE"


FACES = [
    Face(
        "serif", "Tokvec Serif", "fontpkg-source-serif-4", "files/SourceSerif4[opsz,wght].ttf",
        axes={"opsz": 14, "wght": (400, 700)},
    ),
    Face(
        "serif-italic", "Tokvec Serif", "fontpkg-source-serif-4", "files/SourceSerif4-Italic[opsz,wght].ttf",
        axes={"opsz": 14, "wght": 400},
    ),
    Face(
        "display", "Tokvec Display", "fontpkg-source-serif-4", "files/SourceSerif4[opsz,wght].ttf",
        axes={"opsz": 40, "wght": 560},
    ),
    Face(
        "sans", "Tokvec Sans", "fontpkg-source-sans-3", "files/SourceSans3[wght].ttf",
        axes={"wght": (400, 700)},
    ),
    Face(
        "code", "Tokvec Code", "fontpkg-source-code-pro", "files/SourceCodePro[wght].ttf",
        axes={"wght": (400, 600)},
    ),
    Face(
        "math", "Tokvec Math", "ziamath", "fonts/STIXTwoMath-Regular.ttf",
        characters=tuple(MATH), features=tuple(MATH_FEATURES), licence="",
    ),
]  # fmt: skip


def cut(face: Face, target: Path) -> None:
    """Write the subset of one face as woff2.

    Parameters
    ----------
    face : Face
        What to cut out of which file.
    target : Path
        The file to write.

    Raises
    ------
    ImportError
        If the package that carries the face is not installed.

    """
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    options = subset.Options(
        layout_features=list(face.features),
        hinting=False,
        notdef_outline=True,
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
    )
    font = TTFont(_folder(face.package) / face.source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=face.characters)
    subsetter.subset(font)
    if face.axes:
        instancer.instantiateVariableFont(font, face.axes, inplace=True)
    for record in font["name"].names:
        if record.nameID in (1, 4):
            record.string = face.family
        elif record.nameID == 6:
            record.string = face.family.replace(" ", "")
    font.flavor = "woff2"
    partial = target.with_suffix(".partial")
    font.save(partial)
    partial.replace(target)


def _folder(package: str) -> Path:
    """Return the folder of an installed package."""
    try:
        module = importlib.import_module(package.replace("-", "_"))
    except ImportError as error:
        raise ImportError(
            f"the book's typefaces come from the package {package}: pip install {package}"
        ) from error
    return Path(module.__file__).parent


def make_fonts(app: Sphinx) -> None:
    """Put the fonts into the built book, from the cache beside it where nothing has changed."""
    if app.builder.format != "html":
        return
    cache = Path(app.outdir).parent / ".fonts"
    target = Path(app.outdir) / "_static" / "fonts"
    cache.mkdir(parents=True, exist_ok=True)
    target.mkdir(parents=True, exist_ok=True)
    for face in FACES:
        recipe = json.dumps([asdict(face), version(face.package), fontTools.version])
        kept = cache / f"{face.name}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}.woff2"
        if not kept.exists():
            logger.info("cutting the font %s from %s", face.name, face.package)
            cut(face, kept)
        shutil.copyfile(kept, target / f"{face.name}.woff2")
        if face.licence:
            shutil.copyfile(_folder(face.package) / face.licence, target / f"{face.package}-OFL.txt")


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.connect("builder-inited", make_fonts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
