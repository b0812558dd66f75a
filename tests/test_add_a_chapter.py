"""What book/add-a-chapter.md and book/add-a-figure.md tell a contributor to copy works as it stands."""

import importlib.util
import json
import re
import tomllib

import pytest
import set_repository
import test_voice
import yaml
from nbclient import NotebookClient
from notebooks import ROOT, as_script, read_script
from prose import uncomputed

from tokvec import claims, figures


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "book" / page).read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def chapter(tmp_path):
    script = tmp_path / "11_letters.py"
    script.write_text(blocks("add-a-chapter.md", "python")[0], encoding="utf-8")
    return script


def test_the_chapter_runs_and_its_number_is_the_one_in_its_text(chapter, tmp_path, monkeypatch):
    rows = tomllib.loads(blocks("add-a-chapter.md", "toml")[0])
    assert rows.keys() == {"X1"} and rows["X1"]["source"] in (ROOT / "book/references.bib").read_text(encoding="utf-8")
    (quote,) = rows["X1"].pop("quotes").values()
    claims.Claim(id="X1", quotes=(claims.Quote("X1.share", "11_letters", **quote),), **rows["X1"])
    notebook = read_script(chapter)
    # The kernel is another process: it is given the row in its first cell instead of in the file.
    extra = (
        "from tokvec import claims\n"
        f"q = claims.Quote(id='X1.share', chapter='11_letters', **{quote!r})\n"
        "claims.quote = {'X1.share': q}.__getitem__"
    )
    notebook.cells[1].source += "\n" + extra
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "lib"))
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    stored = tmp_path / "11_letters.ipynb"
    stored.write_text(json.dumps(notebook), encoding="utf-8")
    assert uncomputed(stored) == []


def test_the_chapter_is_in_the_form_that_the_tools_write(chapter):
    notebook = read_script(chapter)
    assert as_script(notebook) == chapter.read_text(encoding="utf-8")
    assert set_repository.bootstrap_of(notebook).source == set_repository.BOOTSTRAP.format(url="")


def test_the_chapter_has_the_form_of_the_others(chapter, monkeypatch):
    monkeypatch.setattr(test_voice, "CHAPTERS", [chapter])
    test_voice.test_every_head_has_one_form(chapter)
    test_voice.test_the_reading_time_fits_the_text(chapter)
    test_voice.test_the_parts_come_in_one_order_and_lead_to_the_next_chapter(chapter)
    test_voice.test_code_fits_the_page(chapter)
    test_voice.test_one_spelling(chapter)


def test_the_line_for_the_contents_fits_into_them():
    line = yaml.safe_load(blocks("add-a-chapter.md", "yaml")[0])
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    assert line[0].keys() == toc["parts"][0]["chapters"][0].keys()


def test_the_small_figure_can_be_made(tmp_path, monkeypatch):
    (module,) = blocks("add-a-figure.md", "js")
    source, test = blocks("add-a-figure.md", "python")
    for file in figures._base.STATIC.glob("*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "sum.js").write_text(module, encoding="utf-8")
    monkeypatch.setattr(figures._base, "STATIC", tmp_path)
    (tmp_path / "sum.py").write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("sum_figure", tmp_path / "sum.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert "export default" in figures.figure_source("sum")
    assert 'data-tv-figure="sum"' in made.SumFigure(start=3).html() and "<table" in made.SumFigure().html()
    compile(test, "test_sum.py", "exec")
