"""The repository's URL is written everywhere it must be, in step, and taken out again without a trace."""

import ast
import shutil
import subprocess
import sys
import tomllib

import check_pairs
import nbformat
import pytest
import set_repository
import yaml
from notebooks import ROOT, chapters, stamp

URL = "https://github.com/somebody/a-book"


@pytest.fixture
def copy(tmp_path):
    """A copy of the files that hold the URL."""
    for name in ("pyproject.toml", "_config.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "notebooks").mkdir()
    for script in chapters():
        shutil.copy(script, tmp_path / "notebooks")
        shutil.copy(script.with_suffix(".ipynb"), tmp_path / "notebooks")
    return tmp_path


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_url_goes_everywhere_and_comes_out_again(copy):
    before = contents(copy)
    set_repository.set_repository(URL + "/", copy)
    assert set_repository.repository(copy) == URL
    config = yaml.safe_load((copy / "_config.yml").read_text())
    assert config["repository"]["url"] == URL and config["launch_buttons"]["colab_url"].startswith("https://colab")
    assert yaml.safe_load((copy / "CITATION.cff").read_text())["repository-code"] == URL
    for script in sorted((copy / "notebooks").glob("*.py")):
        assert f'REPOSITORY = "{URL}"' in script.read_text()
        assert check_pairs.problems(script) == [], "script, notebook and stamp are in step, and nothing was run"
        notebook = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
        assert f'REPOSITORY = "{URL}"' in set_repository.bootstrap_of(notebook).source
    written = contents(copy)
    set_repository.set_repository(URL, copy)
    assert contents(copy) == written, "twice is once"
    set_repository.set_repository("", copy)
    assert contents(copy) == before


def test_without_a_url_there_is_no_dead_button():
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    url = set_repository.repository()
    assert ("launch_buttons" in config) == url.startswith("https://github.com/")


@pytest.mark.parametrize(
    "url", ["github.com/a/b", "https://github.com/a", 'https://x.org/a/b"; rm', "ftp://a/b/c", "here"]
)
def test_what_is_no_repository_is_refused_and_nothing_changes(copy, url):
    before = contents(copy)
    with pytest.raises(SystemExit, match="is not a repository's URL; give one like"):
        set_repository.set_repository(url, copy)
    assert contents(copy) == before


def test_the_wrong_python_is_told_which_one_to_use(tmp_path):
    """A newcomer's first command is ``python tools/set_repository.py URL``, with a Python that lacks the packages."""
    command = [sys.executable, "-S", "-E", str(ROOT / "tools" / "set_repository.py"), URL]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("error: this Python has no jupytext; after make book, use")
    assert f".venv/bin/python {command[3]} {URL}" in done.stderr


def test_a_pair_out_of_step_is_refused_and_nothing_changes(copy):
    script = sorted((copy / "notebooks").glob("*.py"))[-1]
    script.write_text(script.read_text() + "\n# %%\n1 + 1\n")
    before = contents(copy)
    with pytest.raises(SystemExit, match="not in step; run"):
        set_repository.set_repository(URL, copy)
    assert contents(copy) == before


def test_old_outputs_are_not_called_new(copy):
    path = sorted((copy / "notebooks").glob("*.ipynb"))[-1]
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["tokvec_stamp"] = "of another run"
    assert notebook.metadata["tokvec_stamp"] != stamp(notebook)
    nbformat.write(notebook, path)
    with pytest.raises(SystemExit, match="not in step"):
        set_repository.in_chapter(path, URL)


@pytest.mark.parametrize("script", chapters(), ids=lambda path: path.stem)
def test_every_chapter_has_the_bootstrap_cell(script):
    """Where this fails: python tools/set_repository.py."""
    wanted = set_repository.BOOTSTRAP.format(url=set_repository.repository())
    notebook = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    cell = set_repository.bootstrap_of(notebook)
    assert cell.source == wanted, "run: python tools/set_repository.py"
    code = [other for other in notebook.cells if other.cell_type == "code"]
    assert code[0] is cell and "remove-cell" in cell.metadata.tags


def imported(sources):
    names = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"tokvec"}


def test_in_colab_a_chapter_finds_every_package_it_imports():
    """What the chapters and the package import is in pyproject.toml: dependencies, or the extra `chapters`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [*project["dependencies"], *project["optional-dependencies"]["chapters"]]
    listed = {name.partition(">")[0].replace("-", "_") for name in listed}
    other_names = {"faiss": "faiss_cpu", "sklearn": "scikit_learn", "PIL": "matplotlib", "IPython": "ipywidgets"}
    grading = {"otter", "traitlets"}  # the extra `coursework`, and what it brings
    sources = [path.read_text(encoding="utf-8") for path in [*(ROOT / "lib").rglob("*.py"), *chapters()]]
    missing = {name for name in imported(sources) if other_names.get(name, name) not in listed} - grading
    assert not missing, "add to [project.optional-dependencies] chapters in pyproject.toml"
