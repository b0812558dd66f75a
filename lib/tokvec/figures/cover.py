"""Figure: the book in one picture. A sentence becomes tokens, ids, vectors."""

from __future__ import annotations

import traitlets

from tokvec.figures._base import Figure, number, table

SENTENCE = "The bank on the riverbank"
# What the tokenizer and the embedding table of all-MiniLM-L6-v2 make of it: `read_model` computes them again.
TOKENS = ["the", "bank", "on", "the", "river", "##bank"]
IDS = [1996, 2924, 2006, 1996, 2314, 9299]
VECTORS = [
    [0.0, -0.02, 0.01, 0.02, 0.03, 0.0, -0.02, -0.02],
    [0.05, 0.03, -0.07, 0.06, 0.08, -0.06, 0.03, 0.02],
    [-0.06, 0.01, 0.01, -0.01, 0.05, -0.04, 0.02, 0.03],
    [0.0, -0.02, 0.01, 0.02, 0.03, 0.0, -0.02, -0.02],
    [0.02, -0.04, -0.08, 0.02, -0.05, -0.04, -0.02, -0.09],
    [-0.01, 0.05, -0.04, 0.0, 0.04, -0.02, -0.1, 0.03],
]
SHOWN = 8
DIGITS = 2


class CoverFigure(Figure):
    """A sentence, its tokens, their ids, and the first numbers of their vectors.

    Attributes
    ----------
    sentence : str
        The text.
    tokens, ids : list
        What a tokenizer makes of it.
    vectors : list of list of float
        The first numbers of each token's row.
    width : int
        How many numbers a whole row has.
    most : float
        The size at which a cell's tint is full.
    digits : int
        Decimals shown.

    """

    module = "cover"
    sentence = traitlets.Unicode(SENTENCE).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode(), TOKENS).tag(sync=True)
    ids = traitlets.List(traitlets.Int(), IDS).tag(sync=True)
    vectors = traitlets.List(traitlets.List(traitlets.Float()), VECTORS).tag(sync=True)
    width = traitlets.Int(384).tag(sync=True)
    most = traitlets.Float(0.1).tag(sync=True)
    digits = traitlets.Int(DIGITS).tag(sync=True)
    alt = traitlets.Unicode(
        "The sentence 'The bank on the riverbank' as six tokens, their six ids, and under each id the first eight "
        "numbers of its vector."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "A sentence, as the small language model MiniLM receives it. ‘The’ stands in two places with one id, and "
        "with the same numbers. The word ‘bank’ and the end of ‘riverbank’ are two tokens, with a row each."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the same table, without its buttons."""
        head = ["", *self.tokens]
        rows = [["id", *map(str, self.ids)]]
        rows += [[str(j + 1), *(number(vector[j], self.digits) for vector in self.vectors)] for j in range(SHOWN)]
        return f"<p>{self.sentence}</p>\n" + table(head, rows)


def read_model(sentence: str = SENTENCE) -> tuple[list[str], list[int], list[list[float]]]:
    """Return tokens, ids and first numbers from the model itself.

    Parameters
    ----------
    sentence : str
        The text.

    Returns
    -------
    tokens : list of str
    ids : list of int
    vectors : list of list of float
        Rounded to the digits that are shown.

    Raises
    ------
    tokvec.datasets.DatasetError
        If the model is not here.

    """
    from safetensors import safe_open
    from tokenizers import Tokenizer

    from tokvec import datasets

    folder = datasets.minilm()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    encoded = tokenizer.encode(sentence, add_special_tokens=False)
    with safe_open(folder / "model.safetensors", "numpy") as tensors:
        rows = tensors.get_slice("embeddings.word_embeddings.weight")
        # Adding 0.0 turns a rounded -0.0 into 0.0.
        vectors = [[round(float(x), DIGITS) + 0.0 for x in rows[i][:SHOWN]] for i in encoded.ids]
    return encoded.tokens, encoded.ids, vectors
