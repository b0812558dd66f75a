"""Bigrams: counting which symbol follows which, and a network that learns the same table.

Chapter 3 counts. Chapter 4 starts from random numbers, follows the gradient of the
cross-entropy, and ends at the counts. Both work on names: 26 letters and the boundary
symbol ``.``, which stands before the first letter and after the last.

References
----------
Jurafsky and Martin, *Speech and Language Processing*, chapter 3 (n-gram models, smoothing,
perplexity). Karpathy, *makemore* (the names and the one-layer network).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

SYMBOLS = ".abcdefghijklmnopqrstuvwxyz"
V = len(SYMBOLS)
BOUNDARY = 0
SEED = 2147483647
COUNTS_FILE = Path(__file__).parent / "data" / "name_bigrams.npz"

_ID = {symbol: i for i, symbol in enumerate(SYMBOLS)}


# Symbols and data ------------------------------------------------------------------------


def encode(word: str) -> list[int]:
    """Return the ids of a word's letters, without boundaries: ``encode("abc") == [1, 2, 3]``.

    Raises
    ------
    ValueError
        If a character is not one of the 26 letters a to z.
    """
    try:
        ids = [_ID[letter] for letter in word]
    except KeyError as error:
        raise ValueError(
            f"{error.args[0]!r} in {word!r} has no id: the symbols are a to z, lower case, without accents."
        ) from None
    if BOUNDARY in ids:
        raise ValueError(f"{word!r} holds the boundary symbol '.', which may stand only at its ends.")
    return ids


def decode(ids: Iterable[int]) -> str:
    """Return the symbols of `ids` as a string.

    Raises
    ------
    ValueError
        If an id is outside 0 to 26.
    """
    ids = list(ids)
    for i in ids:
        if not 0 <= i < V:
            raise ValueError(f"id {i} is outside the table: ids run from 0 to {V - 1}.")
    return "".join(SYMBOLS[i] for i in ids)


def generator(seed: int = SEED) -> torch.Generator:
    """Return a fresh generator; every random number of chapters 3 to 6 comes from one of these."""
    return torch.Generator().manual_seed(seed)


def split(words: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Split words 80 / 10 / 10 into training, validation and test sets, shuffled by a fresh generator.

    Raises
    ------
    ValueError
        If there are fewer than ten words: one of the parts would be empty.
    """
    n = len(words)
    if n < 10:
        raise ValueError(f"{n} words cannot be split 80 / 10 / 10: at least ten are needed.")
    order = torch.randperm(n, generator=generator()).tolist()
    shuffled = [words[i] for i in order]
    return shuffled[: int(0.8 * n)], shuffled[int(0.8 * n) : int(0.9 * n)], shuffled[int(0.9 * n) :]


def bigrams(words: Iterable[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return every pair of neighbouring symbols: inputs, and the same shifted by one, the labels.

    Returns
    -------
    xs, ys : torch.Tensor, shape (n,), int64
        ``ys[i]`` is the symbol that came after ``xs[i]``. A word of m letters gives m + 1 pairs.

    Raises
    ------
    ValueError
        If there is no word, a word has a character without an id, or `words` is one text instead of a list.
    """
    check_words(words)
    xs: list[int] = []
    ys: list[int] = []
    for word in words:
        ids = [BOUNDARY, *encode(word), BOUNDARY]
        xs += ids[:-1]
        ys += ids[1:]
    if not xs:
        raise ValueError("The corpus is empty: there is no word to count.")
    return torch.tensor(xs), torch.tensor(ys)


# The model that counts --------------------------------------------------------------------


def check_words(words: Iterable[str]) -> None:
    """Raise ValueError if `words` is one text: each of its letters would count as a word, without a complaint."""
    if isinstance(words, str):
        raise ValueError(f"The words are one text, {words[:20]!r}: give a list of words, as [{words[:20]!r}].")


def _check_pairs(xs: torch.Tensor, ys: torch.Tensor) -> None:
    """Make sure that there is one symbol after each: xs of the training names fit no ys of the validation names."""
    if xs.shape != ys.shape:
        raise ValueError(f"xs has {len(xs):,} symbols, ys {len(ys):,}: take both from one call of bigrams.")


def count(xs: torch.Tensor, ys: torch.Tensor) -> torch.Tensor:
    """Count the bigrams.

    Parameters
    ----------
    xs, ys : torch.Tensor, shape (n,), int64
        Ids of neighbouring symbols.

    Returns
    -------
    N : torch.Tensor, shape (27, 27), int64
        ``N[a, b]`` is how often b came after a.

    Raises
    ------
    ValueError
        If there are not as many symbols in `ys` as in `xs`.
    """
    _check_pairs(xs, ys)
    return torch.bincount(xs * V + ys, minlength=V * V).view(V, V)


def probabilities(N: torch.Tensor, add: float = 0) -> torch.Tensor:
    """Turn counts into one distribution a row: ``(N + add) / sum of the row``.

    Parameters
    ----------
    N : torch.Tensor, shape (V, V)
        Counts.
    add : float
        Added to every count first. 0 gives the maximum-likelihood estimate, 1 is add-one (Laplace)
        smoothing: no probability is zero any more.

    Returns
    -------
    P : torch.Tensor, shape (V, V), float32
        Every row sums to one.

    Raises
    ------
    ValueError
        If `add` is negative, or a row has no count at all and `add` is 0.
    """
    if add < 0:
        raise ValueError(f"add = {add} would make probabilities negative: use 0 or more.")
    smoothed = N.double() + add
    totals = smoothed.sum(1, keepdim=True)
    if (totals == 0).any():
        row = int((totals == 0).flatten().nonzero()[0, 0])
        raise ValueError(f"row {row} was never counted, so it has no distribution: use add > 0.")
    return (smoothed / totals).float()


def average_nll(P: torch.Tensor, xs: torch.Tensor, ys: torch.Tensor) -> float:
    """Return the average negative log-likelihood of the pairs, in nats a symbol.

    Parameters
    ----------
    P : torch.Tensor, shape (V, V)
        ``P[a, b]`` is the probability of b after a.
    xs, ys : torch.Tensor, shape (n,), int64
        The pairs: symbol before, symbol after.

    Returns
    -------
    float
        ``inf`` as soon as one pair has probability zero.

    Raises
    ------
    ValueError
        If there are not as many symbols in `ys` as in `xs`.
    """
    _check_pairs(xs, ys)
    return -P[xs, ys].double().log().mean().item()


def perplexity(loss: float) -> float:
    """Return ``exp(loss)``: the number of equally likely choices that would be as hard to guess.

    Parameters
    ----------
    loss : float
        Average negative log-likelihood in nats.
    """
    return float(torch.tensor(loss, dtype=torch.float64).exp())


def sample(P: torch.Tensor, g: torch.Generator, limit: int = 1000) -> str:
    """Draw one word: start at the boundary, draw from the row you are in, stop at the boundary.

    Parameters
    ----------
    P : torch.Tensor, shape (27, 27), float32
        One distribution a row.
    g : torch.Generator
        Where the chance comes from.
    limit : int
        Longest word allowed. A table whose rows never lead back to the boundary would go on for ever.

    Raises
    ------
    RuntimeError
        If `limit` letters were drawn without meeting the boundary.
    """
    row, word = BOUNDARY, []
    while len(word) < limit:
        row = int(torch.multinomial(P[row], 1, replacement=True, generator=g))
        if row == BOUNDARY:
            return decode(word)
        word.append(row)
    raise RuntimeError(f"{limit} letters without a boundary: does any row of P lead back to '.'?")


# The network ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One line of the trace of a descent.

    Attributes
    ----------
    step : int
        Number of the update, from 1.
    train : float
        Training loss before this update, in nats.
    validation : float or None
        Validation loss after it; None where no validation counts were given.
    gap : float
        Largest absolute difference, after it, between ``softmax(W)`` and the count table.
    """

    step: int
    train: float
    validation: float | None
    gap: float


def start(g: torch.Generator) -> torch.Tensor:
    """Return the random weights to begin with, shape (27, 27), float32, standard normal."""
    return torch.randn((V, V), generator=g)


def loss_by_rows(W: torch.Tensor, xs: torch.Tensor, ys: torch.Tensor) -> torch.Tensor:
    """Return the loss as one first writes it: look up a row of logits for every pair, then cross-entropy.

    Costs n rows of work a step; `loss_by_counts` gives the same number from 27 rows.
    """
    logits = W[xs]  # one-hot(xs) @ W, without the zeros
    return torch.nn.functional.cross_entropy(logits, ys)


def loss_by_counts(W: torch.Tensor, N: torch.Tensor) -> torch.Tensor:
    """Return the same loss from the counts alone.

    All pairs (a, b) contribute the same term, ``-log softmax(W)[a, b]``, so it is enough to know how many
    there are: the counts are the sufficient statistic of the data.

    Parameters
    ----------
    W, N : torch.Tensor, shape (27, 27)
        Logits, and bigram counts.
    """
    return -(N * torch.log_softmax(W, dim=1)).sum() / N.sum()


def descend_by_rows(
    W: torch.Tensor, xs: torch.Tensor, ys: torch.Tensor, steps: int, learning_rate: float
) -> torch.Tensor:
    """Run plain gradient descent on `loss_by_rows` and return the new weights; `W` is not changed."""
    W = W.clone().requires_grad_()
    for _ in range(steps):
        (gradient,) = torch.autograd.grad(loss_by_rows(W, xs, ys), W)
        W.data -= learning_rate * gradient
    return W.detach()


def descend(
    W: torch.Tensor,
    N: torch.Tensor,
    steps: int,
    learning_rate: float,
    validation: torch.Tensor | None = None,
    report: Sequence[int] = (),
) -> tuple[torch.Tensor, list[Step]]:
    """Run plain gradient descent on `loss_by_counts`, full batch.

    The gradient needs no automatic differentiation: for row a it is ``(n_a / n) (softmax(W_a) - P_a)``,
    what the network says minus what the counts say, weighted by how often the row is used.

    Parameters
    ----------
    W : torch.Tensor, shape (27, 27), float32
        Where to begin; not changed.
    N : torch.Tensor, shape (27, 27)
        Training counts; every row needs at least one.
    steps : int
        Number of updates.
    learning_rate : float
        What the gradient is multiplied by at each update.
    validation : torch.Tensor, shape (27, 27), optional
        Validation counts.
    report : sequence of int
        Steps to put into the trace.

    Returns
    -------
    W : torch.Tensor, shape (27, 27)
    trace : list of Step
        One entry a reported step, in order.

    Raises
    ------
    ValueError
        If `steps` is negative or a row of `N` is empty.
    """
    if steps < 0:
        raise ValueError(f"steps = {steps}: a descent takes zero steps or more.")
    table = probabilities(N)
    share = N.float() / N.sum()
    row_share = share.sum(1, keepdim=True)
    W, wanted, trace = W.clone(), set(report), []
    for step in range(1, steps + 1):
        train = loss_by_counts(W, N).item() if step in wanted else None
        W -= learning_rate * (row_share * torch.softmax(W, dim=1) - share)
        if step in wanted:
            after = None if validation is None else loss_by_counts(W, validation).item()
            gap = (torch.softmax(W, dim=1) - table).abs().max().item()
            trace.append(Step(step, train, after, gap))
    return W, trace


# The table that chapter 4 starts from --------------------------------------------------------


def stored_counts() -> tuple[torch.Tensor, torch.Tensor]:
    """Load the training and validation counts of the names, as chapter 3 computed them.

    Returns
    -------
    train, validation : torch.Tensor, shape (27, 27), int64

    Notes
    -----
    ``python -m tokvec.bigram`` makes the file anew from ``names.txt``.
    """
    import numpy as np

    with np.load(COUNTS_FILE) as arrays:
        return torch.from_numpy(arrays["train"]), torch.from_numpy(arrays["validation"])


def save_counts() -> None:
    """Count the names' bigrams and write the file that `stored_counts` reads."""
    import numpy as np

    from tokvec import datasets

    train, validation, _ = split(datasets.names())
    temporary = COUNTS_FILE.with_suffix(".part.npz")
    np.savez_compressed(
        temporary, train=count(*bigrams(train)).numpy(), validation=count(*bigrams(validation)).numpy()
    )
    temporary.replace(COUNTS_FILE)


if __name__ == "__main__":
    save_counts()
    print(f"wrote {COUNTS_FILE}")
