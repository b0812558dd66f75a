"""Figure: every way to cut one word under a unigram language model, and the best of them."""

from __future__ import annotations

from math import exp

import traitlets

from tokvec.figures._base import Figure, number, table
from tokvec.tokenizers.unigram import SPACE, UNKNOWN, Unigram


class LatticeFigure(Figure):
    """The Viterbi lattice of a word that the reader types; the twin is `Unigram` itself.

    Attributes
    ----------
    pieces : list of str
        The vocabulary, without ``<unk>``.
    log_probabilities : list of float
        Their log-probabilities in nats, rounded to three decimals.
    word : str
        What stands in the box at first.
    examples : list of str
        Words on the example buttons.

    """

    module = "lattice"
    pieces = traitlets.List(traitlets.Unicode()).tag(sync=True)
    log_probabilities = traitlets.List(traitlets.Float()).tag(sync=True)
    word = traitlets.Unicode("unbelievably").tag(sync=True)
    examples = traitlets.List(traitlets.Unicode(), ["unbelievably", "individualism", "lowest", "kotami"]).tag(
        sync=True
    )
    alt = traitlets.Unicode(
        "A word, letter by letter. Under the letters lie all pieces of the vocabulary that fit, as boxes as "
        "wide as the letters they cover, each with its log-probability. The most probable way to cover the "
        "word is marked."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Each box is a piece that fits there, with its log-probability. The marked row is the way whose "
        "numbers add up to the most. Type another word: one long piece usually beats two short ones, since "
        "every piece costs."
    ).tag(sync=True)

    def __init__(self, model: Unigram, **traits):
        super().__init__(
            pieces=model.pieces[1:],
            log_probabilities=[round(value, 3) for value in model.log_probabilities[1:]],
            **traits,
        )

    def model(self) -> Unigram:
        """Return the model with the probabilities as rounded for the page."""
        return Unigram([(UNKNOWN, 0.0), *zip(self.pieces, self.log_probabilities, strict=True)])

    def fallback(self) -> str:
        """Return the pieces of the best way, and of the rest, with their log-probabilities."""
        model, word = self.model(), SPACE + self.word
        path, score = model.viterbi(word)
        rows = [[edge.piece, f"{edge.start} to {edge.end}", number(edge.log_probability)] for edge in path]
        rows.append(["best way together", f"0 to {len(word)}", number(score)])
        return table(["piece", "letters", "log-probability"], rows)


def share_of_best(model: Unigram, word: str) -> tuple[int, float]:
    """Count the ways to cut a word, and the best one's share of their probability: the twin of ``solve``.

    Parameters
    ----------
    model : Unigram
        The vocabulary.
    word : str
        Characters, spaces already written as ▁.

    Returns
    -------
    ways : int
        Number of ways.
    share : float
        Probability of the best way over that of all ways together.

    """
    ways, total = [1] + [0] * len(word), [1.0] + [0.0] * len(word)
    for edge in model.lattice(word):
        ways[edge.end] += ways[edge.start]
        total[edge.end] += total[edge.start] * exp(edge.log_probability)
    return ways[-1], exp(model.viterbi(word)[1]) / total[-1]
