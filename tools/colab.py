"""Open chapters as Colab would, on this machine: ``python tools/colab.py [NOTEBOOK...]`` (``make colab``).

For each run there is a clone of the last commit, with its own address as the repository's URL; a fresh virtual
environment with what Colab has installed rather than our pins, and something that calls itself ``google.colab``; an
empty folder with only the notebook. The first cell has to bring the package, and `tokvec.datasets` the data. Then
every cell runs. A figure that differs from the stored claims stops its cell, so a run without an error is a run with
the book's numbers.

It downloads some 500 MB of packages and takes minutes, so it is no part of ``make test``. Real Colab differs here and
there: a GPU build of torch, another minor version of Python, a front end. Data that only the network has
(names.txt) is taken from ``TOKVEC_DATA`` or ``../shared/data`` where that exists.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from notebooks import ROOT

CHAPTERS = ["02_*", "03_*", "07_*"]
EXERCISES = "03_bigram"
PIP = "pip==24.1.2"
# What Colab's image carried when this was written, as far as the book meets it. torch alone is the version that this
# book pins, since another one would be a download of its own.
IMAGE = [
    *["ipykernel==6.17.1", "ipython==7.34.0", "ipywidgets==7.7.1", "jupyter-client==7.4.9", "tornado==6.5.1"],
    *["pyzmq==26.2.1", "setuptools", "numpy==2.0.2", "scipy==1.14.1", "matplotlib==3.10.0", "pandas==2.2.2"],
    *["tqdm==4.67.1", "requests==2.32.3", "platformdirs==4.3.8", "torch==2.13.0"],
]


def sh(*command: object, **options: object) -> str:
    """Run a command; its output, or the end of it as an error."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command[:6]))} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


@contextlib.contextmanager
def served(folder: Path) -> Iterator[Path]:
    """Clone the last commit, make the clone say where it is, and serve it there over HTTP; yield the clone."""
    handler = functools.partial(_Quiet, directory=folder / "served")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    book, bare = folder / "book", folder / "served" / "somebody" / "book"
    url = f"http://127.0.0.1:{server.server_port}/somebody/book"
    sh("git", "clone", "--quiet", ROOT, book)
    sh(sys.executable, "tools/set_repository.py", url, cwd=book, env=_plain_environment())
    identity = ["-c", "user.name=colab", "-c", "user.email=colab@localhost"]
    sh("git", *identity, "commit", "--quiet", "--all", "--message", "Where the repository is", cwd=book)
    sh("git", "clone", "--quiet", "--bare", book, bare)
    sh("git", "update-server-info", cwd=bare)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield book
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *parts: object) -> None:
        pass


def image(folder: Path) -> None:
    """Build the environment, unless it is there from an earlier run."""
    python = folder / "bin" / "python"
    if not python.exists():
        sh(sys.executable, "-m", "venv", folder)
    sh(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PIP)
    sh(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *IMAGE)
    packages = Path(sh(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (packages / "google" / "colab").mkdir(parents=True, exist_ok=True)
    (packages / "google" / "colab" / "__init__.py").write_text("")
    (packages / "colab.pth").write_text("import google.colab\n")  # so that it is in sys.modules, as there


def _plain_environment() -> dict[str, str]:
    """The environment without anything that would lead back to this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOKVEC", "PYTHON", "VIRTUAL"))}
    return {**kept, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


def run(path: Path, made: Path, folder: Path) -> nbformat.NotebookNode:
    """Run a notebook alone in an empty folder, in a copy of the image of its own; return it with its outputs."""
    place = Path(tempfile.mkdtemp(dir=folder))
    # Hard links cost no time and no space, and are safe: pip puts a new file in place of an old one, it writes in none.
    shutil.copytree(made, place / "image", symlinks=True, copy_function=_link)
    python = place / "image" / "bin" / "python"
    home = place / "home"
    (place / "content").mkdir()
    home.mkdir()
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, place / "content" / path.name)
    environment = {**_plain_environment(), "HOME": str(home), "PATH": f"{python.parent}:{os.environ['PATH']}"}
    data = Path(os.environ.get("TOKVEC_DATA", ROOT.parent / "shared" / "data"))
    if data.is_dir():
        environment["TOKVEC_DATA"] = str(data)
    manager = AsyncKernelManager()
    manager._kernel_spec = KernelSpec(
        argv=[str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        display_name="Colab",
        language="python",
    )
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=1200,
        record_timing=False,
        resources={"metadata": {"path": str(place / "content")}},
    )
    client.execute(env=environment)
    return notebook


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def text_of(notebook: nbformat.NotebookNode) -> str:
    """Return all text that a notebook's cells put out."""
    parts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            parts += [output.get("text", ""), output.get("data", {}).get("text/plain", "")]
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", nargs="*", help="chapters, as 03_bigram (default: 2, 3, 7 and exercises)")
    parser.add_argument("--image", type=Path, help="keep the environment in this folder, and take it from there again")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tokvec-colab-")))
        book = stack.enter_context(served(folder))
        began = time.monotonic()
        made = (chosen.image or folder / "image").absolute()
        image(made)
        print(f"the image is ready after {time.monotonic() - began:.0f} s", flush=True)
        patterns = [f"{name}.ipynb" for name in chosen.notebook or CHAPTERS]
        chapters = [path for pattern in patterns for path in sorted((book / "notebooks").glob(pattern))]
        failed = []
        for path in chapters:
            began = time.monotonic()
            try:
                run(path, made, folder)
                print(f"{path.stem}: every cell ran, {time.monotonic() - began:.0f} s", flush=True)
            except CellExecutionError as error:
                failed.append(path.stem)
                print(f"{path.stem}: a cell failed\n{str(error)[-3000:]}", file=sys.stderr, flush=True)
        if not chosen.notebook:
            own = {**_plain_environment(), "PYTHONPATH": str(book / "lib")}
            sh(sys.executable, "tools/coursework.py", EXERCISES, cwd=book, env=own)
            for kind, said in (("student", "still to be filled in"), ("solutions", "All test cases passed")):
                shown = text_of(run(book / "_build" / "coursework" / kind / f"{EXERCISES}.ipynb", made, folder))
                if said not in shown:
                    failed.append(f"exercises {EXERCISES} ({kind})")
                print(f"exercises {EXERCISES} ({kind}): {'feedback as it should be' if said in shown else shown}")
    if failed:
        print(f"error: {', '.join(failed)} did not run as in Colab", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
