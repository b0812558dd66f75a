"""One bigram model for any way of cutting text, and its price per token and per character.

Chapter 3 uses it to ask what perplexity is worth when the tokens change: the same model and the
same text, cut into characters, subwords and words.

The model mixes three guesses at the next symbol: what followed this one in training, how
common each symbol is, and all symbols alike. The three weights are fitted on held-out text by
expectation-maximisation (Jelinek-Mercer smoothing [1]_).

References
----------
.. [1] F. Jelinek, R. Mercer, "Interpolated estimation of Markov source parameters from sparse
   data", 1980; D. Jurafsky, J. Martin, "Speech and Language Processing", chapter 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

UNKNOWN = 0  # the id of every symbol that a vocabulary leaves out
_CODE_POINTS = 0x110000


def vocabulary(symbols: Iterable[Hashable], min_count: int = 1) -> dict[Hashable, int]:
    """Number the symbols of a training text from 1, commonest first; 0 is left for the unknown.

    Parameters
    ----------
    symbols : iterable
        The training text, cut.
    min_count : int, optional
        A symbol seen fewer times than this is left out, so that the model learns from the rare ones of
        today how the unknown ones of tomorrow behave.
    """
    ranked = sorted(Counter(symbols).items(), key=lambda item: (-item[1], str(item[0])))
    return {symbol: i for i, (symbol, n) in enumerate(ranked, 1) if n >= min_count}


def numbered(symbols: Iterable[Hashable], ids: dict[Hashable, int]) -> np.ndarray:
    """Return the ids of cut text, shape (n,), `UNKNOWN` for what the vocabulary lacks."""
    return np.fromiter((ids.get(symbol, UNKNOWN) for symbol in symbols), dtype=np.int64)


class InterpolatedBigram:
    """P(y | x) = w2 c(x, y) / c(x) + w1 c(y) / N + w0 / V.

    Parameters
    ----------
    train : array of int, shape (n,)
        The training stream; ids from 0 to ``size - 1``.
    held_out : array of int, shape (m,)
        Text the counts have not seen; the weights are fitted on it.
    size : int
        V, the number of symbols, the unknown one included.
    steps : int, optional
        Passes of expectation-maximisation.

    Attributes
    ----------
    weights : array, shape (3,)
        w2, w1, w0: bigram, unigram, uniform; they sum to one.

    Raises
    ------
    ValueError
        If a stream is empty or holds an id outside the vocabulary.

    Notes
    -----
    After a symbol that training never met, or that only ended it, the first part repeats the unigram, so
    that every P(. | x) sums to one.
    """

    def __init__(self, train: np.ndarray, held_out: np.ndarray, size: int, steps: int = 50):
        self.size = size
        for name, stream in (("training", train), ("held-out", held_out)):
            if len(stream) == 0:
                raise ValueError(f"the {name} stream is empty")
            if stream.min() < 0 or stream.max() >= size:
                raise ValueError(
                    f"the {name} stream holds id {stream.max()}: with size={size} ids end at {size - 1}"
                )
        self._unigram = np.bincount(train, minlength=size) / len(train)
        self._contexts = np.bincount(train[:-1], minlength=size)
        self._pairs, self._pair_counts = np.unique(train[:-1] * size + train[1:], return_counts=True)
        self.weights = np.full(3, 1 / 3)
        parts = self._parts(held_out)
        for _ in range(steps):
            mixed = self.weights[:, None] * parts
            self.weights = (mixed / mixed.sum(0)).mean(1)

    def _parts(self, stream: np.ndarray) -> np.ndarray:
        """The three guesses at each symbol of a stream after its first, shape (3, n - 1)."""
        x, y = stream[:-1], stream[1:]
        unigram = self._unigram[y]
        code = x * self.size + y
        place = np.searchsorted(self._pairs, code)
        place[place == len(self._pairs)] = 0
        found = (
            np.where(self._pairs[place] == code, self._pair_counts[place], 0) if len(self._pairs) else 0 * x
        )
        seen = self._contexts[x]
        bigram = np.where(seen > 0, found / np.maximum(seen, 1), unigram)
        return np.stack([bigram, unigram, np.full(len(y), 1 / self.size)])

    def nats(self, stream: np.ndarray) -> np.ndarray:
        """Surprise at each symbol of a stream after its first: -log P(y | x), shape (n - 1,)."""
        return -np.log(self.weights @ self._parts(stream))


@dataclass(frozen=True)
class Price:
    """What a test text cost.

    Attributes
    ----------
    symbols : int
        Size of the vocabulary, the unknown symbol included.
    tokens, characters : int
        Length of the test text in tokens and in characters.
    nats : float
        Total surprise.
    unknown : int
        Tokens of the test text that the vocabulary lacks.
    """

    symbols: int
    tokens: int
    characters: int
    nats: float
    unknown: int

    @property
    def perplexity(self) -> float:
        """Price per token, as a number of equally likely choices."""
        return math.exp(self.nats / self.tokens)

    @property
    def bits_per_character(self) -> float:
        """Price per character, in bits."""
        return self.nats / math.log(2) / self.characters


def price(
    train: Sequence, held_out: Sequence, test: Sequence, characters: int, ids: dict | None = None, spell=False
):
    """Fit an interpolated bigram model to cut text and price other text with it.

    Parameters
    ----------
    train, held_out, test : sequence
        The three texts, cut by the same tokeniser into hashable symbols.
    characters : int
        Characters of the test text, the common unit of length.
    ids : dict, optional
        The vocabulary; `vocabulary` of the training text unless given.
    spell : bool, optional
        Whether unknown symbols, besides being called unknown, must be spelled out, so that the text could be
        rebuilt: words letter by letter, by a second such model; single characters by code point.

    Returns
    -------
    Price
    """
    ids = vocabulary(train) if ids is None else ids
    streams = [numbered(text, ids) for text in (train, held_out, test)]
    model = InterpolatedBigram(streams[0], streams[1], len(ids) + 1)
    nats = float(model.nats(streams[2]).sum())
    unknown = int((streams[2] == UNKNOWN).sum())
    if spell and unknown:
        left_out = [[s for s in text if s not in ids] for text in (train, held_out, test)]
        nats += spelling_nats(*left_out)
    return Price(len(ids) + 1, len(test) - 1, characters, nats, unknown)


def spelling_nats(train: Sequence[str], held_out: Sequence[str], test: Sequence[str]) -> float:
    """Return what it costs to spell words letter by letter, each with an end, in nats.

    Parameters
    ----------
    train, held_out, test : sequence of str
        Words the main vocabulary left out, of each text. A character that no training word has costs the
        unknown symbol and its code point, log(1,114,112).
    """
    if all(len(word) == 1 for word in test):
        return len(test) * math.log(_CODE_POINTS)

    def letters(words):
        return [None, *(letter for word in words for letter in (*word, None))]

    train_letters, held_letters, test_letters = letters(train), letters(held_out), letters(test)
    ids = vocabulary(train_letters)
    model = InterpolatedBigram(numbered(train_letters, ids), numbered(held_letters, ids), len(ids) + 1)
    stream = numbered(test_letters, ids)
    strangers = int((stream == UNKNOWN).sum())
    return float(model.nats(stream).sum()) + strangers * math.log(_CODE_POINTS)
