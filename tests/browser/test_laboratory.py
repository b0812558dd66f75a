"""The embedding laboratory, driven in a browser and compared with its Python twin."""

from tokvec.figures._base import number
from tokvec.figures.laboratory import TABLE, LaboratoryFigure, learn, lesson


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text()


def row(root, name: str, i: int) -> list[str]:
    return [read(root, f"{name}-{i}-{j}") for j in range(6)]


def press(root, name: str) -> None:
    root.locator(f'[data-tv="{name}"]').click()


def test_steps_of_learning_move_one_row(page, open_figure):
    root = open_figure(page, LaboratoryFigure())
    expected = lesson(TABLE[1], 3)
    assert (read(root, "probability"), read(root, "loss")) == ("47.0\N{NO-BREAK SPACE}%", "0.755")
    e = TABLE[1]
    for steps, (p, loss) in enumerate(expected[1:], start=1):
        press(root, "learn")
        e = learn(e)
        assert read(root, "steps") == str(steps)
        assert read(root, "probability") == f"{100 * p:.1f}\N{NO-BREAK SPACE}%"
        assert read(root, "loss") == f"{loss:.3f}"
        if steps == 1:
            assert (p.__round__(3), read(root, "loss")) == (0.61, "0.495")
        assert row(root, "row", 1) == [number(x) for x in e]
        for i in (0, 2, 3, 4, 5):
            assert row(root, "row", i) == [number(x) for x in TABLE[i]], "only the row that was read may move"
        assert read(root, "moved") == "kamienny"
    press(root, "reset")
    assert row(root, "row", 1) == [number(x) for x in TABLE[1]]
    assert (read(root, "probability"), read(root, "steps")) == ("47.0\N{NO-BREAK SPACE}%", "0")


def test_renaming_changes_ids_and_no_vector(page, open_figure):
    root = open_figure(page, LaboratoryFigure())
    before = [row(root, "read", i) for i in range(3)]
    assert before[0] == before[2] == [number(x) for x in TABLE[3]]
    assert read(root, "ids") == "[3, 1, 3]"
    press(root, "rename")
    assert read(root, "ids") == "[4, 1, 4]"
    assert row(root, "row", 4) == [number(x) for x in TABLE[3]]
    assert row(root, "row", 3) == [number(x) for x in TABLE[4]]
    assert [row(root, "read", i) for i in range(3)] == before
    assert "reads the same vectors" in read(root, "says")
    press(root, "rename")
    assert read(root, "ids") == "[3, 1, 3]"


def test_one_edit_reaches_every_occurrence(page, open_figure):
    root = open_figure(page, LaboratoryFigure())
    root.locator('[data-tv="edit-coordinate"]').select_option(index=2)
    root.locator('[data-tv="edit-value"]').fill("-0.75")
    edited = [number(x) for x in [*TABLE[3][:2], -0.75, *TABLE[3][3:]]]
    assert row(root, "row", 3) == row(root, "read", 0) == row(root, "read", 2) == edited
    assert row(root, "read", 1) == [number(x) for x in TABLE[1]]
    assert "2 places in the sequence" in read(root, "says")
    assert root.locator("td.tv-now").count() == 3, "one number in the table, two in what is read"


def test_an_edit_survives_renaming_and_a_step(page, open_figure):
    root = open_figure(page, LaboratoryFigure())
    root.locator('[data-tv="edit-token"]').select_option(value="1")
    root.locator('[data-tv="edit-value"]').focus()
    page.keyboard.press("ArrowRight")
    e = [TABLE[1][0] + 0.05, *TABLE[1][1:]]
    press(root, "rename")
    press(root, "learn")
    assert row(root, "row", 1) == [number(x) for x in learn(e)]
    assert read(root, "probability") == f"{100 * lesson(e, 1)[1][0]:.1f}\N{NO-BREAK SPACE}%"


def test_it_fits_a_phone(page, open_figure):
    open_figure(page, LaboratoryFigure(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
