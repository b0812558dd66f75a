"""Vectors that depend on the sentence: what a trained encoder makes of a word, layer by layer.

Read it top to bottom: an encoder and how to load one, the vectors of a chosen word in its
sentences, the book's sentences for twelve ambiguous words, and the measures that say how
far two senses of a word lie apart.

``python -m tokvec.contextual train`` trains the book's small BERT (see
:mod:`tokvec.masked_lm`) and ``publish`` puts the result into the package.

References
----------
Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding", NAACL 2019. https://arxiv.org/abs/1810.04805
Ethayarajh, "How Contextual are Contextualized Word Representations?", EMNLP 2019 (cosines
of a word with itself, layer by layer). https://arxiv.org/abs/1909.00512
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from tokvec import datasets

SMALL_BERT = Path(__file__).parent / "data" / "small_bert"
SENSES_FILE = Path(__file__).parent / "data" / "senses.tsv"
ENCODERS = ("minilm", "small-bert", "bert-base-uncased")


# --- encoders -------------------------------------------------------------------------


@dataclass(frozen=True)
class Encoded:
    """What an encoder made of some sentences.

    Attributes
    ----------
    hidden : Tensor, shape (layers + 1, sentences, tokens, width)
        Entry 0 is what goes into the first layer: token, position, nothing of the
        neighbours yet.
    mask : Tensor of bool, shape (sentences, tokens)
        False on the padding behind short sentences.
    pieces : list of list of str
        The tokens of each sentence, [CLS] and [SEP] included, padding not.
    spans : list of list of (int, int)
        Where in the sentence each piece comes from: first character, one past the last.
    """

    hidden: Tensor
    mask: Tensor
    pieces: list[list[str]]
    spans: list[list[tuple[int, int]]]


class Encoder:
    """A trained encoder of the BERT family, with its tokenizer.

    Made by :func:`load`.

    Attributes
    ----------
    name : str
    layers : int
        Transformer layers; ``encode`` returns one set of vectors more.
    width : int
        Coordinates of a vector.
    longest : int
        Positions the encoder has a row for: the most tokens a sentence may have.
    """

    def __init__(
        self,
        name: str,
        tokenizer,
        run: Callable[[Tensor, Tensor, Tensor], Sequence[Tensor]],
        layers: int,
        width: int,
        longest: int,
    ) -> None:
        tokenizer.no_truncation()
        tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
        self.name, self.layers, self.width, self.longest = name, layers, width, longest
        self._tokenizer, self._run = tokenizer, run

    def __repr__(self) -> str:
        return f"Encoder({self.name!r}, layers={self.layers}, width={self.width})"

    @torch.inference_mode()
    def encode(self, sentences: Sequence[str], position: int | None = None) -> Encoded:
        """Run sentences through the encoder, all in one batch.

        Parameters
        ----------
        sentences : sequence of str
            At least one.
        position : int, optional
            An experiment: give every token this one position instead of 0, 1, 2, ...

        Raises
        ------
        ValueError
            If there is no sentence, or one has more tokens than the encoder has positions.
        """
        if isinstance(sentences, str):
            raise ValueError(f"sentences is the string {sentences!r}; put it in a list")
        if len(sentences) == 0:
            raise ValueError("no sentence to encode; give at least one")
        encodings = self._tokenizer.encode_batch(list(sentences))
        mask = torch.tensor([e.attention_mask for e in encodings], dtype=torch.bool)
        lengths = mask.sum(dim=1)
        if lengths.max() > self.longest:
            worst = int(lengths.argmax())
            raise ValueError(
                f"sentence {worst} has {int(lengths[worst])} tokens, but {self.name} has only "
                f"{self.longest} positions; shorten it: {sentences[worst][:40]!r}..."
            )
        ids = torch.tensor([e.ids for e in encodings])
        places = torch.arange(ids.shape[1])
        if position is not None:
            places = torch.full_like(places, position)
        hidden = torch.stack(tuple(self._run(ids, mask, places)))
        real = [e.tokens[: int(n)] for e, n in zip(encodings, lengths, strict=True)]
        spans = [e.offsets[: int(n)] for e, n in zip(encodings, lengths, strict=True)]
        return Encoded(hidden, mask, real, spans)


def load(name: str | Path = "minilm", *, online: bool = False, dtype: torch.dtype = torch.float32) -> Encoder:
    """Load an encoder, from this machine unless the network is asked for.

    Only safetensors weights are read, and no code that comes with a model is run.

    Parameters
    ----------
    name : str or Path
        "minilm": all-MiniLM-L6-v2, trained for sentence similarity. "small-bert": the
        book's own masked language model. "bert-base-uncased": if it has been fetched.
        Or a folder with config.json, tokenizer.json and model.safetensors.
    online : bool
        Whether a missing encoder may be downloaded.
    dtype : torch.dtype
        Precision of weights and results. float64 takes twice as long and prints the same
        digits on every machine.

    Raises
    ------
    ValueError
        If the name is unknown, or the files aren't those of a BERT-family encoder.
    tokvec.datasets.MissingDataset
        If the encoder isn't on this machine; the message says how to get it.
    """
    if name == "small-bert":
        return _load_small_bert(dtype)
    if name in ENCODERS:
        return _load_folder(datasets.folder(name.replace("-", "_"), download=online), name, dtype)
    if isinstance(name, Path):
        return _load_folder(name, name.name, dtype)
    raise ValueError(f"no encoder is called {name!r}; there are {', '.join(ENCODERS)}, or give a Path")


def _load_folder(folder: Path, name: str, dtype: torch.dtype) -> Encoder:
    """Load any BERT-family encoder with ``transformers`` from a folder of this machine."""
    from tokenizers import Tokenizer
    from transformers import AutoModel
    from transformers.utils import logging

    for file in ("config.json", "tokenizer.json", "model.safetensors"):
        if not (folder / file).is_file():
            raise ValueError(f"{folder} has no {file}; an encoder's folder holds it")
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # its report of unused weights is noise here
    logging.disable_progress_bar()
    try:
        model = AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False, dtype=dtype
        ).eval()
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
    config = model.config
    if config.model_type != "bert":
        raise ValueError(f"{folder} holds a {config.model_type!r} model; this module reads BERT's family")

    def run(ids: Tensor, mask: Tensor, places: Tensor) -> Sequence[Tensor]:
        places = places.expand(ids.shape)
        return model(ids, attention_mask=mask.long(), position_ids=places, output_hidden_states=True).hidden_states

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return Encoder(name, tokenizer, run, config.num_hidden_layers, config.hidden_size, config.max_position_embeddings)


def _load_small_bert(
    dtype: torch.dtype, weights: Path = SMALL_BERT / "model.safetensors", folder: Path = SMALL_BERT
) -> Encoder:
    """Load the book's own encoder, or one of its checkpoints with the same tokenizer."""
    from tokenizers import Tokenizer

    from tokvec import masked_lm

    if not (folder / "manifest.json").is_file():
        raise datasets.MissingDataset(
            f"the small BERT is not in {folder}; to train it: python -m tokvec.contextual train --work FOLDER"
        )
    promised = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    for file, digest in promised.items():
        if masked_lm.file_hash(folder / file) != digest:
            raise datasets.CorruptDataset(
                f"{folder / file} is not the file its manifest describes ({digest[:12]}...); "
                f"take it again from the repository"
            )
    model = masked_lm.load_weights(weights).to(dtype)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    width = model.tokens.embedding_dim
    return Encoder("small-bert", tokenizer, model.hidden_states, len(model.blocks), width, model.length)


# --- the vectors of one word ------------------------------------------------------------


def word_spans(sentence: str, word: str) -> list[tuple[int, int]]:
    """Find a word in a sentence, as a whole word and whatever its case.

    Returns
    -------
    list of (int, int)
        First character and one past the last, for each occurrence.

    Raises
    ------
    ValueError
        If the word isn't there.
    """
    found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", sentence, flags=re.IGNORECASE)
    spans = [match.span() for match in found]
    if not spans or not word:
        raise ValueError(f"the word {word!r} doesn't occur in {sentence!r}; check its spelling and form")
    return spans


def word_vectors(encoder: Encoder, sentences: Sequence[str], word: str, position: int | None = None) -> Tensor:
    """Return the vectors of a word in its sentences, at every layer.

    A word that the tokenizer splits into pieces gets the mean of its pieces' vectors.

    Parameters
    ----------
    encoder : Encoder
        From :func:`load`.
    sentences : sequence of str
        Each holds the word at least once.
    word : str
        In the form it has in the sentences, in any case.
    position : int, optional
        As in :meth:`Encoder.encode`.

    Returns
    -------
    Tensor, shape (occurrences, layers + 1, width)
        In reading order; a sentence with the word twice has two rows.

    Raises
    ------
    ValueError
        If a sentence doesn't contain the word, or `sentences` is one string.
    """
    if isinstance(sentences, str):  # before its letters are searched for the word
        raise ValueError(f"sentences is the string {sentences!r}; put it in a list")
    places = [word_spans(sentence, word) for sentence in sentences]
    encoded = encoder.encode(sentences, position)
    vectors = []
    for row, spans in enumerate(places):
        for start, end in spans:
            inside = [i for i, (a, b) in enumerate(encoded.spans[row]) if a < end and b > start]
            vectors.append(encoded.hidden[:, row, inside].mean(dim=1))
    return torch.stack(vectors)


def senses() -> dict[str, dict[str, list[str]]]:
    """Return the book's ambiguous words: word, then sense, then sentences (data/senses.tsv)."""
    words: dict[str, dict[str, list[str]]] = {}
    for line in SENSES_FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            word, sense, sentence = line.split("\t")
            words.setdefault(word, {}).setdefault(sense, []).append(sentence)
    return words


# --- how far apart the senses lie ---------------------------------------------------------


def cosines(vectors: Tensor) -> Tensor:
    """Return the cosine of every pair of occurrences at every layer.

    Parameters
    ----------
    vectors : Tensor, shape (occurrences, layers + 1, width)
        From :func:`word_vectors`.

    Returns
    -------
    Tensor, shape (layers + 1, occurrences, occurrences)
    """
    unit = torch.nn.functional.normalize(vectors, dim=2)
    return torch.einsum("ild,jld->lij", unit, unit)


@dataclass(frozen=True)
class Separation:
    """How a word's occurrences lie at each layer; every tensor has shape (layers + 1,).

    Attributes
    ----------
    same, cross : Tensor
        Mean cosine of two occurrences of one sense, and of two different senses.
    same_sd, cross_sd : Tensor
        Standard deviation over the pairs.
    accuracy : Tensor
        Share of occurrences nearer (by cosine) to the mean of the rest of their own sense
        than to the mean of any other.
    """

    same: Tensor
    same_sd: Tensor
    cross: Tensor
    cross_sd: Tensor
    accuracy: Tensor

    @property
    def gap(self) -> Tensor:
        """Same-sense minus cross-sense mean cosine."""
        return self.same - self.cross


def separation(vectors: Tensor, labels: Sequence[str]) -> Separation:
    """Measure how far the senses of one word separate.

    Parameters
    ----------
    vectors : Tensor, shape (occurrences, layers + 1, width)
        From :func:`word_vectors`.
    labels : sequence of str
        The sense of each occurrence.

    Raises
    ------
    ValueError
        If there are fewer than two senses, a sense has one occurrence, or the lengths
        of the arguments differ.
    """
    if len(labels) != len(vectors):
        raise ValueError(f"{len(labels)} labels for {len(vectors)} occurrences; give each one")
    kinds = sorted(set(labels))
    counts = {kind: list(labels).count(kind) for kind in kinds}
    if len(kinds) < 2 or min(counts.values()) < 2:
        raise ValueError(f"senses {counts}: two senses with two occurrences each are the least")
    code = torch.tensor([kinds.index(label) for label in labels])
    pairs = torch.triu(torch.ones(len(labels), len(labels), dtype=torch.bool), diagonal=1)
    alike = code[:, None] == code
    table = cosines(vectors)
    same, cross = table[:, pairs & alike], table[:, pairs & ~alike]
    right = nearest_centroid(vectors, code) == code[:, None]
    return Separation(same.mean(1), same.std(1), cross.mean(1), cross.std(1), right.to(table.dtype).mean(0))


def nearest_centroid(vectors: Tensor, code: Tensor) -> Tensor:
    """Guess each occurrence's sense at each layer from all the others.

    The occurrence in question is left out of its own sense's mean: a vector mustn't vote
    for itself.

    Parameters
    ----------
    vectors : Tensor, shape (occurrences, layers + 1, width)
        From :func:`word_vectors`.
    code : Tensor of int, shape (occurrences,)
        Senses as 0, 1, ...

    Returns
    -------
    Tensor of int, shape (occurrences, layers + 1)
    """
    unit = torch.nn.functional.normalize(vectors, dim=2)
    member = torch.nn.functional.one_hot(code).to(unit.dtype)  # (occurrences, senses)
    sums = torch.einsum("ns,nld->sld", member, unit)
    others = sums[None] - member[:, :, None, None] * unit[:, None]  # (occurrences, senses, layers, width)
    return torch.einsum("nld,nsld->nls", unit, torch.nn.functional.normalize(others, dim=3)).argmax(2)


def measure(encoder: Encoder, words: dict[str, dict[str, list[str]]] | None = None) -> dict[str, Separation]:
    """Measure the separation of every word of :func:`senses`, or of words given likewise."""
    result = {}
    for word, by_sense in (words or senses()).items():
        sentences = [s for group in by_sense.values() for s in group]
        labels = [kind for kind, group in by_sense.items() for _ in group]
        result[word] = separation(word_vectors(encoder, sentences, word), labels)
    return result


def average(measured: dict[str, Separation]) -> Separation:
    """Return the mean of several words' separations, every word counting the same."""

    def mean(what: str) -> Tensor:
        return torch.stack([getattr(one, what) for one in measured.values()]).mean(dim=0)

    return Separation(*map(mean, ("same", "same_sd", "cross", "cross_sd", "accuracy")))


# --- python -m tokvec.contextual ------------------------------------------------------------


def trace(work: Path) -> list[dict]:
    """Measure every checkpoint of a training: its losses beside the mean separation by layer.

    Parameters
    ----------
    work : Path
        The folder that :func:`tokvec.masked_lm.train` worked in.

    Returns
    -------
    list of dict
        One row a checkpoint: step, losses, and for same, cross and accuracy a list with
        one value a layer, the mean over the twelve words.
    """
    rows = []
    for row in json.loads((work / "history.json").read_text(encoding="utf-8")):
        weights = work / f"step{row['step']}.safetensors"
        mean = average(measure(_load_small_bert(torch.float64, weights, work / "result")))
        for what in ("same", "cross", "accuracy"):
            row[what] = [round(value, 4) for value in getattr(mean, what).tolist()]
        rows.append(row)
    return rows


def publish(work: Path, target: Path = SMALL_BERT) -> None:
    """Copy a finished training's result into the package, with the trace of its checkpoints."""
    import shutil

    from tokenizers import Tokenizer

    from tokvec import masked_lm

    source = work / "result"
    if not (source / "manifest.json").is_file():
        raise FileNotFoundError(f"{source} has no manifest.json: the training isn't finished; run train again")
    history = trace(work)
    target.mkdir(parents=True, exist_ok=True)
    for file in ("model.safetensors", "tokenizer.json"):
        shutil.copyfile(source / file, target / f"{file}.part")
        (target / f"{file}.part").replace(target / file)
    manifest = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    recipe = masked_lm.Recipe(**manifest["recipe"])
    ids = masked_lm.pack(masked_lm.corpus(), tokenizer, recipe.length)
    manifest["command"] = "python -m tokvec.contextual train --work FOLDER, this tokenizer.json in FOLDER"
    manifest["unigram_loss"] = round(masked_lm.unigram_loss(ids, recipe, manifest["corpus"]["rows held out"]), 4)
    manifest["history"] = history
    manifest["rehearsal"] = masked_lm.rehearse(tokenizer)
    masked_lm.write_json(target / "manifest.json", manifest)


def main(arguments: list[str] | None = None) -> None:
    """Run ``python -m tokvec.contextual COMMAND``."""
    parser = argparse.ArgumentParser(
        prog="python -m tokvec.contextual", description="The small BERT of chapters 8 and 9."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for command, text in (
        ("train", "train it, half an hour of a core; an interrupted training goes on"),
        ("publish", "measure its checkpoints and copy the result into the package"),
    ):
        what = commands.add_parser(command, help=text)
        what.add_argument("--work", type=Path, required=True, help="folder for states and checkpoints")
    chosen = parser.parse_args(arguments)
    if chosen.command == "train":
        from tokvec import masked_lm

        print(f"wrote {masked_lm.train(chosen.work)}; now: python -m tokvec.contextual publish")
    else:
        publish(chosen.work)
        print(f"wrote {SMALL_BERT}")


if __name__ == "__main__":
    main()
