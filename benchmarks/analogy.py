"""All analogy questions on the 400,000 vectors of GloVe-6B-50d: three cosines a candidate, against plain numpy.

Plain numpy asks one question after the other: add and subtract three unit vectors, multiply all candidates
with the result, strike out the three words of the question, take the largest. It is timed on 500 questions
and its time scaled up; the two must give the same answers to them.
"""

from __future__ import annotations

import numpy as np

from benchmarks import best_of
from tokvec import analogy, datasets

TIMED = 500


def plain(vectors: np.ndarray, ids: np.ndarray) -> list[int]:
    """Answer the questions one by one."""
    answers = []
    for a, b, c in ids[:, :3]:
        scores = vectors @ (vectors[b] - vectors[a] + vectors[c])
        scores[[a, b, c]] = -np.inf
        answers.append(int(scores.argmax()))
    return answers


def run() -> dict:
    """Return seconds for the whole set, ours and plain numpy's."""
    words, rows = datasets.glove()
    vectors = analogy.unit(rows)
    ids, _ = analogy.Questions.load(datasets.questions_words()).encode(words)
    few = ids[np.random.default_rng(0).choice(len(ids), TIMED, replace=False)]
    same = float(np.mean(analogy.winners(vectors, few) == plain(vectors, few)))
    ours, some = best_of(3, lambda: analogy.winners(vectors, ids), lambda: plain(vectors, few))
    peer = some * len(ids) / TIMED
    return {
        "name": "analogy",
        "ours": round(ours, 2),
        "peer": round(peer, 2),
        "unit": f"seconds for {len(ids):,} questions",
        "ratio": round(peer / ours, 2),
        "peer_is": f"plain numpy, one question at a time, extrapolated from {TIMED}",
        "same": f"{100 * same:.1f} % of the answers",
    }
