"""The figures' Python side: what a notebook stores, and the source both hosts run."""

import json
import re
from html import unescape

import pytest

from tokvec.figures import Figure, _base, figure_source
from tokvec.figures.onehot import OneHotFigure, one_hot_product


def test_joined_source_is_one_module_without_imports():
    source = figure_source("onehot")
    assert not re.search(r"^import\b", source, re.MULTILINE)
    assert len(re.findall(r"^export default", source, re.MULTILINE)) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [("import d3 from 'd3';\nexport default {};", "may import only"), ("const a = 1;", "0 lines")],
)
def test_a_module_that_breaks_the_contract_is_refused(tmp_path, monkeypatch, body, message):
    (tmp_path / "kit.js").write_text((_base.STATIC / "kit.js").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "bad.js").write_text(body, encoding="utf-8")
    monkeypatch.setattr(_base, "STATIC", tmp_path)
    with pytest.raises(ValueError, match=message):
        figure_source.__wrapped__("bad")


def test_stored_html_is_the_same_every_time_and_carries_state_and_fallback():
    first, second = OneHotFigure(), OneHotFigure()
    data, _ = first._repr_mimebundle_()
    assert data["text/html"] == second.html()
    assert data["text/plain"] == "OneHotFigure()"
    assert "application/vnd.jupyter.widget-view+json" in data
    state = json.loads(unescape(re.search(r'data-tv-state="([^"]*)"', first.html())[1]))
    assert state == first.state()
    assert set(state) == {"alt", "caption", "digits", "gpt2_shape", "table", "token_id", "tokens"}
    assert "<table" in first.html() and first.caption in unescape(first.html())


def test_page_script_can_stand_between_script_tags():
    assert "</" not in _base.page_script("onehot")


def test_number_writes_minus_and_never_minus_zero():
    assert _base.number(-0.254) == "\N{MINUS SIGN}0.25"
    assert _base.number(-0.001) == "0.00"


def test_a_figure_without_fallback_says_so():
    class Bare(Figure):
        module = "onehot"

    with pytest.raises(NotImplementedError, match="Bare has no fallback"):
        Bare().html()


def test_one_hot_product_counts():
    table = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert one_hot_product(2, table) == ([5.0, 6.0], 6)
