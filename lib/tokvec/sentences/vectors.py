"""Ways to turn a sentence into one vector, from counting words to running a transformer.

Every method has ``encode(texts) -> array of shape (n, d)`` and is compared by cosine, except
`WordOverlap`, which compares two sets of words directly. `similarity` hides the difference.

References
----------
Reimers, Gurevych (2019), "Sentence-BERT", arXiv:1908.10084 (mean pooling, and [CLS] against it).
Spärck Jones (1972), "A statistical interpretation of term specificity" (the idf in TF-IDF).
"""

import copy
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from tokvec.sentences.search import normalise

WORD = re.compile(r"(?:[^\W_]|')+")  # runs of letters, digits and apostrophes


def words(text: str) -> list[str]:
    """Return the lower-cased words and numbers of a text, punctuation dropped."""
    return WORD.findall(text.lower().replace("’", "'"))


def checked_texts(texts: Sequence[str], name: str = "texts") -> list[str]:
    """Return the texts as a list, or raise ValueError when there are none or one is blank."""
    if isinstance(texts, str):
        raise ValueError(f"{name} is one string: put it in a list, [{texts[:20]!r}]")
    listed = list(texts)
    if not listed:
        raise ValueError(f"{name} is empty: give at least one text")
    for i, text in enumerate(listed):
        if not text.strip():
            raise ValueError(f"{name}[{i}] is {text!r}: an empty text means nothing to compare; leave it out")
    return listed


class Vectoriser(Protocol):
    """What all methods but `WordOverlap` share."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text, shape (n, d)."""
        ...


class WordOverlap:
    """Jaccard similarity of two texts' sets of words: shared words over all words of the two."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        """Return the similarity of every left text with every right one, shape (m, n)."""
        left_sets = [set(words(t)) for t in checked_texts(left, "left")]
        right_sets = [set(words(t)) for t in checked_texts(right, "right")]
        column = {word: i for i, word in enumerate(sorted(set().union(*left_sets, *right_sets)))}
        a, b = _indicators(left_sets, column), _indicators(right_sets, column)
        shared = a @ b.T
        union = a.sum(1)[:, None] + b.sum(1) - shared
        return shared / np.maximum(union, 1)


def _indicators(sets: list[set[str]], column: dict[str, int]) -> np.ndarray:
    table = np.zeros((len(sets), max(1, len(column))), dtype=np.float32)
    for row, members in zip(table, sets, strict=True):
        row[[column[word] for word in members]] = 1
    return table


class TfIdf:
    """Word counts weighted by rarity: a word in n_w of n texts weighs ln((1 + n) / (1 + n_w)) + 1.

    Parameters
    ----------
    corpus : sequence of str
        The texts that define the vocabulary and the weights; other words are ignored later.
    """

    def __init__(self, corpus: Sequence[str]) -> None:
        documents = [words(t) for t in checked_texts(corpus, "corpus")]
        frequency = Counter(word for document in documents for word in set(document))
        if not frequency:
            raise ValueError(f"none of the {len(documents)} texts holds a word: there is nothing to weigh")
        self.column = {word: i for i, word in enumerate(sorted(frequency))}
        n = len(documents)
        self.idf = np.array([math.log((1 + n) / (1 + frequency[w])) + 1 for w in self.column], dtype=np.float32)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return weighted counts, shape (n, vocabulary)."""
        counts = np.zeros((len(checked_texts(texts)), len(self.column)), dtype=np.float32)
        for row, text in zip(counts, texts, strict=True):
            for word, count in Counter(words(text)).items():
                if word in self.column:
                    row[self.column[word]] = count
        return counts * self.idf


class WordAverage:
    """The mean of the vectors of a text's known words; unknown words are skipped.

    Parameters
    ----------
    vocabulary : sequence of str
        The words, in the order of the rows.
    vectors : array of shape (len(vocabulary), d)
        One row a word.
    """

    def __init__(self, vocabulary: Sequence[str], vectors: np.ndarray) -> None:
        if len(vocabulary) != len(vectors):
            raise ValueError(f"{len(vocabulary)} words but {len(vectors)} vectors: they must match row by row")
        self.row = {word: i for i, word in enumerate(vocabulary)}
        self.vectors = vectors

    def ids(self, text: str) -> list[int]:
        """Return the rows of the text's known words, in order; a possessive 's is dropped if need be."""
        bare = (word.strip("'") for word in words(text))
        found = (self.row.get(word, self.row.get(word.removesuffix("'s"))) for word in bare)
        return [i for i in found if i is not None]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return mean vectors, shape (n, d); a text without a known word gets zeros."""
        out = np.zeros((len(checked_texts(texts)), self.vectors.shape[1]), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            known = self.ids(text)
            if known:
                row[:] = self.vectors[known].astype(np.float32).mean(axis=0)
        return out


class Pooled:
    """What both kinds of encoder below share: pool each sentence's states, and remember the result.

    Running a model is the slow part, so the vectors of every text are kept, pooled both ways, and
    `with_pooling` shares that memory.
    """

    def __init__(self, pooling: str = "mean") -> None:
        if pooling not in ("mean", "cls"):
            raise ValueError(f'pooling is {pooling!r}: choose "mean" or "cls"')
        self.pooling = pooling
        self._seen: dict[str, dict[str, np.ndarray]] = {}

    def with_pooling(self, pooling: str) -> "Pooled":
        """Return the same model, with the same memory, pooled another way."""
        Pooled(pooling)  # raises if there is no such pooling
        other = copy.copy(self)
        other.pooling = pooling
        return other

    def encode(self, texts: Sequence[str], batch: int = 32) -> np.ndarray:
        """Return pooled states, shape (n, d).

        New texts are batched by length, longest first, so that little work is spent on padding.
        """
        listed = checked_texts(texts)
        new = sorted({text for text in listed if text not in self._seen}, key=lambda text: (-len(text), text))
        for start in range(0, len(new), batch):
            part = new[start : start + batch]
            states, mask = self._states(part)
            weights = mask.unsqueeze(-1).to(states.dtype)
            mean = (states * weights).sum(dim=1) / weights.sum(dim=1)
            for text, m, c in zip(part, mean.numpy(), states[:, 0].numpy(), strict=True):
                self._seen[text] = {"mean": m.copy(), "cls": c.copy()}
        return np.stack([self._seen[text][self.pooling] for text in listed])


class Encoder(Pooled):
    """A `transformers` encoder's last hidden states, pooled into one vector a sentence.

    Parameters
    ----------
    model : callable
        A `transformers` encoder, or anything that returns ``last_hidden_state`` like one.
    tokenizer : callable
        Its tokenizer, called as `transformers` tokenizers are.
    pooling : str
        "mean" (over the tokens that are not padding) or "cls" (the first token's state).
    max_length : int
        Longer texts are cut to so many tokens.
    """

    def __init__(self, model, tokenizer, pooling: str = "mean", max_length: int = 256) -> None:
        super().__init__(pooling)
        self.model, self.tokenizer, self.max_length = model.eval(), tokenizer, max_length

    @classmethod
    def from_folder(cls, folder: str | Path, pooling: str = "mean") -> "Encoder":
        """Read model and tokenizer with `transformers` from a local folder; no network, no foreign code."""
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        bars = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            model = AutoModel.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, use_safetensors=True
            )
        finally:
            if bars:
                logging.enable_progress_bar()
        return cls(model, tokenizer, pooling)

    def parameters(self) -> int:
        """Count the model's numbers."""
        return sum(p.numel() for p in self.model.parameters())

    def _states(self, texts: list[str]):
        import torch

        tokens = self.tokenizer(texts, padding=True, truncation=True, max_length=self.max_length, return_tensors="pt")
        with torch.inference_mode():
            return self.model(**tokens).last_hidden_state, tokens["attention_mask"]


class HiddenStates(Pooled):
    """The last hidden states of one of chapter 8's encoders, pooled into one vector a sentence.

    Parameters
    ----------
    encoder : tokvec.contextual.Encoder
        What `tokvec.contextual.load` returns: ``encode(texts)`` gives ``hidden``, of shape
        (layers + 1, n, tokens, width), and ``mask``.
    pooling : str
        "mean" or "cls".
    """

    def __init__(self, encoder, pooling: str = "mean") -> None:
        super().__init__(pooling)
        self.encoder = encoder

    def _states(self, texts: list[str]):
        encoded = self.encoder.encode(texts)
        return encoded.hidden[-1].float(), encoded.mask


def similarity(method: Vectoriser | WordOverlap, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
    """Return how alike a method finds every left text and every right one, shape (m, n).

    The cosine of their vectors, or the method's own similarity where it has no vectors.
    """
    if isinstance(method, WordOverlap):
        return method.similarity(left, right)
    return normalise(method.encode(left)) @ normalise(method.encode(right)).T
