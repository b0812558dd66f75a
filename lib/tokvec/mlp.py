"""The multilayer-perceptron language model: a few symbols in, one distribution over the next out.

Each of the k symbols before is looked up in one shared table C, the k rows are laid side by
side, pushed through one tanh layer, and turned into 27 logits:

    e = [C[x_1], ..., C[x_k]]        (k d)
    h = tanh(e W1 + b1)              (hidden)
    z = h W2 + b2                    (27)

There are two trainers. `train_by_autograd` is what you would write first. `train` runs the
backward pass written out by hand (chapter 5 derives it), compiled by numba. Both take the
same steps and print the same digits.

References
----------
Bengio, Ducharme, Vincent and Jauvin (2003), *A Neural Probabilistic Language Model*, JMLR 3:
the model. Karpathy (2022), *makemore*, part 2: the names and the sizes. Press and Wolf
(2017), arXiv:1608.05859: weight tying.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from tqdm.auto import tqdm

from tokvec.bigram import BOUNDARY, SEED, V, check_words, decode, encode, generator

D = 10  # numbers in a row of the table
HIDDEN = 200
BATCH = 32
STEPS = range(100_000)
FOLDER = Path(__file__).parent / "data" / "mlp"


# Data and model ---------------------------------------------------------------------------


def contexts(words: Iterable[str], k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut words into examples: the k symbols before, and the symbol that came.

    Parameters
    ----------
    words : iterable of str
        Letters a to z, without boundaries.
    k : int
        Length of the context; at the start of a word it is filled up with the boundary.

    Returns
    -------
    X : torch.Tensor, shape (n, k), int64
    Y : torch.Tensor, shape (n,), int64
        A word of m letters gives m + 1 examples.

    Raises
    ------
    ValueError
        If k is below 1, there is no word, a word has a character without an id, or `words` is one text
        instead of a list.
    """
    check_words(words)
    if k < 1:
        raise ValueError(f"k = {k}: a context has at least one symbol.")
    X: list[list[int]] = []
    Y: list[int] = []
    for word in words:
        ids = [BOUNDARY] * k + encode(word) + [BOUNDARY]
        for i in range(k, len(ids)):
            X.append(ids[i - k : i])
            Y.append(ids[i])
    if not X:
        raise ValueError("The corpus is empty: there is no word to cut into contexts.")
    return torch.tensor(X), torch.tensor(Y)


class MLP(NamedTuple):
    """The parameters, float32, in the order of the recipe.

    Attributes
    ----------
    C : torch.Tensor, shape (27, d)
        The embedding table.
    W1, b1 : torch.Tensor, shapes (k d, hidden) and (hidden,)
    W2, b2 : torch.Tensor, shapes (hidden, 27) and (27,)
        In a tied model ``W2`` is ``C.T``: a view of the same memory.
    """

    C: torch.Tensor
    W1: torch.Tensor
    b1: torch.Tensor
    W2: torch.Tensor
    b2: torch.Tensor

    @property
    def k(self) -> int:
        """Symbols of context."""
        return len(self.W1) // self.C.shape[1]

    @property
    def tied(self) -> bool:
        """Whether the output layer is the embedding table, transposed."""
        return self.W2.data_ptr() == self.C.data_ptr()

    def parameters(self) -> list[torch.Tensor]:
        """Return the tensors that are really stored: four in a tied model, five otherwise."""
        return [self.C, self.W1, self.b1, self.b2] if self.tied else list(self)

    @classmethod
    def of(cls, parameters: Sequence[torch.Tensor]) -> MLP:
        """Build a model from what `parameters` returned; four tensors make a tied one."""
        if len(parameters) == 4:
            C, W1, b1, b2 = parameters
            return cls(C, W1, b1, C.T, b2)
        return cls(*parameters)


def init(k: int, g: torch.Generator, d: int = D, hidden: int = HIDDEN, tied: bool = False) -> MLP:
    """Draw a model's parameters from `g`.

    W1 is scaled so that the tanh units begin in their bent but not saturated range, W2 so
    small that the first predictions are nearly uniform.

    Parameters
    ----------
    k, d, hidden : int
        Symbols of context, numbers a row, tanh units.
    g : torch.Generator
        Where all the chance comes from.
    tied : bool
        Use ``C.T`` as the output layer. Then the logits are products of h with rows of C, and C is scaled
        by 0.3 to keep them small; W1 makes up for it. (Of 1, 0.3 and 1 / sqrt(d), 0.3 led to the best
        validation loss at d = 64.)

    Raises
    ------
    ValueError
        If a size is below 1, or the model is tied and ``hidden`` differs from ``d``.
    """
    for name, size in {"k": k, "d": d, "hidden": hidden}.items():
        if size < 1:
            raise ValueError(f"{name} = {size}: it must be at least 1.")
    if tied and d != hidden:
        raise ValueError(f"A tied model multiplies h with rows of C, so hidden = {hidden} must equal d = {d}.")
    C = torch.randn((V, d), generator=g)
    W1 = torch.randn((k * d, hidden), generator=g)
    W1 *= (5 / 3) / (k * d) ** 0.5
    if tied:
        C *= 0.3
        W1 /= 0.3
        return MLP(C, W1, torch.zeros(hidden), C.T, torch.zeros(V))
    W2 = torch.randn((hidden, V), generator=g)
    W2 *= 0.01
    return MLP(C, W1, torch.zeros(hidden), W2, torch.zeros(V))


def parameter_count(model: MLP) -> int:
    """Count the numbers that training may change; a tied table counts once."""
    return sum(p.numel() for p in model.parameters())


def logits(model: MLP, X: torch.Tensor) -> torch.Tensor:
    """Return the logits of the next symbol.

    Parameters
    ----------
    model : MLP
        The parameters.
    X : torch.Tensor, shape (n, k), int64
        One context a row.

    Returns
    -------
    z : torch.Tensor, shape (n, 27)

    Raises
    ------
    ValueError
        If the contexts are not as long as the model's.
    """
    if X.shape[-1] != model.k:
        raise ValueError(
            f"The contexts hold {X.shape[-1]} symbols, the model reads {model.k}: cut them with k = {model.k}."
        )
    e = model.C[X].flatten(-2)  # k lookups, laid side by side
    h = torch.tanh(e @ model.W1 + model.b1)
    return h @ model.W2 + model.b2


@torch.no_grad()
def loss(model: MLP, X: torch.Tensor, Y: torch.Tensor) -> float:
    """Return the average negative log-likelihood of Y, in nats a symbol."""
    return F.cross_entropy(logits(model, X), Y).item()


@torch.no_grad()
def next_symbol(model: MLP, prefix: str) -> torch.Tensor:
    """Return the distribution of the symbol after `prefix`, shape (27,).

    Raises
    ------
    ValueError
        If the prefix has a character without an id.
    """
    context = ([BOUNDARY] * model.k + encode(prefix))[-model.k :]
    return torch.softmax(logits(model, torch.tensor([context])), dim=1)[0]


@torch.no_grad()
def sample(model: MLP, g: torch.Generator, limit: int = 1000) -> str:
    """Draw one word, symbol by symbol, until the boundary is drawn.

    Raises
    ------
    RuntimeError
        If `limit` letters were drawn without meeting the boundary.
    """
    context, word = [BOUNDARY] * model.k, []
    while len(word) < limit:
        P = torch.softmax(logits(model, torch.tensor([context])), dim=1)[0]
        i = int(torch.multinomial(P, 1, replacement=True, generator=g))
        if i == BOUNDARY:
            return decode(word)
        word.append(i)
        context = context[1:] + [i]
    raise RuntimeError(f"{limit} letters without a boundary: has this model been trained?")


# Training ---------------------------------------------------------------------------------


def learning_rate(step: int) -> float:
    """Return the recipe's step size: 0.1, and 0.01 from step 70,000 on."""
    return 0.1 if step < 70_000 else 0.01


def train_by_autograd(
    model: MLP, X: torch.Tensor, Y: torch.Tensor, g: torch.Generator, steps: Sequence[int] = STEPS
) -> MLP:
    """Train as one first writes it: forward, ``loss.backward()``, one step of every parameter.

    Parameters, result and batches are those of `train`.
    """
    leaves = [p.clone().requires_grad_() for p in model.parameters()]
    for step in tqdm(steps, disable=None if len(steps) > 10_000 else True, leave=False):
        batch = torch.randint(0, len(X), (BATCH,), generator=g)
        nll = F.cross_entropy(logits(MLP.of(leaves), X[batch]), Y[batch])
        for p, gradient in zip(leaves, torch.autograd.grad(nll, leaves), strict=True):
            p.data -= learning_rate(step) * gradient
    return MLP.of([p.detach() for p in leaves])


def train(model: MLP, X: torch.Tensor, Y: torch.Tensor, g: torch.Generator, steps: Sequence[int] = STEPS) -> MLP:
    """Train with the gradients written by hand: stochastic gradient descent on batches of 32.

    Parameters
    ----------
    model : MLP
        Where to begin; not changed.
    X, Y : torch.Tensor, shapes (n, k) and (n,), int64
        The training examples, as from `contexts`.
    g : torch.Generator
        The batches are drawn from it, in the same order and number as `train_by_autograd` draws them.
    steps : sequence of int
        Numbers of the updates, which decide the learning rate. ``range(0, 1000)`` and then
        ``range(1000, 2000)`` on the result is the same training as ``range(0, 2000)``.

    Returns
    -------
    MLP
        The trained parameters.

    Raises
    ------
    ValueError
        If the contexts don't fit the model, there is none, or an id has no row.
    """
    if X.shape[-1] != model.k or len(X) == 0:
        raise ValueError(f"X has shape {tuple(X.shape)}: training needs n > 0 contexts of k = {model.k} symbols.")
    if min(X.min(), Y.min()) < 0 or max(X.max(), Y.max()) >= len(model.C):
        raise ValueError(f"X and Y must hold ids from 0 to {len(model.C) - 1}: other ids have no row in the table.")
    C, W1, b1, _, b2 = (p.clone() for p in model)
    U = C if model.tied else model.W2.T.clone(memory_format=torch.contiguous_format)
    batches = torch.randint(0, len(X), (len(steps), BATCH), generator=g)
    rates = np.array([learning_rate(step) for step in steps], dtype=np.float32)
    # The arrays share the tensors' memory: the descent changes them in place. In a tied model U is the
    # memory of C, so both gradients land in one table, which is all that tying asks for.
    symbols = (t.to(torch.uint8).numpy() for t in (X, Y))  # small enough to stay in the cache
    _compiled().descend(*symbols, batches.numpy(), rates, *(p.numpy() for p in (C, W1, b1, U, b2)))
    return MLP(C, W1, b1, C.T if model.tied else U.T.contiguous(), b2)


def gradients(model: MLP, X: torch.Tensor, Y: torch.Tensor) -> MLP:
    """Return the gradient of `loss` for every parameter, by the hand-written backward pass.

    In a tied model the two gradients of the shared table come apart: the one through the lookup
    as ``C``, the one through the output layer as ``W2``. Their sum is what the table moves by.

    Parameters
    ----------
    model : MLP
        Where to take the gradient.
    X, Y : torch.Tensor, shapes (n, k) and (n,), int64
        The batch.
    """
    kernel = _compiled()
    x, y = X.numpy(), Y.numpy()
    C, W1, b1, U, b2 = (p.numpy() for p in model._replace(W2=model.W2.T.contiguous()))
    e, h, z, de, dh, dW1, dU = kernel.room(len(x), x.shape[1], C, W1, U)
    kernel.forward(x, C, W1, b1, U, b2, e, h, z)
    kernel.backward(y, e, h, z, W1, U, de, dh, dW1, dU)
    dC = np.zeros_like(C)
    np.add.at(dC, x, de.reshape(*x.shape, -1))  # a row used twice gets both gradients
    return MLP(*map(torch.from_numpy, (dC, dW1, dh.sum(0), dU.T, z.sum(0))))


class _Kernel(NamedTuple):
    room: object
    forward: object
    backward: object
    descend: object


@cache
def _compiled() -> _Kernel:
    """Compile the training loop. It lives in a function so that ``import tokvec.mlp`` needs no numba.

    The output layer is stored as U = W2.T, one row a symbol like the table C: the products with it
    run along its rows, which takes a third less time.
    """
    from numba import njit

    f = np.float32
    fast = njit(fastmath=True, error_model="numpy")  # lets the compiler work on several numbers at once

    @fast
    def room(n, k, C, W1, U):
        """Return arrays for one batch: activations, their gradients, the gradients of W1 and U."""
        width, hidden, symbols = k * C.shape[1], W1.shape[1], len(U)
        return (
            np.empty((n, width), f), np.empty((n, hidden), f), np.empty((n, symbols), f),
            np.empty((n, width), f), np.empty((n, hidden), f),
            np.empty((width, hidden), f), np.empty((symbols, hidden), f),
        )  # fmt: skip

    @fast
    def tanh(x):
        """Lambert's continued fraction of tanh at x / 4, and tanh 2a = 2 tanh a / (1 + tanh^2 a), twice.

        The library's tanh is one call a number; this is plain arithmetic, eight numbers at a time.
        It agrees with it to 3e-7. Beyond 9 the answer is 1 in float32.
        """
        x = min(max(x, f(-9)), f(9)) * f(0.25)
        s = x * x
        p = x * (f(10395) + s * (f(1260) + s * f(21)))
        q = f(10395) + s * (f(4725) + s * (f(210) + s))
        p, q = f(2) * p * q, q * q + p * p
        return f(2) * p * q / (q * q + p * p)

    @fast
    def exp(x):
        """e^x for x <= 0: a power of two made of its bits, times Taylor's series for what is left, at most log(2) / 2.

        Written out for the same reason as `tanh`; it agrees with the library to four parts in ten million.
        """
        x = max(x, f(-87))  # about where float32 ends
        n = np.floor(x * f(1.442695) + f(0.5))
        r = (x - n * f(0.693359375)) - n * f(-2.1219444e-4)  # n log 2 in two parts, the first of them exact
        p = f(1) + r * (f(1) + r * (f(1 / 2) + r * (f(1 / 6) + r * (f(1 / 24) + r * (f(1 / 120) + r * f(1 / 720))))))
        return p * np.int32((np.int32(n) + np.int32(127)) << np.int32(23)).view(f)

    @fast
    def forward(x, C, W1, b1, U, b2, e, h, z):
        """Fill e with looked-up rows, h with the hidden layer, z with the probabilities."""
        (n, k), d = x.shape, C.shape[1]
        for i in range(n):
            for j in range(k):
                for c in range(d):
                    e[i, j * d + c] = C[x[i, j], c]
        np.dot(e, W1, h)
        for i in range(n):
            for u in range(h.shape[1]):
                h[i, u] = tanh(h[i, u] + b1[u])
        np.dot(h, U.T, z)
        for i in range(n):
            largest = f(-np.inf)
            for v in range(z.shape[1]):
                z[i, v] += b2[v]
                largest = max(largest, z[i, v])
            for v in range(z.shape[1]):
                z[i, v] -= largest
        every = z.reshape(-1)
        for j in range(len(every)):
            every[j] = exp(every[j])
        for i in range(n):
            total = f(0)
            for v in range(z.shape[1]):
                total += z[i, v]
            for v in range(z.shape[1]):
                z[i, v] /= total

    @fast
    def backward(y, e, h, z, W1, U, de, dh, dW1, dU):
        """Turn z and dh into the gradients at the logits and at the tanh's input; fill de, dW1, dU."""
        n = len(y)
        for i in range(n):
            z[i, y[i]] -= f(1)  # what the model said minus what happened
            for v in range(z.shape[1]):
                z[i, v] /= f(n)
        np.dot(z.T, h, dU)
        np.dot(z, U, dh)
        for i in range(n):
            for u in range(h.shape[1]):
                dh[i, u] *= f(1) - h[i, u] * h[i, u]  # the slope of tanh
        np.dot(e.T, dh, dW1)
        np.dot(dh, W1.T, de)

    @fast
    def step_rows(b, rate, rows):
        """Take one step of a bias, whose gradient is the sum over the batch."""
        for i in range(len(rows)):
            for u in range(len(b)):
                b[u] -= rate * rows[i, u]

    @fast
    def step_matrix(W, rate, dW):
        for i in range(len(W)):
            for u in range(W.shape[1]):
                W[i, u] -= rate * dW[i, u]

    @fast
    def descend(X, Y, batches, rates, C, W1, b1, U, b2):
        n, k, d = batches.shape[1], X.shape[1], C.shape[1]
        x, y = np.empty((n, k), X.dtype), np.empty(n, Y.dtype)
        e, h, z, de, dh, dW1, dU = room(n, k, C, W1, U)
        for step in range(len(rates)):
            for i in range(n):
                y[i] = Y[batches[step, i]]
                for j in range(k):
                    x[i, j] = X[batches[step, i], j]
            forward(x, C, W1, b1, U, b2, e, h, z)
            backward(y, e, h, z, W1, U, de, dh, dW1, dU)
            rate = rates[step]
            step_matrix(W1, rate, dW1)
            step_rows(b1, rate, dh)
            step_matrix(U, rate, dU)
            step_rows(b2, rate, z)
            for i in range(n):
                for j in range(k):
                    for c in range(d):
                        C[x[i, j], c] -= rate * de[i, j * d + c]

    return _Kernel(room, forward, backward, descend)


# Trained weights --------------------------------------------------------------------------

_NARROW = {"k": 3, "d": 64, "hidden": 64}
MODELS: dict[str, dict] = {
    "k1": {"k": 1},
    "k3": {"k": 3},
    "k8": {"k": 8},
    "untied": _NARROW,
    "tied": _NARROW | {"tied": True},
    # The same two from other seeds, to tell tying from luck.
    "untied-1": _NARROW | {"seed": 1},
    "tied-1": _NARROW | {"seed": 1, "tied": True},
    "untied-2": _NARROW | {"seed": 2},
    "tied-2": _NARROW | {"seed": 2, "tied": True},
}
# Chapter 6 looks at tables from ten other beginnings, and at the recipe's on its way.
OTHER_SEEDS = tuple(range(1, 11))
MARKS = (0, 100, 300, 1_000, 3_000, 10_000, 30_000, 70_000, 100_000)


def _training_names() -> list[str]:
    from tokvec import datasets
    from tokvec.bigram import split

    return split(datasets.names())[0]


def stored(name: str) -> MLP:
    """Load a trained model, one of `MODELS`, float32, as the recipe leaves it after 100,000 steps.

    Raises
    ------
    ValueError
        If there is no model of that name.

    Notes
    -----
    ``python -m tokvec.mlp`` trains them all anew.
    """
    if name not in MODELS:
        raise ValueError(f"{name!r} is not a stored model: there are {', '.join(MODELS)}.")
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as arrays:
        parameters = [torch.from_numpy(arrays[key]) for key in MLP._fields if key in arrays]
    return MLP.of(parameters)


def recreate(name: str, words: Sequence[str]) -> MLP:
    """Train the model that `stored` loads, from the training names `words`."""
    sizes = dict(MODELS[name])
    g = generator(sizes.pop("seed", SEED))
    return train(init(g=g, **sizes), *contexts(words, sizes["k"]), g)


def stored_tables() -> tuple[dict[int, np.ndarray], dict[int, np.ndarray]]:
    """Load embedding tables for k = 3: on the way through training, and from other seeds.

    Returns
    -------
    on_the_way : dict of int to numpy.ndarray, shape (27, 10)
        By number of steps done, from 0 to 100,000, for the recipe's seed.
    by_seed : dict of int to numpy.ndarray, shape (27, 10)
        After 100,000 steps, by seed.
    """
    with np.load(FOLDER / "tables.npz", allow_pickle=False) as arrays:
        on_the_way = dict(zip(arrays["marks"].tolist(), arrays["on_the_way"], strict=True))
        by_seed = dict(zip(arrays["seeds"].tolist(), arrays["by_seed"], strict=True))
    return on_the_way, by_seed


def _save(name: str, arrays: dict[str, np.ndarray]) -> str:
    """Write one file under a temporary name, read it back, rename it; return its SHA-256."""
    temporary = FOLDER / f"{name}.part.npz"
    np.savez_compressed(temporary, **arrays)
    with np.load(temporary, allow_pickle=False) as written:
        if not all(np.array_equal(written[key], value) for key, value in arrays.items()):
            raise OSError(f"{temporary.name} does not hold what was written: is the disk full?")
    temporary.replace(FOLDER / f"{name}.npz")
    return hashlib.sha256((FOLDER / f"{name}.npz").read_bytes()).hexdigest()


def save_all() -> None:
    """Train every model that chapters 5 and 6 read, and write them with a manifest."""
    import numba

    FOLDER.mkdir(parents=True, exist_ok=True)
    words = _training_names()
    hashes = {}
    for name in tqdm(MODELS, disable=None):
        model = recreate(name, words)
        arrays = {key: p.numpy() for key, p in zip(MLP._fields, model, strict=True)}
        if model.tied:
            del arrays["W2"]
        hashes[f"{name}.npz"] = _save(name, arrays)
    X, Y = contexts(words, 3)
    g = generator()
    model, on_the_way = init(3, g), []
    for begin, end in zip((0, *MARKS), MARKS, strict=False):
        model = train(model, X, Y, g, range(begin, end))
        on_the_way.append(model.C.numpy())
    by_seed = []
    for seed in tqdm(OTHER_SEEDS, disable=None):
        g = generator(seed)
        by_seed.append(train(init(3, g), X, Y, g).C.numpy())
    tables = {"marks": np.array(MARKS), "on_the_way": np.stack(on_the_way)}
    tables |= {"seeds": np.array(OTHER_SEEDS), "by_seed": np.stack(by_seed)}
    hashes["tables.npz"] = _save("tables", tables)
    manifest = {
        "command": "python -m tokvec.mlp",
        "data": {"names.txt, training part": hashlib.sha256("\n".join(words).encode()).hexdigest()},
        "seed": SEED,
        "versions": {
            "torch": torch.__version__.partition("+")[0],
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
        "sha256": hashes,
    }
    temporary = FOLDER / "manifest.part.json"
    temporary.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    temporary.replace(FOLDER / "manifest.json")


if __name__ == "__main__":
    save_all()
    print(f"wrote {FOLDER}")
