"""word2vec: the vocabulary, the two distributions, gradients against torch, files against gensim, and the errors."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import word2vec
from tokvec.word2vec import END, UnknownWord, Vocabulary, WordVectors


def toy_sentences(n: int = 3000, seed: int = 0) -> list[list[str]]:
    """Make a text with two topics, whose words never meet."""
    generator = np.random.default_rng(seed)
    topics = [["sun", "rain", "wind", "cloud", "snow"], ["bread", "salt", "milk", "egg", "flour"]]
    return [list(generator.choice(topics[i % 2], 8)) for i in range(n)]


@pytest.fixture(scope="module")
def toy() -> tuple[np.ndarray, Vocabulary]:
    sentences = toy_sentences()
    vocabulary = Vocabulary.build(sentences)
    return vocabulary.encode(sentences), vocabulary


@pytest.fixture(scope="module")
def trained(toy) -> WordVectors:
    return word2vec.fit(*toy, dimension=12, window=3, passes=3, sample=0, seed=7)


# Words and ids ---------------------------------------------------------------------------


def test_vocabulary_counts_and_orders():
    vocabulary = Vocabulary.build([["b", "a", "c"], ["a", "b"], ["d"]], min_count=1)
    assert vocabulary.words == ["a", "b", "c", "d"]  # equal counts alphabetically
    assert vocabulary.counts.tolist() == [2, 2, 1, 1]
    assert Vocabulary.build([["b", "a", "c"], ["a", "b"]], min_count=2).words == ["a", "b"]
    assert vocabulary.encode([["d", "zebra", "a"], []]).tolist() == [3, 0, END, END]


def test_tokenize():
    assert word2vec.tokenize("It's 9 o'clock, Zoe!") == ["it", "s", "o", "clock", "zoe"]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=10))
def test_ids_give_back_the_known_words(sentences):
    if not any(sentences):
        with pytest.raises(ValueError, match="empty"):
            Vocabulary.build(sentences)
        return
    vocabulary = Vocabulary.build(sentences, min_count=1)
    ids = vocabulary.encode(sentences)
    back, current = [], []
    for i in ids.tolist():
        if i == END:
            back.append(current)
            current = []
        else:
            current.append(vocabulary.words[i])
    assert back == sentences
    assert (np.bincount(ids[ids != END]) == vocabulary.counts).all()


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Vocabulary.build([]), "corpus is empty"),
        (lambda: word2vec.train([]), "corpus is empty"),
        (lambda: word2vec.train(["... 12 !"]), "corpus is empty"),
        (lambda: word2vec.train(["one two two"], min_count=5), "'two', is seen 2 times"),
        (lambda: word2vec.train(["alone", "alone"], min_count=1), "no pair"),
        (lambda: word2vec.train(["a b"], min_count=1, dimension=0), "dimension = 0"),
        (lambda: word2vec.train(["a b"], min_count=1, window=0), "window = 0"),
        (lambda: word2vec.train(["a b"], min_count=1, negatives=-1), "negatives = -1"),
        (lambda: word2vec.train(["a b"], min_count=1, passes=1.5), "passes = 1.5"),
        (lambda: word2vec.train(["a b"], min_count=1, threads=0), "threads = 0"),
        (lambda: word2vec.train(["a b"], min_count=1, learning_rate=0), "learning_rate = 0"),
        (lambda: word2vec.train(["a b"], min_count=1, pool=6), "pool = 6"),
    ],
)
def test_bad_input_is_named(build, words):
    with pytest.raises(ValueError, match=words):
        build()


def test_unknown_word_suggests_near_spellings(trained):
    with pytest.raises(UnknownWord, match="'clouds' is not among the 10 words.*cloud"):
        trained["clouds"]
    with pytest.raises(UnknownWord, match="No word here"):
        trained.neighbours("xyzzy")
    assert "cloud" in trained and "clouds" not in trained


# Distributions ---------------------------------------------------------------------------


def test_keep_probability_follows_the_formula():
    counts = np.array([50_000, 900, 100])
    frequency = counts / counts.sum()
    expected = np.minimum(1, np.sqrt(1e-3 / frequency) + 1e-3 / frequency)
    np.testing.assert_allclose(word2vec.keep_probability(counts, 1e-3), expected, rtol=1e-6)
    assert word2vec.keep_probability(counts, 0).tolist() == [1, 1, 1]


def test_subsampling_keeps_that_share(toy):
    keep = np.array([0.25, 0.75], dtype=np.float32)
    ids = np.tile(np.array([0, 1, END], dtype=np.int32), 20_000)
    kept = word2vec._subsample(ids, keep, np.array([12345], dtype=np.uint64))
    shares = [(kept == i).sum() / 20_000 for i in (0, 1, END)]
    np.testing.assert_allclose(shares, [0.25, 0.75, 1], atol=4 * np.sqrt(0.25 / 20_000))


@settings(deadline=None)
@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=50), st.sampled_from([0.0, 0.75, 1.0]))
def test_noise_table_has_every_word_in_its_share(counts, power):
    counts = np.array(sorted(counts, reverse=True))
    shares = word2vec.noise_distribution(counts, power)
    assert abs(shares.sum() - 1) < 1e-9
    size = 1 << 12
    entries = np.bincount(word2vec.noise_table(counts, power, size), minlength=len(counts))
    assert entries.sum() == size
    assert np.abs(entries - shares * size).max() <= 1 + 1e-6


def test_random_bits_are_even():
    state = np.array([99], dtype=np.uint64)
    draw = word2vec._random.py_func
    with np.errstate(over="ignore"):
        draws = np.array([draw(state) for _ in range(20_000)])
    assert draws.min() >= 0 and draws.max() < 2**31
    counts = np.bincount(draws % 8, minlength=8)
    assert ((counts - 2500) ** 2 / 2500).sum() < 24.3  # chi-squared, 7 degrees of freedom, p = 0.001


def test_sigmoid_to_five_decimals():
    x = np.linspace(-60, 60, 24_001)
    found = np.array([word2vec._sigmoid.py_func(value) for value in x])
    assert np.abs(found - 1 / (1 + np.exp(-x))).max() < 5e-6
    assert found[0] == 0 and found[-1] == 1


# Gradients -------------------------------------------------------------------------------


def tables(d: int, V: int = 40) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(3)
    rows = [word2vec._aligned(V, d, np.float64) for _ in range(2)]
    for table in rows:
        table[:, :d] = generator.normal(size=(V, d)) * 0.4
    return rows[0], rows[1]


def one_step(cbow: bool, d: int, ids: list[int], negatives: int = 5, rate: float = 1e-7):
    """Run the kernel with a tiny step; return the tables before, their change per unit of rate, and the noise."""
    centre, context = tables(d)
    before = centre.copy(), context.copy()
    keep = np.ones(len(centre), dtype=np.float32)
    table = word2vec.noise_table(np.arange(len(centre), 0, -1))
    state = np.array([4321], dtype=np.uint64)
    noise = word2vec._learn(
        np.array(ids, dtype=np.int32), centre, context, keep, table, 1, negatives, rate, cbow, 24, state
    )
    return before, (centre - before[0]) / rate, (context - before[1]) / rate, noise


@pytest.mark.parametrize("d", [3, 16, 50])
def test_skip_gram_gradients_agree_with_torch(d):
    torch = pytest.importorskip("torch")
    ids = [3, 5, 7, END, 9, 3, END, 3, 8, END]  # window 1: every neighbour, none across END
    (centre, context), moved_centre, moved_context, noise = one_step(False, d, ids)
    v, u = (torch.from_numpy(table).requires_grad_() for table in (centre, context))
    contexts = {0: [5], 1: [3, 7], 2: [5], 4: [3], 5: [9], 7: [8], 8: [3]}
    loss = sum(
        word2vec.reference_loss(v[ids[i]], u[around], u[noise], weight=len(around) * 5 / len(noise))
        for i, around in contexts.items()
    )
    loss.backward()
    np.testing.assert_allclose(moved_centre, -v.grad, atol=1e-5)
    np.testing.assert_allclose(moved_context, -u.grad, atol=1e-5)
    assert np.abs(moved_centre).max() > 0.1  # something did move
    assert not moved_centre[:, d:].any()  # and the padding did not


@pytest.mark.parametrize("d", [3, 50])
def test_cbow_gradients_agree_with_torch(d):
    torch = pytest.importorskip("torch")
    ids = [3, 5, 7, END]
    (centre, context), moved_centre, moved_context, noise = one_step(True, d, ids)
    v, u = (torch.from_numpy(table).requires_grad_() for table in (centre, context))
    loss = sum(
        word2vec.reference_loss(v[around].mean(0), u[[word]], u[noise], weight=5 / len(noise))
        for word, around in [(3, [5]), (5, [3, 7]), (7, [5])]
    )
    loss.backward()
    np.testing.assert_allclose(moved_centre, -v.grad, atol=1e-5)
    np.testing.assert_allclose(moved_context, -u.grad, atol=1e-5)


def test_shared_noise_has_the_papers_expectation():
    """POOL noise words of weight m k / POOL: the expected gradient is that of m k single draws of weight 1."""
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(5)
    v, u = torch.randn(8, generator=generator, dtype=torch.float64), torch.randn(30, 8, generator=generator).double()
    shares = torch.from_numpy(word2vec.noise_distribution(np.arange(30, 0, -1)))
    m, k, n = 4, 5, 40_000

    def mean_gradient(draws: int, weight: float) -> torch.Tensor:
        picked = torch.multinomial(shares, n * draws, replacement=True, generator=generator).view(n, draws)
        return weight * (torch.sigmoid(u @ v)[:, None] * u)[picked].sum(1).mean(0)

    exact = m * k * (shares[:, None] * torch.sigmoid(u @ v)[:, None] * u).sum(0)
    for draws, weight in ((m * k, 1.0), (word2vec.POOL, m * k / word2vec.POOL)):
        assert (mean_gradient(draws, weight) - exact).abs().max() < 0.15


# Training --------------------------------------------------------------------------------


@pytest.mark.parametrize("cbow", [False, True])
def test_words_of_one_topic_come_together(toy, cbow):
    vectors = word2vec.fit(*toy, dimension=12, window=3, passes=3, sample=0, seed=7, cbow=cbow, learning_rate=0.05)
    for word, topic in (("sun", {"rain", "wind", "cloud", "snow"}), ("milk", {"bread", "salt", "egg", "flour"})):
        assert {w for w, _ in vectors.neighbours(word, 4)} == topic


def test_dot_products_approach_pmi(toy):
    """Levy and Goldberg: v . u is heading for PMI - log k; words of two topics never meet, so it sinks low there."""
    vectors = word2vec.fit(*toy, dimension=12, window=3, passes=8, sample=0, seed=7, negatives=2)
    dots = vectors.vectors @ vectors.contexts.T
    index = vectors.vocabulary.index
    weather = [index[w] for w in ("sun", "rain", "wind", "cloud", "snow")]
    food = [index[w] for w in ("bread", "salt", "milk", "egg", "flour")]
    # Half of all words belong to the topic, so PMI = log 2 within it, and log 2 - log 2 = 0.
    assert abs(dots[np.ix_(weather, weather)].mean()) < 0.25
    assert dots[np.ix_(weather, food)].mean() < -2


def test_one_thread_repeats_itself(toy):
    runs = [word2vec.fit(*toy, dimension=12, passes=1, seed=seed) for seed in (1, 1, 2)]
    assert np.array_equal(runs[0].vectors, runs[1].vectors) and np.array_equal(runs[0].contexts, runs[1].contexts)
    assert not np.array_equal(runs[0].vectors, runs[2].vectors)


def test_two_threads_learn_the_same_topics(toy):
    for _ in range(3):
        vectors = word2vec.fit(*toy, dimension=12, window=3, passes=3, sample=0, seed=7, threads=2)
        assert {w for w, _ in vectors.neighbours("sun", 4)} == {"rain", "wind", "cloud", "snow"}
        assert np.isfinite(vectors.vectors).all()


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 9), st.booleans())
def test_any_shape_stays_finite(toy, d, window, negatives, cbow):
    ids, vocabulary = toy
    vectors = word2vec.fit(ids[:900], vocabulary, dimension=d, window=window, negatives=negatives, passes=1, cbow=cbow)
    assert vectors.vectors.shape == (10, d) and vectors.vectors.dtype == np.float32
    assert np.isfinite(vectors.vectors).all() and np.isfinite(vectors.contexts).all()


# Vectors and files -------------------------------------------------------------------------


def test_neighbours_are_sorted_cosines(trained):
    found = trained.neighbours("egg", 20)
    assert len(found) == 9 and "egg" not in dict(found)
    assert [c for _, c in found] == sorted((c for _, c in found), reverse=True)
    for word, cosine in found:
        a, b = trained["egg"].astype(float), trained[word].astype(float)
        assert cosine == pytest.approx(a @ b / np.sqrt((a @ a) * (b @ b)), abs=1e-6)
        assert trained.similarity("egg", word) == pytest.approx(cosine, abs=1e-6)
    assert {w for w, _ in trained.neighbours("egg", 5, among=3)} <= set(trained.words[:3])


def test_save_and_load(trained, tmp_path):
    folder = tmp_path / "new" / "vectors"
    for dtype, tolerance in ((np.float32, 0), (np.float16, 2e-3)):  # the second replaces the first
        WordVectors(trained.vocabulary, trained.vectors, manifest={"seed": 7}).save(folder, dtype)
        back = WordVectors.load(folder)
        assert back.words == trained.words and back.manifest == {"seed": 7}
        assert (back.vocabulary.counts == trained.vocabulary.counts).all()
        np.testing.assert_allclose(back.vectors, trained.vectors, rtol=tolerance)
    assert [path.name for path in folder.parent.iterdir()] == ["vectors"]  # nothing half-written left beside it


def test_save_does_not_overwrite_what_is_not_ours(trained, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    for target in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(FileExistsError, match="no vectors of ours"):
            trained.save(target)
    assert (tmp_path / "thesis.txt").read_text() == "precious"
    with pytest.raises(FileNotFoundError, match="tokvec.word2vec train"):
        WordVectors.load(tmp_path)


def test_gensim_reads_our_text_format(trained, tmp_path):
    gensim = pytest.importorskip("gensim.models")
    path = tmp_path / "vectors.txt"
    trained.save_text(path)
    theirs = gensim.KeyedVectors.load_word2vec_format(str(path))
    assert theirs.index_to_key == trained.words
    assert np.array_equal(theirs.vectors, trained.vectors)
    for word in trained.words:
        ours, other = trained.neighbours(word, 9), theirs.most_similar(word, topn=9)
        assert [w for w, _ in ours] == [w for w, _ in other]
        np.testing.assert_allclose([c for _, c in ours], [c for _, c in other], atol=1e-6)
    back = WordVectors.load_text(path)
    assert np.array_equal(back.vectors, trained.vectors) and back.words == trained.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "first line"),
        ("2 two\n", "first line"),
        ("2 3\na 1 2 3\n", "ends after 1 words"),
        ("1 3\na 1 2\n", "line 2: 2 numbers"),
        ("1 1\na 1\nb 2\n", "line 3"),
    ],
)
def test_broken_text_files_are_named(tmp_path, text, words):
    (tmp_path / "broken.txt").write_text(text)
    with pytest.raises(ValueError, match=words):
        WordVectors.load_text(tmp_path / "broken.txt")


def test_failed_text_save_leaves_nothing(trained, tmp_path, monkeypatch):
    monkeypatch.setattr(word2vec.np, "asarray", lambda *a, **k: np.array([[np.nan, None]], dtype=object))
    with pytest.raises((TypeError, ValueError)):
        trained.save_text(tmp_path / "v.txt")
    assert not list(tmp_path.iterdir())


# The command -------------------------------------------------------------------------------


def test_train_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(word2vec, "corpus", lambda name: toy_sentences(500))
    out = tmp_path / "vectors"
    arguments = ["train", "--corpus", "dictionary", "--out", str(out), "--dimension", "8", "--passes", "1"]
    assert word2vec.main([*arguments, "--keep", "6", "--half"]) == 0
    assert "4,000 words, 10 of them" in capsys.readouterr().out
    back = WordVectors.load(out)
    assert back.vectors.shape == (6, 8)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["settings"]["dimension"] == 8 and manifest["settings"]["keep"] == 6
    assert manifest["corpus_sha256"]
    assert np.load(out / "vectors.npy").dtype == np.float16


def test_train_command_reports_errors(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(word2vec, "corpus", lambda name: toy_sentences(20))
    base = ["train", "--corpus", "dictionary", "--out", str(tmp_path / "v")]
    assert word2vec.main([*base, "--min-count", "1000"]) == 1
    assert "min_count = 1000" in capsys.readouterr().err
    (tmp_path / "v").write_text("a file")
    assert word2vec.main([*base, "--min-count", "1"]) == 1
    assert "name another folder" in capsys.readouterr().err
