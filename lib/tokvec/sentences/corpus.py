"""The passages, queries and contrasts written for chapter 9, with their stored vectors.

The texts are tab-separated files beside the code. The vectors of passages and queries are stored
as whole numbers from -127 to 127, one byte a coordinate, which is plenty for a ranking and small
enough to go into a page. ``python -m tokvec.sentences passages`` makes them again.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tokvec.sentences.search import normalise

DATA = Path(__file__).parent.parent / "data"


class Passage(NamedTuple):
    """A short text with a name of its own."""

    name: str
    topic: str
    text: str


class Query(NamedTuple):
    """A question, the name of the passage that answers it, and what finds it: "meaning" or "words"."""

    kind: str
    text: str
    answer: str


class Contrast(NamedTuple):
    """A sentence, its meaning in other words, and a near copy that means something else."""

    kind: str
    sentence: str
    paraphrase: str
    near_copy: str


def _rows(name: str, columns: int) -> list[list[str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    for row in rows:
        if len(row) != columns:
            raise ValueError(f"{name}: {row[0]!r} has {len(row)} columns instead of {columns}")
    return rows


def passages() -> list[Passage]:
    """Return the 221 passages."""
    return [Passage(*row) for row in _rows("passages.tsv", 3)]


def queries() -> list[Query]:
    """Return the 44 queries; each names the passage that answers it."""
    return [Query(*row) for row in _rows("queries.tsv", 3)]


def contrasts() -> list[Contrast]:
    """Return the 36 triples, 12 each of the kinds "negation", "number" and "name"."""
    return [Contrast(*row) for row in _rows("contrasts.tsv", 4)]


def quantise(vectors: np.ndarray) -> np.ndarray:
    """Normalise, then round each row to whole numbers, its largest coordinate becoming ±127 (int8)."""
    unit = normalise(vectors)
    largest = np.abs(unit).max(axis=1, keepdims=True)
    return np.rint(unit / np.where(largest == 0, 1, largest) * 127).astype(np.int8)


def stored_vectors(method: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the stored int8 vectors of the passages and of the queries.

    Parameters
    ----------
    method : str
        "glove" (averaged word vectors) or "minilm".
    """
    if method not in ("glove", "minilm"):
        raise ValueError(f'there are stored vectors for "glove" and "minilm", not for {method!r}')
    both = np.load(DATA / f"passages_{method}.npy", allow_pickle=False)
    count = len(passages())
    return both[:count], both[count:]


def store_vectors(folder: Path = DATA) -> dict:
    """Encode passages and queries with both models, write the npy files and their manifest."""
    import hashlib

    from tokvec import datasets
    from tokvec.sentences.vectors import Encoder, WordAverage

    texts = [p.text for p in passages()] + [q.text for q in queries()]
    methods = {"glove": WordAverage(*datasets.glove()), "minilm": Encoder.from_folder(datasets.minilm())}
    manifest = {"command": "python -m tokvec.sentences passages", "texts": len(texts), "files": {}}
    for name, method in methods.items():
        vectors = quantise(method.encode(texts))
        target = folder / f"passages_{name}.npy"
        np.save(target, vectors)
        manifest["files"][target.name] = {
            "model": {"glove": "GloVe-6B-50d, averaged", "minilm": "all-MiniLM-L6-v2, mean-pooled"}[name],
            "shape": list(vectors.shape),
            "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        }
    for name in ("passages.tsv", "queries.tsv"):
        manifest.setdefault("made_from", {})[name] = hashlib.sha256((DATA / name).read_bytes()).hexdigest()
    (folder / "passages.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest
