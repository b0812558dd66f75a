"""Figure: any five letters among all groups of five, the exact permutation test to play with."""

from __future__ import annotations

import numpy as np
import traitlets

from tokvec import geometry, mlp
from tokvec.bigram import SYMBOLS
from tokvec.figures._base import Figure, number, table

LETTERS = SYMBOLS[1:]
DIGITS = 6


class GroupsFigure(Figure):
    """Choose five letters; see how many of all 65,780 groups of five separate at least as well.

    Attributes
    ----------
    letters : str
    cosines : list of list of float
        Row i holds the cosines of letter i with the letters before it.
    group : str
        The letters chosen at first.
    """

    module = "groups"
    letters = traitlets.Unicode(LETTERS).tag(sync=True)
    cosines = traitlets.List().tag(sync=True)
    group = traitlets.Unicode("aeiou").tag(sync=True)
    alt = traitlets.Unicode(
        "A histogram of 65,780 groups of five letters by how well they stand apart, and a line where the chosen five lie. "
        "26 buttons choose the letters."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "The vowels lie far to the right, and the bars in another colour are the groups that do at least as well. Choose any "
        "five letters of your own; then press “The best five” and see how little sense they make."
    ).tag(sync=True)

    @traitlets.default("cosines")
    def _stored(self) -> list[list[float]]:
        S = geometry.cosine_matrix(mlp.stored("k3").C.numpy())[1:, 1:]
        return [S[i, :i].round(DIGITS).tolist() for i in range(len(S))]

    def fallback(self) -> str:
        """Return where a few groups stand."""
        S, letters = matrix(self.cosines), self.letters
        every = geometry.separation(S, geometry.all_groups(len(S), 5))
        best = "".join(letters[i] for i in geometry.all_groups(len(S), 5)[int(every.argmax())])
        rows = []
        for group in (self.group, best):
            test = geometry.permutation_test(S, [letters.index(c) for c in group])
            share = f"{test.as_good:,} of {len(test.distribution):,}"
            rows.append([" ".join(group), number(test.statistic, 4), share, f"{test.p_value:.4f}"])
        return table(["letters", "within minus across", "groups at least as good", "p"], rows)


def matrix(cosines: list[list[float]]) -> np.ndarray:
    """Return the full symmetric matrix with ones on its diagonal."""
    S = np.eye(len(cosines))
    for i, row in enumerate(cosines):
        S[i, :i] = S[:i, i] = row
    return S
