"""Where Chromium is, and how it is started without a screen: for the tests and for the PDF."""

from __future__ import annotations

import os
import shutil

NO_CHROMIUM = "no Chromium here: sudo apt-get install chromium, or set TOKVEC_CHROMIUM to one"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium() -> str | None:
    """Return the path of a Chromium, or None."""
    if chosen := os.environ.get("TOKVEC_CHROMIUM"):
        return chosen
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
