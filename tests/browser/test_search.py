"""The search figure, driven in a browser and compared with its Python twin."""

import pytest

from tokvec.figures._base import number
from tokvec.figures.search import METHODS, SearchFigure, answer, ranking, scores
from tokvec.sentences import corpus


def read(root, name: str) -> str:
    return root.locator(f'[data-tv="{name}"]').inner_text()


def expect(root, query: int) -> None:
    texts = [p.text for p in corpus.passages()]
    for method in METHODS:
        order, score = ranking(method, query), scores(method, query)
        found = method in ("glove", "minilm") or score[answer(query)] > 0
        place = order.index(answer(query)) + 1
        wanted = f"answer at rank {place}" if found else "answer not found: no shared word"
        assert read(root, f"{method}-verdict") == wanted
        for i, passage in enumerate(order[:3]):
            text = root.locator(f'[data-tv="{method}-text-{i}"]')
            if method in ("glove", "minilm") or score[passage] > 0:
                assert text.inner_text() == texts[passage]
                # a shared half such as 1/16 is rounded up by JavaScript and to even by Python
                assert read(root, f"{method}-score-{i}") == number(score[passage] + 1e-12, 3)
            else:
                assert not text.is_visible()


def test_every_query_ranks_as_python_does(page, open_figure):
    root = open_figure(page, SearchFigure())
    for query in range(len(corpus.queries())):
        root.locator('[data-tv="query"]').select_option(str(query))
        expect(root, query)


def test_keyboard_steps_through_the_queries_and_keeps_the_focus(page, open_figure):
    root = open_figure(page, SearchFigure(query=0))
    root.locator('[data-tv="next"]').focus()
    page.keyboard.press("Enter")
    expect(root, 1)
    assert page.evaluate("document.activeElement.dataset.tv") == "next"
    root.locator('[data-tv="previous"]').click()
    root.locator('[data-tv="previous"]').click()
    expect(root, len(corpus.queries()) - 1)
    assert corpus.queries()[-1].text in read(root, "says")


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits(page, open_figure, width):
    open_figure(page, SearchFigure(), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_stored_vectors_rank_as_the_exact_cosines_of_int8():
    # the twin's own check: numpy's float cosines give the same first passage
    for method in ("glove", "minilm"):
        p, q = (part.astype(float) for part in corpus.stored_vectors(method))
        for query in range(len(q)):
            cosines = p @ q[query] / (((p**2).sum(1) * (q[query] ** 2).sum()) ** 0.5)
            assert cosines.argmax() == ranking(method, query)[0]
