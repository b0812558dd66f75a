"""Every file is verified, every failure says what, where and the remedy, and nothing is left half-written."""

import functools
import hashlib
import http.server
import io
import os
import subprocess
import sys
import tarfile
import threading
from dataclasses import replace

import pytest

from tokvec import datasets
from tokvec.datasets import CorruptDataset, Dataset, DatasetError, File, MissingDataset, UnknownDataset

CONTENT = b"emma\nolivia\nava\n"
OTHER = b"emma\nolivia\nAva\n"  # the same length


@pytest.fixture
def server(tmp_path):
    """A web server of our own on this machine, and the folder it serves."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}", folder
    httpd.shutdown()
    httpd.server_close()


@pytest.fixture
def tiny(monkeypatch, tmp_path, server):
    """A registry of one small data set, served locally, with an empty cache and no other place."""
    url, _ = server
    file = File("tiny.txt", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), f"{url}/tiny.txt")
    dataset = Dataset("tiny", "three names", "public domain", url, (file,))
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": dataset})
    monkeypatch.setenv("TOKVEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOKVEC_DATA", raising=False)
    monkeypatch.delenv("TOKVEC_OFFLINE", raising=False)
    return tmp_path / "cache" / "tiny.txt"


def left_behind(folder):
    return [path.name for path in folder.rglob("*") if path.is_file()] if folder.exists() else []


def test_a_download_is_verified_and_kept(tiny, server):
    (server[1] / "tiny.txt").write_bytes(CONTENT)
    assert datasets.where("tiny") is None
    assert datasets.path("tiny").read_bytes() == CONTENT
    (server[1] / "tiny.txt").unlink()
    assert datasets.path("tiny") == tiny and datasets.where("tiny") == ("cache", tiny.parent)


def test_an_unknown_name_lists_the_known_ones(tiny):
    with pytest.raises(UnknownDataset, match="'nmaes'.*tiny") as caught:
        datasets.folder("nmaes")
    assert isinstance(caught.value, KeyError) and not str(caught.value).startswith('"')


@pytest.mark.parametrize("sent", [OTHER, CONTENT[:-3], b""], ids=["other bytes", "truncated", "empty"])
def test_a_wrong_download_is_refused_and_leaves_nothing(tiny, server, sent):
    (server[1] / "tiny.txt").write_bytes(sent)
    with pytest.raises(CorruptDataset, match="tiny.txt.*Nothing was kept"):
        datasets.path("tiny")
    assert left_behind(tiny.parent) == []


def test_no_network_and_no_such_file_name_size_source_and_remedy(tiny, monkeypatch, server):
    with pytest.raises(MissingDataset, match="three names.*0.0 kB.*404.*datasets fetch tiny"):
        datasets.path("tiny")
    dead = File("tiny.txt", "0" * 64, 16, "http://127.0.0.1:9/tiny.txt")  # nothing listens on the discard port
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": Dataset("tiny", "w", "l", "s", (dead,))})
    with pytest.raises(MissingDataset, match="is not on this machine.*datasets fetch tiny"):
        datasets.path("tiny")
    assert left_behind(tiny.parent) == []


def test_an_unreachable_server_is_named_and_so_are_the_files_to_bring(tiny, monkeypatch, server):
    """Three facts for a reader without a network: what cannot be reached, which file, and into which folder."""
    file = datasets.describe("tiny").files[0]
    file = replace(file, url="http://127.0.0.1:9/tiny.txt")
    away = Dataset("tiny", "three names", "public domain", "elsewhere", (file,), folder="in")
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": away})
    with pytest.raises(MissingDataset) as caught:
        datasets.path("tiny")
    said = str(caught.value)
    assert "127.0.0.1 cannot be reached from here" in said and "HTTPConnectionPool" not in said
    assert "put tiny.txt into FOLDER/in, a folder of yours, and set TOKVEC_DATA to FOLDER" in said
    assert sys.executable in said, "the Python that has the package"


def test_offline_the_network_is_not_tried(tiny, monkeypatch, server):
    (server[1] / "tiny.txt").write_bytes(CONTENT)
    monkeypatch.setenv("TOKVEC_OFFLINE", "1")
    with pytest.raises(MissingDataset, match="the network was not tried"):
        datasets.path("tiny")
    monkeypatch.delenv("TOKVEC_OFFLINE")
    with pytest.raises(MissingDataset, match="the network was not tried"):
        datasets.folder("tiny", download=False)


@pytest.mark.parametrize(
    ("held", "told"), [(OTHER, "SHA-256"), (CONTENT[:-3], "truncated"), (CONTENT + b"x", "another file")]
)
def test_a_bad_file_in_the_cache_is_named_and_mended(tiny, monkeypatch, server, held, told):
    tiny.parent.mkdir()
    tiny.write_bytes(held)
    monkeypatch.setenv("TOKVEC_OFFLINE", "1")
    with pytest.raises(CorruptDataset, match=told):
        datasets.path("tiny")
    assert tiny.read_bytes() == held, "a file that is not ours to delete stays"
    monkeypatch.delenv("TOKVEC_OFFLINE")
    (server[1] / "tiny.txt").write_bytes(CONTENT)
    assert datasets.path("tiny").read_bytes() == CONTENT
    assert left_behind(tiny.parent) == ["tiny.txt"]


def test_the_folder_of_the_user_comes_first_and_a_bad_file_there_is_passed_over_aloud(tiny, monkeypatch, tmp_path):
    mine = tmp_path / "mine"
    for folder in (mine, tiny.parent):
        folder.mkdir()
        (folder / "tiny.txt").write_bytes(CONTENT)
    monkeypatch.setenv("TOKVEC_DATA", str(mine))
    assert datasets.path("tiny").parent == mine
    (mine / "tiny.txt").write_bytes(OTHER)
    with pytest.warns(UserWarning, match="passed over.*SHA-256"):
        assert datasets.path("tiny") == tiny


@pytest.mark.parametrize("blocked", ["cache is a file", "cannot be made"])
def test_an_unwritable_cache_is_one_clear_error(tiny, monkeypatch, server, tmp_path, blocked):
    (server[1] / "tiny.txt").write_bytes(CONTENT)
    if blocked == "cache is a file":
        (tmp_path / "cache").write_text("in the way")
    else:  # root may write anywhere, so the refusal is played
        monkeypatch.setattr("pathlib.Path.mkdir", lambda *a, **k: (_ for _ in ()).throw(PermissionError(13, "denied")))
    with pytest.raises(DatasetError, match="Cannot write to .*TOKVEC_CACHE"):
        datasets.path("tiny")


def test_an_archive_gives_up_its_one_member(tiny, monkeypatch, server):
    url, folder = server
    with tarfile.open(folder / "tiny.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("inside/tiny.txt")
        info.size = len(CONTENT)
        archive.addfile(info, io.BytesIO(CONTENT))
    good = File("tiny.txt", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), f"{url}/tiny.tar.gz", "inside/tiny.txt")
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": Dataset("tiny", "w", "l", "s", (good,))})
    assert datasets.path("tiny").read_bytes() == CONTENT
    assert left_behind(tiny.parent) == ["tiny.txt"]
    tiny.unlink()
    bad = File("tiny.txt", "0" * 64, len(CONTENT), f"{url}/tiny.tar.gz", "inside/tiny.txt")
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": Dataset("tiny", "w", "l", "s", (bad,))})
    with pytest.raises(CorruptDataset):
        datasets.path("tiny")
    assert left_behind(tiny.parent) == []


def test_what_only_a_package_carries_says_which_to_install(tiny, monkeypatch):
    files = (File("tiny.txt", "0" * 64, 16),)
    only = Dataset("tiny", "w", "l", "s", files, package="no_such_package_", pip="tiny-data")
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": only})
    with pytest.raises(MissingDataset, match="pip install tiny-data"):
        datasets.path("tiny")


def test_a_data_set_of_several_files_has_a_folder_not_a_path():
    with pytest.raises(DatasetError, match=r"3 files: ask for datasets\.folder\('sts'\)"):
        datasets.path("sts")
    with pytest.raises(ValueError, match="'dev' or 'test', not 'valid'"):
        datasets.sts("valid")


def test_the_registry_is_complete():
    for name, dataset in datasets.registry().items():
        assert dataset.what and dataset.licence and dataset.source, name
        assert dataset.size > 0 and all(len(file.sha256) == 64 for file in dataset.files), name
        assert dataset.pip or all(file.url for file in dataset.files), name


@pytest.mark.parametrize("command", ["list", "where", "fetch"])
def test_the_commands(tiny, server, capsys, command):
    (server[1] / "tiny.txt").write_bytes(CONTENT)
    arguments = [command] if command == "list" else [command, "tiny"]
    code = datasets.main(arguments)
    out, err = capsys.readouterr()
    if command == "where":
        assert code == 1 and "error: " in err and "fetch tiny" in err
        datasets.fetch("tiny")
        assert datasets.main(arguments) == 0 and capsys.readouterr().out.strip() == str(tiny.parent)
    else:
        assert code == 0 and "tiny" in out
    assert datasets.main(["where", "nmaes"]) == 1


def test_the_package_is_cheap_to_import():
    script = (
        "import sys, tokvec, tokvec.datasets, tokvec.claims, tokvec.plots\n"
        "print(sorted({'torch', 'transformers', 'numba', 'matplotlib', 'gensim', 'pooch'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ)
    assert run.stdout.strip() == "[]"
