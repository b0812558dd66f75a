"""One batch with every kind of bad submission as a real file: each has its note, and none costs another its grade."""

import csv
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile

import coursework
import pytest

from tokvec import grade

MASTER = '''# %% [markdown]
# # Made for a test

# %%
import math

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [raw]
# # BEGIN SOLUTION

# %%
def double(x):
    """Return twice x."""
    return 2 * x  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_two(double):
    assert double(1) == 2, "twice one is two"

# %%
# HIDDEN
def test_negative(double):
    assert double(-3) == -6

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [raw]
# # BEGIN SOLUTION

# %%
answer = math.factorial(4)  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_answer(answer):
    assert answer == 24, "four factorial is 24"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 1
# manual: true

# %% [markdown]
# Why?

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# Because.

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The made assignment, built as every other, its package a small wheel of our own."""
    folder = tmp_path_factory.mktemp("built")
    wheel = folder / "tokvec-0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("made_for_a_test.py", "value = 1\n")
    (folder / "11_made.py").write_text(MASTER, encoding="utf-8")
    coursework.build(folder / "11_made.py", wheel, folder)
    return folder


@pytest.fixture(scope="module")
def cells(built):
    """Sources of the reference's code cells: setup, import, q1, its check, q2, its check."""
    notebook = json.loads((built / "solutions" / "11_made.ipynb").read_text(encoding="utf-8"))
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def notebook(sources, stripped=False):
    kept = {} if stripped else {"metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}
    one = {} if stripped else {"metadata": {}, "execution_count": None, "outputs": []}
    return json.dumps({**kept, "cells": [{"cell_type": "code", "source": source, **one} for source in sources]})


@pytest.fixture(scope="module")
def batch(built, cells, tmp_path_factory):
    """Grade one folder of good and bad submissions; return the rows by student, and the csv."""
    folder = tmp_path_factory.mktemp("batch") / "submissions"
    folder.mkdir()
    setup, imports, q1, check1, q2, check2 = cells

    def submit(name, sources, **how):
        (folder / f"{name}.ipynb").write_text(notebook(sources, **how), encoding="utf-8")

    submit("aa_good", cells)
    submit("endless", [setup, imports, "while True:\n    pass", q1, check1, q2, check2])
    # The loop is in a function: the jump back of a loop written inside the try is not covered by it in Python 3.11,
    # and one alarm in fourteen would get past the student's except.
    spin = "def spin():\n    while True: math.sqrt(2)\n"
    stubborn = spin + "while True:\n    try: spin()\n    except Exception: pass"
    submit("endless_stubborn", [setup, imports, q1, check1, stubborn, q2, check2])
    deep = "import itertools; sum(itertools.repeat(1, 10**15))"  # one call into C, which no timer interrupts
    submit("endless_deep", [setup, imports, q1, check1, deep, q2, check2])
    submit("sleeps", [setup, imports, "import time; time.sleep(500)", q1, check1, q2, check2])
    submit("endless_function", [setup, imports, "def double(x):\n    while True: pass", check1, q2, check2])
    submit("dies", [setup, imports, q1, check1, "import os; os.kill(os.getpid(), 9)", q2, check2])
    submit("leaves", [setup, imports, "def double(x):\n    raise SystemExit", check1, q2, check2])
    submit("syntax", [setup, imports, "def double(x)\n    return 2 * x", check1, q2, check2])
    submit("missing_check", [setup, imports, q1, q2, check2])
    submit("renamed", [setup, imports, q1.replace("double", "twice"), check1, q2, check2])
    submit("no_setup", [imports, q1, check1, q2, check2])
    submit("stripped", cells, stripped=True)
    submit("wrong", [setup.replace('"11_made"', '"12_other"'), *cells[1:]])
    submit("foreign", ["print('my holiday')"])
    (folder / "pdf.ipynb").write_bytes(b"%PDF-1.7 not json at all")
    (folder / "empty.ipynb").write_bytes(b"")
    (folder / "list.ipynb").write_text("[1, 2]")
    submit("flood", [setup, imports, "for _ in range(300): print('x' * 100_000)", q1, check1, q2, check2])
    submit("memory", [setup, imports, q1, check1, "big = bytearray(10**12)", q2, check2])
    wrong = "def double(x): return 0"
    submit("tampered_setup", [setup.replace("== 2,", "!= 99,"), imports, wrong, check1, q2, check2])
    overwrite = "from pathlib import Path\nfor p in Path('.').rglob('q1.py'): p.write_text('')"
    submit("tampered_files", [setup, imports, overwrite, wrong, check1, q2, check2])
    (folder.parent / "victim").write_text("whole")
    outside = [
        f"import pathlib\npathlib.Path({str(folder.parent / 'victim')!r}).write_text('spoilt')",
        f"import os\nos.remove({str(folder / 'zz_good.ipynb')!r})",
        "import os\nos.rename('../job.json', 'x')",
        "open('mine', 'w').write('this is allowed')",
    ]
    submit("outside", [setup, imports, *outside, q1, check1, q2, check2])
    with zipfile.ZipFile(folder / "zipped.zip", "w") as archive:
        archive.writestr("work/made.ipynb", notebook(cells))
        archive.writestr("work/tests/q1.py", "name = 'q1'")
    (folder / "in_a_folder").mkdir()
    (folder / "in_a_folder" / "anything.ipynb").write_text(notebook(cells))
    (folder / "two_of_them").mkdir()
    for name in "ab":
        (folder / "two_of_them" / f"{name}.ipynb").write_text(notebook(cells))
    submit("=evil()", cells)
    submit("zz_good", cells)
    path = folder.parent / "grades.csv"
    command = [str(built / "autograder" / "11_made-autograder.zip"), str(folder), "--csv", str(path)]
    assert grade.main([*command, "--seconds", "24", "--jobs", "2"]) == 0
    with open(path, newline="") as stream:
        rows = {row["student"]: row for row in csv.DictReader(stream)}
    assert (folder.parent / "victim").read_text() == "whole" and (folder / "zz_good.ipynb").exists()
    assert len(rows) == len(list(folder.iterdir()))
    return rows, path, command


# name, points of q1, points of q2, what the note says
EXPECTED = [
    ("aa_good", "2", "3", ""),
    ("zz_good", "2", "3", ""),
    ("endless", "2", "3", "cell 3: endless? TimeoutError: stopped after 2 seconds"),
    ("endless_stubborn", "2", "0", "in cell 5; 1 of 2 questions were tested"),
    ("endless_deep", "2", "0", "stopped after 24 seconds, in cell 5; 1 of 2 questions were tested"),
    ("sleeps", "2", "3", "cell 3: endless? TimeoutError"),
    ("endless_function", "0", "3", "q1: too slow or endless"),
    ("dies", "2", "0", "killed by SIGKILL, in cell 5; 1 of 2 questions were tested"),
    ("leaves", "0", "3", ""),
    ("syntax", "0", "3", "cell 3: SyntaxError"),
    ("missing_check", "2", "3", "no check cell for q1; tested after the last cell"),
    ("renamed", "0", "3", "q1: no double"),
    ("no_setup", "2", "3", "the setup cell is missing"),
    ("stripped", "2", "3", ""),
    ("wrong", "0", "0", "wrong notebook: this is 12_other, not 11_made"),
    ("foreign", "0", "0", "wrong notebook: nothing of 11_made is in it"),
    ("pdf", "0", "0", "not a notebook: the file is a PDF"),
    ("empty", "0", "0", "not a notebook: the file is empty"),
    ("list", "0", "0", "not a notebook"),
    ("flood", "2", "3", "printed 30 million characters"),
    ("memory", "2", "3", "cell 5: MemoryError"),
    ("tampered_setup", "0", "3", "not this build's (an earlier hand-out, or changed)"),
    ("tampered_files", "0", "3", ""),
    ("outside", "2", "3", "tried to write outside its folder"),
    ("zipped", "2", "3", "tests that came with it were ignored"),
    ("in_a_folder", "2", "3", ""),
    ("two_of_them", "0", "0", "2 notebooks in the folder, not one"),
]


@pytest.mark.parametrize(("student", "q1", "q2", "note"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_each_submission_has_its_points_and_its_note(batch, student, q1, q2, note):
    row = batch[0][student]
    assert (row["q1"], row["q2"], row["q3"]) == (q1, q2, ""), row["note"]
    assert float(row["total"]) == float(q1) + float(q2) and row["possible"] == "5"
    assert note in row["note"]
    assert note or not row["note"] or student in ("leaves", "tampered_files"), row["note"]


def test_two_alarms_at_one_moment_raise_once(tmp_path):
    from tokvec import grade_one

    both = {signal.SIGALRM, signal.SIGPROF}
    before = {number: signal.getsignal(number) for number in both}
    timer = grade_one.Timer(1000, grade_one.Log(str(tmp_path / "log")))
    caught = 0
    try:
        timer.start()
        signal.pthread_sigmask(signal.SIG_BLOCK, both)
        for number in both:
            signal.raise_signal(number)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, both)  # both arrive here, one after the other
        except TimeoutError:
            caught += 1
    finally:
        timer.stop()
        for number, handler in before.items():
            signal.signal(number, handler)
    assert caught == timer.rings == 1


def test_every_write_outside_is_named(batch):
    note = batch[0]["outside"]["note"]
    assert all(name in note for name in ("victim", "zz_good.ipynb", "job.json")) and "mine" not in note


def test_a_name_is_no_formula_in_a_spreadsheet(batch):
    assert "'=evil()" in batch[0]


def test_run_again_everything_is_kept_and_a_changed_file_graded_anew(batch, built, cells, monkeypatch):
    rows, path, command = batch
    before = path.read_bytes()
    monkeypatch.setattr(grade.Grader, "grade", lambda self, submission: pytest.fail(f"{submission.file} again"))
    assert grade.main(command) == 0 and path.read_bytes() == before
    graded = []

    def once(self, submission):
        graded.append(submission)
        return dict(rows["aa_good"])

    monkeypatch.setattr(grade.Grader, "grade", once)
    late = path.parent / "late.ipynb"
    late.write_text(notebook(cells))
    assert grade.main([command[0], str(late), "--csv", str(path)]) == 0
    assert [submission.student for submission in graded] == ["late"]
    assert len(path.read_text().splitlines()) == len(before.splitlines()) + 1, "the rows of the others are kept"
    path.write_bytes(before)


def test_points_given_by_hand_outlive_a_new_autograder(built, cells, tmp_path, monkeypatch):
    """A teacher fills in the column of q3, corrects a test, builds and grades again."""
    (tmp_path / "a.ipynb").write_text(notebook(cells), encoding="utf-8")
    (tmp_path / "b.ipynb").write_text(notebook(cells), encoding="utf-8")
    path = tmp_path / "grades.csv"
    old = grade.read_autograder(built / "autograder" / "11_made-autograder.zip")
    new = dataclasses.replace(old, digest="another")
    monkeypatch.setattr(grade.Grader, "preflight", lambda self: None)
    monkeypatch.setattr(grade.Grader, "_grade", lambda self, submission, row, possible, notes: row.update(q1=2))
    grade.grade_all(old, grade.collect([tmp_path], [path]), path)
    path.write_text(re.sub(r"^([ab]),2,0,,", r"\1,2,0,1.5,", path.read_text(), flags=re.MULTILINE))
    (tmp_path / "b.ipynb").write_text(notebook([*cells, "1"]), encoding="utf-8")

    def interrupted(self, submission):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(grade.Grader, "grade", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grade.grade_all(new, grade.collect([tmp_path], [path]), path)
    assert [row["q3"] for row in grade.read_rows(path, new)] == ["1.5", "1.5"], "an interruption loses none"
    path.write_text("\ufeff" + path.read_text().replace(",", ";"), encoding="utf-8")  # saved by a spreadsheet in Europe
    a, b = grade.grade_all(new, grade.collect([tmp_path], [path]), path)
    assert (a["q3"], a["note"], a["autograder"]) == ("1.5", "", "another")
    assert (b["q3"], b["note"]) == ("", "handed in again: q3 had 1.5 by hand"), "they were for other answers"


def test_interrupted_it_keeps_what_it_has_and_goes_on(built, cells, tmp_path):
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "a.ipynb").write_text(notebook(cells))
    (folder / "b.ipynb").write_text(notebook([*cells, "import time; time.sleep(60)"]))
    path = tmp_path / "grades.csv"
    command = [sys.executable, "-m", "tokvec.grade", str(built / "autograder" / "11_made-autograder.zip"), str(folder)]
    process = subprocess.Popen(
        [*command, "--csv", str(path), "--seconds", "600"],
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts its background jobs with Ctrl-C ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and len(path.read_text().splitlines()) == 2):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130 and "goes on from there" in told
    (folder / "b.ipynb").write_text(notebook(cells))
    assert subprocess.run([*command, "--csv", str(path)], capture_output=True, timeout=60).returncode == 0
    with open(path, newline="") as stream:
        assert [(row["student"], row["total"]) for row in csv.DictReader(stream)] == [("a", "5"), ("b", "5")]


def test_a_batch_that_cannot_start_says_why_and_writes_nothing(built, tmp_path, capsys, monkeypatch):
    good = str(built / "autograder" / "11_made-autograder.zip")
    path = tmp_path / "grades.csv"
    (tmp_path / "other.csv").write_text("name,phone\n")
    (tmp_path / "broken.zip").write_bytes(b"PK nothing")
    student = str(built / "student" / "11_made.ipynb")
    for arguments, told in (
        ([str(tmp_path / "none.zip"), student], "no autograder at"),
        ([str(tmp_path / "broken.zip"), student], "not a zip file"),
        ([good, str(tmp_path / "nobody")], "no submission at"),
        ([good, student, "--csv", str(tmp_path / "other.csv")], "does not hold grades of 11_made"),
        ([good, student, "--csv", str(tmp_path / "nowhere" / "g.csv")], "Cannot write"),
    ):
        assert grade.main([*arguments[:2], *(arguments[2:] or ["--csv", str(path)])]) == 2
        assert told in capsys.readouterr().err
    assert (tmp_path / "other.csv").read_text() == "name,phone\n" and not path.exists()
    needs = grade.read_autograder(built / "autograder" / "11_made-autograder.zip")
    needs = grade.Autograder("11_made", "0", needs.tests, imports=("no_such_module",))
    with pytest.raises(grade.GradeError, match="cannot import no_such_module.*Install"), grade.Grader(needs) as grader:
        grader.preflight()


def test_all_open_answers_in_one_file(built, tmp_path):
    reference = (built / "solutions" / "11_made.ipynb").read_bytes()
    ones = [grade.Submission("ada", "a", reference), grade.Submission("bob", "b", b"%PDF")]
    grade.write_answers(tmp_path / "answers.md", ones)
    text = (tmp_path / "answers.md").read_text()
    assert "## ada\n\n> Because.\n" in text and "## bob\n\n> not a notebook" in text and "Why?" not in text


def test_the_untouched_notebook_scores_zero_and_otter_itself_agrees(built, tmp_path):
    """Otter's own runner, which Gradescope uses, gives the reference full marks and the untouched notebook none."""
    for kind, total in (("solutions", 5), ("student", 0)):
        command = ["otter", "run", "-a", str(built / "autograder" / "11_made-autograder.zip"), "-o", str(tmp_path)]
        command = [os.path.join(os.path.dirname(sys.executable), command[0]), *command[1:]]
        subprocess.run([*command, str(built / kind / "11_made.ipynb")], check=True, capture_output=True, cwd=tmp_path)
        tests = json.loads((tmp_path / "results.json").read_text())["tests"]
        assert sum(test.get("score", 0) for test in tests) == total
        with grade.Grader(grade.read_autograder(built / "autograder" / "11_made-autograder.zip")) as grader:
            assert grader.grade(grade.take("x", built / kind / "11_made.ipynb"))["total"] == total
