"""Unigram LM: Viterbi and EM against brute force, encoding against the library."""

import random
from collections import Counter
from itertools import product
from math import exp, inf, isclose, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bpe import random_strings

from tokvec.tokenizers import Unigram, parallel_text
from tokvec.tokenizers.unigram import SPACE, UNKNOWN, mark_spaces, seed_pieces


@pytest.fixture(scope="module")
def english() -> str:
    return " ".join(parallel_text()["english"])


@pytest.fixture(scope="module")
def trained(english) -> Unigram:
    return Unigram.train(english, 300)


def all_ways(model: Unigram, word: str) -> list[tuple[list[str], float]]:
    """Every way to cut a word into known pieces, with its log-probability."""
    value = dict(zip(model.pieces[1:], model.log_probabilities[1:], strict=True))
    ways = []
    for cuts in product([False, True], repeat=len(word) - 1):
        borders = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(word)]
        pieces = [word[a:b] for a, b in zip(borders, borders[1:], strict=False)]
        if all(p in value for p in pieces):
            ways.append((pieces, sum(value[p] for p in pieces)))
    return ways


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_viterbi_equals_brute_force(data):
    pieces = data.draw(st.sets(st.text("abc", min_size=2, max_size=4), max_size=12))
    names = ["a", "b", "c", *sorted(pieces)]
    values = data.draw(st.lists(st.floats(-9, -0.5), min_size=len(names), max_size=len(names)))
    model = Unigram([(UNKNOWN, 0.0), *zip(names, values, strict=True)])
    word = data.draw(st.text("abc", min_size=1, max_size=9))
    path, score = model.viterbi(word)
    best = max(value for _, value in all_ways(model, word))
    assert isclose(score, best, abs_tol=1e-9)
    assert "".join(edge.piece for edge in path) == word


def test_expected_counts_equal_brute_force(trained):
    words = Counter(mark_spaces("the tide rose over the stones")[:4])
    expected: Counter = Counter()
    for word, n in words.items():
        ways = all_ways(trained, word)
        total = sum(exp(value) for _, value in ways)
        for pieces, value in ways:
            for piece in pieces:
                expected[piece] += n * exp(value) / total
    counts = trained.expected_counts(words)
    assert all(isclose(counts[p], expected[p], rel_tol=1e-9, abs_tol=1e-12) for p in counts)


def corpus_log_likelihood(model: Unigram, words: Counter) -> float:
    return sum(n * log(sum(exp(value) for _, value in all_ways(model, w))) for w, n in words.items())


def test_an_em_step_never_makes_the_corpus_less_likely():
    words = Counter(mark_spaces("low lower lowest slow slower slowest low low"))
    model = Unigram._with_counts(seed_pieces(words, 40, 5))
    before = corpus_log_likelihood(model, words)
    for _ in range(5):
        model = Unigram._with_counts(model.expected_counts(words))
        after = corpus_log_likelihood(model, words)
        assert after >= before - 1e-9
        before = after


def test_training_keeps_the_alphabet_and_meets_the_size(trained, english):
    assert trained.vocab_size == 300
    assert set(trained.pieces) >= set(english.replace(" ", SPACE))
    assert isclose(sum(exp(v) for v in trained.log_probabilities[1:]), 1, rel_tol=1e-9)
    assert f"{SPACE}the" in trained.pieces


def test_ids_equal_the_librarys(trained):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    vocabulary = list(zip(trained.pieces, trained.log_probabilities, strict=True))
    peer = Tokenizer(models.Unigram(vocabulary, unk_id=0, byte_fallback=False))
    peer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    peer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    sentences = [s for some in parallel_text().values() for s in some]
    for text in [*sentences, *random_strings(400), "two  spaces", " leads", "trails "]:
        if text.startswith(SPACE) or text.startswith(" "):
            continue  # the library does not prepend a second mark
        assert trained.encode(text) == peer.encode(text).ids, ascii(text)


def test_text_of_known_characters_round_trips(trained, english):
    for text in (english, "the  tide", " low ", "a"):
        assert trained.decode(trained.encode(text)) == text
    assert trained.encode("") == []


def test_an_unknown_character_is_one_unknown_token(trained):
    assert trained.split("the ☃☃ tide").count(UNKNOWN) == 1


def test_samples_follow_the_model(trained):
    """Frequencies of sampled ways against their exact probabilities, and the two limits of alpha."""
    ways = all_ways(trained, f"{SPACE}tide")
    total = sum(exp(value) for _, value in ways)
    exact = {tuple(p): exp(value) / total for p, value in ways}
    rng, n = random.Random(1), 4000
    seen = Counter(tuple(trained.pieces[i] for i in trained.sample("tide", rng)) for _ in range(n))
    assert set(seen) <= set(exact)
    for way, p in exact.items():
        assert abs(seen[way] / n - p) < 5 * (p * (1 - p) / n) ** 0.5 + 1e-9  # five standard errors
    flat = Counter(tuple(trained.sample("tide", rng, alpha=0)) for _ in range(n))
    assert len(flat) == len(exact)
    assert max(flat.values()) / n < 1 / len(exact) + 5 * (1 / len(exact) / n) ** 0.5
    assert {tuple(trained.sample("tide", rng, alpha=200)) for _ in range(50)} == {
        tuple(trained.encode("tide"))
    }


def test_sampling_is_repeatable(trained, english):
    first = trained.sample(english, random.Random(7), alpha=0.5)
    assert trained.sample(english, random.Random(7), alpha=0.5) == first
    assert trained.decode(first) == english


def test_the_lattice_lists_every_piece(trained):
    for edge in trained.lattice(f"{SPACE}lowest"):
        assert f"{SPACE}lowest"[edge.start : edge.end] == edge.piece


def test_losses_are_infinite_for_characters_and_finite_for_the_rest(trained, english):
    counts = trained.expected_counts(Counter(mark_spaces(english)))
    losses = trained.losses(counts)
    assert all((losses[p] == inf) == (len(p) == 1) for p in trained.pieces[1:])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Unigram.train("", 10), "the corpus is empty"),
        (
            lambda: Unigram.train("abc", 3),
            "vocab_size=3 is smaller than the alphabet: this corpus has 4 characters",
        ),
        (lambda: Unigram.train("abc", 30, shrink=1.0), r"shrink=1.0 must lie between 0 and 1"),
        (
            lambda: Unigram([(UNKNOWN, 0.0), ("a", -1.0)]).decode([7]),
            "unknown piece id 7: this vocabulary has ids 0 to 1",
        ),
        (lambda: Unigram([("a", -1.0)]), "the first piece must be '<unk>'"),
        (lambda: Unigram([(UNKNOWN, 0.0), ("a", -1.0), ("a", -2.0)]), "lists 'a' twice"),
        (
            lambda: Unigram([(UNKNOWN, 0.0), ("a", -1.0)]).sample("a", random.Random(0), -1),
            "alpha=-1 is negative",
        ),
    ],
)
def test_errors_name_the_value(make, message):
    with pytest.raises(ValueError, match=message):
        make()
