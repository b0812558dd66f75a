"""Figure: one query, four ways to search the book's passages, their rankings side by side."""

from __future__ import annotations

import base64
import math
from collections import Counter

import numpy as np
import traitlets

from tokvec.figures._base import Figure, number, table
from tokvec.sentences import corpus
from tokvec.sentences.vectors import words

METHODS = {"overlap": "Word overlap", "tfidf": "TF-IDF", "glove": "Averaged GloVe", "minilm": "MiniLM"}


def scores(method: str, query: int) -> list[float]:
    """Score every passage for one of the stored queries: the twin of the figure's arithmetic.

    Parameters
    ----------
    method : str
        A key of `METHODS`.
    query : int
        Number of the query.
    """
    passages, asked = corpus.passages(), corpus.queries()[query]
    if method in ("glove", "minilm"):
        stored, queries = (part.astype(np.int64) for part in corpus.stored_vectors(method))
        products, lengths = stored @ queries[query], (stored**2).sum(axis=1) * (queries[query] ** 2).sum()
        return [p / math.sqrt(s) if s else 0.0 for p, s in zip(products.tolist(), lengths.tolist(), strict=True)]
    texts, wanted = [words(p.text) for p in passages], words(asked.text)
    if method == "overlap":
        return [len(set(t) & set(wanted)) / len(set(t) | set(wanted)) for t in texts]
    frequency = Counter(word for text in texts for word in set(text))
    idf = {word: math.log((1 + len(texts)) / (1 + count)) + 1 for word, count in frequency.items()}
    weighted = [{word: count * idf[word] for word, count in Counter(text).items()} for text in texts]
    query_weights = {word: count * idf[word] for word, count in Counter(wanted).items() if word in idf}
    return [_cosine(query_weights, row) for row in weighted]


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    lengths = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(x * b.get(word, 0.0) for word, x in a.items()) / lengths if lengths else 0.0


def ranking(method: str, query: int) -> list[int]:
    """Return the numbers of all passages, best first; scores equal to nine decimals keep the passages' order."""
    rounded = [round(score * 1e9) for score in scores(method, query)]
    return sorted(range(len(rounded)), key=lambda i: (-rounded[i], i))


def answer(query: int) -> int:
    """Return the number of the passage that answers a query."""
    return [p.name for p in corpus.passages()].index(corpus.queries()[query].answer)


def _vectors() -> dict[str, dict[str, object]]:
    stored = {name: np.concatenate(corpus.stored_vectors(name)) for name in ("glove", "minilm")}
    return {
        name: {"width": rows.shape[1], "data": base64.b64encode(rows.tobytes()).decode("ascii")}
        for name, rows in stored.items()
    }


class SearchFigure(Figure):
    """Search the passages written for the book in the page itself.

    Attributes
    ----------
    query : int
        The query shown at first.
    passages, queries : list
        The texts; a query holds its kind, its words, and the number of the passage that answers it.
    vectors : dict
        The stored int8 vectors of passages and then queries, base64.
    """

    module = "search"
    query = traitlets.Int(1).tag(sync=True)
    passages = traitlets.List().tag(sync=True)
    queries = traitlets.List().tag(sync=True)
    vectors = traitlets.Dict().tag(sync=True)
    alt = traitlets.Unicode(
        "A list of 44 questions and four columns. Each column shows the three passages that one method ranks first "
        "for the chosen question, with its scores, and says at which rank the passage that answers it stands."
    ).tag(sync=True)
    caption = traitlets.Unicode(
        "Choose a question. In the first group the answer shares no word with it, and the two columns that count "
        "words come up empty or wrong. In the second a number or a name decides, and counting is the surer way. "
        "Shared words are underlined. The passages' and questions' vectors were computed beforehand; the scores are "
        "computed here."
    ).tag(sync=True)

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("passages", [[p.name, p.text] for p in corpus.passages()])
        kwargs.setdefault("queries", [[q.kind, q.text, answer(i)] for i, q in enumerate(corpus.queries())])
        kwargs.setdefault("vectors", _vectors())
        super().__init__(**kwargs)

    def fallback(self) -> str:
        """Return the first passage of each method for four of the queries."""
        rows = []
        for query in (1, 3, 24, 31):
            for method, title in METHODS.items():
                best = ranking(method, query)[0]
                score = scores(method, query)[best]
                text = self.passages[best][1] if score > 0 else "no passage shares a word"
                right = "yes" if best == answer(query) and score > 0 else "no"
                rows.append([self.queries[query][1], title, number(score, 3), right, text[:60] + "…"])
        return table(["question", "method", "score", "right", "first passage"], rows)
