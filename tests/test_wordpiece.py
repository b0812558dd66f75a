"""WordPiece: the likelihood gain against its definition, encoding against the library."""

from collections import Counter
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bpe import MIXED, random_strings

from tokvec.tokenizers import WordPiece, parallel_text
from tokvec.tokenizers.wordpiece import CONTINUES, UNKNOWN, bert_words, learn_pieces, likelihood_gains


@pytest.fixture(scope="module")
def minilm_folder():
    from tokvec import datasets

    try:
        return datasets.minilm()
    except datasets.DatasetError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def peer(minilm_folder):
    from tokenizers import Tokenizer

    peer = Tokenizer.from_file(str(minilm_folder / "tokenizer.json"))
    peer.no_truncation()
    peer.no_padding()
    return peer


@pytest.fixture(scope="module")
def bert(minilm_folder):
    return WordPiece.load(minilm_folder / "vocab.txt")


def test_words_equal_the_librarys(peer):
    for text in MIXED + random_strings(1500):
        normal = peer.normalizer.normalize_str(text)
        assert bert_words(text) == [word for word, _ in peer.pre_tokenizer.pre_tokenize_str(normal)], ascii(text)


def test_ids_equal_the_librarys(bert, peer):
    sentences = [s for some in parallel_text().values() for s in some]
    for text in MIXED + random_strings(1500) + sentences + ["x" * 101, "ΟΔΟΣ ΟΔΥΣΣΕΥΣ", "İstanbul"]:
        assert bert.encode(text) == peer.encode(text, add_special_tokens=False).ids, ascii(text)


def test_decode_joins_the_pieces(bert):
    assert bert.decode(bert.encode("Tokenisation, unbelievably!")) == "tokenisation , unbelievably !"


def log_likelihood(words: list[list[str]]) -> float:
    counts = Counter(symbol for word in words for symbol in word)
    total = sum(counts.values())
    return sum(n * log(n / total) for n in counts.values())


def joined(word: list[str], pair: tuple[str, str]) -> list[str]:
    out, i = [], 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair:
            out.append(word[i] + word[i + 1].removeprefix(CONTINUES))
            i += 2
        else:
            out.append(word[i])
            i += 1
    return out


def test_each_merge_is_the_one_that_raises_the_likelihood_most():
    """Replay the learned pieces, trying every pair on the whole corpus at every step."""
    text = "the tide rose and the boat rose with the tide until the rope to the old pier tore in two"
    corpus = text.split()
    words = [[word[0], *(CONTINUES + c for c in word[1:])] for word in corpus]
    alphabet = [UNKNOWN, *sorted({symbol for word in words for symbol in word})]
    pieces = learn_pieces(Counter(corpus), 45)
    assert pieces[: len(alphabet)] == alphabet and len(pieces) == 45
    for piece in pieces[len(alphabet) :]:
        before = log_likelihood(words)
        pairs = {pair for word in words for pair in zip(word, word[1:], strict=False)}
        gains = {pair: log_likelihood([joined(w, pair) for w in words]) - before for pair in pairs}
        chosen = max((p for p in pairs if p[0] + p[1].removeprefix(CONTINUES) == piece), key=gains.__getitem__)
        assert gains[chosen] == pytest.approx(max(gains.values()), abs=1e-6)
        words = [joined(w, chosen) for w in words]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab", min_size=1, max_size=8), min_size=1, max_size=8))
def test_the_gain_is_exact_also_for_twins(corpus):
    """Whatever pair is joined, the closed form equals the difference of two likelihoods."""
    words = [list(word) for word in corpus]
    counts = Counter(symbol for word in words for symbol in word)
    total = sum(counts.values())
    for pair in {p for word in words for p in zip(word, word[1:], strict=False)}:
        after = [joined(w, pair) for w in words]
        k = total - sum(map(len, after))
        left, right = counts[pair[0]], counts[pair[1]]
        gain = likelihood_gains(k, left, right, pair[0] == pair[1], total)
        assert gain == pytest.approx(log_likelihood(after) - log_likelihood(words), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("abc ", min_size=1, max_size=12), min_size=1, max_size=5).filter(lambda t: "".join(t).strip()))
def test_what_was_learned_from_is_never_unknown(texts):
    wp = WordPiece.train(texts, 30)
    for text in texts:
        assert UNKNOWN not in wp.split(text)
        assert wp.decode(wp.encode(text)) == " ".join(bert_words(text))


def test_an_unseen_character_makes_the_word_unknown():
    wp = WordPiece.train("low lower lowest", 20)
    assert wp.split("low tide lowest")[1] == UNKNOWN


def test_longest_match_wins():
    wp = WordPiece([UNKNOWN, "u", "un", "##a", "##aff", "##able", "##affable"])
    assert wp.split("unaffable") == ["un", "##affable"]
    assert wp.split("unaff") == ["un", "##aff"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: WordPiece.train("abc abd", 4),
            "vocab_size=4 is smaller than the alphabet: this corpus has 4",
        ),
        (lambda: WordPiece.train(" \n", 10), "the corpus is empty"),
        (lambda: WordPiece([UNKNOWN, "a"]).decode([2]), "unknown piece id 2: this vocabulary has ids 0 to 1"),
        (lambda: WordPiece(["a"]), "the vocabulary of 1 pieces has no"),
        (lambda: WordPiece([UNKNOWN, "a", "a"]), "lists 'a' twice"),
    ],
)
def test_errors_name_the_value(make, message):
    with pytest.raises(ValueError, match=message):
        make()
