"""A small BERT of our own: a transformer encoder trained to fill in hidden tokens.

Read it top to bottom: the corpus, its tokenizer, the packed sequences, the model, the
masking rule, the training loop, and the files that a finished training leaves behind.
Nothing here was trained for similarity. Chapters 8 and 9 use the result as a language
model whose vectors are what masked-token prediction alone makes of them.

``python -m tokvec.contextual train`` runs it; see :func:`train` for the recipe.

References
----------
Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding", NAACL 2019, section 3.1 and appendix A.1. https://arxiv.org/abs/1810.04805
Xiong et al., "On Layer Normalization in the Transformer Architecture", ICML 2020
(why the norm comes first). https://arxiv.org/abs/2002.04745
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tokvec import datasets

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNK, CLS, SEP, MASK = range(5)


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a training computes.

    ``rows`` sequences of ``length`` tokens make a batch. The learning rate climbs to
    ``learning_rate`` in ``warm_up`` steps, then falls linearly to zero at step ``steps``.
    """

    vocabulary: int = 8_000
    width: int = 256
    layers: int = 4
    heads: int = 4
    length: int = 64
    masked_share: float = 0.15
    rows: int = 64
    steps: int = 4_500
    warm_up: int = 500
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    seed: int = 2147483647


# --- the corpus ---------------------------------------------------------------------


def dictionary_texts() -> Iterator[str]:
    """Yield one text a definition of the GCIDE dictionary, with its examples.

    Without headwords: most are rare and cut into many pieces, and a model that sees them
    learns to spell instead of to read.
    """
    for path in sorted(datasets.folder("dictionary").glob("words_*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")).values():
            for sense in entry["pos"]:
                for definition in sense["definitions"]:
                    text = definition["text"].strip()
                    if len(text.split()) > 1:
                        yield " ".join([text, *definition["examples"]])
                for extra in ("cs", "syn"):  # compounds and synonyms, a paragraph each
                    if extra in sense:
                        yield sense[extra]


def wikipedia_texts() -> Iterator[str]:
    """Yield the paragraphs of the book's Wikipedia sample, without headings and list items."""
    for article in datasets.wikipedia_sample():
        for paragraph in article.splitlines():
            paragraph = re.sub(r"'{2,}|^[*#:; ]+", "", paragraph).strip()
            # Headings, captions and rows of tables are short or end without a full stop.
            if len(paragraph.split()) >= 12 and paragraph[-1] in ".!?\"')":
                yield paragraph


def corpus() -> list[str]:
    """Return the training texts, dictionary and Wikipedia mixed; the same list every time.

    Mixed, because in the dictionary's own order a definition's neighbours in a row would
    be those of the same word: there would be much to copy and little to understand.
    """
    texts = [*dictionary_texts(), *wikipedia_texts()]
    random.Random(0).shuffle(texts)
    return texts


def fingerprint(texts: list[str]) -> str:
    """Return the SHA-256 of the texts joined by newlines."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def train_tokenizer(texts: list[str], vocabulary: int):
    """Train a lower-casing WordPiece tokenizer as BERT's, with its five special tokens.

    Two trainings may differ in a few rare pieces and in the order of ids.

    Returns
    -------
    tokenizers.Tokenizer
        It puts [CLS] in front of a sentence and [SEP] behind it.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocabulary, special_tokens=list(SPECIAL_TOKENS), limit_alphabet=120, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", SEP), ("[CLS]", CLS))
    return tokenizer


def pack(texts: list[str], tokenizer, length: int) -> Tensor:
    """Cut the texts, one after the other with [SEP] between, into rows of equal length.

    Packing wastes nothing on padding. Each row begins with [CLS] and ends with [SEP].

    Returns
    -------
    Tensor, int32, shape (rows, length)
        What is left over at the end and doesn't fill a row is dropped.
    """
    stream: list[int] = []
    for encoding in tokenizer.encode_batch(texts, add_special_tokens=False):
        stream += encoding.ids
        stream.append(SEP)
    inner = length - 2
    rows = len(stream) // inner
    if rows == 0:
        raise ValueError(f"{len(stream)} tokens don't fill one row of {length}; give more text")
    ids = torch.full((rows, length), SEP, dtype=torch.int32)
    ids[:, 0] = CLS
    ids[:, 1:-1] = torch.tensor(stream[: rows * inner], dtype=torch.int32).view(rows, inner)
    return ids


# --- the model ----------------------------------------------------------------------


class Block(nn.Module):
    """One layer: every token looks at every other, then thinks by itself.

    Both halves add to their input, and both normalise it first ("pre-norm"), which
    trains without a long warm-up.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.feed_norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: Tensor, keep: Tensor | None) -> Tensor:
        """Map (rows, length, width) to the same shape; ``keep`` False hides padding."""
        rows, length, width = x.shape
        joined = self.query_key_value(self.attention_norm(x))
        q, k, v = joined.view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        # In float32 even under autocast: torch's bfloat16 backward pass is three times slower on a CPU.
        with torch.autocast("cpu", enabled=False):
            if q.dtype == torch.bfloat16:
                q, k, v = q.float(), k.float(), v.float()
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        x = x + self.output(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.feed_norm(x))))


class SmallBert(nn.Module):
    """A pre-norm transformer encoder with a masked-token head tied to its token table.

    Parameters
    ----------
    recipe : Recipe
        Its ``vocabulary``, ``width``, ``layers``, ``heads`` and ``length`` set the shapes.
    generator : torch.Generator, optional
        Draws the initial weights: normal, standard deviation 0.02, the two projections
        that add to the residual stream divided by sqrt(2 * layers).
    """

    def __init__(self, recipe: Recipe, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.length = recipe.length
        self.tokens = nn.Embedding(recipe.vocabulary, recipe.width)
        self.positions = nn.Embedding(recipe.length, recipe.width)
        self.blocks = nn.ModuleList(Block(recipe.width, recipe.heads) for _ in range(recipe.layers))
        self.norm = nn.LayerNorm(recipe.width)
        self.bias = nn.Parameter(torch.zeros(recipe.vocabulary))
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02, generator=generator)
                if name.endswith(("output.weight", "down.weight")):
                    parameter.data /= math.sqrt(2 * recipe.layers)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def hidden_states(self, ids: Tensor, mask: Tensor | None = None, places: Tensor | None = None) -> list[Tensor]:
        """Return the vectors after every layer.

        Parameters
        ----------
        ids : Tensor, int, shape (rows, length)
            Token ids.
        mask : Tensor, bool, same shape, optional
            False on padding.
        places : Tensor, int, shape (length,), optional
            The position of each token, when it isn't 0, 1, 2, ...

        Returns
        -------
        list of Tensor, each (rows, length, width)
            Entry 0 is token vector plus position vector; the last is normalised, as the
            head reads it.

        Raises
        ------
        ValueError
            If a row is longer than the table of positions.
        """
        if ids.shape[1] > self.length:
            raise ValueError(f"{ids.shape[1]} tokens, but the table of positions ends after {self.length}; shorten it")
        keep = None if mask is None else mask[:, None, None, :]
        places = torch.arange(ids.shape[1]) if places is None else places
        states = [self.tokens(ids) + self.positions(places)]
        for block in self.blocks:
            states.append(block(states[-1], keep))
        states[-1] = self.norm(states[-1])
        return states

    def logits(self, vectors: Tensor) -> Tensor:
        """Score every token of the vocabulary: the token table, used backwards, plus a bias."""
        return F.linear(vectors, self.tokens.weight, self.bias)


# --- masking and the loss -------------------------------------------------------------


def mask_tokens(ids: Tensor, recipe: Recipe, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Hide a share of the tokens, as BERT does (Devlin et al., section 3.1).

    Of the chosen ones 80 % become [MASK], 10 % a random token, 10 % stay as they are:
    the model never knows which of its inputs it can trust.

    Returns
    -------
    corrupted : Tensor, int64, shape of ``ids``
    chosen : Tensor, bool, shape of ``ids``
        Never True on a special token.
    """
    ids = ids.long()
    chosen = (torch.rand(ids.shape, generator=generator) < recipe.masked_share) & (ids >= len(SPECIAL_TOKENS))
    fate = torch.rand(ids.shape, generator=generator)
    noise = torch.randint(len(SPECIAL_TOKENS), recipe.vocabulary, ids.shape, generator=generator)
    corrupted = torch.where(chosen & (fate < 0.8), MASK, ids)
    corrupted = torch.where(chosen & (fate >= 0.9), noise, corrupted)
    return corrupted, chosen


def masked_loss(model: SmallBert, ids: Tensor, corrupted: Tensor, chosen: Tensor) -> Tensor:
    """Return the mean cross-entropy (nats) of the true tokens at the chosen places."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors = model.hidden_states(corrupted)[-1][chosen]  # only these are scored: 15 % of the work
        logits = model.logits(vectors)
    return F.cross_entropy(logits.float(), ids[chosen].long())


@torch.inference_mode()
def validation_loss(model: SmallBert, ids: Tensor, recipe: Recipe) -> float:
    """Return the masked loss on held-out rows, always with the same places hidden."""
    generator = torch.Generator().manual_seed(recipe.seed)
    total, count = 0.0, 0
    for rows in ids.split(256):
        corrupted, chosen = mask_tokens(rows, recipe, generator)
        places = int(chosen.sum())
        total += float(masked_loss(model, rows, corrupted, chosen)) * places
        count += places
    return total / count


@torch.inference_mode()
def guess(model: SmallBert, tokenizer, text: str, best: int = 5) -> list[tuple[str, float]]:
    """Fill the one [MASK] of a text.

    Parameters
    ----------
    model : SmallBert
        From :func:`load_weights`.
    tokenizer : tokenizers.Tokenizer
        The one it was trained with.
    text : str
        Holds ``[MASK]`` once.
    best : int
        How many tokens to return.

    Returns
    -------
    list of (str, float)
        The likeliest tokens and their probabilities, the best first.

    Raises
    ------
    ValueError
        If the text has no [MASK], or several.
    """
    ids = torch.tensor([tokenizer.encode(text).ids])
    places = (ids[0] == MASK).nonzero().flatten()
    if len(places) != 1:
        raise ValueError(f"{text!r} has {len(places)} times [MASK]; write it once")
    probabilities = model.logits(model.hidden_states(ids)[-1][0, places[0]]).softmax(dim=0)
    values, tokens = probabilities.topk(best)
    return [(tokenizer.id_to_token(i), p) for i, p in zip(tokens.tolist(), values.tolist(), strict=True)]


# --- training -------------------------------------------------------------------------


def rate(step: int, recipe: Recipe) -> float:
    """Return the learning rate of a step (0-based): linear warm-up, then linear decay."""
    climb = (step + 1) / recipe.warm_up
    fall = (recipe.steps - step) / max(1, recipe.steps - recipe.warm_up)
    return recipe.learning_rate * min(1.0, climb, fall)


def split_rows(ids: Tensor, recipe: Recipe, held_out: int) -> tuple[Tensor, Tensor, torch.Generator]:
    """Shuffle the rows; the first ``held_out`` validate, the rest train.

    The generator that shuffled goes on to draw the weights, the order and the masks.
    """
    if held_out >= len(ids):
        raise ValueError(f"{held_out} rows to hold out of {len(ids)}; give more text")
    generator = torch.Generator().manual_seed(recipe.seed)
    ids = ids[torch.randperm(len(ids), generator=generator)]
    return ids[held_out:], ids[:held_out], generator


def unigram_loss(ids: Tensor, recipe: Recipe, held_out: int) -> float:
    """Return the loss (nats) of a model that knows how frequent each token is and sees no neighbour.

    Frequencies come from the training rows, add-one smoothed; the loss is measured on the
    held-out rows, special tokens left out.
    """
    train, validation, _ = split_rows(ids, recipe, held_out)

    def count(rows: Tensor) -> Tensor:
        return torch.bincount(rows.flatten(), minlength=recipe.vocabulary)[len(SPECIAL_TOKENS) :].double()

    share, seen = count(train) + 1, count(validation)
    return float(-(seen * (share / share.sum()).log()).sum() / seen.sum())


def fit(
    ids: Tensor,
    recipe: Recipe,
    *,
    held_out: int = 1_024,
    marks: tuple[int, ...] = (),
    at_mark: Callable[[int, SmallBert, float, float], None] | None = None,
    state_file: Path | None = None,
    save_every: int = 100,
) -> SmallBert:
    """Train a :class:`SmallBert` on packed rows.

    Parameters
    ----------
    ids : Tensor, int, shape (rows, length)
        From :func:`pack`.
    recipe : Recipe
        The model's shape and the course of the training.
    held_out : int
        Rows kept for validation.
    marks : tuple of int
        Steps at which ``at_mark`` is called.
    at_mark : callable, optional
        Takes step, model, train loss and validation loss. The train loss is the mean
        since the previous mark; at step 0 it is nan.
    state_file : Path, optional
        Where the whole state is saved every ``save_every`` steps, and read again when it
        exists: an interrupted training goes on where it stopped, with the same draws.
    save_every : int
        Steps between two savings.
    """
    from tqdm.auto import tqdm

    train, validation, generator = split_rows(ids, recipe, held_out)
    model = SmallBert(recipe, generator)
    epochs = math.ceil(recipe.steps * recipe.rows / len(train))
    order = torch.cat([torch.randperm(len(train), generator=generator) for _ in range(epochs)])
    decayed = [p for p in model.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": recipe.weight_decay}, {"params": others, "weight_decay": 0.0}],
        betas=(0.9, 0.98),
        fused=True,
    )
    start, losses = 0, []
    if state_file is not None and state_file.exists():
        start, losses = _resume(state_file, recipe, model, optimizer, generator)

    for step in tqdm(range(start, recipe.steps + 1), initial=start, total=recipe.steps + 1, disable=None):
        if step in marks and at_mark is not None and (step > start or start == 0):
            mean = sum(losses) / len(losses) if losses else math.nan
            at_mark(step, model, mean, validation_loss(model, validation, recipe))
            losses = []
        if state_file is not None and step % save_every == 0 and step > start:
            _save(state_file, recipe, step, losses, model, optimizer, generator)
        if step == recipe.steps:
            break
        rows = train[order[step * recipe.rows : (step + 1) * recipe.rows]]
        corrupted, chosen = mask_tokens(rows, recipe, generator)
        for group in optimizer.param_groups:
            group["lr"] = rate(step, recipe)
        optimizer.zero_grad(set_to_none=True)
        loss = masked_loss(model, rows, corrupted, chosen)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
    return model


def write_tensors(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """Write a safetensors file under a temporary name, then rename: never a half file."""
    from safetensors.torch import save_file

    temporary = path.with_suffix(".part")
    save_file({name: t.detach().contiguous() for name, t in tensors.items()}, temporary, metadata)
    os.replace(temporary, path)


def _save(path, recipe, step, losses, model, optimizer, generator) -> None:
    tensors = {f"model.{name}": t for name, t in model.state_dict().items()}
    for i, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{i}.{name}": t for name, t in moments.items()}
    tensors["generator"] = generator.get_state()
    tensors["losses"] = torch.tensor(losses or [0.0], dtype=torch.float64)[: max(1, len(losses))]
    facts = {"step": str(step), "losses": str(len(losses)), "recipe": json.dumps(asdict(recipe))}
    write_tensors(path, tensors, facts)


def _resume(path, recipe, model, optimizer, generator) -> tuple[int, list[float]]:
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        facts = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    if json.loads(facts["recipe"]) != asdict(recipe):
        raise ValueError(f"{path} was saved by another recipe: {facts['recipe']}; delete it to start anew")
    model.load_state_dict({n[6:]: t for n, t in tensors.items() if n.startswith("model.")})
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, index, moment = name.split(".")
            moments.setdefault(int(index), {})[moment] = tensor
    optimizer.load_state_dict({"state": moments, "param_groups": optimizer.state_dict()["param_groups"]})
    generator.set_state(tensors["generator"])
    return int(facts["step"]), tensors["losses"].tolist()[: int(facts["losses"])]


# --- the files a training leaves behind -------------------------------------------------

MARKS = (0, 250, 500, 1_000, 2_000, 3_000, 4_500)
REHEARSAL = Recipe(rows=8, steps=240, warm_up=40)


def train(work: Path, recipe: Recipe = Recipe(), held_out: int = 1_024) -> Path:
    """Train the book's small BERT and write its files.

    About 18 million tokens pass: 4,500 steps of 64 rows of 64 tokens, three to four times
    through the corpus. Half an hour of one core that multiplies in bfloat16.

    Parameters
    ----------
    work : Path
        A folder for what the training needs again: the whole state every hundred steps
        (an interrupted training goes on), and the weights at every step of ``MARKS``.
        A tokenizer.json in it is used. Put the package's there to repeat its training:
        the library that trains one breaks ties in an order that changes from run to run.
    recipe : Recipe
        The model's shape and the course of the training.
    held_out : int
        Rows of text kept out of the training, for the validation loss.

    Returns
    -------
    Path
        ``work / "result"``, with model.safetensors (float16), tokenizer.json and
        manifest.json. ``python -m tokvec.contextual publish`` takes it into the package.
    """
    work.mkdir(parents=True, exist_ok=True)
    from tokenizers import Tokenizer

    texts = corpus()
    tokenizer_file = work / "tokenizer.json"
    if not tokenizer_file.exists():
        train_tokenizer(texts, recipe.vocabulary).save(str(tokenizer_file))
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    ids = pack(texts, tokenizer, recipe.length)
    history: dict[int, dict] = {}
    history_file = work / "history.json"
    if history_file.exists():
        history = {row["step"]: row for row in json.loads(history_file.read_text())}

    def at_mark(step: int, model: SmallBert, train_loss: float, loss: float) -> None:
        save_weights(work / f"step{step}.safetensors", model, recipe)
        row = {"step": step, "validation_loss": round(loss, 4)}
        if not math.isnan(train_loss):
            row["train_loss"] = round(train_loss, 4)
        history[step] = row
        write_json(history_file, [history[s] for s in sorted(history)])

    marks = tuple(m for m in MARKS if m < recipe.steps) + (recipe.steps,)
    state_file = work / "state.safetensors"
    model = fit(ids, recipe, held_out=held_out, marks=marks, at_mark=at_mark, state_file=state_file)
    return write_result(work / "result", model, tokenizer, recipe, texts, len(ids), held_out, history_file)


def rehearse(tokenizer, recipe: Recipe = REHEARSAL, held_out: int = 256) -> list[dict]:
    """Train for a few hundred small steps on Wikipedia alone: a check that takes seconds.

    Returns
    -------
    list of dict
        Step and validation loss at three steps. The manifest keeps them, and a test
        compares.
    """
    log: list[dict] = []

    def at_mark(step: int, model: SmallBert, train_loss: float, loss: float) -> None:
        log.append({"step": step, "validation_loss": round(loss, 4)})

    ids = pack(list(wikipedia_texts()), tokenizer, recipe.length)
    marks = (0, recipe.steps // 2, recipe.steps)
    fit(ids, recipe, held_out=held_out, marks=marks, at_mark=at_mark)
    return log


def save_weights(path: Path, model: SmallBert, recipe: Recipe) -> None:
    """Write the weights in float16, the recipe beside them in the file's header."""
    halves = {name: t.half() for name, t in model.state_dict().items()}
    write_tensors(path, halves, {"recipe": json.dumps(asdict(recipe))})


def load_weights(path: Path) -> SmallBert:
    """Read a :class:`SmallBert` back from a file of :func:`save_weights`, in float32."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        recipe = Recipe(**json.loads(file.metadata()["recipe"]))
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    model = SmallBert(recipe)
    model.load_state_dict(tensors)
    return model.eval()


def write_json(path: Path, value: object) -> None:
    """Write JSON under a temporary name, then rename."""
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, path)


def write_result(folder, model, tokenizer, recipe, texts, rows, held_out, history_file) -> Path:
    """Write weights, tokenizer and manifest into a folder; the manifest comes last."""
    from importlib.metadata import version

    folder.mkdir(parents=True, exist_ok=True)
    save_weights(folder / "model.safetensors", model, recipe)
    tokenizer.save(str(folder / "tokenizer.json"))
    files = {n: file_hash(folder / n) for n in ("model.safetensors", "tokenizer.json")}
    manifest = {
        "what": "a small BERT: pre-norm transformer encoder, masked-token prediction only",
        "recipe": asdict(recipe),
        "parameters": sum(p.numel() for p in model.parameters()),
        "corpus": {
            "data sets": ["dictionary", "wikipedia_sample"],
            "texts": len(texts),
            "sha256": fingerprint(texts),
            "rows": rows,
            "rows held out": held_out,
            "licence": "GCIDE (GPL-3.0-or-later) and Wikipedia (CC BY-SA); the texts are not included",
        },
        "versions": {name: version(name) for name in ("torch", "tokenizers", "safetensors")},
        "history": json.loads(history_file.read_text(encoding="utf-8")),
        "files": files,
    }
    write_json(folder / "manifest.json", manifest)
    return folder


def file_hash(path: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
