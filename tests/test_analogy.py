"""Analogies: every method against the formula written out, sections, restriction, and gensim's figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import analogy
from tokvec.analogy import METHODS, Questions

TEXT = """: capital-common-countries
Athens Greece Baghdad Iraq
Athens Greece Oslo Norway
: gram1-adjective-to-adverb
calm calmly happy happily
"""


@pytest.fixture
def questions(tmp_path) -> Questions:
    (tmp_path / "q.txt").write_text(TEXT)
    return Questions.load(tmp_path / "q.txt")


def data(name: str):
    from tokvec import datasets

    if datasets.where(name) is None:
        pytest.skip(f"{name} is not here: pip install {datasets.describe(name).pip}")
    return datasets.path(name)


def slowly(vectors: np.ndarray, a: int, b: int, c: int, method: str, exclude: bool) -> np.ndarray:
    """Score all candidates for one question, straight from the definitions, in float64."""
    x = vectors.astype(float)
    if method == "mul":
        near = [(x @ x[word] + 1) / 2 + 0.001 for word in (a, b, c)]
        scores = np.log(near[1] * near[2] / near[0])
    else:
        scores = x @ {"add": x[b] - x[a] + x[c], "c": x[c], "b": x[b], "b+c": x[b] + x[c]}[method]
    if exclude:
        scores[[a, b, c]] = -np.inf
    return scores


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(list(METHODS)), st.booleans(), st.sampled_from([5, 200, 511, 512, 1300]))
def test_winners_are_those_of_the_definition(seed, method, exclude, V):
    generator = np.random.default_rng(seed)
    vectors = analogy.unit(generator.normal(size=(V, 7)))
    ids = np.array([generator.choice(V, 4, replace=False) for _ in range(20)])
    found = analogy.winners(vectors, ids, method, exclude)
    for (a, b, c, _), row in zip(ids, found, strict=True):
        scores = slowly(vectors, a, b, c, method, exclude)
        assert scores[row] >= scores.max() - 2e-6
        assert not (exclude and row in (a, b, c))


def test_parts_of_the_vocabulary_are_merged(monkeypatch):
    monkeypatch.setattr(analogy.os, "cpu_count", lambda: 3)
    generator = np.random.default_rng(1)
    vectors = analogy.unit(generator.normal(size=(45_000, 4)))  # three parts
    vectors[44_999] = vectors[7]  # of equal scores the lower row wins
    ids = generator.integers(0, 45_000, (30, 3))
    ids[0] = [1, 2, 7]
    found = analogy.winners(vectors, ids)
    for (a, b, c), row in zip(ids, found, strict=True):
        scores = slowly(vectors, a, b, c, "add", True)
        assert scores[row] >= scores.max() - 2e-6
    assert analogy.winners(vectors, ids[:1], "c", exclude=False).tolist() == [7]
    assert analogy.winners(vectors, ids[:1], "c").tolist() == [44_999]


@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("exclude", [True, False])
def test_ranking_agrees_with_winners(method, exclude):
    vectors = analogy.unit(np.random.default_rng(2).normal(size=(60, 5)))
    order = analogy.ranking(vectors, 3, 4, 5, method, exclude, n=60)
    scores = slowly(vectors, 3, 4, 5, method, exclude)
    assert len(order) == (57 if exclude else 60)
    assert [row for row, _ in order] == np.argsort(-scores)[: len(order)].tolist()
    assert order[0][0] == analogy.winners(vectors, np.array([[3, 4, 5]]), method, exclude)[0]
    if method in ("add", "b+c"):  # a cosine with the target
        target = vectors[4] + vectors[5] - (vectors[3] if method == "add" else 0)
        assert order[0][1] == pytest.approx(vectors[order[0][0]] @ target / np.linalg.norm(target), abs=1e-5)


def test_a_parallelogram_is_solved():
    vectors = np.array([[1, 0, 0.2], [1, 1, 0.2], [0.3, 0, 1], [0.3, 1, 1], [0, 0, -1]])
    words = ["calm", "calmly", "happy", "happily", "x"]
    questions = Questions({"gram1": [("calm", "calmly", "happy", "happily")] * 2, "city": [("x", "y", "z", "w")]})
    scores = analogy.evaluate(words, vectors, questions)
    assert set(scores) == {"semantic", "syntactic", "all", "gram1"}
    assert scores["all"] == scores["gram1"] == analogy.Score(2, 2, 0)
    assert scores["semantic"] == analogy.Score(0, 0, 0) and scores["semantic"].accuracy == 0
    nearest_to_c = analogy.evaluate(words, vectors, questions, "c", exclude=False)
    assert nearest_to_c["all"].inputs == 2 and nearest_to_c["all"].input_share == 1


def test_questions_by_section(questions):
    assert len(questions) == 3 and questions.count(semantic=True) == 2 and questions.count(semantic=False) == 1
    words = ["greece", "athens", "iraq", "baghdad", "Athens", "calm", "happy", "happily", "calmly"]
    ids, sections = questions.encode(words)
    assert ids.tolist() == [[1, 0, 3, 2], [5, 8, 6, 7]]  # the more frequent spelling; Oslo is not there
    assert sections == ["capital-common-countries", "gram1-adjective-to-adverb"]
    assert questions.encode(words[:4])[0].tolist() == [[1, 0, 3, 2]]


def test_bad_questions_are_named(questions, tmp_path):
    with pytest.raises(ValueError, match="Not one of the 3 questions"):
        questions.encode(["nothing"])
    for text, line in (("a b c d\n", "line 1"), (": s\na b c d\na b c\n", "line 3")):
        (tmp_path / "bad.txt").write_text(text)
        with pytest.raises(ValueError, match=line):
            Questions.load(tmp_path / "bad.txt")
    vectors = analogy.unit(np.eye(4))
    with pytest.raises(ValueError, match="not 'sub'"):
        analogy.winners(vectors, np.array([[0, 1, 2]]), "sub")
    for bad in (4, -1):
        with pytest.raises(ValueError, match="there are 4 vectors"):
            analogy.winners(vectors, np.array([[0, 1, bad]]))


def test_word_similarity(tmp_path):
    vectors = np.array([[1.0, 0], [2, 0.1], [1, 1], [0, 3]])
    path = tmp_path / "pairs.tsv"
    path.write_text("# a comment\nA\tb\t9\na\tc\t5\na\td\t1\na\tmissing\t2\n")
    assert analogy.word_similarity(["a", "b", "c", "d"], vectors, path) == (pytest.approx(1.0), 3)
    with pytest.raises(ValueError, match="needs two"):
        analogy.word_similarity(["x", "y", "z", "w"], vectors, path)
    path.write_text("a b 9\n")
    with pytest.raises(ValueError, match="line 1"):
        analogy.word_similarity(["a"], vectors, path)


def test_the_standard_set():
    questions = Questions.load(data("questions_words"))
    assert (questions.count(semantic=True), questions.count(semantic=False)) == (8_869, 10_675)
    assert len({word.lower() for rows in questions.sections.values() for row in rows for word in row}) == 905


def test_gensim_agrees(trained_small):
    """On vectors of a few thousand words: the same questions, the same answers, the same correlation."""
    models = pytest.importorskip("gensim.models")
    words, vectors = trained_small
    theirs = models.KeyedVectors(vectors.shape[1])
    theirs.add_vectors(words, vectors)
    accuracy, sections = theirs.evaluate_word_analogies(str(data("questions_words")))
    ours = analogy.evaluate(words, vectors, Questions.load(data("questions_words")))
    assert ours["all"].questions == len(sections[-1]["correct"]) + len(sections[-1]["incorrect"]) > 50
    assert ours["all"].accuracy == pytest.approx(accuracy, abs=1e-9)
    for section in sections[:-1]:
        asked = len(section["correct"]) + len(section["incorrect"])
        if asked:
            assert ours[section["section"]].correct == len(section["correct"])
    rho, pairs = analogy.word_similarity(words, vectors, data("wordsim353"))
    assert rho == pytest.approx(theirs.evaluate_word_pairs(str(data("wordsim353")))[1][0], abs=1e-6)
    assert pairs > 10


@pytest.fixture(scope="module")
def trained_small() -> tuple[list[str], np.ndarray]:
    """Vectors that hold some of the relations: the question words, each near its partner, with noise."""
    questions = Questions.load(data("questions_words"))
    generator = np.random.default_rng(4)
    words: dict[str, np.ndarray] = {}
    for name in ("capital-common-countries", "gram2-opposite"):
        offset = generator.normal(size=30)
        for a, b, c, d in questions.sections[name]:
            for first, second in ((a, b), (c, d)):
                base = words.setdefault(first.lower(), generator.normal(size=30))
                words.setdefault(second.lower(), base + 0.7 * offset + generator.normal(size=30) * 0.5)
    for word in (
        "love",
        "tiger",
        "cat",
        "book",
        "paper",
        "computer",
        "keyboard",
        "internet",
        "plane",
        "car",
        "train",
        "bread",
        "butter",
        "doctor",
        "nurse",
        "professor",
        "student",
        "stock",
        "market",
        "media",
        "radio",
        "king",
        "queen",
        "drug",
        "abuse",
        "money",
        "cash",
        "bank",
    ):
        words.setdefault(word, generator.normal(size=30))
    return list(words), np.array(list(words.values()), dtype=np.float32)
