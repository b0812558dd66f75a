"""How fast the core is, as a ratio to the library or the loop that people would use instead.

Each module here has a function ``run()`` that returns a dict with at least

    name, ours, peer, unit, ratio, peer_is, same

where ``ratio`` says how many times better ours is than the peer's, in the same run on the
same machine: above 1 is better. ``peer_is`` names the peer, ``same`` says what came out alike,
so that the two did the same work. ``python -m benchmarks NAME`` prints it as one JSON line,
``python -m benchmarks all`` runs all and prints a table, and with ``--write`` puts it into the
README.md beside this file. Nothing here is a test.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def best_of(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Time several pieces of work in turn, `rounds` times over, and return the best of each in seconds.

    Taking turns means that a noisy moment of the machine falls on all of them alike.
    """
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]
