"""Figure: the occurrences of an ambiguous word, layer by layer, and how far its senses have parted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import traitlets

from tokvec.figures._base import Figure, number, table

if TYPE_CHECKING:
    from torch import Tensor

    from tokvec.contextual import Encoder


class LayersFigure(Figure):
    """Twelve words in their sentences, through one or more encoders.

    Made by :meth:`measured`, which runs the encoders; the page then only shows.

    Attributes
    ----------
    words : dict
        By word: its two senses, a label 0 or 1 for each sentence, the sentences.
    encoders : dict
        By key: a label, and for each word, at every layer, the occurrences in two
        dimensions, the mean cosines of same-sense and cross-sense pairs, and how many
        occurrences lie nearest to their own sense.
    encoder, word, layer : str, str, int
        What is shown first.

    """

    module = "layers"
    words = traitlets.Dict().tag(sync=True)
    encoders = traitlets.Dict().tag(sync=True)
    encoder = traitlets.Unicode().tag(sync=True)
    word = traitlets.Unicode("bank").tag(sync=True)
    layer = traitlets.Int(0).tag(sync=True)
    alt = traitlets.Unicode(
        "A map of one word's occurrences, filled circles for one sense and hollow squares for the other, and "
        "a curve of their mean cosines by layer. Controls choose the word, the encoder and the layer."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Move the layer from 0 upwards: circles and squares, mixed at first, part. The map keeps the two "
        "directions of largest spread (PCA), which know nothing of the senses."
    ).tag(sync=True)

    @classmethod
    def measured(cls, encoders: dict[str, tuple[str, Encoder]], **state: object) -> LayersFigure:
        """Run encoders over the book's ambiguous words and show the result.

        Parameters
        ----------
        encoders : dict
            By key: the label of its button, and the encoder; float64, so that every
            machine rounds the same.
        **state
            Any other attribute.

        """
        from tokvec import contextual

        words, shown = {}, {}
        for word, by_sense in contextual.senses().items():
            words[word] = {
                "senses": list(by_sense),
                "labels": [i for i, group in enumerate(by_sense.values()) for _ in group],
                "sentences": [sentence for group in by_sense.values() for sentence in group],
            }
        for key, (label, encoder) in encoders.items():
            shown[key] = {
                "label": label,
                "words": {word: describe(encoder, word, words[word]) for word in words},
            }
        return cls(words=words, encoders=shown, **{"encoder": next(iter(encoders)), **state})

    def fallback(self) -> str:
        """Return the numbers of the first word: a row a layer."""
        shown = self.encoders[self.encoder]["words"][self.word]
        count = len(self.words[self.word]["labels"])
        rows = [
            [f"layer {i}", number(same, 3), number(cross, 3), f"{right} of {count}"]
            for i, (same, cross, right) in enumerate(zip(shown["same"], shown["cross"], shown["right"], strict=True))
        ]
        return table([self.word, "cosine, same sense", "different senses", "nearer to their own"], rows)


def describe(encoder: Encoder, word: str, about: dict) -> dict:
    """Return what the figure shows of one word: points, mean cosines and right guesses at every layer."""
    from tokvec import contextual

    vectors = contextual.word_vectors(encoder, about["sentences"], word)
    result = contextual.separation(vectors, [str(label) for label in about["labels"]])
    return {
        "points": [
            [[round(x, 2), round(y, 2)] for x, y in plane(vectors[:, i]).tolist()] for i in range(vectors.shape[1])
        ],
        "same": [round(x, 4) for x in result.same.tolist()],
        "cross": [round(x, 4) for x in result.cross.tolist()],
        "right": [round(x * len(vectors)) for x in result.accuracy.tolist()],
    }


def plane(vectors: Tensor) -> Tensor:
    """Project vectors on the two directions of their largest spread (PCA), scaled to fill [-1, 1].

    The sign of a principal direction is free; here the point furthest out lies on the
    positive side.

    Parameters
    ----------
    vectors : Tensor, shape (n, d)
        One occurrence a row.

    Returns
    -------
    Tensor, shape (n, 2)

    """
    import torch

    centred = vectors - vectors.mean(dim=0)
    u, s, _ = torch.linalg.svd(centred, full_matrices=False)
    points = u[:, :2] * s[:2]
    furthest = points.gather(0, points.abs().argmax(dim=0, keepdim=True))
    points = points * furthest.sign()
    return points / points.abs().max()
