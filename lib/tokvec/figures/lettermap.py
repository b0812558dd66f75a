"""Figure: the letters of the MLP's embedding table on a plane, through training, to drag about."""

from __future__ import annotations

import numpy as np
import traitlets

from tokvec import geometry, mlp
from tokvec.bigram import SYMBOLS
from tokvec.figures._base import Figure, number, table

DIGITS = 4
VOWELS = [SYMBOLS.index(v) for v in "aeiou"]
CONSONANTS = [i for i in range(1, len(SYMBOLS)) if i not in VOWELS]


class LetterMapFigure(Figure):
    """Letters where their vectors lie, with their nearest neighbours by cosine, at nine moments of training.

    Attributes
    ----------
    symbols : str
        One a row of the table.
    steps : list of int
        Steps of training done at each checkpoint.
    tables : list of list of list of float
        The table at each checkpoint.
    directions : list of list of float
        Two orthonormal directions that span the plane of the map.
    centre : list of float
        What lies in the middle of the map.
    letter : str
        The letter that is chosen at first.
    """

    module = "lettermap"
    symbols = traitlets.Unicode(SYMBOLS).tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    tables = traitlets.List().tag(sync=True)
    directions = traitlets.List().tag(sync=True)
    centre = traitlets.List().tag(sync=True)
    letter = traitlets.Unicode("a").tag(sync=True)
    alt = traitlets.Unicode(
        "A map of 26 letters and the boundary, placed by their trained vectors. Lines join the chosen letter to its "
        "three nearest neighbours. Letters can be dragged; a slider goes through training."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Lines go to the three nearest rows by cosine, in all ten dimensions. They are often not the nearest dots: "
        "the plane shows only a part of the table. Slide back to 0, where every position is chance."
    ).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        on_the_way, _ = mlp.stored_tables()
        final = on_the_way[max(on_the_way)].astype(float)
        _, directions, _ = geometry.pca(final, 2)
        start = {
            "steps": list(on_the_way),
            "tables": [t.astype(float).round(DIGITS).tolist() for t in on_the_way.values()],
            "directions": directions.round(DIGITS).tolist(),
            "centre": final.mean(axis=0).round(DIGITS).tolist(),
        }
        super().__init__(**{**start, **traits})

    def fallback(self) -> str:
        """Return the nearest neighbour of each symbol in the trained table."""
        S = geometry.cosine_matrix(self.tables[-1])
        rows = []
        for i, symbol in enumerate(self.symbols):
            (j, value), *_ = geometry.nearest(S, i)
            rows.append([symbol, self.symbols[j], number(value, 3)])
        return table(["", "nearest", "cosine"], rows)


def moved(rows: list[list[float]], i: int, dx: float, dy: float, directions: list[list[float]]) -> np.ndarray:
    """Return the table with row `i` moved in the plane of the map: the twin of ``move``."""
    E = np.array(rows)
    E[i] += dx * np.array(directions[0]) + dy * np.array(directions[1])
    return E


def neighbours(E: np.ndarray, i: int) -> list[tuple[str, str]]:
    """Return the three nearest symbols and their cosines, as shown."""
    return [(SYMBOLS[j], number(value, 3)) for j, value in geometry.nearest(geometry.cosine_matrix(E), i, 3)]


def means(E: np.ndarray) -> list[str]:
    """Return the mean cosines vowel-vowel, consonant-consonant, vowel-consonant, as shown."""
    found = geometry.group_means(geometry.cosine_matrix(E)[1:, 1:], [i - 1 for i in VOWELS])
    return [number(x, 4) for x in (found.within, found.outside, found.across)]
