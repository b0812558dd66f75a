"""The book as one PDF: nothing beyond the margin, contents with the right pages, bookmarks that say things once."""

import re
import sys

import make_pdf
import pytest
from conftest import watch

PRINTED_WIDTH = 642  # pixels between the margins of an A4 page: 170 mm
FEW = [(None, "book/index"), ("One part", "notebooks/09_retrieval"), ("Another", "book/how-to-run")]
TOO_WIDE = """() => [...document.querySelectorAll(".bd-article *")]
    .filter((e) => e.getBoundingClientRect().width && getComputedStyle(e).position !== "absolute")
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
        || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"))
    .map((e) => `${e.closest(".tv-page").id}: ${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 60)}`)"""


def test_nothing_of_the_book_lies_beyond_the_margin(browser, site):
    document = site / "for-a-test.html"
    document.write_text(make_pdf.joined(), encoding="utf-8")
    page = browser.new_page(viewport={"width": PRINTED_WIDTH, "height": 980})
    try:
        faults = watch(page)
        page.emulate_media(media="print")
        page.goto(document.as_uri(), wait_until="load")
        assert page.evaluate(TOO_WIDE) == []
        assert page.locator("nav.tv-contents a").count() == len(make_pdf.pages()) - 1
        assert faults == []
    finally:
        page.close()
        document.unlink()


def test_the_contents_have_the_pages_on_which_the_chapters_begin(browser, site, tmp_path, monkeypatch):
    monkeypatch.setattr(make_pdf, "pages", lambda: FEW)
    shown = []
    joined = make_pdf.joined
    monkeypatch.setattr(make_pdf, "joined", lambda numbers: shown.append(numbers) or joined(numbers))
    pdf = make_pdf.printed(browser.new_page())
    assert shown[-1] == make_pdf.first_pages(pdf)
    chapter, last = (shown[-1][name] for _, name in FEW[1:])
    pages = len(re.findall(rb"/Type /Page\n", pdf))
    assert 2 < chapter < last - 5 and last <= pages
    titles = re.findall(rb"/Title \(((?:\\\\.|[^\\\\()])*)\)", pdf)
    assert b"Five lines" in titles and b"One part" in titles
    assert not [title for title in titles if title[: len(title) // 2] * 2 == title]
    assert not (site / "whole-book.html").exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"/Title (Let it writeLet it write)\n/Dest", b"/Title (Let it write)            \n/Dest"),
        (b"/Title <FEFF00E900E9>\n/Dest", b"/Title <FEFF00E9>    \n/Dest"),
        (b"/Title (Let it write)\n/Dest", b"/Title (Let it write)\n/Dest"),
        (b"/Title (a \\(b\\))\n/Dest", b"/Title (a \\(b\\))\n/Dest"),
        (b"/Title ()\n/Dest", b"/Title ()\n/Dest"),
    ],
)
def test_a_title_said_twice_is_said_once_in_as_many_bytes(before, after):
    assert make_pdf.with_single_titles(before) == after and len(before) == len(after)


def test_without_a_book_or_a_browser_the_command_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_pdf.py"])
    monkeypatch.setattr(make_pdf, "BUILT", tmp_path)
    assert make_pdf.main() == 1 and "run make book first" in capsys.readouterr().err
    (tmp_path / "index.html").touch()
    monkeypatch.setattr(make_pdf, "find_chromium", lambda: None)
    assert make_pdf.main() == 1 and "apt-get install chromium" in capsys.readouterr().err
