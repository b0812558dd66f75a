"""Figure: distances and cosines of random points while the number of dimensions grows."""

from __future__ import annotations

import math

import numpy as np
import traitlets

from tokvec.figures._base import Figure, number, table

BINS = 40


def uniform(seed: int, indices: np.ndarray) -> np.ndarray:
    """Return numbers of mulberry32, the figure's generator, by their place in its sequence; on [0, 1)."""
    with np.errstate(over="ignore"):
        t = np.uint32(seed) + (indices + 1).astype(np.uint32) * np.uint32(0x6D2B79F5)
        t = (t ^ (t >> 15)) * (t | np.uint32(1))
        t ^= t + (t ^ (t >> 7)) * (t | np.uint32(61))
    return (t ^ (t >> 14)) / 4294967296


def measure(n: int, d: int, seed: int) -> dict[str, object]:
    """Return what the figure shows: the twin of its arithmetic.

    Parameters
    ----------
    n : int
        Points, and as many directions.
    d : int
        Dimensions.
    seed : int
        Of the generator.

    Returns
    -------
    dict
        Ratio of the farthest pair to the nearest, spread of the cosines, share beyond 0.4, and the
        counts of both histograms.
    """
    size = n * d
    points = uniform(seed, np.arange(size)).reshape(n, d)
    radius = np.sqrt(-2 * np.log(1 - uniform(seed, size + 2 * np.arange(size))))
    vectors = (radius * np.cos(2 * math.pi * uniform(seed, size + 2 * np.arange(size) + 1))).reshape(n, d)
    upper = np.triu_indices(n, k=1)
    distances = np.array([np.linalg.norm(points[i] - points[j]) for i, j in zip(*upper, strict=True)])
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = (unit @ unit.T)[upper]
    return {
        "ratio": distances.max() / distances.min(),
        "spread": cosines.std(),
        "beyond": (np.abs(cosines) > 0.4).mean(),
        "distances": _histogram(distances / math.sqrt(d / 6), 0, 2),
        "cosines": _histogram(cosines, -1, 1),
    }


def _histogram(values: np.ndarray, low: float, high: float) -> list[int]:
    places = np.floor((values - low) / (high - low) * BINS).astype(int)
    return np.bincount(places[(places >= 0) & (places < BINS)], minlength=BINS).tolist()


class DimensionFigure(Figure):
    """Slide from 2 to 1,000 dimensions and watch distances agree and cosines vanish.

    Attributes
    ----------
    dimensions : list of int
        The stops of the slider.
    dimension : int
        The stop shown at first.
    points : int
        How many points, and how many directions, are drawn.
    seed : int
        Of the figure's generator.
    """

    module = "dimension"
    dimensions = traitlets.List(traitlets.Int(), [2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]).tag(sync=True)
    dimension = traitlets.Int(3).tag(sync=True)
    points = traitlets.Int(120).tag(sync=True)
    seed = traitlets.Int(2147483).tag(sync=True)
    alt = traitlets.Unicode(
        "A slider for the number of dimensions, a histogram of the distances between random points and one of the "
        "cosines between random directions. Both narrow as the dimensions grow, and a curve shows the law."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Slide to the right. The distances gather round one value and the cosines round zero. The curve on the left is "
        "the law for many dimensions, so it fits badly at first; the one on the right is exact everywhere."
    ).tag(sync=True)

    def fallback(self) -> str:
        """Return the figure's numbers for all stops."""
        rows = []
        for d in self.dimensions:
            found = measure(self.points, d, self.seed)
            cells = [number(found["ratio"], 2), number(found["spread"], 4), number(1 / math.sqrt(d), 4)]
            rows.append([str(d), *cells, number(100 * found["beyond"], 1) + " %"])
        return table(
            ["dimensions", "farthest over nearest", "spread of cosines", "one over root d", "beyond 0.4"], rows
        )
