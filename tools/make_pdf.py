"""Make one PDF of the built book: ``python tools/make_pdf.py`` (after ``make book``), no LaTeX needed.

The articles of all pages are joined into one HTML document, with every id and every link inside the book
rewritten to match, and headless Chromium prints it. Interactive figures appear in their static form, folded
derivations are open, links inside the book lead to the right place of the PDF. It is printed twice: the first time
shows on which page each chapter begins, and the second has these numbers in its contents.
"""

from __future__ import annotations

import argparse
import html
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import yaml
from browser import FLAGS, find_chromium
from bs4 import BeautifulSoup, Tag
from notebooks import ROOT

BUILT = ROOT / "_build" / "html"
FOOTER = (
    '<div style="width:100%;font:8px sans-serif;color:#666;text-align:center">'
    '<span class="pageNumber"></span></div>'
)


def pages() -> list[tuple[str | None, str]]:
    """Return the pages of the table of contents in order: the caption of their part, and the document's name."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    found: list[tuple[str | None, str]] = [(None, toc["root"])]
    for part in toc["parts"]:
        found += [(part.get("caption"), chapter["file"]) for chapter in part["chapters"]]
    return found


def slug(document: str) -> str:
    """Return the prefix of all ids of a document in the joined page."""
    return document.replace("/", "-")


def rewrite(article: Tag, document: str, inside: set[str]) -> None:
    """Make the ids of one article its own, and point its links and pictures to where they are now."""
    for element in article.find_all(id=True):
        element["id"] = f"{slug(document)}--{element['id']}"
    folder = posixpath.dirname(document)
    for link in article.find_all("a", href=True):
        if urlsplit(link["href"]).scheme:
            continue
        address, fragment = urldefrag(link["href"])
        target = posixpath.normpath(posixpath.join(folder, address)).removesuffix(".html") if address else document
        if target in inside:
            link["href"] = f"#{slug(target)}--{fragment}" if fragment else f"#{slug(target)}"
        else:
            del link["href"]
    for picture in article.find_all(src=True):
        if not urlsplit(picture["src"]).scheme:
            picture["src"] = posixpath.normpath(posixpath.join(folder, picture["src"]))
    for details in article.find_all("details"):
        details["open"] = ""
    # What only makes sense on a screen.
    for gone in article.select("script, .headerlink, .copybtn, .prev-next-footer, details.hide.above-input"):
        gone.decompose()


def contents(titles: list[tuple[str | None, str, str]], numbers: dict[str, int]) -> str:
    """Return the table of contents, with the page that each document begins on where it is known.

    Parameters
    ----------
    titles : list of (str or None, str, str)
        Part, document and title, in order.
    numbers : dict of str to int
        Pages by document.
    """
    lines, part = [], None
    for caption, document, title in titles:
        if caption != part:
            part = caption
            lines.append(f'<p class="tv-contents-part">{html.escape(part)}</p>')
        number = numbers.get(document, "")
        lines.append(f'<p><a href="#{slug(document)}">{html.escape(title)}</a><span>{number}</span></p>')
    return f'<nav class="tv-contents"><h2>Contents</h2>{"".join(lines)}</nav>'


def joined(numbers: dict[str, int] | None = None) -> str:
    """Return the whole book as one HTML document that lies in the root of the built site.

    Parameters
    ----------
    numbers : dict of str to int, optional
        The page that each document begins on, for the contents.
    """
    documents = pages()
    inside = {document for _, document in documents}
    first = BeautifulSoup((BUILT / f"{documents[0][1]}.html").read_text(encoding="utf-8"), "html.parser")
    styles = []
    for link in first.find_all("link", rel="stylesheet"):
        address = posixpath.join(posixpath.dirname(documents[0][1]), link["href"].split("?")[0])
        link["href"] = posixpath.normpath(address)
        styles.append(str(link))
    body, titles, part = [], [], None
    for caption, document in documents:
        soup = BeautifulSoup((BUILT / f"{document}.html").read_text(encoding="utf-8"), "html.parser")
        article = soup.select_one("article.bd-article")
        rewrite(article, document, inside)
        titles.append((caption, document, article.h1.get_text().strip()))
        if caption != part:
            part = caption
            body.append(f'<h1 class="tv-part">{html.escape(caption)}</h1>')
        body.append(f'<section id="{slug(document)}" class="tv-page">{article}</section>')
    body.insert(1, contents(titles[1:], numbers or {}))  # after the front page
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>From tokens to vectors</title>{''.join(styles)}<style>"
        "body{background:#fff}.tv-page{break-before:page}.tv-page:first-of-type{break-before:auto}"
        ".tv-part{break-before:page;padding-top:35vh;text-align:center;font-size:2rem}"
        ".tv-part+.tv-page{break-before:page}"
        # A margin below the last line of a full page would be a page of its own.
        ".bd-article>section>:last-child,.bd-article>section>section:last-child>:last-child{margin-bottom:0!important}"
        ".tv-contents{break-inside:avoid;margin-top:2.5rem}.tv-contents p{display:flex;margin:0 0 .3rem}"
        ".tv-contents p>a{flex:1}.tv-contents p.tv-contents-part{margin:.9rem 0 .3rem;font-weight:600}"
        ".pst-scrollable-table-container,.tv-scroll{overflow:visible!important}pre{white-space:pre-wrap!important;overflow-wrap:anywhere}"
        "figure,img,table tr,.tv-receipt{break-inside:avoid}h1,h2,h3{break-after:avoid}"
        "html{font-size:70%!important}.bd-article{max-width:none!important;padding:0!important}"
        f"</style></head><body>{''.join(body)}</body></html>"
    )


# What is read in the PDF, as Chromium writes it: plain objects, one after the other.


def first_pages(pdf: bytes) -> dict[str, int]:
    """Return the page, from 1, on which each document of the book begins, from the PDF's named places."""
    objects = {int(number): body for number, body in re.findall(rb"(?m)^(\d+) 0 obj\n(<<.*?)endobj", pdf, re.DOTALL)}

    def leaves(number: int) -> list[int]:
        kids = re.search(rb"/Kids \[([^\]]*)\]", objects[number])
        return [leaf for kid in re.findall(rb"(\d+) 0 R", kids[1]) for leaf in leaves(int(kid))] if kids else [number]

    catalog = next(body for body in objects.values() if b"/Type /Catalog" in body)
    root, places = (int(re.search(rb"/%s (\d+) 0 R" % key, catalog)[1]) for key in (b"Pages", b"Dests"))
    order = {number: place for place, number in enumerate(leaves(root), 1)}
    named = dict(re.findall(rb"/(\S+) \[(\d+) 0 R", objects[places]))
    return {name: order[int(named[slug(name).encode()])] for _, name in pages() if slug(name).encode() in named}


def with_single_titles(pdf: bytes) -> bytes:
    """Return the PDF with each bookmark's title once.

    Chromium says a title twice where it moved a heading to the next page. The file keeps its length, on which the
    places of all its objects depend: what goes is made up for with spaces behind the title.
    """

    def once(found: re.Match) -> bytes:
        opening, text, closing = found.groups()
        mark = b"FEFF" if opening == b"<" else b""
        said = text.removeprefix(mark)
        half = said[: len(said) // 2]
        if not half or half * 2 != said:
            return found[0]
        return (b"/Title " + opening + mark + half + closing).ljust(len(found[0]))

    return re.sub(rb"/Title ([(<])((?:\\.|[^\\()<>])*)([)>])(?=\n/Dest)", once, pdf)


def printed(page) -> bytes:
    """Print the book twice, and return the PDF whose contents have the pages that the first one showed.

    Raises
    ------
    RuntimeError
        If the numbers in the contents moved the chapters to other pages.
    """
    document = BUILT / "whole-book.html"
    numbers = {name: 0 for _, name in pages()}
    try:
        for _ in range(2):
            before = numbers
            document.write_text(joined(numbers), encoding="utf-8")
            page.goto(document.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready.then(() => true)")
            pdf = page.pdf(
                format="A4",
                margin={"top": "18mm", "bottom": "18mm", "left": "20mm", "right": "20mm"},
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                outline=True,
                tagged=True,
            )
            numbers = first_pages(pdf)
    finally:
        document.unlink(missing_ok=True)
    if numbers != before:
        raise RuntimeError(f"the contents would be wrong: chapters begin on {numbers}, the contents say {before}")
    return with_single_titles(pdf)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "tokvec.pdf")
    out = parser.parse_args().out
    if not (BUILT / "index.html").exists():
        print("error: the book is not built: run make book first", file=sys.stderr)
        return 1
    executable = find_chromium()
    if executable is None:
        print("error: no Chromium here: apt-get install chromium, or set TOKVEC_CHROMIUM to one", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        pdf = printed(browser.new_page())
        browser.close()
    temporary = out.with_suffix(".part")
    temporary.write_bytes(pdf)
    temporary.replace(out)
    print(f"{out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}: {out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
