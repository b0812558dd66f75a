"""Skip-gram with negative sampling on the dictionary, against gensim: words a second, and how good the vectors are.

Both train with the same settings: the same sentences and vocabulary, 100 dimensions, window 5, 5 negatives,
subsampling 1e-3, three passes, learning rate falling from 0.05 to almost 0, two threads. Only the training is
timed, neither the reading of the corpus nor the counting of its words, and a word is counted whether or not
subsampling keeps it. gensim is given lists of words, as fast here as its ``corpus_file`` (where each thread lets
its learning rate fall as if it had all the text to read, so that two threads train with a higher rate than asked
for, and the scores can't be compared). Ours runs three times and gensim twice, in turn: the scores of all runs are
in the line, as two threads never give the same vectors twice.
"""

from __future__ import annotations

import statistics
import time

from tokvec import analogy, datasets, word2vec

PASSES, THREADS, RATE, RUNS = 3, 2, 0.05, 3


def score(words: list[str], vectors) -> dict[str, float]:
    """Return WordSim-353 (Spearman) and the accuracy on the analogy questions among 30,000 words."""
    questions = analogy.Questions.load(datasets.questions_words())
    rho, _ = analogy.word_similarity(words, vectors, datasets.wordsim353())
    accuracy = analogy.evaluate(words, vectors, questions, vocabulary=30_000)["all"].accuracy
    return {"wordsim": round(rho, 4), "analogy": round(accuracy, 4)}


def run() -> dict:
    """Return words a second of both, and their scores."""
    import gensim
    from gensim.models import Word2Vec

    sentences = [sentence for sentence in word2vec.corpus("dictionary") if sentence]
    vocabulary = word2vec.Vocabulary.build(sentences)
    ids = vocabulary.encode(sentences)
    words = sum(map(len, sentences))
    settings = {"passes": PASSES, "threads": THREADS, "learning_rate": RATE}
    word2vec.fit(ids[:50_000], vocabulary, **settings)  # compiles

    def ours_once(seed: int) -> tuple[float, dict]:
        began = time.perf_counter()
        vectors = word2vec.fit(ids, vocabulary, seed=seed, **settings).vectors
        return time.perf_counter() - began, score(vocabulary.words, vectors)

    def theirs_once(seed: int) -> tuple[float, dict]:
        same = {"vector_size": 100, "window": 5, "negative": 5, "sg": 1, "sample": 1e-3, "min_count": 5}
        model = Word2Vec(**same, alpha=RATE, workers=THREADS, seed=seed)
        model.build_vocab(sentences)
        began = time.perf_counter()
        model.train(sentences, total_words=words, total_examples=len(sentences), epochs=PASSES)
        return time.perf_counter() - began, score(model.wv.index_to_key, model.wv.vectors)

    our_runs, their_runs = [], []
    for seed in range(RUNS):
        our_runs.append(ours_once(seed))
        if seed < 2:
            their_runs.append(theirs_once(seed))
    our_times, our_scores = zip(*our_runs, strict=True)
    their_times, theirs = zip(*their_runs, strict=True)
    ours, peer = PASSES * words / min(our_times), PASSES * words / min(their_times)
    mean = {key: round(statistics.mean(run[key] for run in our_scores), 4) for key in our_scores[0]}
    their_mean = {key: round(statistics.mean(run[key] for run in theirs), 4) for key in theirs[0]}
    return {
        "name": "sgns",
        "ours": round(ours),
        "peer": round(peer),
        "unit": "words/s",
        "ratio": round(ours / peer, 2),
        "peer_is": f"gensim {gensim.__version__}, {THREADS} threads each",
        "same": " and ".join(f"{key} {mean[key]:.3f} against {their_mean[key]:.3f}" for key in mean),
        "ours_scores": mean,
        "peer_scores": their_mean,
        "ours_runs": our_scores,
        "peer_runs": theirs,
        "words": words,
        "vocabulary": len(vocabulary),
    }
