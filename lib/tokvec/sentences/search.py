"""Exact search: normalise once, then nearest by cosine is one matrix product.

`top_k` is the whole of it: a product in blocks, so that the scores of a million vectors never lie
in memory together, and a partial selection of the k best instead of a sort.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np


def checked_vectors(vectors: np.ndarray, name: str) -> np.ndarray:
    """Return `vectors` as a matrix of floats, or raise ValueError saying what is wrong with them."""
    x = np.asarray(vectors)
    if x.ndim != 2 or x.shape[0] == 0 or x.shape[1] == 0:
        raise ValueError(f"{name} must be a matrix with at least one row and one column, not of shape {x.shape}")
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
    if len(bad):
        raise ValueError(
            f"{name}: row {bad[0]} holds a number that is not finite; mend or drop the {len(bad)} such rows"
        )
    return x


def normalise(vectors: np.ndarray) -> np.ndarray:
    """Scale every row to length 1, after which a dot product is a cosine.

    A row of zeros (a text without a single known word) has no direction. It stays zero, and so its
    similarity with everything is 0.

    Parameters
    ----------
    vectors : array of shape (n, d)
        One row a vector.

    Returns
    -------
    array of shape (n, d)
        float32, unless the input was float64.
    """
    x = checked_vectors(vectors, "vectors")
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(lengths == 0, 1, lengths)


def top_k(
    queries: np.ndarray, corpus: np.ndarray, k: int, query_block: int = 1024, corpus_block: int = 4096
) -> tuple[np.ndarray, np.ndarray]:
    """Find, for every query, the k corpus rows with the largest dot product. Exact.

    Each block of scores is one matrix product, and its k best join the k best so far. Nothing is
    sorted but k candidates a block, and the scores held at a time are 1,024 x 4,096 numbers, 16 MB,
    which a processor's cache and memory like better than one huge product.

    Parameters
    ----------
    queries : array of shape (m, d)
        One row a query.
    corpus : array of shape (n, d)
        One row a text.
    k : int
        How many to find, 1 <= k <= n.
    query_block, corpus_block : int
        Rows and columns of a block of scores.

    Returns
    -------
    scores, ids : arrays of shape (m, k)
        Best first; rows with equal scores come in the order of their ids. (Which rows of a tie for
        the last place are kept is not defined.)

    Raises
    ------
    ValueError
        Empty or non-finite vectors, different dimensions, or k out of range.
    """
    import torch

    q = checked_vectors(queries, "queries")
    x = checked_vectors(corpus, "corpus")
    if q.shape[1] != x.shape[1]:
        raise ValueError(
            f"the queries have {q.shape[1]} dimensions and the corpus has {x.shape[1]}: encode both with one model"
        )
    if not 1 <= k <= len(x):
        raise ValueError(f"k is {k} and the corpus has {len(x)} rows: choose k from 1 to {len(x)}")
    kind = np.result_type(q, x)
    q_all, x_all = (torch.from_numpy(np.ascontiguousarray(a, dtype=kind)) for a in (q, x))
    scores, ids = [], []
    for q_block in q_all.split(query_block):
        best_scores = torch.empty(len(q_block), 0, dtype=q_all.dtype)
        best_ids = torch.empty(len(q_block), 0, dtype=torch.int64)
        for start in range(0, len(x_all), corpus_block):
            block = q_block @ x_all[start : start + corpus_block].T
            found, where = block.topk(min(k, block.shape[1]), dim=1)
            best_scores = torch.cat([best_scores, found], dim=1)
            best_ids = torch.cat([best_ids, where + start], dim=1)
            if best_scores.shape[1] > k:
                best_scores, keep = best_scores.topk(k, dim=1)
                best_ids = best_ids.gather(1, keep)
        scores.append(best_scores.numpy())
        ids.append(best_ids.numpy())
    all_scores, all_ids = np.concatenate(scores), np.concatenate(ids)
    order = np.lexsort((all_ids, -all_scores), axis=1)
    return np.take_along_axis(all_scores, order, axis=1), np.take_along_axis(all_ids, order, axis=1)


class Index:
    """Texts and their vectors, normalised once and ready to be searched by cosine.

    Parameters
    ----------
    vectors : array of shape (n, d)
        One row a text.
    texts : sequence of str
        The n texts, in the same order.

    Raises
    ------
    ValueError
        No texts, a different number of texts and vectors, or vectors that are not finite.
    """

    def __init__(self, vectors: np.ndarray, texts: Sequence[str]) -> None:
        if len(texts) == 0:
            raise ValueError("the corpus is empty: give the index at least one text")
        self.vectors = normalise(checked_vectors(vectors, "vectors")).astype(np.float32)
        self.texts = list(texts)
        if len(self.texts) != len(self.vectors):
            raise ValueError(f"{len(self.texts)} texts but {len(self.vectors)} vectors: encode each text once")

    def __len__(self) -> int:
        return len(self.texts)

    def search(self, queries: np.ndarray, k: int = 5) -> tuple[np.ndarray, np.ndarray]:
        """Return cosines and ids of the k texts nearest each query vector, shapes (m, k)."""
        return top_k(normalise(queries).astype(np.float32), self.vectors, k)

    def save(self, folder: str | Path) -> None:
        """Write ``vectors.npy`` and ``texts.json`` into a new folder, whole or not at all."""
        target = Path(folder)
        if target.exists():
            raise FileExistsError(f"{target} exists: choose a new folder or remove it first")
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=target.name + ".", dir=target.parent))
        try:
            np.save(draft / "vectors.npy", self.vectors)
            (draft / "texts.json").write_text(json.dumps(self.texts, ensure_ascii=False, indent=0), encoding="utf-8")
            os.replace(draft, target)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise

    @classmethod
    def load(cls, folder: str | Path) -> "Index":
        """Read what `save` wrote. Raises ValueError when the folder does not hold a whole index."""
        source = Path(folder)
        try:
            vectors = np.load(source / "vectors.npy", allow_pickle=False)
            texts = json.loads((source / "texts.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise ValueError(f"{source} is not a saved index ({problem}): write it again with Index.save") from problem
        return cls(vectors, texts)
