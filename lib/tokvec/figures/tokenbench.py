"""Figure: a tokeniser bench; the reader types, byte-level BPE cuts, a slider undoes the merges."""

from __future__ import annotations

import traitlets

from tokvec.figures._base import Figure, table
from tokvec.tokenizers.bpe import BPE

EXAMPLES = [
    ["English", "The tides rise twice a day, unbelievably punctually."],
    ["Polish", "Źdźbło trawy i trzy koty z kotami."],
    ["Thai", "น้ำขึ้นให้รีบตัก"],
    ["Emoji", "👍🏽 naïve café 👩‍🚀"],
    ["Code", "for i in range(10):\n    print(i ** 2)"],
]


class TokenBenchFigure(Figure):
    """Cut text with a byte-level BPE whose merges can be undone one by one.

    Attributes
    ----------
    merges : list of [int, int]
        Pairs of ids in the order learned, as in `BPE.merges`.
    text : str
        What stands in the box at first.
    n_merges : int
        Merges in use at first.
    examples : list of [str, str]
        Labels and texts of the example buttons.

    """

    module = "tokenbench"
    merges = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)
    text = traitlets.Unicode(EXAMPLES[0][1]).tag(sync=True)
    n_merges = traitlets.Int(0).tag(sync=True)
    examples = traitlets.List(traitlets.List(traitlets.Unicode()), EXAMPLES).tag(sync=True)
    alt = traitlets.Unicode(
        "A text box; below it the text cut into tokens, each with its id; a slider sets how many of the "
        "learned merges are in use."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Type, or take an example, then pull the slider to the left: the tokens fall apart in the reverse "
        "order of learning, down to single bytes. ␣ is a space; ⟨E0⟩ is a byte that is no character by itself."
    ).tag(sync=True)

    def __init__(self, bpe: BPE, **traits):
        traits.setdefault("n_merges", len(bpe.merges))
        super().__init__(merges=[list(pair) for pair in bpe.merges], **traits)

    def ids(self, text: str, n_merges: int) -> list[int]:
        """Encode as the module does: the twin is the chapter's own tokeniser, cut short."""
        return BPE([tuple(pair) for pair in self.merges[:n_merges]]).encode(text)

    def fallback(self) -> str:
        """Return the first text's tokens and ids."""
        bpe = BPE([tuple(pair) for pair in self.merges[: self.n_merges]])
        ids = bpe.encode(self.text)
        return table(["token", "id"], [[bpe.decode([i]).replace(" ", "␣"), str(i)] for i in ids])
