"""From ids to vectors: one-hot products, lookups, their gradients, and what the tables cost.

A token id is a label, not a quantity. The embedding table E, of shape (V, d), gives each of the V tokens a
row of d learned numbers, and the whole of the layer is ``E[ids]``. This module writes that out next to what
it is equal to, the product of one-hot rows with E, and counts the work and the parameters of both.

References
----------
.. [1] A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever (2019). Language models are unsupervised
   multitask learners. (The four sizes of GPT-2.)
.. [2] O. Press, L. Wolf (2017). Using the output embedding to improve language models. EACL. (Weight tying.)

"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_ids(ids: ArrayLike, rows: int) -> NDArray[np.int64]:
    """Return ids as an integer array, or say which of them has no row.

    Parameters
    ----------
    ids : array_like of int, any shape
        Token ids.
    rows : int
        V, the number of rows of the table.

    Returns
    -------
    ndarray of int64, the shape of ids

    Raises
    ------
    TypeError
        If the ids are not whole numbers.
    IndexError
        If an id is negative, or V or more. (NumPy alone would count a negative id from the end.)

    """
    found = np.asarray(ids)
    if found.size == 0:
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"token ids are whole numbers, these are {found.dtype}; encode the text first")
    bad = found[(found < 0) | (found >= rows)]
    if bad.size:
        raise IndexError(f"id {int(bad[0])} has no row: this table has ids 0 to {rows - 1}")
    return found.astype(np.int64)


def lookup(table: NDArray, ids: ArrayLike) -> NDArray:
    """Read rows of an embedding table.

    Parameters
    ----------
    table : ndarray, shape (V, d)
        The embedding table E.
    ids : array_like of int, shape (...)
        Token ids.

    Returns
    -------
    ndarray, shape (..., d)
        Row ``ids[k]`` for every k: a copy, d numbers a token, and not one multiplication.

    Raises
    ------
    TypeError, IndexError
        If the ids are not ids of this table; see `check_ids`.

    """
    return table[check_ids(ids, len(table))]


def lookup_gradient(ids: ArrayLike, upstream: NDArray, rows: int) -> NDArray:
    """Return the gradient of a loss with respect to the table, given the gradient at the rows read.

    Every read adds its gradient to the row it read. A row that was not read gets exactly zero; a row that
    was read twice gets both.

    Parameters
    ----------
    ids : array_like of int, shape (...)
        The ids that were looked up.
    upstream : ndarray, shape (..., d)
        The gradient of the loss with respect to each vector read.
    rows : int
        V, the number of rows of the table.

    Returns
    -------
    ndarray, shape (V, d)

    Raises
    ------
    TypeError, IndexError
        If the ids are not ids of such a table.
    ValueError
        If upstream has not one vector for each id.

    """
    ids = check_ids(ids, rows)
    if upstream.shape[:-1] != ids.shape:
        raise ValueError(
            f"upstream has shape {upstream.shape}: it needs one vector for each of {ids.shape} ids"
        )
    gradient = np.zeros((rows, upstream.shape[-1]), dtype=upstream.dtype)
    # `gradient[ids] += upstream` would keep one of two reads of the same row; add.at keeps them all.
    np.add.at(gradient, ids.ravel(), upstream.reshape(-1, upstream.shape[-1]))
    return gradient


def one_hot(ids: ArrayLike, rows: int) -> NDArray[np.float64]:
    """Write ids as one-hot rows: all zeros, and a single 1 where the id says.

    Parameters
    ----------
    ids : array_like of int, shape (...)
        Token ids.
    rows : int
        V, the length of each one-hot vector.

    Returns
    -------
    ndarray, shape (..., V)

    Raises
    ------
    TypeError, IndexError
        If the ids are not ids of such a table.

    """
    ids = check_ids(ids, rows)
    vectors = np.zeros((*ids.shape, rows))  # not rows of np.eye(rows): that is 20 GB at GPT-2's size
    np.put_along_axis(vectors, ids[..., None], 1.0, axis=-1)
    return vectors


def count_multiplications(x: NDArray, table: NDArray) -> tuple[NDArray, int]:
    """Multiply a row vector with a table, and count the multiplications while they are done.

    One column at a time: V products, then their sum. The counter stands beside the product and adds
    what that product did, so the figure it returns was measured.

    Parameters
    ----------
    x : ndarray, shape (V,)
        A row vector, for instance a one-hot one.
    table : ndarray, shape (V, d)
        The table it is multiplied with.

    Returns
    -------
    product : ndarray, shape (d,)
    multiplications : int
        V times d.

    """
    product, multiplications = np.empty(table.shape[1]), 0
    terms = np.empty(len(x))
    for j, column in enumerate(table.T):
        np.multiply(x, column, out=terms)
        multiplications += terms.size
        product[j] = terms.sum()
    return product, multiplications


@dataclass(frozen=True)
class GPT2Shape:
    """The sizes that determine how many parameters a GPT-2 has.

    The token table is stored once: the output layer reuses it (weight tying [2]_).

    Parameters
    ----------
    width : int
        d, the length of every vector (``n_embd``).
    layers : int
        Number of blocks (``n_layer``).
    vocabulary : int
        V, the number of tokens.
    context : int
        The number of positions (``n_positions``).

    """

    width: int
    layers: int
    vocabulary: int = 50_257
    context: int = 1_024

    @property
    def token_table(self) -> int:
        """Numbers in the token table, V times d."""
        return self.vocabulary * self.width

    @property
    def position_table(self) -> int:
        """Numbers in the learned position table."""
        return self.context * self.width

    @property
    def blocks(self) -> int:
        """Numbers in all blocks and the last layer norm: 12 d^2 + 13 d a block, and 2 d."""
        d = self.width
        attention = (d * 3 * d + 3 * d) + (d * d + d)  # query, key and value together; output
        feed_forward = (d * 4 * d + 4 * d) + (4 * d * d + d)  # four times as wide, and back
        layer_norms = 2 * 2 * d  # a scale and a shift, twice
        return self.layers * (attention + feed_forward + layer_norms) + 2 * d

    @property
    def total(self) -> int:
        """All parameters."""
        return self.token_table + self.position_table + self.blocks

    @property
    def embedding_share(self) -> float:
        """The part of all parameters that stands in the two tables."""
        return (self.token_table + self.position_table) / self.total

    @property
    def untied_total(self) -> int:
        """All parameters of the same model with a second V by d matrix for the output."""
        return self.total + self.token_table


#: The four published sizes [1]_.
GPT2 = {
    "small": GPT2Shape(width=768, layers=12),
    "medium": GPT2Shape(width=1_024, layers=24),
    "large": GPT2Shape(width=1_280, layers=36),
    "XL": GPT2Shape(width=1_600, layers=48),
}
