"""Train 2,048 BPE merges: tokvec in Python against `tokenizers`, written in Rust, one thread each."""

import os
import time

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


def _seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run() -> dict:
    """Time both, alternating, and take the best of each; then ours alone on 1, 2, 4 and 8 MB.

    Returns
    -------
    dict
        name, ours and peer in seconds, unit, ratio (above 1: ours is faster), same_merges, and
        seconds_by_megabytes.
    """
    from tokvec.tokenizers import BPE

    text = prose(MEGABYTES)
    ours, theirs = [], []
    for _ in range(REPEATS):
        peer, trainer = library_tokenizer()
        theirs.append(_seconds(lambda p=peer, t=trainer: p.train_from_iterator([text], t)))
        ours.append(_seconds(lambda: BPE.train(text, 256 + MERGES)))
    mine = BPE.train(text, 256 + MERGES)
    growth = {}
    for megabytes in (1, 2, 4, 8):
        piece = prose(megabytes)
        growth[str(megabytes)] = round(
            min(_seconds(lambda t=piece: BPE.train(t, 256 + MERGES)) for _ in range(2)), 2
        )
    return {
        "name": "bpe-train",
        "ours": round(min(ours), 3),
        "peer": round(min(theirs), 3),
        "unit": "s",
        "ratio": round(min(theirs) / min(ours), 2),
        "what": f"{MERGES:,} merges on {MEGABYTES} MB of prose, tokenizers (Rust), one thread each",
        "same_merges": mine.encode(text[:200_000]) == peer.encode(text[:200_000]).ids,
        "seconds_by_megabytes": growth,
    }
