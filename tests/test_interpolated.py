"""The interpolated bigram model: a proper distribution, the right weights, the right units."""

import math
import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import bigram
from tokvec.interpolated import (
    UNKNOWN,
    InterpolatedBigram,
    Price,
    numbered,
    price,
    spelling_nats,
    vocabulary,
)

streams = st.lists(st.integers(0, 5), min_size=2, max_size=40).map(np.array)


@settings(max_examples=100, deadline=None)
@given(streams, streams)
def test_every_row_sums_to_one(train, held_out):
    model = InterpolatedBigram(train, held_out, 7)
    for x in range(7):
        pairs = [float(np.exp(-model.nats(np.array([x, y]))[0])) for y in range(7)]
        assert sum(pairs) == pytest.approx(1)
    assert model.weights.sum() == pytest.approx(1)


@settings(max_examples=30, deadline=None)
@given(streams, st.lists(st.integers(0, 5), min_size=6, max_size=40).map(np.array))
def test_no_other_weights_suit_the_held_out_text_better(train, held_out):
    model = InterpolatedBigram(train, held_out, 7, steps=2000)
    best = model.nats(held_out).sum()
    for a in range(11):
        for b in range(11 - a):
            model.weights = np.array([a, b, 10 - a - b]) / 10
            with np.errstate(divide="ignore"):
                assert model.nats(held_out).sum() >= best - 1e-2


def test_the_bigram_part_alone_is_the_count_table_of_chapter_3():
    names = ["emma", "olivia", "ava", "isabella", "mia"]
    xs, ys = bigram.bigrams(names)
    table = bigram.probabilities(bigram.count(xs, ys), add=0.0001)
    # A stream runs through the boundary: .emma.olivia. ... gives the same pairs as the names one by one.
    stream = np.array([0, *(i for name in names for i in [*bigram.encode(name), 0])])
    model = InterpolatedBigram(stream, stream, 27)
    model.weights = np.array([1.0, 0.0, 0.0])
    assert model.nats(stream).mean() == pytest.approx(-torch.log(table[xs, ys]).mean().item(), abs=1e-2)
    assert len(stream) - 1 == len(xs)


def test_a_random_text_costs_what_its_entropy_says():
    """Independent fair draws of 16 symbols: no model can beat 4 bits, and this one comes close."""
    rng = random.Random(0)
    text = [rng.randrange(16) for _ in range(60_000)]
    train, held_out, test = text[:40_000], text[40_000:50_000], text[50_000:]
    paid = price(train, held_out, test, len(test))
    assert paid.bits_per_character == pytest.approx(4, abs=0.02)
    assert paid.perplexity == pytest.approx(16, rel=0.02)
    assert (paid.unknown, paid.tokens, paid.symbols) == (0, 9_999, 17)


def test_both_prices_come_from_one_total():
    paid = Price(symbols=5, tokens=100, characters=400, nats=100 * math.log(50), unknown=0)
    assert paid.perplexity == pytest.approx(50)
    assert paid.bits_per_character == pytest.approx(math.log2(50) / 4)


def test_spelling_can_only_add_to_the_price():
    words = ["the", "tide", "rose", "the", "boat", "rose", "a", "rope", "held", "the", "boat"] * 8
    rare = [f"w{i}x" for i in range(40)]
    train, held_out, test = words + rare[:20], words + rare[20:30], words + rare[30:]
    ids = vocabulary(train, min_count=2)
    plain = price(train, held_out, test, 500, ids)
    spelled = price(train, held_out, test, 500, ids, spell=True)
    assert plain.unknown == spelled.unknown == 10
    assert spelled.nats > plain.nats
    assert spelled.tokens == plain.tokens


def test_spelling_single_characters_costs_their_code_point():
    assert spelling_nats(["a"], ["b"], ["c", "d"]) == pytest.approx(2 * math.log(0x110000))


def test_spelling_a_word_includes_its_end():
    """Trained on "ab" alone, the model is sure of "ab" and its end, and surprised by "abab"."""
    assert spelling_nats(["ab"] * 200, ["ab"] * 50, ["ab"]) < 0.2
    assert spelling_nats(["ab"] * 200, ["ab"] * 50, ["abab"]) > 2


def test_a_vocabulary_is_numbered_by_frequency_and_leaves_the_rare_out():
    ids = vocabulary("abracadabra", min_count=2)
    assert ids == {"a": 1, "b": 2, "r": 3}
    assert numbered("bad", ids).tolist() == [2, 1, UNKNOWN]


@pytest.mark.parametrize(
    ("train", "held_out", "message"),
    [
        ([], [1], "the training stream is empty"),
        ([1], [], "the held-out stream is empty"),
        ([1, 9], [1], "the training stream holds id 9: with size=3 ids end at 2"),
    ],
)
def test_errors_name_the_value(train, held_out, message):
    with pytest.raises(ValueError, match=message):
        InterpolatedBigram(np.array(train, dtype=int), np.array(held_out, dtype=int), 3)
