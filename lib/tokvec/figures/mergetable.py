"""Figure: the worked corpus of byte-pair encoding, merge by merge."""

from __future__ import annotations

import traitlets

from tokvec.figures._base import Figure, table
from tokvec.tokenizers.bpe import textbook_merges


class MergeTableFigure(Figure):
    """Count the pairs, join the commonest, and again; the twin is `textbook_merges`.

    Attributes
    ----------
    words : list of [str, int]
        The corpus: words and how often each occurs.
    end : str
        The mark at a word's end.
    steps : int
        Merges done at first.

    """

    module = "mergetable"
    words = traitlets.List(traitlets.List(), [["low", 5], ["lower", 2], ["newest", 6], ["widest", 3]]).tag(
        sync=True
    )
    end = traitlets.Unicode("·").tag(sync=True)
    steps = traitlets.Int(0).tag(sync=True)
    alt = traitlets.Unicode(
        "Four words with their counts, cut into symbols; a list of the commonest pairs of neighbouring "
        "symbols; a button joins the commonest pair everywhere and counts again."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Press Next merge. Two merges make est, a third ties it to the word's end, and common words "
        "become one token first."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return every merge with its count and the words after it."""
        rows = [
            [str(k), " + ".join(step.pair), str(step.count), "  ".join(" ".join(word) for word in step.words)]
            for k, step in enumerate(textbook_merges(dict(map(tuple, self.words)), 100, self.end), 1)
        ]
        return table(["merge", "pair", "count", "words after it"], rows)
