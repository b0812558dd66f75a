"""pytest for the whole book: unit tests, and every chapter re-run and compared by nbval.

What this file adds to nbval: a chapter whose data is missing is skipped whole, by name, with
the command that gets it; a kernel that dies is noticed at once instead of at the cell's time
limit; and where ``CI`` is set, a skip that is not expected there is a failure.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from queue import Empty

import pytest
from nbval.kernel import RunningKernel

ROOT = Path(__file__).parent
# The kernels that nbval starts see the checkout's package first, with warnings and progress bars as stored.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "lib"), os.environ.get("PYTHONPATH")]))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKVEC_OFFLINE", "1")  # no test needs the network, and none may wait for it

UNEXPECTED = pytest.StashKey[list]()
CHAPTERS = pytest.StashKey[dict]()


def missing_data(notebook: Path) -> str | None:
    """Return why a chapter cannot run here (what is missing, and the command that gets it), or None."""
    from tokvec import datasets

    metadata = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
    for name in metadata.get("tokvec", {}).get("requires", []):
        try:
            datasets.folder(name, download=False)
        except datasets.DatasetError:
            python = Path(sys.executable)
            shown = python.relative_to(ROOT) if python.is_relative_to(ROOT) else python
            return f"needs {name}: {shown} -m tokvec.datasets fetch {name}"
    return None


def pytest_configure(config: pytest.Config) -> None:
    config.stash[UNEXPECTED] = []
    config.stash[CHAPTERS] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip whole chapters whose data is not here."""
    reasons: dict[Path, str | None] = {}
    for item in items:
        if item.path.suffix == ".ipynb":
            if item.path not in reasons:
                reasons[item.path] = missing_data(item.path)
            if reasons[item.path]:
                item.add_marker(pytest.mark.skip(reason=f"{item.path.stem} {reasons[item.path]}"))
    config.stash[CHAPTERS].update({path.stem: why for path, why in reasons.items() if why})


def _await_reply(self: RunningKernel, msg_id: str, timeout: float | None = None) -> None:
    """Wait for a cell's reply in short turns, so that a dead kernel is noticed within a second."""
    left = float("inf") if timeout is None else timeout
    while left > 0:
        try:
            message = self.get_message(stream="shell", timeout=min(1.0, left))
        except Empty:
            left -= 1.0
            if not self.is_alive():
                why = "out of memory, or a crash in compiled code"
                raise RuntimeError(f"The kernel died while this cell ran ({why}).") from None
            continue
        if message["parent_header"].get("msg_id") == msg_id:
            if message["content"]["status"] == "aborted":
                raise RuntimeError("Kernel aborted execution request")
            return
    raise Empty


RunningKernel.await_reply = _await_reply


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = (yield).get_result()
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        expected = tomllib.loads((ROOT / "tests" / "expected_skips.toml").read_text(encoding="utf-8"))["reasons"]
        if not any(part in reason for part in expected):
            report.outcome = "failed"
            report.longrepr = (
                f"Skipped in CI, where it should run ({reason}). If that is right, add it to tests/expected_skips.toml."
            )


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    skipped = config.stash[CHAPTERS]
    if skipped:
        told = "; ".join(f"{chapter} ({why})" for chapter, why in skipped.items())
        terminalreporter.write_line(f"Chapters skipped: {told}")
