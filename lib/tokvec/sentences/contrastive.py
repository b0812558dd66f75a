"""Contrastive training: ask for paraphrases to be near, and let the rest of the batch be far.

The demonstration is as small as it can be: averaged word vectors, followed by one matrix, with one
number that says how much more a rare word counts. What matters is the loss.

References
----------
van den Oord, Li, Vinyals (2018), arXiv:1807.03748 (the loss, InfoNCE).
Henderson et al. (2017), arXiv:1705.00652 (the other answers of the batch as negatives).
Reimers, Gurevych (2019), arXiv:1908.10084 (Sentence-BERT).
"""

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F

from tokvec.sentences.vectors import WordAverage, checked_texts


def info_nce(left: torch.Tensor, right: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the in-batch contrastive loss, both directions averaged.

    Row i of `left` belongs to row i of `right`; the other rows are its negatives. The cosines over
    the temperature are the logits of a classification: which of the b rights is mine?

    Parameters
    ----------
    left, right : tensors of shape (b, d)
        The vectors of both sides of b pairs.
    temperature : float
        Smaller makes the hardest negative count more.
    """
    if left.shape != right.shape or left.ndim != 2:
        raise ValueError(f"left and right need one shape, (b, d), not {tuple(left.shape)} and {tuple(right.shape)}")
    if temperature <= 0:
        raise ValueError(f"temperature is {temperature}: it divides, so it must be positive")
    logits = F.normalize(left, dim=1) @ F.normalize(right, dim=1).T / temperature
    mine = torch.arange(len(left))
    return (F.cross_entropy(logits, mine) + F.cross_entropy(logits.T, mine)) / 2


class ProjectedAverage:
    """A weighted average of word vectors, times one matrix: d² + 1 numbers to learn.

    Word number r of a vocabulary sorted by frequency weighs (r + 1)^a. With a = 0 and the identity
    matrix, its start, this is the plain average.

    Parameters
    ----------
    average : WordAverage
        The word vectors; their vocabulary must be sorted by frequency, as GloVe's is.
    """

    def __init__(self, average: WordAverage) -> None:
        self.average = average
        self.table = torch.tensor(np.asarray(average.vectors, dtype=np.float32))
        self.matrix = torch.eye(self.table.shape[1], requires_grad=True)
        self.rarity = torch.zeros((), requires_grad=True)

    def parameters(self) -> list[torch.Tensor]:
        """Return what training changes."""
        return [self.matrix, self.rarity]

    def __call__(self, texts: Sequence[str]) -> torch.Tensor:
        """Return sentence vectors that gradients flow through, shape (n, d)."""
        ids = [self.average.ids(text) for text in checked_texts(texts)]
        sentence = torch.repeat_interleave(torch.arange(len(ids)), torch.tensor([len(i) for i in ids]))
        word = torch.tensor([i for row in ids for i in row], dtype=torch.int64)
        weight = torch.exp(self.rarity * torch.log(word + 1.0))
        # scaled by the sum of weights, so that only proportions matter
        total = torch.zeros(len(ids)).index_add(0, sentence, weight).clamp(min=1e-12)
        summed = torch.zeros(len(ids), self.table.shape[1]).index_add(0, sentence, weight[:, None] * self.table[word])
        return summed / total[:, None] @ self.matrix

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return sentence vectors, shape (n, d)."""
        with torch.no_grad():
            return self(texts).numpy()


def train(
    model: ProjectedAverage,
    pairs: Sequence[tuple[str, str]],
    epochs: int = 20,
    batch: int = 128,
    temperature: float = 0.1,
    learning_rate: float = 0.01,
    seed: int = 2147483647,
) -> list[float]:
    """Train on pairs that mean the same, with Adam; return the mean loss of every epoch.

    Raises
    ------
    ValueError
        Fewer than two pairs: a batch of one has no negatives.
    """
    if len(pairs) < 2 or batch < 2:
        raise ValueError(f"{len(pairs)} pairs in batches of {batch}: in-batch negatives need at least 2 of both")
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses = []
    for _ in range(epochs):
        total, seen = 0.0, 0
        for chosen in torch.randperm(len(pairs), generator=generator).split(batch):
            if len(chosen) < 2:
                continue
            left, right = zip(*(pairs[i] for i in chosen.tolist()), strict=True)
            loss = info_nce(model(left), model(right), temperature)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total, seen = total + loss.item() * len(chosen), seen + len(chosen)
        losses.append(total / seen)
    return losses
