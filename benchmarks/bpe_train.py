"""Train 2,048 BPE merges: tokvec in Python against `tokenizers`, written in Rust, one thread each."""

from __future__ import annotations

import os

from benchmarks import best_of

MEGABYTES = 3
MERGES = 2048
REPEATS = 3


def prose(megabytes: float) -> str:
    """Return that many million bytes of dictionary prose, cut at a character's border."""
    from tokvec import datasets

    text = "\n".join(datasets.dictionary()).encode("utf-8")
    need = int(megabytes * 1e6)
    if len(text) < need:
        raise ValueError(f"the dictionary has {len(text) / 1e6:.1f} MB, {megabytes} were asked for")
    return text[:need].decode("utf-8", "ignore")


def library_tokenizer():
    """Return an untrained byte-level BPE of the library and a trainer for the same vocabulary."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    os.environ["RAYON_NUM_THREADS"] = "1"
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    peer = Tokenizer(models.BPE())
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    return peer, trainer


def run() -> dict:
    """Time both, taking turns; then ours alone on 1, 2, 4 and 8 MB.

    Returns
    -------
    dict
        What every benchmark returns, and same and seconds_by_megabytes.
    """
    from tokvec.tokenizers import BPE

    text = prose(MEGABYTES)

    def ours() -> BPE:
        return BPE.train(text, 256 + MERGES)

    def theirs():
        peer, trainer = library_tokenizer()
        peer.train_from_iterator([text], trainer)
        return peer

    seconds = best_of(REPEATS, ours, theirs)
    same = ours().encode(text[:200_000]) == theirs().encode(text[:200_000]).ids
    pieces = {megabytes: prose(megabytes) for megabytes in (1, 2, 4, 8)}
    growth = best_of(2, *(lambda t=t: BPE.train(t, 256 + MERGES) for t in pieces.values()))
    return {
        "name": "bpe-train",
        "ours": round(seconds[0], 3),
        "peer": round(seconds[1], 3),
        "unit": f"seconds for {MERGES:,} merges on {MEGABYTES} MB",
        "ratio": round(seconds[1] / seconds[0], 2),
        "peer_is": "tokenizers (Rust), one thread each",
        "same": "ids" if same else "NOT the ids",
        "seconds_by_megabytes": {str(m): round(s, 2) for m, s in zip(pieces, growth, strict=True)},
    }
