"""The package under hard conditions: two downloads at once, a home that cannot be written, other locales, odd paths."""

import functools
import hashlib
import http.server
import os
import shutil
import subprocess
import sys
import threading

import pytest
from notebooks import ROOT

CONTENT = b"emma\n" * 200_000  # a megabyte, so that two downloads overlap

FETCH = """
import sys
from tokvec import datasets
from tokvec.datasets import Dataset, File
url, digest, size = sys.argv[1:]
file = File("tiny.txt", digest, int(size), url)
datasets.registry = lambda: {"tiny": Dataset("tiny", "names", "none", url, (file,))}
print(datasets.path("tiny").stat().st_size)
"""


def environment(**changes):
    """Return this process's environment with changes; a value of None takes a variable away."""
    merged = {**os.environ, "PYTHONPATH": str(ROOT / "lib"), **changes}
    return {key: value for key, value in merged.items() if value is not None}


def run(*arguments, cwd=ROOT, **changes):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=cwd, capture_output=True, timeout=120, env=environment(**changes)
    )


@pytest.fixture
def address(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "tiny.txt").write_bytes(CONTENT)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/tiny.txt"
    server.shutdown()
    server.server_close()


def test_two_processes_fetching_at_once_end_with_one_good_file(address, tmp_path):
    cache = tmp_path / "cache"
    command = [sys.executable, "-c", FETCH, address, hashlib.sha256(CONTENT).hexdigest(), str(len(CONTENT))]
    both = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(TOKVEC_CACHE=str(cache), TOKVEC_OFFLINE=None, TOKVEC_DATA=None),
        )
        for _ in range(2)
    ]
    for process in both:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err.decode()
        assert int(out) == len(CONTENT)
    assert [path.name for path in cache.iterdir()] == ["tiny.txt"]


def test_a_home_that_cannot_be_written_is_no_trouble_until_something_must_be_stored():
    nowhere = "/proc/no-home"  # the kernel makes no folders there, not even for root
    changes = {"HOME": nowhere, "XDG_CACHE_HOME": f"{nowhere}/cache", "TOKVEC_CACHE": None, "TOKVEC_OFFLINE": None}
    assert run("-m", "tokvec.datasets", "list", **changes).returncode == 0
    done = run("-m", "tokvec.datasets", "fetch", "text8", **changes)
    message = done.stderr.decode()
    assert done.returncode == 1 and "Cannot write to /proc/no-home" in message and "TOKVEC_CACHE" in message
    assert "Traceback" not in message


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_the_commands_print_under_any_locale(encoding):
    changes = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}
    for command in (["-m", "tokvec.datasets", "list"], ["-m", "tokvec.claims"], ["-m", "tokvec.claims", "--json"]):
        done = run(*command, **changes)
        assert done.returncode == 0, done.stderr.decode()
    done = run(ROOT / "tools" / "check_pairs.py", **changes)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def test_a_path_with_spaces(tmp_path):
    """The package, its data beside the project, and the tools work from a folder whose name has spaces and accents."""
    project = tmp_path / "my bóok folder" / "the book"
    for part in ("lib", "tools", "notebooks"):
        shutil.copytree(ROOT / part, project / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    data = project.parent / "shared" / "data"
    data.mkdir(parents=True)
    (data / "names.txt").write_bytes(b"not the names")
    changes = {"PYTHONPATH": str(project / "lib"), "TOKVEC_CACHE": str(tmp_path / "none"), "TOKVEC_DATA": None}
    done = run("-m", "tokvec.datasets", "where", "names", cwd=project, **changes)
    assert done.returncode == 1 and str(data / "names.txt") in done.stderr.decode()
    assert run(project / "tools" / "check_pairs.py", cwd=project, **changes).returncode == 0
    done = run("-m", "tokvec.claims", cwd=project, **changes)
    assert done.returncode == 0 and b"2.4546" in done.stdout


def test_the_package_installs_complete(tmp_path):
    """What `pip install .` puts in place has the registry, the claims, the data and the figures' modules."""
    source, target = tmp_path / "source", tmp_path / "installed"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "lib", source / "lib", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target"]
    done = subprocess.run([*pip, str(target), str(source)], capture_output=True, timeout=180)
    assert done.returncode == 0, done.stderr.decode()

    def files(root):
        found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return {str(path) for path in found if path.suffix != ".pyc" and "__pycache__" not in path.parts}

    assert files(ROOT / "lib" / "tokvec") <= files(target / "tokvec")
    script = "from tokvec import bigram, claims; print(bigram.stored_counts()[0].sum().item(), len(claims.claims()))"
    done = run("-c", script, cwd=tmp_path, PYTHONPATH=str(target))
    assert done.stdout.split()[0] == b"182583", done.stderr.decode()
