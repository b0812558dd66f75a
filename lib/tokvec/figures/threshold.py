"""Figure: where to draw the line between true pairs and unrelated ones."""

from __future__ import annotations

import math

import numpy as np
import traitlets

from tokvec.figures._base import Figure, number, table


def histogram(values: np.ndarray, start: float, width: float, bins: int) -> list[int]:
    """Count values into bins of equal width; what lies outside goes into the first or the last one."""
    places = np.floor((np.asarray(values, dtype=np.float64) - start) / width + 1e-9).astype(int)
    return np.bincount(np.clip(places, 0, bins - 1), minlength=bins).tolist()


def judge(signal: list[int], noise: list[int], first: int, ratio: float = 1) -> tuple[float, float]:
    """Return precision and recall when everything from bin `first` on is kept: the twin of the figure.

    Parameters
    ----------
    signal, noise : list of int
        True and unrelated pairs in each bin.
    first : int
        The bin the line stands before.
    ratio : float
        How many unrelated pairs there are taken to be for every true one.
    """
    kept, share = sum(signal[first:]), sum(noise[first:]) / sum(noise)
    false = share * sum(signal) * ratio
    return (kept / (kept + false) if kept + false > 0 else math.nan), kept / sum(signal)


class ThresholdFigure(Figure):
    """Drag a threshold through two histograms of similarities and read precision and recall.

    Attributes
    ----------
    signal, noise : list of int
        Counts of true and of unrelated pairs, one a bin.
    start, width : float
        Lower edge of the first bin, and width of all.
    threshold : float
        Where the line stands at first.
    labels : list of str
        What the two histograms show.
    """

    module = "threshold"
    signal = traitlets.List(traitlets.Int()).tag(sync=True)
    noise = traitlets.List(traitlets.Int()).tag(sync=True)
    start = traitlets.Float(-0.3).tag(sync=True)
    width = traitlets.Float(0.02).tag(sync=True)
    threshold = traitlets.Float(0.4).tag(sync=True)
    labels = traitlets.List(traitlets.Unicode(), ["true pairs", "unrelated pairs"]).tag(sync=True)
    alt = traitlets.Unicode(
        "Two histograms of cosines, pairs that mean the same above and unrelated pairs below. A line stands between "
        "them; dragging it changes precision and recall."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Drag the line. To the right of it everything is kept. Then change how many unrelated pairs there are for "
        "every true one: recall stays, precision does not."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return precision and recall at a few thresholds."""
        rows = []
        for threshold in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
            first = round((threshold - self.start) / self.width)
            precisions = [judge(self.signal, self.noise, first, ratio)[0] for ratio in (1, 10, 1000)]
            recall = judge(self.signal, self.noise, first)[1]
            rows.append([number(threshold, 2), *(number(100 * p, 1) + " %" for p in [recall, *precisions])])
        return table(["threshold", "recall", "precision, 1 to 1", "10 to 1", "1,000 to 1"], rows)
