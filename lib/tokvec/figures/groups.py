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
    names : list of str
        What the sets of cosines are called.
    cosines : list of list of list of float
        One set after the other; row i holds the cosines of letter i with the letters before it.
    group : str
        The letters chosen at first.
    """

    module = "groups"
    letters = traitlets.Unicode(LETTERS).tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), ["One run", "Mean of eleven runs"]).tag(sync=True)
    cosines = traitlets.List().tag(sync=True)
    group = traitlets.Unicode("aeiou").tag(sync=True)
    alt = traitlets.Unicode(
        "A histogram of 65,780 groups of five letters by how well they stand apart, and a line where the chosen "
        "five lie. 26 buttons choose the letters."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "The bars in another colour, from the line on, are the groups that do at least as well as the five chosen. "
        "Press “The best five”: would you have named that group? Then take the mean of eleven runs, and press again."
    ).tag(sync=True)

    @traitlets.default("cosines")
    def _stored(self) -> list[list[list[float]]]:
        _, by_seed = mlp.stored_tables()
        runs = [geometry.cosine_matrix(C)[1:, 1:] for C in (mlp.stored("k3").C.numpy(), *by_seed.values())]
        return [[S[i, :i].round(DIGITS).tolist() for i in range(len(S))] for S in (runs[0], np.mean(runs, axis=0))]

    def fallback(self) -> str:
        """Return where a few groups stand."""
        rows = []
        for name, cosines in zip(self.names, self.cosines, strict=True):
            S = matrix(cosines)
            test = geometry.permutation_test(S, [self.letters.index(c) for c in self.group])
            best = geometry.all_groups(len(S), 5)[int(test.distribution.argmax())]
            share = f"{test.as_good:,} of {len(test.distribution):,}"
            best = " ".join(self.letters[i] for i in best)
            rows.append([name, number(test.statistic, 4), share, f"{test.p_value:.5f}", best])
        return table([" ".join(self.group), "within minus across", "groups at least as good", "p", "best five"], rows)


def matrix(cosines: list[list[float]]) -> np.ndarray:
    """Return the full symmetric matrix with ones on its diagonal."""
    S = np.eye(len(cosines))
    for i, row in enumerate(cosines):
        S[i, :i] = S[:i, i] = row
    return S
