"""Figure: one step of skip-gram with negative sampling, in two dimensions."""

from __future__ import annotations

import numpy as np
import traitlets

from tokvec.figures._base import Figure, number, table


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return ``1 / (1 + exp(-x))``."""
    return 1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))


def sgns_loss(v: np.ndarray, rows: np.ndarray) -> float:
    """Return the loss of one centre vector, shape (d,), and context rows, shape (n, d); row 0 is the true pair."""
    dots = rows @ v
    return float(-np.log(sigmoid(dots[0])) - np.log(sigmoid(-dots[1:])).sum())


def sgns_step(v: np.ndarray, rows: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Take one step of gradient descent, all updates from the values before it: the module's twin.

    Parameters
    ----------
    v : numpy.ndarray, shape (d,)
        Vector of the centre word.
    rows : numpy.ndarray, shape (n, d)
        Context vectors; row 0 belongs to the true pair.
    rate : float
        Learning rate.

    Returns
    -------
    v, rows : numpy.ndarray
        After the step.

    """
    errors = (np.arange(len(rows)) == 0) - sigmoid(rows @ v)
    return v + rate * errors @ rows, rows + rate * errors[:, None] * v


class SgnsFigure(Figure):
    """Pull a true pair together and push three made-up ones apart, step by step.

    Attributes
    ----------
    centre : str
        The centre word.
    names : list of str
        The context words; the first is the true one.
    v : list of float
        Vector of the centre word.
    rows : list of list of float
        Vectors of the context words.
    rate : float
        Learning rate at first.

    """

    module = "sgns"
    centre = traitlets.Unicode("guitar").tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), ["strings", "of", "bishop", "acid"]).tag(sync=True)
    v = traitlets.List(traitlets.Float(), [0.9, 0.4]).tag(sync=True)
    rows = traitlets.List(traitlets.List(traitlets.Float()), [[-0.3, 1.1], [0.8, 0.5], [0.6, -0.9], [-1.0, -0.4]]).tag(
        sync=True
    )
    rate = traitlets.Float(0.5).tag(sync=True)
    alt = traitlets.Unicode(
        "Five arrows in the plane: the vector of guitar, the context vector of strings, which really stood beside "
        "it, and those of three noise words. A table gives the dot product, its sigmoid and the error of "
        "each pair; a button takes a gradient step."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Press \u201cOne step\u201d a few times. The true pair, drawn solid, turns towards one direction; the dashed "
        "noise words are pushed to the far side. A pair that is already told apart has an error "
        "near zero, and hardly moves."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return dot products, sigmoids and errors before the step and after it."""
        v, rows = np.array(self.v), np.array(self.rows)
        after = sgns_step(v, rows, self.rate)
        lines = []
        for i, name in enumerate(self.names):
            cells = []
            for centre, context in ((v, rows), after):
                dot = float(context[i] @ centre)
                cells += [number(dot, 3), number(float(sigmoid(dot)), 3)]
            lines.append([f"{name} ({'noise' if i else 'true'})", *cells])
        losses = [number(sgns_loss(v, rows), 3), number(sgns_loss(*after), 3)]
        lines.append(["loss", "", losses[0], "", losses[1]])
        return table([f"{self.centre} and", "v \u00b7 u", "\u03c3", "v \u00b7 u after", "\u03c3 after"], lines)
