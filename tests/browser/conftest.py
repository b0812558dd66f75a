"""Fixtures for tests in a real browser: headless Chromium, no network, no tolerance for console errors."""

from __future__ import annotations

import contextlib
import functools
import html
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import FLAGS, NO_CHROMIUM, find_chromium

from tokvec.figures import Figure, figure_source
from tokvec.figures._base import STATIC, page_script

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "_build" / "html"


# One browser a test file, not one a session: while Playwright's sync API is open its event loop counts as
# running, and the notebooks that pytest runs afterwards need the thread's loop for themselves.
@pytest.fixture(scope="module")
def browser() -> Iterator:
    """Headless Chromium, or a skip that says how to get it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here: pip install playwright")
    executable = find_chromium()
    if executable is None:
        pytest.skip(NO_CHROMIUM)
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield chromium
        chromium.close()


def watch(page) -> list[str]:
    """Cut the page off the network, and note whatever it does wrong in a list that is returned."""
    faults: list[str] = []

    def route(route):
        url = urlsplit(route.request.url)
        if url.scheme in ("file", "data", "blob") or url.hostname == "127.0.0.1":
            route.continue_()
        else:
            faults.append(f"asks for {route.request.url}")
            route.abort()

    page.route("**/*", route)

    def on_console(message):
        if message.type in ("error", "warning"):
            faults.append(f"console: {message.text}")

    def on_response(response):
        if response.status >= 400:
            faults.append(f"{response.status}: {response.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
    page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
    page.on("response", on_response)
    return faults


@pytest.fixture
def page(browser) -> Iterator:
    """A fresh page without network. The test fails if the page logs an error or asks for anything outside."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)  # generous: a busy machine is no failure
    page.faults = watch(page)
    yield page
    faults = list(page.faults)
    context.close()
    assert not faults, "the page misbehaved:\n" + "\n".join(faults)


@pytest.fixture
def open_figure(tmp_path):
    """Open one figure on a bare page, over file://, with the host script of the book.

    ``open_figure(page, figure, theme="light", width=1280)`` returns the locator of the figure; inside it
    ``[data-tv="name"]`` finds what a module marked with ``data-tv``.
    """

    def open_figure(page, figure: Figure, theme: str = "light", width: int = 1280):
        host = (ROOT / "book" / "_static" / "tokvec-host.js").read_text(encoding="utf-8")
        css = (STATIC / "figures.css").read_text(encoding="utf-8")
        (tmp_path / "figure.html").write_text(
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
            f"<title>{html.escape(figure.module)}</title>"
            '<meta name="viewport" content="width=device-width"><style>'
            f"{css} body {{ margin: 12px; background: var(--tv-surface); }}</style></head><body><main>"
            f"{figure.html()}</main><script>{page_script(figure.module)}</script><script>{host}</script></body></html>",
            encoding="utf-8",
        )
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((tmp_path / "figure.html").as_uri())
        page.wait_for_selector("[data-tv-ready]")
        return page.locator(f'[data-tv-figure="{figure.module}"]')

    return open_figure


@pytest.fixture
def open_live(page, tmp_path):
    """Render a figure as anywidget does in a live notebook: one ES module, and a model with a kernel behind.

    ``open_live(figure)`` returns the locator of the figure. ``page.evaluate("model.state")`` holds the state,
    ``page.evaluate("model.saved")`` how often ``save_changes`` was called.
    """

    def open_live(figure: Figure):
        page.set_content('<!doctype html><html lang="en"><body><div id="live"></div></body></html>')
        page.evaluate(
            """async ([source, state]) => {
                window.model = { state, saved: 0,
                    get(name) { return this.state[name] }, set(name, value) { this.state[name] = value },
                    on() {}, off() {}, save_changes() { this.saved += 1 }, send() {} };
                const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
                const widget = (await import(url)).default;
                window.cleanup = await widget.render({ model, el: document.querySelector("#live") });
            }""",
            [figure_source(figure.module), figure.state()],
        )
        return page.locator("#live")

    return open_live


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built book, or a skip that says how to build it."""
    if not (BUILT / "index.html").exists():
        pytest.skip("the book is not built: make book")
    return BUILT


@pytest.fixture(scope="session")
def served(site) -> Iterator[str]:
    """The built book over http on this machine: its address, with no slash at the end."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    with contextlib.closing(server.socket):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
