"""Grade a folder of submissions: points a question, a total, and a note that says why.

    python -m tokvec.grade 03_bigram-autograder.zip submissions/ --csv grades.csv --jobs 2

The autograder is the zip that ``make coursework`` builds with Otter-Grader; the same zip goes to Gradescope.
A submission is a notebook, or a zip with one in it. Each is run in a process of its own with a time
limit (`tokvec.grade_one`), in a scratch folder that is thrown away, with the package that travels in the autograder.
No submission, whatever is wrong with it, stops the batch. Each row is written as soon as it is known, so an
interrupted batch goes on where it was: run the same command again.

Student code is not sandboxed. It runs as you do and can read what you can read. For submissions
of people you do not know, run this command in a container or on a machine that holds nothing else.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import re
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

LARGEST = 100 * 10**6  # bytes of one submission, unpacked
PROMPT = "_Type your answer here, replacing this text._"  # what Otter puts there
FLOOD = 10**6  # characters of output that deserve a note
MEMORY = 8 * 1024**3  # bytes of address space for one submission
WAITING = "to be graded again"
COLUMNS_AFTER = ["total", "possible", "note", "file", "sha256", "autograder"]


class GradeError(Exception):
    """The batch cannot start; the message says why, and the remedy."""


class Unreadable(Exception):
    """A submission that is no notebook; the message goes into its note."""


# The assignment --------------------------------------------------------------------------


@dataclass(frozen=True)
class Autograder:
    """What an autograder zip holds.

    Attributes
    ----------
    name : str
        The assignment, for instance ``03_bigram``.
    digest : str
        First digits of the SHA-256 of the zip, to know a row of an older autograder.
    tests : dict of str to str
        Source of each question's tests.
    by_hand : tuple of str
        Questions that a person marks; their column stays empty.
    imports : tuple of str
        Modules without which nothing can be graded.
    setup : str
        SHA-256 of the student notebook's first code cell, which carries the public tests.
    files : dict of str to bytes
        Files that every submission finds in its folder.
    wheels : dict of str to bytes
        The package as it travels with the assignment.
    """

    name: str
    digest: str
    tests: dict[str, str]
    by_hand: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    setup: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    wheels: dict[str, bytes] = field(default_factory=dict)

    @property
    def questions(self) -> list[str]:
        """All questions, in the order of their names."""
        return sorted({*self.tests, *self.by_hand}, key=_natural)

    @property
    def columns(self) -> list[str]:
        """The columns of the csv."""
        return ["student", *self.questions, *COLUMNS_AFTER]


def _natural(name: str) -> list[object]:
    """Sort key by which q2 comes before q10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def read_autograder(path: Path) -> Autograder:
    """Read an autograder zip.

    Raises
    ------
    GradeError
        If the file is missing, not a zip, or has no tests of the kind that ``make coursework`` writes.
    """
    if not path.is_file():
        raise GradeError(f"There is no autograder at {path}. Build one: make coursework.")
    content = path.read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            held = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    except zipfile.BadZipFile:
        raise GradeError(f"{path} is not a zip file. Build the autograder again: make coursework.") from None
    tests = {
        Path(name).stem: data.decode("utf-8")
        for name, data in held.items()
        if name.startswith("tests/") and name.endswith(".py")
    }
    if not tests or any("OK_FORMAT = False" not in source for source in tests.values()):
        raise GradeError(f"{path} has no tests in Otter's exception-based format. Build it again: make coursework.")
    about = json.loads(held.get("coursework.json", b"{}"))
    files = {name.removeprefix("files/"): data for name, data in held.items() if name.startswith("files/")}
    return Autograder(
        name=about.get("assignment", path.stem.removesuffix("-autograder")),
        digest=hashlib.sha256(content).hexdigest()[:12],
        tests=dict(sorted(tests.items(), key=lambda item: _natural(item[0]))),
        by_hand=tuple(about.get("by_hand", ())),
        imports=tuple(about.get("imports", ())),
        setup=about.get("setup", ""),
        files={name: data for name, data in files.items() if not name.endswith(".whl")},
        wheels={name: data for name, data in files.items() if name.endswith(".whl")},
    )


# The submissions -------------------------------------------------------------------------


@dataclass(frozen=True)
class Submission:
    """One file that somebody handed in, read at the start, before any student's code runs.

    Attributes
    ----------
    student : str
        The file's name without its ending, or the name of the student's folder.
    file : str
        The path as given, for the csv.
    content : bytes or None
        None when it could not be taken; `problem` says why.
    """

    student: str
    file: str
    content: bytes | None
    problem: str = ""

    @property
    def digest(self) -> str:
        """First digits of the SHA-256 of the content."""
        return hashlib.sha256(self.content or b"").hexdigest()[:12]


def take(student: str, path: Path) -> Submission:
    """Read one submission; a file that cannot be read becomes a submission with a problem."""
    file = str(path) if str(path) == _safe(str(path)) else f"./{path}"
    try:
        if (size := path.stat().st_size) > LARGEST:
            return Submission(student, file, None, f"too large: {size / 1e6:,.0f} MB, the most is 100 MB")
        return Submission(student, file, path.read_bytes())
    except OSError as error:
        return Submission(student, file, None, f"cannot be read ({error.strerror})")


def collect(paths: Iterable[Path], leave_out: Iterable[Path] = ()) -> list[Submission]:
    """Read the submissions: files as they are, folders with one file or one folder a student.

    Raises
    ------
    GradeError
        If a path does not exist, or there is nothing in it.
    """
    skipped = {path.resolve() for path in leave_out}
    found: list[Submission] = []
    for path in paths:
        if not path.exists():
            raise GradeError(f"There is no submission at {path}.")
        entries = sorted(path.iterdir(), key=lambda p: _natural(p.name)) if path.is_dir() else [path]
        for entry in entries:
            if entry.name.startswith((".", "__")) or entry.resolve() in skipped:
                continue
            if entry.is_file():
                found.append(take(entry.stem, entry))
                continue
            inside = [p for p in sorted(entry.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
            inside += sorted(entry.rglob("*.zip"))
            if len(inside) == 1:
                found.append(take(entry.name, inside[0]))
            else:
                problem = f"{len(inside)} notebooks in the folder, not one"
                found.append(Submission(entry.name, str(entry), None, problem))
    if not found:
        raise GradeError(f"No submissions in {', '.join(map(str, paths))}.")
    return found


def read_notebook(content: bytes) -> tuple[list[dict], list[str]]:
    """Return the cells of a submission, and remarks.

    Nothing but the cells' types and sources is read: a notebook whose metadata was stripped is as good as any.

    Parameters
    ----------
    content : bytes
        A notebook, or a zip with one notebook in it.

    Returns
    -------
    cells : list of dict
        ``{"type": "code" or "markdown", "source": str}`` each.
    remarks : list of str
        What the note should say.

    Raises
    ------
    Unreadable
        If there is no notebook in it.
    """
    remarks = []
    if content[:4] == b"PK\x03\x04":
        content, remarks = _unpack(content)
    try:
        notebook = json.loads(content)
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        read = []
        for cell in cells:
            source = cell.get("source", cell.get("input", ""))
            read.append({"type": cell["cell_type"], "source": source if isinstance(source, str) else "".join(source)})
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        what = "empty" if not content.strip() else "a PDF" if content[:4] == b"%PDF" else "not in a notebook's format"
        raise Unreadable(f"not a notebook: the file is {what}") from None
    stored = len(content) - sum(len(cell["source"]) for cell in read)
    if stored > 10 * FLOOD:
        remarks.append(f"stores {stored / 1e6:,.0f} MB of output")
    return read, remarks


def _unpack(content: bytes) -> tuple[bytes, list[str]]:
    """Return the one notebook of a zip, and remarks on what else was in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inside = [item for item in archive.infolist() if not item.filename.startswith("__MACOSX")]
            notebooks = [item for item in inside if item.filename.endswith(".ipynb") and "/." not in item.filename]
            if len(notebooks) != 1:
                raise Unreadable(f"not a notebook: the zip holds {len(notebooks)} of them")
            if notebooks[0].file_size > LARGEST:
                raise Unreadable("too large: over 100 MB unpacked")
            remarks = []
            if any(re.search(r"(^|/)tests[^/]*/.*\.py$", item.filename) for item in inside):
                remarks.append("tests that came with it were ignored")
            return archive.read(notebooks[0]), remarks
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError):
        raise Unreadable("not a notebook: a damaged or locked zip") from None


def answers(cells: list[dict]) -> list[str]:
    """Return what was written below each question that a person marks: the text cells up to Otter's closing comment."""
    found: list[list[str]] = []
    inside = False
    for cell in cells:
        if cell["type"] == "markdown" and "<!-- BEGIN QUESTION -->" in cell["source"]:
            found.append([])
            inside = True
        elif inside and "<!-- END QUESTION -->" in cell["source"]:
            inside = False
        elif inside:
            found[-1].append(cell["source"].replace(PROMPT, "").strip())
    return ["\n\n".join(filter(None, parts)) or "no answer" for parts in found]


def write_answers(path: Path, submissions: list[Submission]) -> None:
    """Write everybody's answers to the open questions into one Markdown file, to be read at a stretch.

    Raises
    ------
    GradeError
        If the file cannot be written.
    """
    lines = []
    for submission in submissions:
        lines.append(f"## {submission.student}\n")
        try:
            said = answers(read_notebook(submission.content or b"")[0])
        except Unreadable as error:
            said = [str(error)]
        for text in said or ["no answer cell"]:
            lines.append("\n".join(f"> {line}".rstrip() for line in text.splitlines() or [""]) + "\n")
    try:
        path.write_text("\n".join(lines), encoding="utf-8")
    except OSError as error:
        raise GradeError(f"Cannot write {path} ({error.strerror}).") from None


# One submission --------------------------------------------------------------------------


def _assignment_of(cells: list[dict]) -> str | None:
    """Return the assignment that a notebook says it is, from its setup cell."""
    for cell in cells:
        if cell["type"] == "code" and (found := re.search(r'^ASSIGNMENT = "(\w+)"', cell["source"], re.MULTILINE)):
            return found[1]
    return None


def setup_digest(source: str) -> str:
    """Return the digest by which a changed setup cell is known; the repository's URL may differ."""
    return hashlib.sha256(re.sub(r'REPOSITORY = ".*"', "", source).strip().encode()).hexdigest()


class Grader:
    """Grades submissions one by one; the batch shares one.

    Parameters
    ----------
    autograder : Autograder
    seconds : float
        Wall-clock limit for one submission. A cell, or a test, gets a twelfth of it, in processor time.
    jobs : int
        How many run at a time, so that each takes its share of the processors.
    """

    def __init__(self, autograder: Autograder, seconds: float = 120, jobs: int = 1) -> None:
        self.autograder, self.seconds, self.jobs = autograder, seconds, jobs
        self.stopped = threading.Event()
        self._running: set[subprocess.Popen] = set()
        self._package = tempfile.TemporaryDirectory(prefix="tokvec-grade-")
        for data in autograder.wheels.values():
            with zipfile.ZipFile(io.BytesIO(data)) as wheel:
                wheel.extractall(self._package.name)

    def close(self) -> None:
        """Stop what runs, and remove the unpacked package."""
        self.stopped.set()
        for process in list(self._running):
            _kill(process)
        self._package.cleanup()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def preflight(self) -> None:
        """Make sure that an empty submission runs here.

        Raises
        ------
        GradeError
            If Otter, the package or another import of the assignment is missing.
        """
        records, ending = self._execute([], {})
        if records and records[-1].get("done"):
            return
        why = next((record["fatal"] for record in records if "fatal" in record), ending or "it ended early")
        raise GradeError(
            f"Nothing can be graded here: {why}. Install the grader's requirements first: "
            "pip install 'tokvec[coursework]', or use the book's .venv."
        )

    def grade(self, submission: Submission) -> dict[str, object]:
        """Return the csv row of one submission. Raises nothing that a submission can cause."""
        row: dict[str, object] = {
            "student": _safe(submission.student),
            **{question: 0 for question in self.autograder.tests},
            **{question: "" for question in self.autograder.by_hand},
            "total": 0,
            "possible": "",
            "file": submission.file,
            "sha256": submission.digest,
            "autograder": self.autograder.digest,
        }
        possible = {question: _possible(source) for question, source in self.autograder.tests.items()}
        notes: list[str] = []
        try:
            self._grade(submission, row, possible, notes)
        except Exception as error:  # ours, not the student's: say so, and go on
            notes.append(f"could not be graded ({type(error).__name__}: {error}): look at it by hand")
        row["total"] = _tidy(sum(float(row[question]) for question in self.autograder.tests))
        row["possible"] = _tidy(sum(possible.values()))
        row["note"] = _safe("; ".join(notes))
        return row

    def _grade(self, submission: Submission, row: dict, possible: dict, notes: list[str]) -> None:
        if submission.content is None:
            notes.append(submission.problem)
            return
        try:
            cells, remarks = read_notebook(submission.content)
        except Unreadable as error:
            notes.append(str(error))
            return
        notes += remarks
        name = self.autograder.name
        code = [(number, cell["source"]) for number, cell in enumerate(cells, 1) if cell["type"] == "code"]
        said = _assignment_of(cells)
        asked = {q for q in self.autograder.tests if any(re.search(rf"check\(.{q}.\)", text) for _, text in code)}
        if said not in (None, name):
            notes.append(f"wrong notebook: this is {said}, not {name}")
            return
        if said is None and not asked:
            notes.append(f"wrong notebook: nothing of {name} is in it")
            return
        if said is None:
            notes.append("the setup cell is missing")
        elif self.autograder.setup and all(setup_digest(text) != self.autograder.setup for _, text in code):
            why = "an earlier hand-out, or changed"
            notes.append(f"its setup cell is not this build's ({why}); graded with this build's tests")
        if lost := [question for question in self.autograder.tests if question not in asked]:
            notes.append(f"no check cell for {', '.join(lost)}; tested after the last cell")

        records, ending = self._execute(code, self.autograder.tests)
        for record in records:
            if "question" in record:  # a question that is checked twice keeps the last score
                row[record["question"]] = _tidy(record["score"])
                possible[record["question"]] = record["possible"]
        notes += _notes(records, ending, len(self.autograder.tests))

    def _execute(self, cells: list, tests: dict[str, str]) -> tuple[list[dict], str]:
        """Run cells and tests in a process of its own; return its log, and how it ended if not by itself."""
        scratch = Path(tempfile.mkdtemp(prefix="tokvec-grade-"))
        try:
            folders = {name: scratch / name for name in ("work", "home", "tmp")}
            for folder in folders.values():
                folder.mkdir()
            for name, data in self.autograder.files.items():
                (folders["work"] / name).parent.mkdir(parents=True, exist_ok=True)
                (folders["work"] / name).write_bytes(data)
            job = {
                "cells": cells,
                "tests": tests,
                "imports": self.autograder.imports,
                "allowed": [str(folder) for folder in folders.values()],
                "seconds": self.seconds,
                "cell_seconds": self.seconds / 12,
                "memory": MEMORY,
            }
            (scratch / "job.json").write_text(json.dumps(job), encoding="utf-8")
            ending = self._wait(scratch, folders)
            log = scratch / "log"
            return (_read_log(log) if log.exists() else []), ending
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _wait(self, scratch: Path, folders: dict[str, Path]) -> str:
        command = [sys.executable, "-P", str(Path(__file__).with_name("grade_one.py"))]
        with open(scratch / "stderr", "wb") as stderr:
            process = subprocess.Popen(
                [*command, str(scratch / "job.json"), str(scratch / "log")],
                cwd=folders["work"],
                env=self._environment(folders),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        self._running.add(process)
        try:
            if self.stopped.is_set():
                _kill(process)
            code = process.wait(self.seconds)
            if code < 0:
                return f"its process was killed by {signal.Signals(-code).name}"
            return f"its process left with exit code {code}" if code else ""
        except subprocess.TimeoutExpired:
            return f"stopped after {self.seconds:g} seconds"
        finally:
            _kill(process)  # and whatever it left running in its group
            self._running.discard(process)

    def _environment(self, folders: dict[str, Path]) -> dict[str, str]:
        """The environment of one submission: its own home, the package of the assignment, its share of the cores."""
        from tokvec import datasets

        own = str(Path(__file__).resolve().parents[1])
        packages = [self._package.name if self.autograder.wheels else own, os.environ.get("PYTHONPATH", "")]
        threads = str(max(1, (os.cpu_count() or 1) // self.jobs))
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, packages)),
            "PYTHONUSERBASE": site.getuserbase(),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "TOKVEC_CACHE": str(datasets.cache_folder()),
            "HOME": str(folders["home"]),
            "TMPDIR": str(folders["tmp"]),
            "IPYTHONDIR": str(folders["home"]),
            "MPLCONFIGDIR": str(folders["home"]),
            "MPLBACKEND": "Agg",
            "PIP_TARGET": str(folders["home"] / "installed"),  # what a cell installs does not stay
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            "MKL_NUM_THREADS": threads,
        }


def _kill(process: subprocess.Popen) -> None:
    """End a process and its group; nothing happens when they have ended."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    except AttributeError:  # Windows has no process groups
        process.kill()
    process.wait()


def _read_log(path: Path) -> list[dict]:
    records = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:  # the last line of a killed process
            continue
        if isinstance(record, dict):
            records.append(record)
    return records


def _possible(source: str) -> float:
    """Return the points of a question from the source of its tests."""
    found = re.search(r"^points = ([\d.]+)", source, re.MULTILINE)
    return float(found[1]) if found else 1.0


def _notes(records: list[dict], ending: str, tests: int) -> list[str]:
    """Say in words what happened while a submission ran."""
    notes = []
    cell = next((record["cell"] for record in reversed(records) if "cell" in record), None)
    finished = bool(records) and records[-1].get("done", False)
    if not finished:
        fatal = [record["fatal"] for record in records if "fatal" in record]
        why = fatal[0] if fatal else ending or "its process ended early"
        where = f", in cell {cell}" if cell is not None else ""
        done = len({record["question"] for record in records if "question" in record})
        notes.append(f"{why}{where}; {done} of {tests} questions were tested before that, the others count 0")
    failed = [record for record in records if "error" in record]
    for record in failed[:3]:
        what = record["error"] if not record["stopped"] else f"endless? {record['error']}"
        notes.append(f"cell {record['cell']}: {what}")
    if len(failed) > 3:
        notes.append(f"{len(failed) - 3} more cells failed")
    last = {record["question"]: record for record in records if "question" in record}
    for question, record in last.items():
        if record["missing"]:
            notes.append(f"{question}: no {', '.join(record['missing'])}")
        elif any(failure.startswith("TimeoutError") for failure in record["failures"]):
            notes.append(f"{question}: too slow or endless")
    outside = [record["outside"] for record in records if "outside" in record]
    if outside:
        notes.append(f"tried to write outside its folder: {', '.join(outside[:3])}")
    characters = records[-1].get("characters", 0) if records else 0
    if characters > FLOOD:
        notes.append(f"printed {characters / 1e6:,.0f} million characters")
    return notes


def _tidy(points: float) -> float | int:
    points = round(points, 3)
    return int(points) if points == int(points) else points


def _safe(text: str) -> str:
    """Make a text one line that a spreadsheet will not take for a formula."""
    line = re.sub(r"[^\x20-\x7e\u00a0-\uffff]+", " ", text)[:600]
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line


# The batch -------------------------------------------------------------------------------


def read_rows(path: Path, autograder: Autograder) -> list[dict]:
    """Return the rows of an earlier, perhaps interrupted, batch.

    Raises
    ------
    GradeError
        If the file is something other than grades of this assignment, so that nothing of yours is overwritten.
    """
    if not path.exists():
        return []
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            # Where the decimal sign is a comma, a spreadsheet saves the file with semicolons.
            semicolons = stream.readline().startswith("student;")
            stream.seek(0)
            reader = csv.DictReader(stream, delimiter=";" if semicolons else ",")
            if list(reader.fieldnames or []) == autograder.columns:
                return list(reader)
    except (OSError, UnicodeDecodeError, csv.Error):
        pass
    raise GradeError(f"{path} exists and does not hold grades of {autograder.name}. Give --csv another name.")


def write_rows(path: Path, autograder: Autograder, rows: Iterable[dict]) -> None:
    """Write the csv under a temporary name, and move it into place."""
    temporary = path.with_name(path.name + ".part")
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, autograder.columns, lineterminator="\n", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(temporary, path)
    except OSError as error:
        raise GradeError(f"Cannot write {path} ({error.strerror}). Give --csv a place that can be written.") from None


def keep_marks(row: dict, before: dict | None, by_hand: Iterable[str]) -> dict:
    """Return a new row with the points that a person gave in the old one.

    They are kept where the submission is the same, graded again because the tests changed. Where the file has changed
    they were given for other answers, and the note says so.
    """
    given = {question: before[question] for question in by_hand if before and before[question]}
    if given and before["sha256"] != row["sha256"]:
        said = ", ".join(f"{question} had {points}" for question, points in given.items())
        return {**row, "note": "; ".join(filter(None, [row["note"], f"handed in again: {said} by hand"]))}
    return {**row, **given}


def grade_all(
    autograder: Autograder, submissions: list[Submission], path: Path, seconds: float = 120, jobs: int = 1
) -> list[dict]:
    """Grade every submission that the csv does not hold yet, and write the csv after each.

    Parameters
    ----------
    autograder : Autograder
        The assignment.
    submissions : list of Submission
        From `collect`.
    path : Path
        The csv. Rows of the same file, unchanged, graded with the same autograder, are taken as they are.
    seconds : float
        Limit for one submission.
    jobs : int
        How many run at a time.

    Returns
    -------
    list of dict
        All rows, in the order of the submissions.
    """
    from tqdm.auto import tqdm

    earlier = read_rows(path, autograder)
    rows = {row["file"]: row for row in earlier}
    left = [
        submission
        for submission in submissions
        if (row := rows.get(submission.file)) is None
        or (row["sha256"], row["autograder"]) != (submission.digest, autograder.digest)
    ]
    # Rows of files that are not here now are kept: a late submission may be graded into the same csv.
    order = [*dict.fromkeys([submission.file for submission in submissions] + list(rows))]
    before = {submission.file: rows.pop(submission.file) for submission in left if submission.file in rows}
    for file, row in before.items():  # points by hand stay in the csv, even if the batch is interrupted
        if any(row[question] for question in autograder.by_hand):
            rows[file] = {**row, **dict.fromkeys(autograder.tests, ""), "total": "", "note": WAITING, "autograder": ""}

    def write() -> None:
        write_rows(path, autograder, (rows[file] for file in order if file in rows))

    if left:
        with Grader(autograder, seconds, jobs) as grader, ThreadPoolExecutor(jobs) as pool:
            grader.preflight()
            write()
            try:
                waiting = {pool.submit(grader.grade, submission): submission for submission in left}
                for done in tqdm(as_completed(waiting), total=len(left), desc="grading", unit="", disable=None):
                    file = waiting[done].file
                    rows[file] = keep_marks(done.result(), before.get(file), autograder.by_hand)
                    write()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                grader.close()
                raise
    return [rows[submission.file] for submission in submissions]


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m tokvec.grade``; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tokvec.grade", description="Grade submissions; student code is not sandboxed."
    )
    parser.add_argument("autograder", type=Path, help="the zip that make coursework built")
    parser.add_argument("submission", type=Path, nargs="+", help="notebooks, zips, or folders of them")
    parser.add_argument("--csv", type=Path, default=Path("grades.csv"), help="where to write (default: grades.csv)")
    parser.add_argument("--seconds", type=float, default=120, help="limit for one submission (default: 120)")
    parser.add_argument("--answers", type=Path, help="write all answers to open questions into this Markdown file")
    parser.add_argument("--jobs", type=int, default=1, help="how many to run at a time (default: 1)")
    chosen = parser.parse_args(arguments)
    if chosen.jobs < 1 or not chosen.seconds > 0:
        parser.error("--jobs and --seconds are positive")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended politely is interrupted
    try:
        autograder = read_autograder(chosen.autograder)
        submissions = collect(
            chosen.submission, leave_out=[chosen.csv, chosen.autograder, chosen.answers or chosen.csv]
        )
        if chosen.answers:
            write_answers(chosen.answers, submissions)
        rows = grade_all(autograder, submissions, chosen.csv, chosen.seconds, chosen.jobs)
    except GradeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ninterrupted; {chosen.csv} has the rows so far. The same command goes on from there.", file=sys.stderr)
        return 130
    noted = sum(bool(row["note"]) for row in rows)
    print(f"{len(rows)} graded, {noted} with a note: {chosen.csv}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
