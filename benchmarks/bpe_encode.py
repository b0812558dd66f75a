"""Encode 3 MB with 2,048 merges: tokvec in Python against the library `tokenizers`, one thread each."""

import time

from benchmarks.bpe_train import MEGABYTES, MERGES, REPEATS, library_tokenizer, prose


def run() -> dict:
    """Time both from a cold cache, alternating, and take the best of each.

    Returns
    -------
    dict
        name, ours and peer in seconds, unit, ratio (above 1: ours is faster), same_ids.
    """
    from tokvec.tokenizers import BPE

    text = prose(MEGABYTES)
    peer, trainer = library_tokenizer()
    peer.train_from_iterator([text], trainer)
    merges = BPE.train(text, 256 + MERGES).merges
    state = peer.to_str()
    ours, theirs = [], []
    for _ in range(REPEATS):
        cold_peer, cold = type(peer).from_str(state), BPE(merges)
        start = time.perf_counter()
        expected = cold_peer.encode_batch_fast([text])[0]  # its fast way: no offsets
        theirs.append(time.perf_counter() - start)
        start = time.perf_counter()
        ids = cold.encode(text)
        ours.append(time.perf_counter() - start)
    return {
        "name": "bpe-encode",
        "ours": round(min(ours), 3),
        "peer": round(min(theirs), 3),
        "unit": "s",
        "ratio": round(min(theirs) / min(ours), 2),
        "what": f"{MEGABYTES} MB of prose into {len(ids):,} tokens, tokenizers (Rust), one thread each",
        "same_ids": ids == expected.ids,
    }
