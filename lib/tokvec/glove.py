"""GloVe, and the counting underneath: from a table of co-occurrences to vectors in two ways.

word2vec reads the text pair by pair and never sees a total. Here the pairs are counted first. ``X[i, j]``
is how often word j stands near word i, near pairs counting more. GloVe fits dot products to ``log X``,
leaning on frequent cells and damped so that the most frequent do not rule. The other road has no learning
in it at all: turn the counts into positive pointwise mutual information and keep the strongest directions
of that matrix (a truncated singular value decomposition).

References
----------
Pennington, Socher and Manning (2014), doi:10.3115/v1/D14-1162 (GloVe). Levy and Goldberg (2014),
"Neural Word Embedding as Implicit Matrix Factorization", NeurIPS 27 (skip-gram's dot products approach PMI
minus log k). Levy, Goldberg and Dagan (2015), doi:10.1162/tacl_a_00134 (PPMI and SVD with word2vec's settings).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from tokvec.word2vec import END, Vocabulary, WordVectors

if TYPE_CHECKING:
    import scipy.sparse
    import torch


# Counting --------------------------------------------------------------------------------


def cooccurrences(ids: np.ndarray, size: int, window: int = 10) -> scipy.sparse.csr_array:
    """Count pairs of words in a symmetric window, a pair at distance m as 1/m.

    Parameters
    ----------
    ids : numpy.ndarray, shape (n,), int32
        From `Vocabulary.encode`; no pair reaches across an `END`.
    size : int
        V; ids of V or more are passed over (they keep their place in the text).
    window : int
        Longest distance.

    Returns
    -------
    scipy.sparse.csr_array, shape (V, V), float64
        Symmetric.

    Raises
    ------
    ValueError
        If `window` or `size` is below one, or there is no pair.
    """
    import scipy.sparse

    if window < 1 or size < 1:
        raise ValueError(f"window = {window}, size = {size}: both must be 1 or more.")
    sentence = np.cumsum(ids == END)
    counts = scipy.sparse.csr_array((size, size))
    for distance in range(1, window + 1):
        left, right = ids[:-distance], ids[distance:]
        pair = (left >= 0) & (left < size) & (right >= 0) & (right < size)
        pair &= sentence[:-distance] == sentence[distance:]
        where = (left[pair], right[pair])
        weights = np.full(len(where[0]), 1 / distance)
        counts = counts + scipy.sparse.coo_array((weights, where), shape=(size, size)).tocsr()
    if counts.nnz == 0:
        raise ValueError("The corpus is empty: it has no two words in one window to count.")
    return (counts + counts.T).tocsr()


def pmi(X: scipy.sparse.csr_array, power: float = 1.0) -> scipy.sparse.csr_array:
    """Return the pointwise mutual information of the pairs that were seen, in nats.

    ``log (P(i, j) / (P(i) P(j)))``: 0 where two words meet as often as chance would have it.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (V, V)
        Co-occurrence counts.
    power : float
        To which the context words' counts are raised before they are made a distribution: 3/4 is word2vec's noise.

    Returns
    -------
    scipy.sparse.csr_array, shape (V, V), float64
        Stored where X is; elsewhere it would be minus infinity, and is left out.
    """
    words = np.asarray(X.sum(axis=1)).ravel()
    contexts = np.asarray(X.sum(axis=0)).ravel() ** power
    coo = X.tocoo()
    values = np.log(coo.data / words[coo.row]) - np.log(contexts[coo.col] / contexts.sum())
    return type(coo)((values, (coo.row, coo.col)), shape=X.shape).tocsr()


def ppmi_svd(
    X: scipy.sparse.csr_array, vocabulary: Vocabulary, dimension: int = 100, negatives: float = 1, power: float = 0.75
) -> WordVectors:
    """Compress shifted positive PMI by a truncated singular value decomposition.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (V, V)
        Co-occurrence counts.
    vocabulary : Vocabulary
        Its first V words belong to the rows.
    dimension : int
        How many singular directions are kept, fewer than V.
    negatives : float
        ``log(negatives)`` is taken off before negative values are set to zero, which is where skip-gram with so many
        negatives is heading; 1 takes nothing off.
    power : float
        As in `pmi`.

    Returns
    -------
    WordVectors
        ``U sqrt(S)``, float32.

    Raises
    ------
    ValueError
        If `dimension` is below one or not below V.
    """
    from scipy.sparse.linalg import svds

    if not 1 <= dimension < X.shape[0]:
        raise ValueError(f"dimension = {dimension}: use 1 to {X.shape[0] - 1}, less than the {X.shape[0]} words.")
    M = pmi(X, power)
    M.data = np.maximum(M.data - np.log(negatives), 0)
    M.eliminate_zeros()
    # The start vector is fixed, and each direction's largest entry is made positive: svds leaves the sign open.
    U, S, _ = svds(M, k=dimension, v0=np.ones(X.shape[0]))
    U *= np.sign(U[np.abs(U).argmax(axis=0), np.arange(dimension)])
    order = np.argsort(-S)
    return _word_vectors(U[:, order] * np.sqrt(S[order]), vocabulary)


# GloVe -----------------------------------------------------------------------------------


def weight(x: np.ndarray, x_max: float = 100.0, alpha: float = 0.75) -> np.ndarray:
    """Return how much a cell counts: ``(x / x_max) ** alpha``, at most 1."""
    return np.minimum(1, (np.asarray(x) / x_max) ** alpha)


def reference_loss(
    W: torch.Tensor, C: torch.Tensor, bias_w: torch.Tensor, bias_c: torch.Tensor, rows, columns, x, f
) -> torch.Tensor:
    """Return GloVe's loss over cells, halved as in the authors' program, for torch to differentiate.

    Parameters
    ----------
    W, C : torch.Tensor, shape (V, d)
        Word rows and context rows.
    bias_w, bias_c : torch.Tensor, shape (V,)
        A number for every word and every context.
    rows, columns : torch.Tensor, shape (n,), int64
        The cells.
    x, f : torch.Tensor, shape (n,)
        Their counts and weights.
    """
    error = (W[rows] * C[columns]).sum(1) + bias_w[rows] + bias_c[columns] - x.log()
    return 0.5 * (f * error**2).sum()


@njit(nogil=True, fastmath=True, error_model="numpy", cache=True)
def _adagrad(order, rows, columns, log_x, f, W, C, sum_w, sum_c, rate):
    """Visit the cells in the given order once, in place; the last column of W and C holds the biases.

    AdaGrad divides the step of every single number by the root of the sum of its squared gradients so far: numbers
    that are seldom moved take large steps when they are.
    """
    last = W.shape[1] - 1
    total = 0.0
    for t in order:
        w, c, gw, gc = W[rows[t]], C[columns[t]], sum_w[rows[t]], sum_c[columns[t]]
        error = w[last] + c[last] - log_x[t]
        for k in range(last):
            error += w[k] * c[k]
        total += 0.5 * f[t] * error * error
        error *= f[t]
        for k in range(last):
            a, b = error * c[k], error * w[k]
            w[k] -= rate * a / np.sqrt(gw[k])
            c[k] -= rate * b / np.sqrt(gc[k])
            gw[k] += a * a
            gc[k] += b * b
        w[last] -= rate * error / np.sqrt(gw[last])
        c[last] -= rate * error / np.sqrt(gc[last])
        gw[last] += error * error
        gc[last] += error * error
    return total


def fit(
    X: scipy.sparse.csr_array,
    vocabulary: Vocabulary,
    *,
    dimension: int = 100,
    passes: int = 15,
    x_max: float = 100.0,
    alpha: float = 0.75,
    learning_rate: float = 0.05,
    seed: int = 1,
    progress: bool = False,
) -> tuple[WordVectors, list[float]]:
    """Fit ``W[i] . C[j] + bias_i + bias_j`` to ``log X[i, j]`` over the cells that are not empty, with AdaGrad.

    Parameters
    ----------
    X : scipy.sparse.csr_array, shape (V, V)
        Co-occurrence counts.
    vocabulary : Vocabulary
        Its first V words belong to the rows.
    dimension, passes : int
        Length of the vectors, and how often every cell is visited.
    x_max, alpha : float
        Of the weight a cell has, see `weight`.
    learning_rate : float
        Of AdaGrad.
    seed : int
        Seeds the first vectors and the order of the cells. One thread: the same seed gives the same vectors.
    progress : bool
        Show a bar.

    Returns
    -------
    WordVectors
        ``W + C``, as the paper recommends, float32.
    losses : list of float
        Mean loss a cell in each pass, before the cell's update.

    Raises
    ------
    ValueError
        If a number is out of its range, or X holds no counts.
    """
    from tqdm.auto import tqdm

    if dimension < 1 or passes < 1 or learning_rate <= 0 or x_max <= 0:
        raise ValueError(
            f"dimension = {dimension}, passes = {passes}, learning_rate = {learning_rate}, x_max = {x_max}: "
            "use whole numbers of 1 or more, and positive rates."
        )
    cells = X.tocoo()
    if cells.nnz == 0 or cells.data.min() <= 0:
        raise ValueError("X must hold counts above zero in all its stored cells, and at least one: log X is fitted.")
    generator = np.random.default_rng(seed)
    shape = (X.shape[0], dimension + 1)
    W = ((generator.random(shape) - 0.5) / dimension).astype(np.float32)
    C = ((generator.random(shape) - 0.5) / dimension).astype(np.float32)
    sum_w, sum_c = np.ones(shape, dtype=np.float32), np.ones(shape, dtype=np.float32)
    log_x = np.log(cells.data).astype(np.float32)
    f = weight(cells.data, x_max, alpha).astype(np.float32)
    losses = []
    for _ in tqdm(range(passes), desc="GloVe", disable=None if progress else True):
        order = generator.permutation(cells.nnz)
        rate = np.float32(learning_rate)
        losses.append(_adagrad(order, cells.row, cells.col, log_x, f, W, C, sum_w, sum_c, rate) / cells.nnz)
    return _word_vectors((W + C)[:, :dimension], vocabulary), losses


def first_rows(vectors: WordVectors, size: int) -> WordVectors:
    """Return the vectors of the `size` most frequent words, for a comparison on equal terms."""
    return _word_vectors(vectors.vectors[:size], vectors.vocabulary)


def _word_vectors(rows: np.ndarray, vocabulary: Vocabulary) -> WordVectors:
    first = Vocabulary(vocabulary.words[: len(rows)], vocabulary.counts[: len(rows)])
    return WordVectors(first, np.ascontiguousarray(rows, dtype=np.float32))
