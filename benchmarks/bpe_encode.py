"""Encode 3 MB with 2,048 merges: tokvec in Python against the library `tokenizers`, one thread each."""

from __future__ import annotations

from benchmarks import best_of
from benchmarks.bpe_train import MEGABYTES, MERGES, REPEATS, library_tokenizer, prose


def run() -> dict:
    """Time both from a cold cache, taking turns; the library in its fast way, without offsets."""
    from tokvec.tokenizers import BPE

    text = prose(MEGABYTES)
    peer, trainer = library_tokenizer()
    peer.train_from_iterator([text], trainer)
    merges = BPE.train(text, 256 + MERGES).merges
    state = peer.to_str()
    cold = [(BPE(merges), type(peer).from_str(state)) for _ in range(REPEATS)]
    mine, library = iter(cold), iter(cold)
    ours, theirs = best_of(
        REPEATS,
        lambda: next(mine)[0].encode(text),
        lambda: next(library)[1].encode_batch_fast([text]),
    )
    ids = cold[0][0].encode(text)
    return {
        "name": "bpe-encode",
        "ours": round(ours, 3),
        "peer": round(theirs, 3),
        "unit": f"seconds for {MEGABYTES} MB, {len(ids):,} tokens",
        "ratio": round(theirs / ours, 2),
        "peer_is": "tokenizers (Rust), one thread each",
        "same": "ids" if ids == cold[0][1].encode(text).ids else "NOT the ids",
    }
