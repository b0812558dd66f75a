"""Search, sentence vectors, evaluation, contrastive training, the graph index and the book's own corpus."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import datasets
from tokvec.sentences import approximate, corpus, evaluation, search, vectors


def rng(seed=1):
    return np.random.default_rng(seed)


def data(load):
    """Return what a loader gives, or skip by the name of what is missing."""
    try:
        return load()
    except datasets.DatasetError as problem:
        pytest.skip(str(problem))


# Search --------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    m=st.integers(1, 20),
    n=st.integers(1, 80),
    d=st.integers(1, 9),
    blocks=st.tuples(st.integers(1, 30), st.integers(1, 90)),
    seed=st.integers(0, 1000),
    share=st.floats(0, 1),
)
def test_top_k_is_the_full_sort_in_any_blocks(m, n, d, blocks, seed, share):
    q, x = rng(seed).standard_normal((m, d)), rng(seed + 1).standard_normal((n, d))
    k = 1 + int(share * (n - 1))
    scores, ids = search.top_k(q, x, k, *blocks)
    full = q @ x.T
    assert np.allclose(scores, -np.sort(-full, axis=1)[:, :k])
    assert np.allclose(np.take_along_axis(full, ids, axis=1), scores)
    assert all(len(set(row)) == k for row in ids.tolist())


@pytest.mark.parametrize("shape", [(7, 500, 16), (40, 9000, 384)])
def test_top_k_gives_the_ids_of_a_faiss_flat_index(shape):
    faiss = pytest.importorskip("faiss")
    m, n, d = shape
    q = search.normalise(rng().standard_normal((m, d), dtype=np.float32))
    x = search.normalise(rng(2).standard_normal((n, d), dtype=np.float32))
    index = faiss.IndexFlatIP(d)
    index.add(x)
    their_scores, their_ids = index.search(q, 10)
    scores, ids = search.top_k(q, x, 10)
    assert np.allclose(scores, their_scores, atol=1e-6)
    assert (ids == their_ids).all()


def test_equal_scores_come_in_the_order_of_their_ids():
    x = np.array([[1.0, 0], [0, 1], [1, 0], [1, 0]])
    assert search.top_k(np.array([[1.0, 0]]), x, 4)[1].tolist() == [[0, 2, 3, 1]]


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_normalised_rows_have_length_one_and_zero_rows_stay(seed):
    x = rng(seed).standard_normal((5, 4), dtype=np.float32)
    x[2] = 0
    lengths = np.linalg.norm(search.normalise(x), axis=1)
    assert np.allclose(lengths, [1, 1, 0, 1, 1], atol=1e-6)
    assert search.normalise(x).dtype == np.float32


def test_an_index_survives_saving(tmp_path):
    index = search.Index(rng().standard_normal((3, 4)), ["one", "zwei", "trois\nlines"])
    index.save(tmp_path / "index")
    again = search.Index.load(tmp_path / "index")
    assert again.texts == index.texts
    assert np.allclose(again.vectors, index.vectors)
    assert again.search(index.vectors, 1)[1].tolist() == [[0], [1], [2]]
    with pytest.raises(FileExistsError, match="choose a new folder"):
        index.save(tmp_path / "index")


def test_a_save_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(json, "dumps", fail)
    with pytest.raises(OSError, match="disk full"):
        search.Index(np.ones((1, 2)), ["a"]).save(tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_a_broken_index_says_so(tmp_path):
    with pytest.raises(ValueError, match="not a saved index"):
        search.Index.load(tmp_path)
    (tmp_path / "vectors.npy").write_bytes(b"no array")
    with pytest.raises(ValueError, match="not a saved index"):
        search.Index.load(tmp_path)


# Sentence vectors ----------------------------------------------------------------------------------

TEXTS = ["The cat sat.", "A cat, a mat; it's a cat!", "Dogs don't sit", "Zażółć 12 gęśle"]


def test_words_keep_letters_digits_and_apostrophes():
    assert vectors.words("It’s 12_5, naïve!") == ["it's", "12", "5", "naïve"]


def test_word_overlap_by_hand():
    scores = vectors.WordOverlap().similarity(["a b c"], ["b c d", "a b c", "x"])
    assert np.allclose(scores, [[2 / 4, 1, 0]])


def test_tf_idf_is_scikit_learns():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    theirs = text.TfidfVectorizer(tokenizer=vectors.words, token_pattern=None, lowercase=False)
    expected = theirs.fit_transform(TEXTS).toarray()
    ours = vectors.TfIdf(TEXTS)
    assert list(ours.column) == list(theirs.get_feature_names_out())
    assert np.allclose(search.normalise(ours.encode(TEXTS)), expected, atol=1e-6)
    assert not ours.encode(["nothing known here"]).any()


def test_word_average_skips_unknown_words():
    average = vectors.WordAverage(["cat", "mat"], np.array([[1.0, 0], [0, 1]]))
    assert average.encode(["Cat's mat", "cat xyz", "xyz"]).tolist() == [[0.5, 0.5], [1, 0], [0, 0]]


class FakeTokenizer:
    """Ids are letters; pads with zeros on the right, as real tokenizers do."""

    def __call__(self, texts, padding, truncation, max_length, return_tensors):
        torch = pytest.importorskip("torch")
        ids = [[ord(c) for c in t][:max_length] for t in texts]
        width = max(map(len, ids))
        return {
            "input_ids": torch.tensor([i + [0] * (width - len(i)) for i in ids]),
            "attention_mask": torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i in ids]),
        }


class FakeModel:
    runs = 0

    def eval(self):
        return self

    def __call__(self, input_ids, attention_mask):
        FakeModel.runs += 1
        return SimpleNamespace(last_hidden_state=input_ids.unsqueeze(-1).float() + 1)  # padding becomes 1, not 0


class FakeContextual:
    """An encoder as chapter 8's: two layers of states, and a mask."""

    def encode(self, texts):
        tokens = FakeTokenizer()(texts, True, True, 4, "pt")
        states = tokens["input_ids"].unsqueeze(-1).float() + 1
        return SimpleNamespace(
            hidden=pytest.importorskip("torch").stack([0 * states, states]), mask=tokens["attention_mask"] > 0
        )


@pytest.mark.parametrize(
    "make",
    [
        lambda: vectors.Encoder(FakeModel(), FakeTokenizer(), max_length=4),
        lambda: vectors.HiddenStates(FakeContextual()),
    ],
)
def test_pooling_ignores_padding_and_keeps_the_order(make):
    encoder = make()
    texts = ["b", "abcd", "ab", "b", "abcdefgh"]
    expected = [[np.mean([ord(c) + 1 for c in t[:4]])] for t in texts]
    assert np.allclose(encoder.encode(texts, batch=2), expected)
    runs = FakeModel.runs
    assert np.allclose(encoder.with_pooling("cls").encode(texts), [[ord(t[0]) + 1] for t in texts])
    assert encoder.pooling == "mean"
    assert FakeModel.runs == runs  # remembered, not run again


def test_minilm_has_its_parameters_and_ranks_sense_over_words():
    encoder = vectors.Encoder.from_folder(data(datasets.minilm))
    assert encoder.parameters() == 22_713_216
    texts = ["A man is eating food.", "Someone is having a meal.", "A man is painting a house."]
    scores = vectors.similarity(encoder, texts[:1], texts[1:])[0]
    assert scores[0] > scores[1]
    alone = np.concatenate([vectors.Encoder(encoder.model, encoder.tokenizer).encode([t]) for t in texts])
    assert np.allclose(alone, encoder.encode(texts), atol=1e-5)  # a batch changes nothing


# Evaluation ----------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=40))
def test_spearman_is_scipys_with_ties(pairs):
    stats = pytest.importorskip("scipy.stats")
    a, b = zip(*pairs, strict=True)
    if len(set(a)) == 1 or len(set(b)) == 1:
        with pytest.raises(ValueError, match="constant"):
            evaluation.spearman(a, b)
    else:
        assert evaluation.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)


def test_top1_shares_ties_and_needs_a_square():
    assert evaluation.top1(np.eye(4)) == 1
    assert evaluation.top1(np.ones((4, 4))) == 0.25
    assert evaluation.top1(np.array([[1, 2], [0, 3]])) == 0.5
    with pytest.raises(ValueError, match="square"):
        evaluation.top1(np.ones((2, 3)))


def test_retrieval_takes_the_strongest_pairs_both_ways():
    pairs = [(1.0, "x y", "z"), (5.0, "red fox", "fox red"), (5.0, "blue sea", "sea blue"), (4.0, "a", "b")]
    assert [p[0] for p in evaluation.strongest(pairs, 2)] == [5.0, 5.0]
    assert evaluation.strongest(pairs, 1)[0][1] == "red fox"
    result = evaluation.retrieval(vectors.WordOverlap(), pairs, 2)
    assert result == (1.0, 1.0)
    assert result.mean == 1.0


def test_precision_and_recall_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    signal, noise = rng().normal(0.6, 0.2, 80), rng(2).normal(0.1, 0.2, 120)
    grid = np.linspace(-0.5, 0.9, 15)
    found = evaluation.precision_recall(signal, noise, grid)
    truth = np.repeat([1, 0], [80, 120])
    for i, t in enumerate(grid):
        kept = np.concatenate([signal, noise]) >= t
        assert found.precision[i] == pytest.approx(metrics.precision_score(truth, kept))
        assert found.recall[i] == pytest.approx(metrics.recall_score(truth, kept))
        assert found.f1[i] == pytest.approx(metrics.f1_score(truth, kept))
    empty = evaluation.precision_recall(signal, noise, [9.0])
    assert np.isnan(empty.precision[0])
    assert empty.f1[0] == 0


# Contrastive training ------------------------------------------------------------------------------


def word_table():
    words = ["the", "cat", "feline", "dog", "hound", "sea", "ocean", "old", "ancient"]
    return vectors.WordAverage(words, rng(3).standard_normal((len(words), 8)).astype(np.float32))


def test_info_nce_by_hand():
    torch = pytest.importorskip("torch")
    from tokvec.sentences import contrastive

    left = torch.eye(3) * 5
    logits = np.eye(3) / 0.5
    expected = -np.log(np.exp(logits[0, 0]) / np.exp(logits[0]).sum())
    assert contrastive.info_nce(left, torch.eye(3), 0.5).item() == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ValueError, match="temperature is 0"):
        contrastive.info_nce(left, left, 0)
    with pytest.raises(ValueError, match="one shape"):
        contrastive.info_nce(left, left[:2], 1)


def test_training_brings_synonyms_together():
    pytest.importorskip("torch")
    from tokvec.sentences import contrastive

    average = word_table()
    model = contrastive.ProjectedAverage(average)
    texts = ["the cat", "feline xyz", "nothing"]
    assert np.allclose(model.encode(texts), average.encode(texts), atol=1e-6)  # it starts as the plain average
    pairs = [("the cat", "the feline"), ("the dog", "the hound"), ("the sea", "the ocean"), ("old", "ancient")]
    left, right = zip(*pairs, strict=True)
    before = evaluation.top1(vectors.similarity(model, left, right))
    losses = contrastive.train(model, pairs, epochs=60, batch=4)
    assert losses[-1] < losses[0] / 2
    assert evaluation.top1(vectors.similarity(model, left, right)) >= before
    again = contrastive.ProjectedAverage(average)
    assert contrastive.train(again, pairs, epochs=60, batch=4) == losses  # one seed, one result
    with pytest.raises(ValueError, match="at least 2"):
        contrastive.train(model, pairs[:1])


# The graph index -----------------------------------------------------------------------------------


def test_the_graph_finds_nearly_all_and_always_the_same():
    pytest.importorskip("usearch")
    x = search.normalise(rng().standard_normal((2000, 12), dtype=np.float32))
    first, second = (list(approximate.measure(x, [1500], queries=100)) for _ in range(2))
    assert [row["expansion"] for row in first] == list(approximate.EXPANSIONS)
    recalls = [row["recall"] for row in first]
    assert recalls == [row["recall"] for row in second]
    assert [row["compared"] for row in first] == [row["compared"] for row in second]
    assert first[0]["compared"] < first[-1]["compared"] < 1500
    assert recalls[0] <= recalls[-1]
    assert recalls[-1] > 0.95
    with pytest.raises(ValueError, match="5000 vectors are wanted"):
        list(approximate.measure(x, [5000], queries=100))


def test_windows_are_distinct_unit_vectors():
    average = word_table()
    entries = ["the cat the dog old sea ocean hound", "the dog the cat xyz ancient feline"]
    found = approximate.windows(entries, average, 3)
    assert found.shape == (3, 8)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert len(np.unique(found.round(5), axis=0)) == 3
    with pytest.raises(ValueError, match="different windows"):
        approximate.windows(entries, average, 100)


def test_the_stored_measurements_reach_a_million():
    stored = json.loads((corpus.DATA / "hnsw.json").read_text(encoding="utf-8"))
    assert {row["size"] for row in stored["rows"]} == {1000, 10_000, 100_000, 1_000_000}
    for row in stored["rows"]:
        assert 0 < row["recall"] <= 1
        assert 10 <= row["compared"] <= row["size"]


# The book's own corpus -----------------------------------------------------------------------------


def test_the_corpus_is_large_varied_and_consistent():
    passages, queries = corpus.passages(), corpus.queries()
    names = [p.name for p in passages]
    assert len(passages) == 221
    assert len(set(names)) == len(names)
    assert len({p.topic for p in passages}) == 20
    assert {q.answer for q in queries} <= set(names)
    assert len(queries) == 44
    kinds = [c.kind for c in corpus.contrasts()]
    assert [kinds.count(k) for k in ("negation", "number", "name")] == [12, 12, 12]


def test_meaning_queries_share_not_one_word_with_their_answer():
    text = {p.name: p.text for p in corpus.passages()}
    for query in corpus.queries():
        shared = set(vectors.words(query.text)) & set(vectors.words(text[query.answer]))
        assert bool(shared) == (query.kind == "words"), (query, shared)


@given(st.integers(0, 500))
@settings(max_examples=20, deadline=None)
def test_quantised_vectors_keep_their_cosines(seed):
    x = rng(seed).standard_normal((6, 50))
    coarse = search.normalise(corpus.quantise(x))
    fine = search.normalise(x)
    assert np.abs(coarse @ coarse.T - fine @ fine.T).max() < 0.01


def test_stored_vectors_are_what_the_models_give():
    texts = [p.text for p in corpus.passages()] + [q.text for q in corpus.queries()]
    methods = {
        "glove": lambda: vectors.WordAverage(*datasets.glove()),
        "minilm": lambda: vectors.Encoder.from_folder(datasets.minilm()),
    }
    for name, load in methods.items():
        p, q = corpus.stored_vectors(name)
        stored = np.concatenate([p, q]).astype(int)
        fresh = corpus.quantise(data(load).encode(texts)).astype(int)
        assert np.abs(stored - fresh).max() <= 1  # another processor may round a half the other way
    with pytest.raises(ValueError, match="bert"):
        corpus.stored_vectors("bert")


# Errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: search.top_k(np.ones((1, 2)), np.ones((3, 2)), 4), "k is 4 and the corpus has 3"),
        (lambda: search.top_k(np.ones((1, 2)), np.ones((3, 2)), 0), "k is 0"),
        (lambda: search.top_k(np.ones((1, 2)), np.ones((3, 5)), 1), "2 dimensions and the corpus has 5"),
        (lambda: search.top_k(np.empty((0, 2)), np.ones((3, 2)), 1), "queries must be"),
        (lambda: search.top_k(np.ones((1, 2)), np.empty((0, 2)), 1), "corpus must be"),
        (lambda: search.top_k(np.array([[np.inf, 1]]), np.ones((3, 2)), 1), "queries: row 0"),
        (lambda: search.top_k(np.ones((1, 2)), np.array([[1, 1], [np.nan, 1]]), 1), "corpus: row 1"),
        (lambda: search.Index(np.ones((1, 2)), []), "corpus is empty"),
        (lambda: search.Index(np.ones((2, 2)), ["a"]), "1 texts but 2 vectors"),
        (lambda: vectors.WordOverlap().similarity([""], ["a"]), "empty text"),
        (lambda: vectors.TfIdf([]), "corpus is empty"),
        (lambda: vectors.TfIdf(["!!"]), "none of the 1 texts"),
        (lambda: vectors.TfIdf(["a"]).encode("a"), "put it in a list"),
        (lambda: vectors.WordAverage(["a"], np.ones((2, 2))), "1 words but 2 vectors"),
        (lambda: vectors.Encoder(FakeModel(), None, pooling="max"), "'max'"),
        (lambda: evaluation.spearman([1, 2], [1]), "same length"),
        (lambda: evaluation.spearman([1, np.nan], [1, 2]), "not finite"),
        (lambda: evaluation.strongest([(1.0, "a", "b")], 2), "count is 2"),
        (lambda: evaluation.precision_recall([], [1], [0]), "0 true ones"),
    ],
)
def test_bad_input_gets_an_error_that_names_it(call, says):
    with pytest.raises(ValueError, match=says):
        call()
