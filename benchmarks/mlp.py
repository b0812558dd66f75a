"""The MLP's two trainers, 100,000 steps each at k = 3: the backward pass by hand against the autograd loop.

The autograd loop runs on one thread, where it is fastest: matrices this small lose more to a second thread than they
gain. Compiling is not timed.
"""

from __future__ import annotations

import torch

from benchmarks import best_of
from tokvec import bigram, datasets, mlp


def run(steps: int = 100_000) -> dict:
    """Train with both from the same seed; their validation losses must have the same four decimals."""
    train, validation, _ = bigram.split(datasets.names())
    X, Y = mlp.contexts(train, 3)
    trained = {}

    def once(trainer) -> None:
        g = bigram.generator()
        trained[trainer.__name__] = trainer(mlp.init(3, g), X, Y, g, range(steps))

    mlp.train(mlp.init(3, bigram.generator()), X, Y, bigram.generator(), range(1))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        ours, peer = best_of(3, lambda: once(mlp.train), lambda: once(mlp.train_by_autograd))
    finally:
        torch.set_num_threads(threads)
    losses = {name: f"{mlp.loss(model, *mlp.contexts(validation, 3)):.4f}" for name, model in trained.items()}
    if len(set(losses.values())) != 1:
        raise AssertionError(f"The trainers disagree: {losses}")
    return {
        "name": "mlp",
        "ours": round(ours, 2),
        "peer": round(peer, 2),
        "unit": f"seconds for {steps:,} steps",
        "ratio": round(peer / ours, 1),
        "peer_is": "the autograd loop on one thread",
        "same": f"validation loss, {losses['train']}",
    }
