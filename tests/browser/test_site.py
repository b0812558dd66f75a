"""Every page of the built book: nothing from elsewhere, no error, no dead link, no barrier, no needless weight."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from conftest import BUILT

PAGES = sorted(path.relative_to(BUILT).as_posix() for path in BUILT.rglob("*.html"))
REDIRECT = "index.html"  # sends the reader on to book/index.html, and is no page itself
READ = [page for page in PAGES if page != REDIRECT and not page.startswith("_")] or ["no page is built"]
FIRST_VIEW = 600_000  # bytes, compressed
# Scroll through the page, so that every figure is reached and every image asked for.
SCROLL = """async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
        window.scrollTo(0, y);
        await new Promise(requestAnimationFrame);
    }
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    window.scrollTo(0, 0);
}"""
NOT_MOUNTED = "[data-tv-figure]:not(:has([data-tv-ready]))"


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path: Path) -> set[str]:
    return {tag.get(key) for tag in parsed(path).find_all(True) for key in ("id", "name") if tag.get(key)}


def visit(page, address: str) -> None:
    """Open a page, reach everything on it, and wait until its figures are alive."""
    page.goto(address, wait_until="load")
    page.evaluate(SCROLL)
    page.wait_for_function(f"!document.querySelector('{NOT_MOUNTED}')")


def show_in(page, theme: str) -> None:
    """Switch the theme, and wait until the colours have followed."""
    page.evaluate(
        """async (theme) => {
            document.documentElement.dataset.theme = theme;
            await new Promise(requestAnimationFrame);
            await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
        }""",
        theme,
    )


@pytest.mark.parametrize("name", READ)
def test_links_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site, name):
    here = site / name
    faults = []
    for tag in parsed(here).find_all(True):
        for attribute in ("href", "src", "poster", "data", "action", "srcset"):
            target = tag.get(attribute)
            if not target:
                continue
            url = urlsplit(target)
            if url.scheme in ("data", "blob", "mailto"):
                continue
            if url.scheme or url.netloc:
                if tag.name != "a" and tag.get("rel") != ["canonical"]:
                    faults.append(f"<{tag.name}> loads {target}")
                continue
            there = (here.parent / unquote(url.path)).resolve() if url.path else here
            if there.is_dir():
                there /= "index.html"
            if not there.exists():
                faults.append(f"{target}: no such file")
            elif url.fragment and there.suffix == ".html" and unquote(url.fragment) not in anchors(there):
                faults.append(f"{target}: no such place on that page")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", READ)
def test_page_over_http(page, served, name):
    """No error, no request outside (`page` sees to that), no serious barrier at either size or theme."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{served}/{name}")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"the page is {wide} pixels wide on a phone of 390"
    broken = page.evaluate("[...document.images].filter((i) => !i.naturalWidth).map((i) => i.src)")
    assert not broken, f"images that do not load: {broken}"
    for theme, width in (("light", 390), ("dark", 1280)):
        page.set_viewport_size({"width": width, "height": 900})
        show_in(page, theme)
        # Without `preload`, which would fetch the style sheets again, by addresses that are not theirs.
        found = axe.run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        serious = [
            f"{rule['id']} ({theme}): {rule['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for rule in found
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]
        assert not serious, "\n".join(serious)


@pytest.mark.parametrize("name", READ)
def test_page_from_a_folder(page, site, name):
    """The same over file://, with no server and no network: figures alive, no error."""
    visit(page, (site / name).as_uri())
    assert page.locator("[data-tv-figure]").count() == page.locator("[data-tv-ready]").count()


def test_the_search_works_from_a_folder(page, site):
    """It finds pages without asking for any of them, which the browser would refuse over file://."""
    page.goto((site / "search.html").as_uri() + "?q=perplexity", wait_until="load")
    page.wait_for_selector("#search-results li a")
    page.wait_for_function("document.querySelector('.search-summary').innerText.includes('found')")
    found = page.locator("#search-results li a").all_inner_texts()
    assert len(found) > 3 and any(title.startswith("3 ·") for title in found)


@pytest.mark.parametrize("name", [name for name in READ if name.startswith("notebooks/")] or READ[:1])
def test_first_view_is_light(page, served, name):
    """What a reader downloads before scrolling, compressed as a web server compresses it."""
    # Pages of one browser share its memory; a first visit has nothing cached.
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    responses = []
    page.on("response", lambda response: responses.append(response))
    page.goto(f"{served}/{name}", wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_load_state("networkidle")
    sizes = {}
    for response in responses:
        body = response.body()
        packed = urlsplit(response.url).path.endswith((".woff2", ".png"))
        sizes[response.url] = len(body) if packed else len(gzip.compress(body, 6))
    assert any(url.endswith(".woff2") for url in sizes), "the typefaces were not weighed"
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:6]
    assert sum(sizes.values()) < FIRST_VIEW, f"{sum(sizes.values()):,} bytes, the largest: {largest}"


def test_a_formula_is_copied_once(page, served):
    """Copying must not give the formula twice, as it does where a hidden second copy serves screen readers."""
    page.goto(f"{served}/notebooks/02_lookup.html", wait_until="load")
    copied = page.evaluate(
        """() => {
            const selection = getSelection();
            selection.selectAllChildren(document.querySelector("div.math"));
            return selection.toString();
        }"""
    )
    assert copied.count("lookup") == 1
    assert copied.count("\N{DOUBLE-STRUCK CAPITAL R}") == 1


def test_the_four_figures_of_chapter_2_by_keyboard(page, served):
    """On the built page, at both widths and in both themes: the numbers that the claims promise."""
    for width in (1280, 390):
        for theme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 900})
            visit(page, f"{served}/notebooks/02_lookup.html")
            show_in(page, theme)

            def press(name):
                page.locator(f'[data-tv="{name}"]').focus()
                page.keyboard.press("Enter")

            def read(name):
                return page.locator(f'[data-tv="{name}"]').inner_text()

            press("run")
            press("gpt2")
            assert (read("multiplications"), read("gpt2-multiplications")) == ("20", "38,597,376")
            press("learn")
            assert (read("probability"), read("loss")) == ("61.0\N{NO-BREAK SPACE}%", "0.495")
            press("preset-XL")
            assert read("embedding-share") == "5.3\N{NO-BREAK SPACE}%"
            press("shuffle")
            assert (read("sentence"), read("found")) == ("the man bit the dog", "5 of 5")
            tables = page.locator("[data-tv-figure] .tv-scroll")
            assert tables.evaluate_all("all => all.every((t) => t.scrollWidth <= t.clientWidth + 1)"), (
                f"a figure's table is cut off at {width}"
            )


def test_without_javascript_the_numbers_are_still_there(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "notebooks/02_lookup.html").as_uri())
    text = page.locator("main").inner_text()
    context.close()
    assert "124,439,808" in text and "0.495" in text and "riverbank" not in text
