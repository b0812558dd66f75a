"""The extensions that make the page: math, typefaces, trimming, figures where they are shown."""

import base64
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import tokvec_chapters  # noqa: E402
import tokvec_fonts  # noqa: E402
import tokvec_math  # noqa: E402
import tokvec_trim  # noqa: E402

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x80\x00\x00\x01\x40rest").decode()


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        (r"\begin{aligned} a &= b \\ c &= \sum_{i=1}^{n} x_i \end{aligned}", ["<mtable", "∑", "<mtr>"]),
        (r"\hat p = \operatorname*{arg\,max}_{x} p(x)", ["ˆ", "arg", "<munder>"]),
        (r"E \in \mathbb{R}^{V \times d}", ["ℝ", "<msup>"]),
        (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", ["<mtable", "("]),
    ],
)
def test_math_becomes_mathml_once(latex, parts):
    element = tokvec_math.mathml(latex, display=True)
    assert element.startswith("<math") and element.count("<math") == 1
    assert all(part in element for part in parts)
    assert "annotation" not in element, "a second copy of the formula would be copied and read out too"


def test_a_formula_that_cannot_be_set_is_named(monkeypatch):
    said = []
    monkeypatch.setattr(tokvec_math.logger, "warning", lambda text, *args, **rest: said.append(text % args))
    assert tokvec_math.mathml(r"\nosuchcommand{x}", display=False) == r"<code>\nosuchcommand{x}</code>"
    assert r"\nosuchcommand{x}" in said[0]


def test_punctuation_stays_with_its_formula():
    context = {"body": '<span class="math"><math><mi>x</mi></math></span>, then'}
    tokvec_math.hold_punctuation(None, "", "", context, None)
    assert context["body"] == (
        '<span class="tv-nobreak"><span class="math"><math><mi>x</mi></math></span>,</span> then'
    )


def test_pictures_leave_the_page_for_files(tmp_path):
    context = {
        "body": f'<img alt="a" src="data:image/png;base64,{PNG}"><img src="b.png" loading="eager">',
        "pathto": lambda target, resource: f"../{target}",
    }
    tokvec_trim.lighten_images(SimpleNamespace(outdir=tmp_path), "p", "", context, None)
    (file,) = (tmp_path / "_images").iterdir()
    assert file.read_bytes() == base64.b64decode(PNG)
    assert f'src="../_images/{file.name}" width="640" height="320"' in context["body"]
    assert context["body"].count('loading="lazy"') == 1


def test_a_face_is_cut_renamed_and_whole_enough(tmp_path):
    code = next(face for face in tokvec_fonts.FACES if face.name == "code")
    tokvec_fonts.cut(code, tmp_path / "code.woff2")
    font = TTFont(tmp_path / "code.woff2")
    has = set(font.getBestCmap())
    assert {ord(c) for c in "aZ09{}→−ąłżé≤"} <= has
    assert not {ord(c) for c in "Ж"} & has
    names = {record.nameID: str(record) for record in font["name"].names}
    assert names[1] == "Tokvec Code", "a subset may not carry the reserved name"
    assert "Open Font License" in names[13]


def test_a_missing_typeface_names_the_package():
    with pytest.raises(ImportError, match="pip install fontpkg-nothing"):
        tokvec_fonts._folder("fontpkg-nothing")


def test_no_data_set_is_said_to_have_no_bytes():
    assert tokvec_chapters.size(["wordsim353", "names"]) == "wordsim353 (a few kB), names (0.2 MB)"
    assert tokvec_chapters.size([]) == "none"
