"""The parallel text: complete, in the right scripts, of varied length, with its licence beside it."""

import re
from importlib import resources

import pytest

from tokvec.tokenizers import LANGUAGES, parallel, parallel_text

SOURCE = resources.files("tokvec") / "data" / "parallel.tsv"


def test_every_sentence_has_four_languages():
    text = parallel_text()
    assert tuple(text) == LANGUAGES
    sizes = {len(sentences) for sentences in text.values()}
    assert len(sizes) == 1 and sizes.pop() >= 60
    for language, sentences in text.items():
        assert len(set(sentences)) == len(sentences), language
        assert all(s == s.strip() and "\u00a0" not in s for s in sentences), language


def test_the_scripts_are_right():
    text = parallel_text()
    assert all(re.search("[\u0e01-\u0e5b]", s) for s in text["thai"])
    assert not any(re.search("[\u0e01-\u0e5b]", s) for lang in LANGUAGES[:3] for s in text[lang])
    assert set("ąćęłńóśźż") <= set("".join(text["polish"]).lower())
    assert set("éèêàçùœ") & set("".join(text["french"]).lower()) >= set("éèêàç")


def test_lengths_and_topics_vary():
    lengths = sorted(len(s.split()) for s in parallel_text()["english"])
    assert lengths[0] <= 3 and lengths[-1] >= 25
    topics = {line.split("\t")[0] for line in SOURCE.read_text(encoding="utf-8").splitlines()[4:]}
    assert len(topics) >= 15


def test_the_licence_stands_in_the_file():
    assert "# Licence: CC0 1.0" in SOURCE.read_text(encoding="utf-8")


def test_a_line_with_a_missing_language_is_named(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    rows = "topic\tenglish\tpolish\tfrench\tthai\nhome\tThe cat.\tKot.\tLe chat.\n"
    (tmp_path / "data" / "parallel.tsv").write_text(rows, encoding="utf-8")
    monkeypatch.setattr(parallel.resources, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"\['home', 'The cat.', 'Kot.', 'Le chat.'\] has 4 columns"):
        parallel_text()
