"""Figure: choose a, b and c; see which words are nearest to b - a + c, with and without the inputs."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np
import traitlets

from tokvec.figures._base import Figure, number, table

SIGNS = {"add": (-1, 1, 1), "c": (0, 0, 1), "b": (0, 1, 0), "b+c": (0, 1, 1)}


def quantise(vectors: np.ndarray) -> np.ndarray:
    """Return each row as whole numbers from -127 to 127, scaled by the row's own largest number.

    Parameters
    ----------
    vectors : numpy.ndarray, shape (V, d)
        One row a word.

    Returns
    -------
    numpy.ndarray, shape (V, d), int8

    """
    vectors = np.asarray(vectors, dtype=np.float64)
    return np.rint(vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127).astype(np.int8)


def nearest(
    codes: np.ndarray, inputs: Sequence[int], method: str, exclude: bool, most: int = 8
) -> list[tuple[int, float]]:
    """Return the rows nearest to the target and their cosines: the twin of the module's arithmetic.

    Parameters
    ----------
    codes : numpy.ndarray, shape (V, d), int8
        From `quantise`.
    inputs : sequence of int
        Rows of a, b and c.
    method : str
        A key of `SIGNS`.
    exclude : bool
        Whether the inputs are left out.
    most : int
        How many rows to return.

    """
    unit = codes / np.linalg.norm(codes.astype(np.float64), axis=1, keepdims=True)
    target = np.array(SIGNS[method], dtype=np.float64) @ unit[list(inputs)]
    cosines = unit @ target / (np.linalg.norm(target) or 1)
    order = [i for i in np.argsort(-cosines, kind="stable").tolist() if not (exclude and i in inputs)]
    return [(i, float(cosines[i])) for i in order[:most]]


class AnalogyFigure(Figure):
    """Ask "a is to b as c is to ?" of a few thousand word vectors that the page carries as int8.

    Make one with `AnalogyFigure.of`.

    Attributes
    ----------
    words : str
        The words, with spaces between.
    codes : str
        Their int8 vectors, one after the other, as base64.
    question : list of str
        a, b and c at first.
    presets : list of list of str
        Questions to choose from.
    method : str
        ``add``, ``b+c``, ``c`` or ``b``.
    exclude : bool
        Whether the inputs are left out at first.
    shown : int
        Number of neighbours.

    """

    module = "analogy"
    words = traitlets.Unicode("").tag(sync=True)
    codes = traitlets.Unicode("").tag(sync=True)
    question = traitlets.List(traitlets.Unicode(), ["man", "king", "woman"]).tag(sync=True)
    presets = traitlets.List(
        traitlets.List(traitlets.Unicode()),
        [
            ["man", "king", "woman"],
            ["france", "paris", "italy"],
            ["good", "better", "bad"],
            ["man", "doctor", "woman"],
            ["walk", "walked", "play"],
        ],
    ).tag(sync=True)
    method = traitlets.Unicode("add").tag(sync=True)
    exclude = traitlets.Bool(False).tag(sync=True)
    shown = traitlets.Int(8).tag(sync=True)
    alt = traitlets.Unicode(
        "Three fields for the words a, b and c, buttons for the target (b minus a plus c, b plus c, c alone, "
        "b alone), a switch that excludes the inputs, and the list of the nearest words with their cosines."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Ask a few questions with the inputs allowed, then press the switch. Then leave the arithmetic out, with "
        "\u201cnearest to c\u201d or \u201cb + c\u201d, and see how often the answer stays the same. "
        "The vectors are GloVe's, each number rounded to one byte."
    ).tag(sync=True)

    @classmethod
    def of(cls, words: Sequence[str], vectors: np.ndarray, **traits: object) -> AnalogyFigure:
        """Make the figure from words and their vectors, shape (V, d); the presets' words must be among them."""
        codes = base64.b64encode(quantise(vectors).tobytes()).decode("ascii")
        figure = cls(words=" ".join(words), codes=codes, **traits)
        missing = {word for question in [figure.question, *figure.presets] for word in question} - set(words)
        if missing:
            raise ValueError(
                f"The figure asks for {', '.join(sorted(missing))}: add them to its words, or change its presets."
            )
        return figure

    def matrix(self) -> np.ndarray:
        """Return the int8 vectors, shape (V, d)."""
        flat = np.frombuffer(base64.b64decode(self.codes), dtype=np.int8)
        return flat.reshape(len(self.words.split()), -1)

    def answers(self, question: Sequence[str], method: str, exclude: bool) -> list[tuple[str, float]]:
        """Return the words the figure shows for a question, with their cosines."""
        words = self.words.split()
        found = nearest(self.matrix(), [words.index(word) for word in question], method, exclude, self.shown)
        return [(words[i], cosine) for i, cosine in found]

    def fallback(self) -> str:
        """Return the presets with their nearest word, with and without the rule."""
        rows = []
        for a, b, c in self.presets:
            free, ruled = (self.answers((a, b, c), "add", exclude)[0] for exclude in (False, True))
            rows.append(
                [f"{b} \u2212 {a} + {c}", f"{free[0]} {number(free[1], 3)}", f"{ruled[0]} {number(ruled[1], 3)}"]
            )
        return table(["target", "nearest word", "nearest, inputs excluded"], rows)
