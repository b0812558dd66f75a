"""Figure: one attention head over two sentences. A word's vector goes in equal and comes out different."""

from __future__ import annotations

from dataclasses import dataclass

import traitlets

from tokvec.figures._base import Figure, number, table

WIDTH = 6
MOST = 6  # tokens a sentence

# The first four rows are chapter 2's table; the English ones are made up in the same spirit.
TABLE = {
    "oto": [0.10, -0.30, 0.25, 0.00, 0.40, -0.15],
    "kamienny": [0.30, 0.40, -0.10, 0.10, 0.20, 0.10],
    "metalowy": [0.35, 0.15, -0.20, 0.45, 0.30, -0.05],
    "zamek": [-0.50, 0.60, 0.20, -0.35, 0.10, 0.70],
    "the": [0.10, -0.20, 0.15, 0.05, -0.10, 0.20],
    "dog": [0.80, 0.30, -0.60, 0.40, -0.20, 0.50],
    "bit": [-0.40, 0.70, 0.50, -0.30, 0.60, -0.20],
    "postman": [0.60, -0.50, 0.20, 0.70, 0.30, -0.40],
}
EXAMPLES = {
    "castle": {
        "label": "stone or metal",
        "sentences": ["oto kamienny zamek", "oto metalowy zamek"],
        "word": "zamek",
    },
    "dog": {
        "label": "who bit whom",
        "sentences": ["the dog bit the postman", "the postman bit the dog"],
        "word": "dog",
    },
}


class HeadFigure(Figure):
    """Two sentences through one attention head with identity projections.

    Attributes
    ----------
    table : dict
        The vectors of the words the figure knows.
    width : int
        Coordinates of a vector.
    examples : dict
        By key: a label, two sentences, and the word that is compared.
    example : str
        The key shown first.
    positions : bool
        Whether sinusoidal positions are added at first.
    causal : bool
        Whether the causal mask is on at first.

    """

    module = "head"
    table = traitlets.Dict(TABLE).tag(sync=True)
    width = traitlets.Int(WIDTH).tag(sync=True)
    examples = traitlets.Dict(EXAMPLES).tag(sync=True)
    example = traitlets.Unicode("castle").tag(sync=True)
    positions = traitlets.Bool(True).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    alt = traitlets.Unicode(
        "Two sentences of up to six words, each with its table of attention weights, and the vector that "
        "one attention head makes of a word they share. Switches add positions and a mask; the words can "
        "be edited."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Make the sentences the same: the last cosine returns to 1. Then choose who bit whom, and switch the "
        "positions off: the head can no longer tell the two stories apart."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the weights of the first example and the cosines at its three stages."""
        one = self.examples[self.example]
        result = compare(*one["sentences"], one["word"], positions=self.positions, causal=self.causal)
        parts = []
        for sentence, weights in zip(one["sentences"], result.weights, strict=True):
            tokens = split(sentence)
            parts.append(
                table(
                    ["", *tokens],
                    [[t, *map(number, row)] for t, row in zip(tokens, weights, strict=True)],
                )
            )
        looked_up, placed, after = (number(c, 4) for c in result.cosines)
        parts.append(
            f"<p>{one['word']}: cosine {looked_up} as looked up, {placed} with position, {after} after the head.</p>"
        )
        return "\n".join(parts)


def split(text: str) -> list[str]:
    """Return the tokens of a sentence as the figure reads them: lower case, cut at spaces, six at most."""
    return text.lower().split()[:MOST]


def vector_of(word: str) -> list[float]:
    """Return a word's vector: the table's, or numbers spelled from its letters (FNV-1a)."""
    if word in TABLE:
        return TABLE[word]
    numbers = []
    for j in range(WIDTH):
        digest = 2166136261
        for byte in f"{word}:{j}".encode():
            digest = (digest ^ byte) * 16777619 % 2**32
        numbers.append((digest % 201 - 100) / 100)
    return numbers


@dataclass(frozen=True)
class Comparison:
    """What the figure shows for two sentences.

    Attributes
    ----------
    weights : tuple of list of list of float
        The attention weights of each sentence.
    outputs : tuple of list of float
        The compared word's vector after the head, in each.
    cosines : tuple of float
        Of the word's two vectors as looked up, with position, after the head.

    """

    weights: tuple[list[list[float]], ...]
    outputs: tuple[list[float], ...]
    cosines: tuple[float, ...]


def compare(first: str, second: str, word: str, *, positions: bool, causal: bool) -> Comparison:
    """Send two sentences through the head and compare a word they share: the twin of the module.

    It runs on :mod:`tokvec.attention`, so the browser is compared with the tested code.

    Parameters
    ----------
    first, second : str
        The sentences.
    word : str
        A word of both; its first occurrence counts.
    positions, causal : bool
        The two switches.

    """
    import torch

    from tokvec import attention

    stages = []
    for tokens in (split(first), split(second)):
        found = torch.tensor([vector_of(token) for token in tokens], dtype=torch.float64)
        placed = found + attention.sinusoidal_positions(len(tokens), WIDTH) if positions else found
        mask = attention.causal_mask(len(tokens)) if causal else None
        outputs, weights = attention.self_attention(placed, mask=mask)
        at = tokens.index(word)
        stages.append((weights.tolist(), found[at], placed[at], outputs[at]))
    (w1, *one), (w2, *two) = stages
    cosines = tuple(torch.cosine_similarity(a, b, dim=0).item() for a, b in zip(one, two, strict=True))
    return Comparison((w1, w2), (one[-1].tolist(), two[-1].tolist()), cosines)
