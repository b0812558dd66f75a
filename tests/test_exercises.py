"""The ten masters: what is built from them, that the references pass, and that the usual mistakes do not."""

import io
import json
import re
import tomllib
import zipfile

import coursework
import nbformat
import pytest
from notebooks import ROOT, chapters

from tokvec import grade

NAMES = [path.stem for path in coursework.masters()]

MISTAKES = tomllib.loads((ROOT / "tests" / "exercise_mistakes.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Every assignment, built with a stand-in for the wheel."""
    folder = tmp_path_factory.mktemp("coursework")
    wheel = folder / "tokvec-0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("nothing.py", "")
    for script in coursework.masters():
        coursework.build(script, wheel, folder)
    return folder, wheel


def code_of(folder, kind, name):
    notebook = nbformat.read(folder / kind / f"{name}.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code" and "grader" not in cell.source]


def failures(folder, name, names):
    """Return the failing tests of each question, run against the given names."""
    from otter.test_files import ExceptionTestFile

    found = {}
    for question, source in grade.read_autograder(folder / "autograder" / f"{name}-autograder.zip").tests.items():
        test = ExceptionTestFile.from_string(source, f"{question}.py")
        found[question] = []
        for case in test.test_cases:
            try:
                case.body.call_func(names)
            except Exception as error:
                found[question].append(f"{type(error).__name__}: {error}")
    return found


def run(sources):
    names = {}
    for source in sources:
        exec(compile(source, "cell", "exec"), names)
    return names


@pytest.fixture(scope="session")
def reference(built):
    return {name: run(code_of(built[0], "solutions", name)) for name in NAMES}


def test_every_chapter_has_its_exercises():
    wanted = [path.stem for path in chapters()]
    assert wanted == NAMES, "a master is called as its chapter: notebooks/exercises/NN_name.py"


@pytest.mark.parametrize("name", NAMES)
def test_points_questions_and_one_for_a_person(built, name):
    autograder = grade.read_autograder(built[0] / "autograder" / f"{name}-autograder.zip")
    assert 3 <= len(autograder.questions) <= 5 and len(autograder.by_hand) == 1
    title = nbformat.read(built[0] / "student" / f"{name}.ipynb", as_version=4).cells[0].source
    points = sum(grade._possible(source) for source in autograder.tests.values())
    assert f"make {points:g} points" in title, "the introduction says how many points there are"
    for question, source in autograder.tests.items():
        assert "hidden=True" in source and "hidden=False" in source, f"{question} has public and hidden tests"


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_passes_and_the_untouched_notebook_fails_every_test(built, reference, name):
    assert not any(failures(built[0], name, reference[name]).values())
    autograder = grade.read_autograder(built[0] / "autograder" / f"{name}-autograder.zip")
    found = failures(built[0], name, run(code_of(built[0], "student", name)))
    for question, source in autograder.tests.items():
        assert len(found[question]) == source.count("@test_case"), f"{question}: a test passes on an untouched notebook"
    # The first thing a student is told is a sentence, not a traceback.
    public = nbformat.read(built[0] / "student" / f"{name}.ipynb", as_version=4).cells[1].source
    assert all(failed[0].startswith("AssertionError: ") and len(failed[0]) > 25 for failed in found.values()), found
    assert "hidden=True" not in public


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", NAMES)
def test_a_question_half_done_is_told_in_a_sentence_what_is_missing(built, reference, name):
    """With any one of a question's names still to be filled in, the tests that a student sees fail in words."""
    from otter.test_files import ExceptionTestFile

    untouched = run(code_of(built[0], "student", name))

    def to_fill_in(key):
        code = getattr(untouched.get(key), "__code__", None)
        return untouched.get(key) is ... or (code and code.co_code != reference[name][key].__code__.co_code)

    unclear, halves = [], 0
    for question, source in grade.read_autograder(built[0] / "autograder" / f"{name}-autograder.zip").tests.items():
        cases = [case for case in ExceptionTestFile.from_string(source, f"{question}.py").test_cases if not case.hidden]
        for left in {key for case in cases for key in case.body._get_func_params() if to_fill_in(key)}:
            halves += 1
            for case in cases:
                try:
                    case.body.call_func({**reference[name], left: untouched[left]})
                except AssertionError as error:
                    if len(str(error)) < 20:
                        unclear.append(f"{case.name} without {left}: {error}")
                except Exception as error:
                    unclear.append(f"{case.name} without {left}: {type(error).__name__}: {error}")
    assert halves >= 3
    assert not unclear, "\n".join(unclear)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("name", "question", "mistake"),
    [
        pytest.param(name, question, wrong, id=f"{name}-{question}-{number}")
        for name in NAMES
        for question, mistakes in MISTAKES.get(name, {}).items()
        for number, wrong in enumerate(mistakes, 1)
    ],
)
def test_the_usual_mistakes_are_caught(built, reference, name, question, mistake):
    names = dict(reference[name])
    exec(compile(mistake, "mistake", "exec"), names)
    assert failures(built[0], name, names)[question], "no test notices"


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_its_mistakes(built, name):
    tested = set(grade.read_autograder(built[0] / "autograder" / f"{name}-autograder.zip").tests)
    assert set(MISTAKES.get(name, {})) == tested, f"tests/exercise_mistakes.toml has one list a question under [{name}]"


@pytest.mark.parametrize("name", NAMES)
def test_the_student_notebook_carries_no_leftovers(built, name):
    text = (built[0] / "student" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"SOLUTION|HIDDEN|jupytext|otter_", text)
    # Nor a path of the machine that built it: this checkout, the folder of the build, or anybody's home.
    assert str(ROOT) not in text and str(built[0]) not in text
    assert not re.search(r"(?<![\w./])/(home|root|tmp|Users|mnt|opt|srv|var)/", text)
    notebook = json.loads(text)
    assert notebook["metadata"].keys() == {"kernelspec", "language_info"}
    assert all(not cell.get("outputs") for cell in notebook["cells"])


def test_two_builds_give_the_same_bytes(built, tmp_path):
    folder, wheel = built
    coursework.build(coursework.masters(["03_bigram"])[0], wheel, tmp_path)
    for path in tmp_path.rglob("*.*"):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path.name
    with zipfile.ZipFile(io.BytesIO((tmp_path / "autograder" / "03_bigram-autograder.zip").read_bytes())) as archive:
        assert {"run_autograder", "setup.sh", "environment.yml", "otter_config.json"} <= set(archive.namelist())
        assert f"files/{wheel.name}" in archive.namelist() and wheel.name in archive.read("environment.yml").decode()


def test_an_introduction_with_other_points_than_the_tests_is_told(built, tmp_path, monkeypatch):
    """What a teacher meets who changes the points of a question, and not the sentence that adds them up."""
    script = coursework.masters(["03_bigram"])[0]
    copy = tmp_path / script.name
    text = script.read_text(encoding="utf-8")
    copy.write_text(text.replace("# points: 2", "# points: 4", 1), encoding="utf-8")
    coursework.build(copy, built[1], tmp_path)
    monkeypatch.setattr(coursework.Grader, "preflight", lambda self: None)
    full, none = {"total": 12, "possible": 12, "note": ""}, {"total": 0, "possible": 12, "note": ""}
    rows = iter([full, none])
    monkeypatch.setattr(coursework.Grader, "grade", lambda self, submission: next(rows))
    (problem,) = coursework.verify("03_bigram", tmp_path)
    assert "the introduction says 10 points, the tests give 12" in problem


def test_an_unknown_master_is_named():
    with pytest.raises(SystemExit, match="no master is called 99_none. There are: 01_tokens"):
        coursework.masters(["99_none"])


def test_the_page_for_teachers_has_the_points_of_every_chapter(built, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book" / "_ext"))
    import tokvec_chapters

    for name in NAMES:
        tests = grade.read_autograder(built[0] / "autograder" / f"{name}-autograder.zip").tests
        points = sum(grade._possible(source) for source in tests.values())
        assert tokvec_chapters.exercises(name[:2]).startswith(f"{len(tests) + 1} questions, {points:g} + ")
    rows = tokvec_chapters.rows()
    assert len(rows) == len(list((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")))
    assert all("minutes |" in row and "points |" in row for row in rows), "a first cell says: About N minutes to read"
