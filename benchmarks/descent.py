"""The network that rediscovers the counts: 3,000 steps on the count matrix, against the literal loop over all pairs.

The literal loop is timed for 100 steps and its time multiplied by 30.
"""

from __future__ import annotations

from benchmarks import best_of
from tokvec import bigram

STEPS, TIMED = 3000, 100


def run() -> dict:
    """Time both forms of the descent on the training counts of the names."""
    N, _ = bigram.stored_counts()
    xs, ys = (ids.repeat_interleave(N[N > 0]) for ids in N.nonzero(as_tuple=True))
    W = bigram.start(bigram.generator())
    bigram.descend(W, N, 10, 50.0)  # warm up
    ours, literal = best_of(
        3,
        lambda: bigram.descend(W, N, STEPS, 50.0),
        lambda: bigram.descend_by_rows(W, xs, ys, TIMED, 50.0),
    )
    peer = literal * STEPS / TIMED
    W1, W2 = bigram.descend(W, N, TIMED, 50.0)[0], bigram.descend_by_rows(W, xs, ys, TIMED, 50.0)
    losses = [f"{bigram.loss_by_counts(trained, N).item():.5f}" for trained in (W1, W2)]
    return {
        "name": "descent",
        "ours": round(ours, 3),
        "peer": round(peer, 1),
        "unit": f"seconds for {STEPS:,} steps",
        "ratio": round(peer / ours, 1),
        "peer_is": f"the loop over {len(xs):,} pairs, extrapolated from {TIMED} steps",
        "same": f"loss after {TIMED} steps, {' and '.join(losses)}",
    }
