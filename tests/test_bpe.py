"""Byte-level BPE against the libraries that production models use."""

import base64
import gzip
import json
import os
import random
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec.tokenizers import BPE, CL100K, GPT2, O200K, parallel_text, pretokenize
from tokvec.tokenizers.bpe import BYTES, MergeStep, learn_merges, textbook_encode, textbook_merges

MIXED = [
    "",
    " ",
    "\n\n\n",
    "  \t  two  spaces   and a tab\t",
    "trailing space ",
    "trailing newlines \n\n",
    "It's, I'll, they'RE, 'tis, rock'n'roll, o'clock's",
    "def f(x):\n    return {'a': x**2, \"b\": [1_000, 0xFF]}  # π\r\n\tpass\n",
    "SELECT * FROM t WHERE a<>'b';--x\n<div class=\"a\">&nbsp;</div>",
    "Zażółć gęślą jaźń, kotami i ŹDŹBŁEM",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ น้ำขึ้นให้รีบตัก",
    "L’été dernier, l’œuvre coûtait 1 234,56 €",
    "日本語のテキスト、中文字符，한국어 문장",
    "नमस्ते दुनिया العربية עִבְרִית",
    "e\u0301 versus \u00e9, a\u0308\u0323, Z\u0351\u036b\u0343a\u035d",
    "👍🏽👨\u200d👩\u200d👧\u200d👦🇵🇱 emoji ☃\ufe0f",
    "\u00a0no-break\u2003em space\u3000ideographic\u200bzero width\ufeff",
    "x\u0000y\u0007\u001b[31m\u007f\u0080\u0085",
    "\ud7ff\ue000\uffff\U0010ffff edge of the surrogates",
    "12345678901234567890 ½ ² ⅷ ٣٤٥",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "CamelCaseWordsLikeThis XMLHttpRequest iOS's McDONALD",
    "<|endoftext|> is plain text here",
    "ſ'ſ 'S 'ſ K'K ǅ ʰ",
]


def random_strings(n: int, seed: int = 4) -> list[str]:
    """Strings over the whole of Unicode, with runs, so that every branch of the patterns is met."""
    rng = random.Random(seed)
    blocks = [(0x20, 0x7E), (0x09, 0x0D), (0xA0, 0x17F), (0x300, 0x36F), (0xE00, 0xE5B), (0x400, 0x4FF)]
    blocks += [
        (0x2000, 0x206F),
        (0x4E00, 0x4FFF),
        (0x1F300, 0x1F6FF),
        (0x20, 0x20),
        (0x30, 0x39),
        (0x41, 0x7A),
    ]
    strings = []
    for _ in range(n):
        parts = []
        for _ in range(rng.randint(1, 12)):
            low, high = rng.choice(blocks)
            parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6))))
        strings.append("".join(parts))
    return strings


@pytest.fixture(scope="module")
def corpus() -> str:
    return "\n".join(sentence for sentences in parallel_text().values() for sentence in sentences)


@pytest.fixture(scope="module")
def trained(corpus) -> BPE:
    return BPE.train(corpus, 700)


def library_bpe(texts, vocab_size):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    peer = Tokenizer(models.BPE())
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    peer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    peer.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=vocab_size, show_progress=False, initial_alphabet=alphabet)
    )
    return peer


def named_merges(bpe: BPE) -> list[list[str]]:
    return bpe._as_json()["model"]["merges"]


# The worked example ---------------------------------------------------------------------------


def test_the_worked_corpus_merges_as_published():
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    steps = list(textbook_merges(words, 10))
    assert [(s.pair, s.count) for s in steps[:4]] == [
        (("e", "s"), 9),
        (("es", "t"), 9),
        (("est", "·"), 9),
        (("l", "o"), 7),
    ]
    assert steps[-1].words[("newest·",)] == 6
    assert isinstance(steps[0], MergeStep)


def test_the_worked_corpus_stops_when_every_word_is_one_symbol():
    steps = list(textbook_merges({"ab": 2}, 50))
    assert [s.pair for s in steps] == [("a", "b"), ("ab", "·")]


def test_without_an_end_mark_words_are_their_letters():
    steps = list(textbook_merges({"aaab": 5, "aab": 3}, 3, end=""))
    assert [(s.pair, s.count) for s in steps] == [(("a", "a"), 13), (("aa", "a"), 5), (("aaa", "b"), 5)]
    assert textbook_encode("aab", [("a", "a")], end="") == ("aa", "b")


def test_encoding_the_training_words_gives_what_training_left():
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    steps = list(textbook_merges(words, 10))
    pairs = [step.pair for step in steps]
    assert [textbook_encode(word, pairs) for word in words] == list(steps[-1].words)
    assert textbook_encode("lowest", pairs) == ("low", "est·")


def slow_merges(words: dict[str, int], n: int, first_id: int) -> list[str]:
    """`learn_merges` by the definition: recount everything, smaller ids win ties."""
    words, merges = dict(words), []
    while len(merges) < n:
        pairs: dict[str, int] = {}
        for word, k in words.items():
            for i in range(len(word) - 1):
                pairs[word[i : i + 2]] = pairs.get(word[i : i + 2], 0) + k
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        new = chr(first_id + len(merges))
        merges.append(best)
        replaced: dict[str, int] = {}
        for word, k in words.items():
            word = word.replace(best, new)
            replaced[word] = replaced.get(word, 0) + k
        words = replaced
    return merges


@given(st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 9), min_size=1, max_size=12))
def test_fast_counting_agrees_with_recounting(words):
    assert learn_merges(words, 40, 1000) == slow_merges(words, 40, 1000)


# Against the library `tokenizers` --------------------------------------------------------------


def test_same_merges_as_the_library(corpus, trained):
    peer = library_bpe([corpus], 700)
    assert named_merges(trained) == json.loads(peer.to_str())["model"]["merges"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("aab \n", min_size=1, max_size=30), min_size=1, max_size=6))
def test_same_merges_on_tiny_repetitive_corpora(texts):
    peer = library_bpe(texts, 290)
    assert named_merges(BPE.train(texts, 290)) == json.loads(peer.to_str())["model"]["merges"]


def test_same_ids_as_the_library_on_other_text(corpus, trained):
    peer = library_bpe([corpus], 700)
    for text in MIXED + random_strings(300):
        assert trained.encode(text) == peer.encode(text).ids, text
        assert trained.decode(trained.encode(text)) == text


def test_the_library_reads_what_is_saved(trained, tmp_path):
    from tokenizers import Tokenizer

    path = tmp_path / "tokenizer.json"
    trained.save(path)
    peer = Tokenizer.from_file(str(path))
    again = BPE.load(path)
    for text in MIXED:
        assert peer.encode(text).ids == trained.encode(text) == again.encode(text)
        assert peer.decode(peer.encode(text).ids) == text
    assert [p.name for p in tmp_path.iterdir()] == ["tokenizer.json"]


def test_what_the_library_saves_is_read(corpus, trained, tmp_path):
    path = tmp_path / "peer.json"
    library_bpe([corpus], 700).save(str(path))
    assert BPE.load(path).merges == trained.merges


def test_a_pattern_and_special_tokens_survive_saving(corpus, tmp_path):
    from tokenizers import Tokenizer

    path = tmp_path / "t.json"
    bpe = BPE(BPE.train(corpus, 400, CL100K).merges, CL100K, {"<|end|>": 400})
    bpe.save(path)
    again, peer = BPE.load(path), Tokenizer.from_file(str(path))
    assert again.pattern == CL100K and again.special == {"<|end|>": 400} and again.vocab_size == 401
    assert peer.get_vocab_size() == 401
    plain = "In 2024, 123456 tides"
    assert peer.encode(plain).ids == again.encode(plain) == bpe.encode(plain)


# Against tiktoken and bpe-openai ---------------------------------------------------------------


def gpt2_folder() -> Path:
    from tokvec import datasets

    try:
        return datasets.gpt2_bpe()
    except datasets.DatasetError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def gpt2() -> BPE:
    merges = gpt2_folder() / "6d1cbeee0f20b3d9449abfede4726ed8212e3aee"
    return BPE.from_merges_file(merges, special={"<|endoftext|>": 50256})


def test_gpt2_ids_equal_tiktokens(gpt2, corpus, monkeypatch):
    import tiktoken

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(gpt2_folder()))
    peer = tiktoken.get_encoding("gpt2")
    assert gpt2.vocab_size == peer.n_vocab == 50257
    for text in MIXED + random_strings(1500) + [corpus, "\ud800", "a\udfffb", "\ud83d\udc4d split pair"]:
        assert gpt2.encode(text) == peer.encode_ordinary(text), ascii(text)
    assert gpt2.decode([15496, 50256]) == "Hello<|endoftext|>"


@pytest.mark.parametrize(
    ("name", "pattern", "size"), [("cl100k_base", CL100K, 100277), ("o200k_base", O200K, 200019)]
)
def test_newer_vocabularies_equal_bpe_openai(name, pattern, size, corpus):
    bpe_openai = pytest.importorskip("bpe_openai")
    peer = bpe_openai.get_encoding(name)
    source = resources.files("bpe_openai") / "data" / f"{name}.tiktoken.gz"
    with resources.as_file(source) as path:
        bpe = BPE.from_tiktoken(path, pattern, peer._special_tokens)
    assert bpe.vocab_size == size
    for text in MIXED + random_strings(1500) + [corpus]:
        assert bpe.encode(text) == peer.encode_ordinary(text), ascii(text)
        assert bpe.decode(bpe.encode(text)) == text


# Properties ------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_round_trips(trained, text):
    ids = trained.encode(text)
    assert trained.decode(ids) == text
    assert all(0 <= i < 256 or i < trained.vocab_size for i in ids)


@settings(max_examples=200, deadline=None)
@given(st.text(), st.sampled_from([GPT2, CL100K, O200K]))
def test_pre_tokens_join_to_the_text(text, pattern):
    assert "".join(pretokenize(text, pattern)) == text


@settings(max_examples=100, deadline=None)
@given(st.text(), st.integers(0, 444))
def test_undoing_merges_only_refines_the_cut(trained, text, n):
    """Every token border of the full tokeniser is a border of any earlier one."""

    def borders(bpe):
        total, found = 0, set()
        for i in bpe.encode(text):
            total += len(bpe.tokens[i])
            found.add(total)
        return found

    assert borders(trained) <= borders(trained.first(n))


def test_no_merges_means_bytes():
    assert BPE([]).encode("é") == [BYTES.index(b) for b in "é".encode()]
    assert sorted(BYTES) == list(range(256))


def test_lone_surrogates_become_the_replacement_character():
    assert BPE([]).decode(BPE([]).encode("a\ud800b\ud83d\udc4d")) == "a\ufffdb👍"


# Errors ----------------------------------------------------------------------------------------


def test_a_vocabulary_below_the_alphabet():
    with pytest.raises(ValueError, match="vocab_size=255 is smaller than the alphabet of 256 bytes"):
        BPE.train("text", 255)


@pytest.mark.parametrize("texts", ["", [], ["", ""]])
def test_an_empty_corpus(texts):
    with pytest.raises(ValueError, match="the corpus is empty"):
        BPE.train(texts, 300)


@pytest.mark.parametrize("bad", [700, -1, 10**9])
def test_an_unknown_id(trained, bad):
    with pytest.raises(ValueError, match=f"unknown token id {bad}: this vocabulary has ids 0 to 699"):
        trained.decode([1, bad])


def test_a_small_corpus_runs_out_of_pairs():
    assert BPE.train("ab ab", 1000).vocab_size < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#version: 0.2\nt h\nbroken\n", "line 3: 'broken' is not two tokens"),
        ("t h\nth zz\n", "merge 1: 'zz' is neither a byte nor made by an earlier merge"),
        ("t h\nt h\n", "two merges make the same token b'th'"),
    ],
)
def test_an_invalid_merges_file(tmp_path, text, message):
    path = tmp_path / "merges.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        BPE.from_merges_file(path)


@pytest.mark.parametrize("content", ["", "{}", "[1, 2]", '{"model": {"vocab": {}}}', "\x00"])
def test_an_invalid_tokenizer_json(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="is not a BPE tokenizer.json"):
        BPE.load(path)


def rank_lines(tokens) -> bytes:
    return b"".join(base64.b64encode(t) + b" %d\n" % i for i, t in enumerate(tokens))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"IQ==\n", "line 1: b'IQ==' is not 'base64 rank'"),
        (b"IQ== 5\n", "rank 5; expected rank 0"),
        (
            rank_lines([bytes([b]) for b in BYTES] + [b"abc"]),
            "token b'abc' is not made of two earlier tokens, but of 3",
        ),
        (rank_lines([bytes([b]) for b in range(256)]), "expected rank 0 for byte b'!'"),
    ],
)
def test_an_invalid_rank_file(tmp_path, data, message):
    path = tmp_path / "ranks.gz"
    path.write_bytes(gzip.compress(data))
    with pytest.raises(ValueError, match=message):
        BPE.from_tiktoken(path)


def test_a_failed_save_leaves_the_old_file(trained, tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    path.write_text("precious")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        trained.save(path)
    assert path.read_text() == "precious" and len(list(tmp_path.iterdir())) == 1


def test_merges_out_of_order():
    with pytest.raises(ValueError, match="merge 0 joins tokens 256 and 0, but only ids 0 to 255 exist"):
        BPE([(256, 0)])


def test_a_special_token_may_not_hide_an_ordinary_one():
    with pytest.raises(ValueError, match="use ids below 256"):
        BPE([], special={"<|end|>": 3})
