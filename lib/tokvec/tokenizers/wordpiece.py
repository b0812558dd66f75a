"""WordPiece: join the pair that makes the corpus most likely; cut words by the longest match.

The tokeniser of BERT. Two things set it apart from BPE. While learning, the pair to join is not
the commonest but the one whose joining raises the likelihood of the corpus most [1]_. While
encoding, the merges are forgotten: a word is cut greedily, the longest known piece first [2]_.
A piece that does not begin a word carries the mark ``##``.

References
----------
.. [1] M. Schuster, K. Nakajima, "Japanese and Korean Voice Search", ICASSP 2012,
   section 3, https://doi.org/10.1109/ICASSP.2012.6289079. Google's trainer was never
   published; what follows computes the paper's criterion exactly for a unigram model.
.. [2] J. Devlin et al., "BERT", NAACL 2019, https://arxiv.org/abs/1810.04805, and
   ``tokenization.py`` in its code.
"""

import os
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import regex

UNKNOWN = "[UNK]"
CONTINUES = "##"
_LONGEST_WORD = 100  # a longer word is unknown, as in BERT

_DROPPED = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\uFFFD--[\t\n\r]]", regex.V1)  # controls and the like
_IDEOGRAPH = regex.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)
_WORD = regex.compile(r"[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+")


def bert_words(text: str) -> list[str]:
    """Prepare text as uncased BERT does: small letters, no accents, punctuation on its own.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        Words and single punctuation marks. Chinese characters stand alone. Spaces are gone, so the
        text can't be rebuilt exactly.

    Examples
    --------
    >>> bert_words("Déjà vu, twice!")
    ['deja', 'vu', ',', 'twice', '!']
    """
    text = _IDEOGRAPH.sub(r" \1 ", _DROPPED.sub("", text))
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    # Letter by letter: str.lower() alone would write a Greek word's last sigma differently.
    text = text.lower() if text.isascii() else "".join(map(str.lower, text))
    return _WORD.findall(text)


def likelihood_gains(pair, left, right, twins, total: int) -> np.ndarray:
    """Say by how much the corpus's log-likelihood rises when a pair is joined.

    Under a unigram model fitted by counting, symbols with counts n_t and N in all have
    log-likelihood ``sum_t n_t log n_t - N log N``. Joining k pairs turns k of each half
    into k of a new symbol and shortens the corpus by k. The gain is the exact difference.

    Parameters
    ----------
    pair, left, right : array of int, shape (n,)
        How often each pair can be joined, and how often each of its halves occurs in all.
    twins : array of bool, shape (n,)
        Whether the two halves are the same symbol, which then loses 2k.
    total : int
        Symbols in the corpus.

    Returns
    -------
    array of float, shape (n,)
        Gains in nats. For rare pairs about ``k (log(k N / (n_left n_right)) - 1)``.
    """

    def n_log_n(n):
        return n * np.log(np.maximum(n, 1))

    two_halves = n_log_n(left - pair) - n_log_n(left) + n_log_n(right - pair) - n_log_n(right)
    one_half = n_log_n(left - 2 * pair) - n_log_n(left)
    halves = np.where(twins, one_half, two_halves)
    return n_log_n(pair) + halves + n_log_n(total) - n_log_n(total - pair)


def learn_pieces(words: Mapping[str, int], vocab_size: int) -> list[str]:
    """Learn a WordPiece vocabulary.

    Parameters
    ----------
    words : mapping
        Word to its number of occurrences.
    vocab_size : int
        Pieces wanted, the unknown token included. Fewer when no merge makes the corpus likelier.

    Returns
    -------
    list of str
        ``[UNK]``, the alphabet in order, then the pieces in the order learned.

    Notes
    -----
    As in `tokvec.tokenizers.bpe` a word is a string whose characters are its symbols, and only
    words that hold the joined pair are counted again. The gains are all recomputed at
    every step, because a merge changes the counts of its two halves and so the gain of
    every pair they are part of.
    """
    marked = {word: [word[0], *(CONTINUES + c for c in word[1:])] for word in words}
    pieces = [UNKNOWN, *sorted(set(chain.from_iterable(marked.values())))]
    if vocab_size < len(pieces):
        raise ValueError(
            f"vocab_size={vocab_size} is smaller than the alphabet: this corpus has {len(pieces) - 1} "
            f"characters, at the start of a word or inside it, and {UNKNOWN}; ask for at least {len(pieces)}"
        )
    id_of = {piece: i for i, piece in enumerate(pieces)}
    spelled = ["".join(chr(id_of[p]) for p in marked[word]) for word in words]
    weights = list(words.values())

    slot: dict[str, int] = {}  # pair of symbols -> its place in the two lists below
    halves: list[tuple[int, int]] = []
    count: list[int] = []
    where: defaultdict[str, set[int]] = defaultdict(set)
    symbols = [0] * vocab_size  # how often each symbol occurs

    def tally(w: int, sign: int) -> None:
        word, n = spelled[w], sign * weights[w]
        for symbol in word:
            symbols[ord(symbol)] += n
        i = 0
        while i < len(word) - 1:
            pair = word[i : i + 2]
            if pair not in slot:
                slot[pair] = len(count)
                halves.append((ord(pair[0]), ord(pair[1])))
                count.append(0)
            count[slot[pair]] += n
            where[pair].add(w)
            # "aaa" holds the pair "aa" once: after joining, its last a is left over.
            i += 2 if pair[0] == pair[1] == word[i + 2 : i + 3] else 1

    for w in range(len(spelled)):
        tally(w, +1)
    while len(pieces) < vocab_size and count:
        occurs, k, ends = np.array(symbols), np.array(count), np.array(halves)
        left, right = occurs[ends[:, 0]], occurs[ends[:, 1]]
        gains = likelihood_gains(k, left, right, ends[:, 0] == ends[:, 1], occurs.sum())
        best = int(gains.round(6).argmax())  # rounded, so that the last bit of a logarithm decides nothing
        if gains[best] < 1e-6:
            break
        pair = chr(halves[best][0]) + chr(halves[best][1])
        new = chr(len(pieces))
        pieces.append(pieces[halves[best][0]] + pieces[halves[best][1]].removeprefix(CONTINUES))
        for w in where.pop(pair):
            if pair in spelled[w]:
                tally(w, -1)
                spelled[w] = spelled[w].replace(pair, new)
                tally(w, +1)
    return pieces


class WordPiece:
    """A WordPiece tokeniser.

    Parameters
    ----------
    pieces : sequence of str
        The vocabulary; a piece's place is its id. Must contain ``[UNK]``.

    Notes
    -----
    WordPiece works on characters. A word with a character that the vocabulary lacks, or of over 100
    characters, is ``[UNK]`` as a whole: this family does meet unknowns.
    """

    def __init__(self, pieces: Sequence[str]):
        self.pieces = list(pieces)
        self._id_of = {piece: i for i, piece in enumerate(self.pieces)}
        if UNKNOWN not in self._id_of:
            raise ValueError(f"the vocabulary of {len(self.pieces)} pieces has no {UNKNOWN}; add it")
        if len(self._id_of) != len(self.pieces):
            twice = next(p for p, k in Counter(self.pieces).items() if k > 1)
            raise ValueError(f"the vocabulary lists {twice!r} twice; each piece may have one id")
        self._longest = max(len(piece.removeprefix(CONTINUES)) for piece in self.pieces)
        self._encode_word = lru_cache(maxsize=1 << 16)(self._match)

    def __repr__(self) -> str:
        return f"WordPiece(vocab_size={self.vocab_size:,})"

    @property
    def vocab_size(self) -> int:
        """Number of pieces."""
        return len(self.pieces)

    @classmethod
    def train(cls, texts: str | Iterable[str], vocab_size: int) -> "WordPiece":
        """Learn a vocabulary from text prepared by `bert_words`.

        Raises
        ------
        ValueError
            If the corpus holds no word, or `vocab_size` is smaller than its alphabet.
        """
        words: Counter = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            words.update(bert_words(text))
        if not words:
            raise ValueError("the corpus is empty: give at least one text with one word")
        return cls(learn_pieces(words, vocab_size))

    def encode(self, text: str) -> list[int]:
        """Turn text into piece ids; no ``[CLS]`` or ``[SEP]`` is added."""
        return list(chain.from_iterable(map(self._encode_word, bert_words(text))))

    def _match(self, word: str) -> tuple[int, ...]:
        """Cut one word: the longest piece that fits, then the longest that fits the rest."""
        if len(word) > _LONGEST_WORD:
            return (self._id_of[UNKNOWN],)
        ids, start = [], 0
        while start < len(word):
            mark = CONTINUES if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                found = self._id_of.get(mark + word[start:end])
                if found is not None:
                    break
            else:
                return (self._id_of[UNKNOWN],)
            ids.append(found)
            start = end
        return tuple(ids)

    def split(self, text: str) -> list[str]:
        """Cut text into its pieces, as strings."""
        return [self.pieces[i] for i in self.encode(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Join pieces into text: words with one space between them.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        words: list[str] = []
        for i in ids:
            if not 0 <= i < len(self.pieces):
                raise ValueError(f"unknown piece id {i}: this vocabulary has ids 0 to {len(self.pieces) - 1}")
            piece = self.pieces[i]
            if words and piece.startswith(CONTINUES):
                words[-1] += piece.removeprefix(CONTINUES)
            else:
                words.append(piece)
        return " ".join(words)

    @classmethod
    def load(cls, path: str | os.PathLike) -> "WordPiece":
        """Read a ``vocab.txt``: one piece a line."""
        return cls(Path(path).read_text(encoding="utf-8").rstrip("\n").split("\n"))
