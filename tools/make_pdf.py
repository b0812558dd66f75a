"""Make one PDF of the built book: ``python tools/make_pdf.py`` (after ``make book``), no LaTeX needed.

The articles of all pages are joined into one HTML document, with every id and every link inside the book
rewritten to match, and headless Chromium prints it. Interactive figures appear in their static form, folded
derivations are open, links inside the book lead to the right place of the PDF.
"""

from __future__ import annotations

import argparse
import posixpath
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


def joined() -> str:
    """Return the whole book as one HTML document that lies in the root of the built site."""
    documents = pages()
    inside = {document for _, document in documents}
    first = BeautifulSoup((BUILT / f"{documents[0][1]}.html").read_text(encoding="utf-8"), "html.parser")
    styles = []
    for link in first.find_all("link", rel="stylesheet"):
        address = posixpath.join(posixpath.dirname(documents[0][1]), link["href"].split("?")[0])
        link["href"] = posixpath.normpath(address)
        styles.append(str(link))
    body, part = [], None
    for caption, document in documents:
        soup = BeautifulSoup((BUILT / f"{document}.html").read_text(encoding="utf-8"), "html.parser")
        article = soup.select_one("article.bd-article")
        rewrite(article, document, inside)
        if caption != part:
            part = caption
            body.append(f'<p class="tv-part">{caption}</p>')
        body.append(f'<section id="{slug(document)}" class="tv-page">{article}</section>')
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>From tokens to vectors</title>{''.join(styles)}<style>"
        "body{background:#fff}.tv-page{break-before:page}.tv-page:first-of-type{break-before:auto}"
        ".tv-part{break-before:page;padding-top:35vh;text-align:center;font-size:2rem}"
        ".tv-part+.tv-page{break-before:page}pre{white-space:pre-wrap!important;overflow-wrap:anywhere}"
        "figure,img,table tr,.tv-receipt{break-inside:avoid}h1,h2,h3{break-after:avoid}"
        "html{font-size:70%!important}.bd-article{max-width:none!important;padding:0!important}"
        f"</style></head><body>{''.join(body)}</body></html>"
    )


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

    document = BUILT / "whole-book.html"
    document.write_text(joined(), encoding="utf-8")
    temporary = out.with_suffix(".part")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            page = browser.new_page()
            page.goto(document.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            page.pdf(
                path=temporary,
                format="A4",
                margin={"top": "18mm", "bottom": "18mm", "left": "20mm", "right": "20mm"},
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                outline=True,
                tagged=True,
            )
            browser.close()
    finally:
        document.unlink()
    temporary.replace(out)
    print(f"{out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}: {out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
