"""The MLP's two trainers, 100,000 steps each at k = 3: the backward pass by hand against the autograd loop."""

from __future__ import annotations

import time

import torch

from tokvec import bigram, datasets, mlp


def run(steps: int = 100_000, rounds: int = 3) -> dict:
    """Train with both and compare seconds and validation losses.

    The autograd loop runs as a reader would run it, with torch's own number of threads, and on one
    thread as well: these matrices are so small that one is often faster. The faster of the two is
    the peer. The sides take turns; the best of each counts. Compiling is not timed.
    """
    train, validation, _ = bigram.split(datasets.names())
    (X, Y), held_out = mlp.contexts(train, 3), mlp.contexts(validation, 3)
    threads = torch.get_num_threads()

    def timed(trainer, n: int) -> tuple[float, float]:
        torch.set_num_threads(n)
        g = bigram.generator()
        start = mlp.init(3, g)
        begin = time.perf_counter()
        model = trainer(start, X, Y, g, range(steps))
        seconds = time.perf_counter() - begin
        torch.set_num_threads(threads)
        return seconds, mlp.loss(model, *held_out)

    mlp.train(mlp.init(3, bigram.generator()), X, Y, bigram.generator(), range(1))
    ours, by_autograd, one_thread, losses = [], [], [], set()
    for _ in range(rounds):
        for found, trainer, n in (
            (by_autograd, mlp.train_by_autograd, threads),
            (ours, mlp.train, threads),
            (one_thread, mlp.train_by_autograd, 1),
            (ours, mlp.train, threads),
        ):
            seconds, loss = timed(trainer, n)
            found.append(seconds)
            losses.add(f"{loss:.4f}")
    peer = min(by_autograd + one_thread)
    return {
        "name": f"MLP language model, {steps:,} steps, k = 3",
        "ours": round(min(ours), 2),
        "peer": round(peer, 2),
        "unit": "s",
        "ratio": round(peer / min(ours), 1),
        "peer_default_threads": round(min(by_autograd), 2),
        "ratio_default_threads": round(min(by_autograd) / min(ours), 1),
        "threads": threads,
        "validation_loss": sorted(losses),
    }
