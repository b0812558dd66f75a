"""Say where the book's repository is: ``python tools/set_repository.py https://github.com/OWNER/NAME``.

The URL lives in ``pyproject.toml`` (``[project.urls]``). This writes it there, and everywhere else it must be: into the
first code cell of every chapter, script and notebook alike, into ``_config.yml`` for the buttons that open a chapter
in Colab, and into ``CITATION.cff``. Without an argument it brings all of these in step with ``pyproject.toml``; with
``""`` it takes the URL out. Until there is one the book shows no Colab button, since it could only be a dead one.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

from notebooks import NOTEBOOKS, ROOT, STAMP, as_script, nbformat, stamp

FORM = re.compile(r"https://[\w.-]+(/[\w.-]+){2,}|http://127\.0\.0\.1:\d+(/[\w.-]+){2}|")  # the second: tools/colab.py
GITHUB = "https://github.com/"  # Colab opens notebooks from there, and from nowhere else
BRANCH = "main"

# A chapter's first code cell. Outside Colab it does nothing, so its outputs (none) do not depend on the URL.
BOOTSTRAP = """# In Colab: install the book's package. Elsewhere this cell does nothing.
import subprocess
import sys

REPOSITORY = "{url}"  # written by tools/set_repository.py
if "google.colab" in sys.modules and REPOSITORY:
    package = f"tokvec[chapters] @ git+{{REPOSITORY}}"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", package], check=True)"""

BLOCK = """
# Written by tools/set_repository.py; the URL itself is in pyproject.toml.
repository:
  url: {url}
  branch: {branch}
launch_buttons:
  colab_url: https://colab.research.google.com
"""


def repository(root: Path = ROOT) -> str:
    """Return the repository's URL, or an empty string while there is none."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "")


def bootstrap_of(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode | None:
    """Return a chapter's bootstrap cell, or None."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return next((cell for cell in cells if re.search(r'^REPOSITORY = "', cell.source, re.MULTILINE)), None)


def in_chapter(path: Path, url: str) -> dict[Path, str]:
    """Return one notebook and the script beside it with their bootstrap cell, in step and with a stamp that fits.

    The code that computes has not changed, so nothing is run again. That holds only for a pair in step to begin with;
    for another one, this would call old outputs new.

    Raises
    ------
    SystemExit
        If the pair is not in step, or has no such cell.
    """
    notebook = nbformat.read(path, as_version=4)
    cell = bootstrap_of(notebook)
    if cell is None:
        raise SystemExit(f'error: {path.name} has no code cell with a line REPOSITORY = "..."; copy another chapter\'s')
    fitted = notebook.metadata.get(STAMP) == stamp(notebook)
    in_step = as_script(notebook) == path.with_suffix(".py").read_text(encoding="utf-8")
    if not (fitted and in_step):
        remedy = f"run: make store CHAPTERS=notebooks/{path.stem}.py"
        raise SystemExit(f"error: {path.name} and its script are not in step; {remedy}")
    cell.source = BOOTSTRAP.format(url=url)
    notebook.metadata[STAMP] = stamp(notebook)
    stored = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return {path: stored, path.with_suffix(".py"): as_script(notebook)}


def in_project(text: str, url: str) -> str:
    """Return pyproject.toml with the URL in [project.urls]."""
    text = re.sub(r"^Repository = .*\n", "", text, flags=re.MULTILINE)
    line = f'Repository = "{url}"\n' if url else ""
    return re.sub(r"^\[project\.urls\]\n", lambda found: found[0] + line, text, flags=re.MULTILINE)


def in_config(text: str, url: str) -> str:
    """Return _config.yml with the Colab buttons, or without them."""
    text = text.partition("\n# Written by tools/set_repository.py")[0].rstrip("\n") + "\n"
    return text + BLOCK.format(url=url, branch=BRANCH) if url.startswith(GITHUB) else text


def in_citation(text: str, url: str) -> str:
    """Return CITATION.cff with the URL."""
    text = re.sub(r"^repository-code: .*\n", "", text, flags=re.MULTILINE)
    return text + (f"repository-code: {url}\n" if url else "")


def _write(path: Path, text: str) -> None:
    if path.read_text(encoding="utf-8") != text:
        part = path.with_name(path.name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)


def set_repository(url: str, root: Path = ROOT) -> None:
    """Write the URL everywhere.

    Raises
    ------
    SystemExit
        If it is no URL of a repository; nothing is changed then.
    """
    url = url.removesuffix("/").removesuffix(".git")
    if not FORM.fullmatch(url):
        raise SystemExit(f"error: {url!r} is not a repository's URL; give one like https://github.com/OWNER/NAME")
    texts: dict[Path, str] = {}
    for path in sorted((root / NOTEBOOKS.name).glob("[0-9][0-9]_*.ipynb")):
        texts |= in_chapter(path, url)
    for name, change in (("_config.yml", in_config), ("CITATION.cff", in_citation), ("pyproject.toml", in_project)):
        texts[root / name] = change((root / name).read_text(encoding="utf-8"), url)
    for path, text in texts.items():
        _write(path, text)


def main() -> int:
    if len(sys.argv) > 2:
        raise SystemExit("error: give one URL, or none")
    set_repository(sys.argv[1] if len(sys.argv) == 2 else repository())
    print(f"the repository is {repository()}" if repository() else "no repository is set")
    return 0


if __name__ == "__main__":
    sys.exit(main())
