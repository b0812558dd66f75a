"""A word's vectors in its sentences, and the measures of how its senses separate."""

import json
import socket

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tokvec import contextual as ctx
from tokvec import datasets

RIVER = "He sat on the bank of the river and watched the water go by."
MONEY = "She deposited the cheque at the bank on the corner of the street."


@pytest.fixture(scope="module")
def minilm() -> ctx.Encoder:
    try:
        return ctx.load("minilm", dtype=torch.float64)
    except datasets.MissingDataset as missing:
        pytest.skip(str(missing))


# --- the sentences ---------------------------------------------------------------------


def test_senses_file():
    words = ctx.senses()
    assert len(words) >= 12
    for word, by_sense in words.items():
        assert len(by_sense) == 2
        sentences = [s for group in by_sense.values() for s in group]
        assert len(set(sentences)) == len(sentences)
        for group in by_sense.values():
            assert len(group) >= 6
        for sentence in sentences:
            assert len(ctx.word_spans(sentence, word)) == 1
    assert "Licence: CC0" in ctx.SENSES_FILE.read_text(encoding="utf-8")


def test_word_spans():
    assert ctx.word_spans("Bank, banker, the bank's river-bank", "bank") == [(0, 4), (18, 22), (31, 35)]
    assert ctx.word_spans("Où est l'été ?", "été") == [(9, 12)]
    for sentence, word in (("the banker", "bank"), ("", "bank"), ("a b", ""), ("the bank", "banks")):
        with pytest.raises(ValueError, match=f"the word '{word}' doesn't occur in"):
            ctx.word_spans(sentence, word)


# --- the encoder -----------------------------------------------------------------------


def test_hidden_states_equal_transformers(minilm):
    transformers = pytest.importorskip("transformers")
    folder = datasets.minilm()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float64).eval()
    sentences = [RIVER, "A bank.", MONEY]
    batch = tokenizer(sentences, padding=True, return_tensors="pt")
    with torch.inference_mode():
        theirs = torch.stack(model(**batch, output_hidden_states=True).hidden_states)
    ours = minilm.encode(sentences)
    assert (ours.mask == batch["attention_mask"].bool()).all()
    assert ours.pieces[1] == ["[CLS]", "a", "bank", ".", "[SEP]"]
    torch.testing.assert_close(ours.hidden[:, ours.mask], theirs[:, ours.mask])
    assert ours.hidden.shape == (minilm.layers + 1, *batch["input_ids"].shape, minilm.width)


def test_batching_changes_nothing(minilm):
    with pytest.raises(ValueError, match="is the string 'A bank.'; put it in a list"):
        ctx.word_vectors(minilm, "A bank.", "bank")
    together = ctx.word_vectors(minilm, [RIVER, MONEY, "A bank."], "bank")
    alone = torch.cat([ctx.word_vectors(minilm, [s], "bank") for s in (RIVER, MONEY, "A bank.")])
    torch.testing.assert_close(together, alone)


def test_several_occurrences_and_pieces(minilm):
    encoded = minilm.encode(["Bank on the bank"])
    vectors = ctx.word_vectors(minilm, ["Bank on the bank"], "bank")
    torch.testing.assert_close(vectors, encoded.hidden[:, 0, [1, 4]].transpose(0, 1))
    split = "an unputdownable book"
    encoded = minilm.encode([split])
    inside = [i for i, (a, b) in enumerate(encoded.spans[0]) if 3 <= a < b <= 16]
    assert len(inside) > 1
    vectors = ctx.word_vectors(minilm, [split], "unputdownable")
    torch.testing.assert_close(vectors[0], encoded.hidden[:, 0, inside].mean(1))


def test_layer_0_differs_by_position_alone(minilm):
    table = ctx.cosines(ctx.word_vectors(minilm, [RIVER, MONEY], "bank"))[:, 0, 1]
    assert table[0] < 0.99
    equal = ctx.cosines(ctx.word_vectors(minilm, [RIVER, MONEY], "bank", position=5))[:, 0, 1]
    assert equal[0].item() == pytest.approx(1, abs=1e-12)
    assert (equal[1:] < 0.99).all()


def test_with_one_position_for_all_a_reversal_is_invisible(minilm):
    one, other = "the dog bit the postman", "the postman bit the dog"
    for word in ("dog", "bit", "postman"):
        pair = ctx.word_vectors(minilm, [one, other], word, position=5)
        torch.testing.assert_close(pair[0], pair[1])
        pair = ctx.word_vectors(minilm, [one, other], word)
        assert (pair[0] - pair[1]).abs().max() > 0.01


@pytest.mark.parametrize(
    ("sentences", "word", "message"),
    [
        ([RIVER, "no such word"], "bank", "the word 'bank' doesn't occur in 'no such word'"),
        ([], "bank", "no sentence to encode"),
        (RIVER, "H", "put it in a list"),
        (["bank " * 511], "bank", "sentence 0 has 513 tokens, but minilm has only 512 positions"),
    ],
)
def test_bad_sentences(minilm, sentences, word, message):
    with pytest.raises(ValueError, match=message):
        if isinstance(sentences, str):
            minilm.encode(sentences)
        ctx.word_vectors(minilm, sentences, word)


# --- loading ------------------------------------------------------------------------------


def test_unknown_name():
    with pytest.raises(ValueError, match="no encoder is called 'elmo'; there are minilm, small-bert"):
        ctx.load("elmo")


def test_loading_never_asks_the_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(datasets, "places", lambda name: [])
    with pytest.raises(datasets.MissingDataset, match="bert_base_uncased"):
        ctx.load("bert-base-uncased")


def test_only_safetensors_and_only_bert(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(ValueError, match="has no model.safetensors"):
        ctx.load(tmp_path)


def test_small_bert_missing(monkeypatch, tmp_path):
    with pytest.raises(datasets.MissingDataset, match="python -m tokvec.contextual train"):
        ctx._load_small_bert(torch.float32, folder=tmp_path)


def test_small_bert_separates_senses():
    encoder = ctx.load("small-bert", dtype=torch.float64)
    manifest = json.loads((ctx.SMALL_BERT / "manifest.json").read_text(encoding="utf-8"))
    mean = ctx.average(ctx.measure(encoder))
    first, last = manifest["history"][0], manifest["history"][-1]
    for what in ("same", "cross", "accuracy"):
        np.testing.assert_allclose(getattr(mean, what).numpy(), last[what], atol=1e-4)
    gaps = [row["same"][-1] - row["cross"][-1] for row in (first, last)]
    assert gaps[1] > 5 * gaps[0]


# --- the measures -----------------------------------------------------------------------


def draw(occurrences: int, seed: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(occurrences, 2, 5, generator=generator, dtype=torch.float64)


def test_cosines_equal_scikit_learn():
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    vectors = draw(7)
    for layer in range(2):
        np.testing.assert_allclose(
            ctx.cosines(vectors)[layer].numpy(), pairwise.cosine_similarity(vectors[:, layer]), atol=1e-12
        )


def test_separation_by_hand():
    # Two senses at right angles, each pair of a sense 60 degrees apart.
    half, root = 0.5, 3**0.5 / 2
    flat = [[1, 0, 0, 0], [half, root, 0, 0], [0, 0, 1, 0], [0, 0, half, root]]
    vectors = torch.tensor(flat, dtype=torch.float64)[:, None]
    result = ctx.separation(vectors, ["a", "a", "b", "b"])
    assert result.same.item() == pytest.approx(0.5)
    assert result.cross.item() == pytest.approx(0)
    assert result.gap.item() == pytest.approx(0.5)
    assert result.same_sd.item() == pytest.approx(0)
    assert result.accuracy.item() == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(4, 10), st.integers(0, 2**31), st.data())
def test_nearest_centroid_equals_the_long_way(occurrences, seed, data):
    code = data.draw(st.permutations([0, 0, 1, 1] + [0] * (occurrences - 4)))
    vectors, code = draw(occurrences, seed), torch.tensor(code)
    unit = torch.nn.functional.normalize(vectors, dim=2)
    guesses = ctx.nearest_centroid(vectors, code)
    for i in range(occurrences):
        rest = torch.arange(occurrences) != i
        for layer in range(2):
            centroids = [unit[rest & (code == kind), layer].mean(0) for kind in (0, 1)]
            scores = [torch.cosine_similarity(unit[i, layer], c, dim=0).item() for c in centroids]
            assert guesses[i, layer] == int(np.argmax(scores))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**31), st.permutations(range(8)), st.floats(0.1, 50))
def test_separation_ignores_order_names_lengths_and_rotation(seed, order, scale):
    vectors, labels = draw(8, seed), list("aaaabbbb")
    base = ctx.separation(vectors, labels)
    rotation = torch.linalg.qr(torch.randn(5, 5, generator=torch.Generator().manual_seed(seed)).double())[0]
    changed = ctx.separation(
        (vectors * scale @ rotation)[list(order)], [{"a": "z", "b": "y"}[labels[i]] for i in order]
    )
    for what in ("same", "same_sd", "cross", "cross_sd", "accuracy"):
        torch.testing.assert_close(getattr(base, what), getattr(changed, what))


@pytest.mark.parametrize(
    ("labels", "message"),
    [("aabb", "4 labels for 5 occurrences"), ("aaaaa", "two senses"), ("aaaab", "'b': 1")],
)
def test_separation_refuses(labels, message):
    with pytest.raises(ValueError, match=message):
        ctx.separation(draw(5), list(labels))
