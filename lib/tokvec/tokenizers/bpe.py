"""Byte-level byte-pair encoding: start from the 256 bytes, join the commonest pair, repeat.

Read top to bottom. `textbook_merges` is the algorithm as published for words [1]_,
slow and transparent. `learn_merges` learns the same kind of list fast. `BPE` is the
tokeniser built on it, over bytes as GPT-2 does [2]_, so that no text is ever unknown.

One trick carries the speed and most of the brevity. A token id is a whole number, and
so is the code point of a Python character. A word in the middle of training is therefore kept
as a string whose characters *are* its tokens, and joining a pair everywhere in it is
``word.replace(pair, chr(new_id))``: leftmost first, never overlapping, in C.

References
----------
.. [1] R. Sennrich, B. Haddow, A. Birch, "Neural Machine Translation of Rare Words with
   Subword Units", ACL 2016, https://arxiv.org/abs/1508.07909
.. [2] A. Radford et al., "Language Models are Unsupervised Multitask Learners", 2019,
   section 2.2.
.. [3] ``tokenizers``, https://github.com/huggingface/tokenizers, whose rule for ties is used.
"""

import base64
import binascii
import gzip
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise
from operator import add
from pathlib import Path
from typing import NamedTuple

from tokvec.tokenizers.pretokenizer import GPT2, pretokenize

#: The 256 bytes in GPT-2's order: those with a visible Latin-1 character first, then the rest.
BYTES = sorted(range(256), key=lambda b: not (chr(b).isprintable() and b != 0x20))
#: Byte value to token id (its place in `BYTES`), as a table for `str.translate`.
BYTE_ID = {byte: i for i, byte in enumerate(BYTES)}
#: Token id to the visible character that stands for that byte in vocabulary files ("Ġ" is a space).
_VISIBLE = [chr(b) if i < 188 else chr(256 + i - 188) for i, b in enumerate(BYTES)]

_NO_MERGE = "\U0010ffff"  # sorts after every token
_LARGEST_VOCABULARY = 0x10FFFF


class MergeStep(NamedTuple):
    """One line of the worked example: the pair joined, how often it was seen, the words after it."""

    pair: tuple[str, str]
    count: int
    words: dict[tuple[str, ...], int]


def count_pairs(words: Mapping[tuple[str, ...], int]) -> Counter:
    """Count neighbouring symbols, each word counted as often as it occurs.

    Parameters
    ----------
    words : mapping
        Word, as a tuple of symbols, to its number of occurrences.

    Returns
    -------
    Counter
        Pair of symbols to count, pairs in the order in which they are first met.
    """
    pairs: Counter = Counter()
    for word, n in words.items():
        for pair in pairwise(word):
            pairs[pair] += n
    return pairs


def _join(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Join every occurrence of `pair` in `word`, from left to right."""
    joined: list[str] = []
    i = 0
    while i < len(word):
        if word[i : i + 2] == pair:
            joined.append(pair[0] + pair[1])
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return tuple(joined)


def textbook_merges(word_counts: Mapping[str, int], n_merges: int, end: str = "·") -> Iterator[MergeStep]:
    """Learn merges the way the paper's algorithm 1 does, counting everything again each time.

    A tie goes to the pair met first, as in the paper's own program under today's Python, whose dicts keep order.

    Parameters
    ----------
    word_counts : mapping
        Word to its number of occurrences.
    n_merges : int
        How many merges to learn at most; fewer when no pair is left.
    end : str, optional
        The mark that ends every word, so that "est" at a word's end is not the "est" inside one; "" for none.

    Yields
    ------
    MergeStep
        The merges in order.

    Examples
    --------
    >>> step = next(textbook_merges({"newest": 6, "widest": 3}, 1))
    >>> step.pair, step.count
    (('e', 's'), 9)
    """
    if not word_counts:
        raise ValueError("the corpus is empty: give at least one word")
    words = {(*word, *([end] if end else [])): n for word, n in word_counts.items()}
    for _ in range(n_merges):
        pairs = count_pairs(words)
        if not pairs:
            return
        pair = max(pairs, key=pairs.__getitem__)
        words = {_join(word, pair): n for word, n in words.items()}
        yield MergeStep(pair, pairs[pair], words)


def textbook_encode(word: str, pairs: Iterable[tuple[str, str]], end: str = "·") -> tuple[str, ...]:
    """Cut a word with merges learned by `textbook_merges`: apply them all, in the order learned.

    Examples
    --------
    >>> textbook_encode("lowest", [("e", "s"), ("es", "t"), ("l", "o")])
    ('lo', 'w', 'est', '·')
    """
    symbols: tuple[str, ...] = (*word, *([end] if end else []))
    for pair in pairs:
        symbols = _join(symbols, pair)
    return symbols


def learn_merges(words: Mapping[str, int], n_merges: int, first_id: int, min_count: int = 1) -> list[str]:
    """Learn merges quickly: count once, then correct the counts of the words that change.

    Parameters
    ----------
    words : mapping
        Word to its number of occurrences. Each character of a word is one symbol, its code
        point the symbol's id.
    n_merges : int
        How many merges to learn at most; fewer when no pair reaches `min_count`.
    first_id : int
        The id of the first new symbol; above every id in use.
    min_count : int, optional
        A pair seen fewer times than this is never joined.

    Returns
    -------
    list of str
        Pairs of symbols, two characters each; pair k makes symbol ``first_id + k``.

    Notes
    -----
    Equal counts: the pair whose left id is smaller wins, then the right, the rule of [3]_.
    A heap holds every pair under the count it had when it was pushed. Counts of old pairs only
    fall, so an entry may promise too much, never too little: when it comes up and is
    stale, it goes back with its true count. With W distinct words of length L and
    M merges, the work is about W L for the first count and one pass over the words
    that hold the pair for each merge.
    """
    spelled, weights = list(words), list(words.values())
    count: defaultdict[str, int] = defaultdict(int)
    where: defaultdict[str, list[int]] = defaultdict(list)  # pair -> words that hold it, or once did
    for w, (word, n) in enumerate(zip(spelled, weights, strict=True)):
        for pair in map(add, word, word[1:]):
            count[pair] += n
            where[pair].append(w)
    heap = [(-n, pair) for pair, n in count.items()]
    heapify(heap)

    merges: list[str] = []
    while heap and len(merges) < n_merges:
        promised, pair = heappop(heap)
        n_pair = count[pair]
        if n_pair != -promised:
            if n_pair > 0:
                heappush(heap, (-n_pair, pair))
            continue
        if n_pair < min_count:
            break
        new, (left, right) = chr(first_id + len(merges)), pair
        merges.append(pair)
        born: defaultdict[str, int] = defaultdict(int)  # pairs that hold the new symbol
        for w in where.pop(pair):
            word = spelled[w].replace(pair, new)
            if word == spelled[w]:
                continue
            spelled[w], n, last = word, weights[w], len(word) - 1
            for i, symbol in enumerate(word):
                if symbol != new:
                    continue
                if i > 0:
                    before = word[i - 1]
                    count[(right if before == new else before) + left] -= n
                    born[before + new] += n
                    where[before + new].append(w)
                if i < last and word[i + 1] != new:  # of two new symbols in a row the second sees the pair
                    after = word[i + 1]
                    count[right + after] -= n
                    born[new + after] += n
                    where[new + after].append(w)
        del count[pair]
        for p, n in born.items():
            count[p] = n
            heappush(heap, (-n, p))
    return merges


class BPE:
    """A byte-level BPE tokeniser.

    Parameters
    ----------
    merges : sequence of (int, int)
        Pairs of token ids. Ids 0 to 255 are the bytes in GPT-2's order (`BYTES`); merge k
        makes token ``256 + k`` from two earlier ones.
    pattern : str, optional
        The pre-tokeniser's regular expression.
    special : mapping, optional
        Special tokens, such as ``<|endoftext|>``, with their ids. `encode` never produces them
        from text; `decode` knows them.

    Attributes
    ----------
    tokens : list of bytes
        The bytes of each ordinary token, by id.
    vocab_size : int
        One more than the largest id, special tokens included.

    Notes
    -----
    Two different pairs can't make the same token in a list that training produced: whatever
    merges apply inside the token's bytes apply in the same order wherever no merge crosses its
    ends, so they always end in the same two halves. That is why a list of tokens in
    order, a "rank file", is enough to rebuild the pairs (`from_tiktoken`).
    """

    def __init__(
        self,
        merges: Sequence[tuple[int, int]],
        pattern: str = GPT2,
        special: Mapping[str, int] | None = None,
    ):
        self.pattern = pattern
        self.special = dict(special or {})
        self.merges: list[tuple[int, int]] = []
        self.tokens = [bytes([b]) for b in BYTES]
        self._joined: dict[str, str] = {}  # pair of symbols -> new symbol
        for left, right in merges:
            self._add_merge(left, right)
        self._finish()

    def _add_merge(self, left: int, right: int) -> None:
        new = len(self.tokens)
        if not (0 <= left < new and 0 <= right < new):
            raise ValueError(
                f"merge {len(self.merges)} joins tokens {left} and {right}, but only ids 0 to {new - 1} "
                "exist by then; merges must be in the order in which they were learned"
            )
        self.merges.append((left, right))
        self.tokens.append(self.tokens[left] + self.tokens[right])
        self._joined[chr(left) + chr(right)] = chr(new)

    def _finish(self) -> None:
        """Index the finished vocabulary and start an empty cache."""
        n = len(self.tokens)
        self._id_of = {token: i for i, token in enumerate(self.tokens)}
        if len(self._id_of) != n:
            twice = next(t for t, k in Counter(self.tokens).items() if k > 1)
            raise ValueError(f"two merges make the same token {twice!r}; each token may be listed once")
        clash = {name: i for name, i in self.special.items() if i < n}
        if clash:
            raise ValueError(f"special tokens {clash} use ids below {n}, which ordinary tokens hold")
        self._special_of = {i: name.encode() for name, i in self.special.items()}
        self.vocab_size = max([n - 1, *self._special_of]) + 1
        self._encode_piece = lru_cache(maxsize=1 << 18)(self._merge_piece)

    def __repr__(self) -> str:
        return f"BPE(vocab_size={self.vocab_size:,})"

    # Learning -------------------------------------------------------------------------------

    @classmethod
    def train(cls, texts: str | Iterable[str], vocab_size: int, pattern: str = GPT2, min_count: int = 1) -> "BPE":
        """Learn a vocabulary from text.

        Parameters
        ----------
        texts : str or iterable of str
            The corpus. No pair is counted across two texts, nor across two pre-tokens.
        vocab_size : int
            Tokens wanted, the 256 bytes included. A small corpus may run out of pairs first.
        pattern : str, optional
            The pre-tokeniser's regular expression.
        min_count : int, optional
            A pair seen fewer times than this is never joined.

        Raises
        ------
        ValueError
            If `vocab_size` is below 256, or the corpus holds no text.
        """
        if vocab_size < len(BYTES):
            raise ValueError(
                f"vocab_size={vocab_size} is smaller than the alphabet of {len(BYTES)} bytes; "
                f"ask for at least {len(BYTES)}"
            )
        if vocab_size > _LARGEST_VOCABULARY:
            raise ValueError(f"vocab_size={vocab_size} is larger than {_LARGEST_VOCABULARY}, the most kept")
        pieces: Counter = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            pieces.update(pretokenize(_well_formed(text), pattern))
        if not pieces:
            raise ValueError("the corpus is empty: give at least one text with one character")
        words = {_spell(piece.encode("utf-8")): n for piece, n in pieces.items()}
        merges = learn_merges(words, vocab_size - len(BYTES), len(BYTES), min_count)
        return cls([(ord(left), ord(right)) for left, right in merges], pattern)

    # Using ----------------------------------------------------------------------------------

    def encode(self, text: str) -> list[int]:
        """Turn text into token ids.

        Parameters
        ----------
        text : str
            Any text. Halves of a surrogate pair are joined; a lone half, which is no
            character, becomes U+FFFD, as in ``tiktoken``. A special token's name is plain text here.

        Returns
        -------
        list of int
        """
        pieces = pretokenize(_well_formed(text), self.pattern)
        return list(chain.from_iterable(map(self._encode_piece, pieces)))

    def _merge_piece(self, piece: str) -> tuple[int, ...]:
        """Ids of one pre-token."""
        token = piece.encode("utf-8")
        whole = self._id_of.get(token)
        return self._merge_bytes(token) if whole is None else (whole,)

    def _merge_bytes(self, token: bytes) -> tuple[int, ...]:
        """Join the pair that was learned earliest, wherever it occurs, until no known pair is left."""
        symbols, joined = _spell(token), self._joined
        while True:
            found = [joined.get(pair, _NO_MERGE) for pair in map(add, symbols, symbols[1:])]
            earliest = min(found, default=_NO_MERGE)
            if earliest is _NO_MERGE:
                return tuple(map(ord, symbols))
            left, right = self.merges[ord(earliest) - len(BYTES)]
            symbols = symbols.replace(chr(left) + chr(right), earliest)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Join the bytes of token ids.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        parts, n = [], len(self.tokens)
        for i in ids:
            part = self.tokens[i] if 0 <= i < n else self._special_of.get(i)
            if part is None:
                raise ValueError(f"unknown token id {i}: this vocabulary has ids 0 to {self.vocab_size - 1}")
            parts.append(part)
        return b"".join(parts)

    def decode(self, ids: Iterable[int], errors: str = "replace") -> str:
        """Turn token ids back into text.

        Parameters
        ----------
        ids : iterable of int
            Token ids.
        errors : str, optional
            What to do with bytes that aren't valid UTF-8, as in `bytes.decode`: a slice of a
            token sequence may begin or end inside a character.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        return self.decode_bytes(ids).decode("utf-8", errors)

    def split(self, text: str) -> list[str]:
        """Cut text into its tokens, as strings; bytes that are no whole character show as U+FFFD."""
        return [self.decode([i]) for i in self.encode(text)]

    def first(self, n_merges: int) -> "BPE":
        """Return the tokeniser as it was after its first `n_merges` merges, without special tokens."""
        if not 0 <= n_merges <= len(self.merges):
            raise ValueError(f"n_merges={n_merges} is not between 0 and {len(self.merges)}")
        return BPE(self.merges[:n_merges], self.pattern)

    # Files ----------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike) -> None:
        """Write a ``tokenizer.json`` that the library ``tokenizers`` reads.

        The file is written under another name, read back, and only then put in place.
        """
        path = Path(path)
        partial = path.with_name(path.name + ".partial")
        try:
            partial.write_text(json.dumps(self._as_json(), ensure_ascii=False), encoding="utf-8")
            if BPE.load(partial).merges != self.merges:
                raise OSError(f"{partial} did not read back as it was written; is the disk full?")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)

    def _as_json(self) -> dict:
        names = [visible(token) for token in self.tokens]
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
        splitter: dict = byte_level
        if self.pattern != GPT2:
            split = {
                "type": "Split",
                "pattern": {"Regex": self.pattern},
                "behavior": "Isolated",
                "invert": False,
            }
            splitter = {"type": "Sequence", "pretokenizers": [split, byte_level | {"use_regex": False}]}
        flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        return {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [{"id": i, "content": name, **flags} for name, i in self.special.items()],
            "normalizer": None,
            "pre_tokenizer": splitter,
            "post_processor": None,
            "decoder": byte_level,
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "ignore_merges": False,
                "vocab": {name: i for i, name in enumerate(names)},
                "merges": [[names[left], names[right]] for left, right in self.merges],
            },
        }

    @classmethod
    def load(cls, path: str | os.PathLike) -> "BPE":
        """Read a byte-level BPE ``tokenizer.json``, ours or one that ``tokenizers`` saved.

        Raises
        ------
        ValueError
            If the file is not one, or its ids are not the bytes followed by the merges in order.
        """
        try:
            state = json.loads(Path(path).read_text(encoding="utf-8"))
            model, splitter = state["model"], state["pre_tokenizer"]
            vocab = model["vocab"]
            merges = [m.split(" ") if isinstance(m, str) else m for m in model["merges"]]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is not a BPE tokenizer.json: {error!r}") from error
        pattern = GPT2
        if splitter["type"] == "Sequence":
            pattern = splitter["pretokenizers"][0]["pattern"]["Regex"]
        special = {token["content"]: token["id"] for token in state.get("added_tokens", [])}
        return cls._from_names(path, merges, vocab, pattern, special)

    @classmethod
    def from_merges_file(
        cls, path: str | os.PathLike, pattern: str = GPT2, special: Mapping[str, int] | None = None
    ) -> "BPE":
        """Read a ``merges.txt`` (GPT-2's ``vocab.bpe``): a version line, then one pair a line.

        Raises
        ------
        ValueError
            If a line is not two tokens that exist by then; the message gives line and content.
        """
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        start = 1 if lines[0].startswith("#version") else 0
        while lines and not lines[-1]:
            lines.pop()
        merges = []
        for number, line in enumerate(lines[start:], start + 1):
            pair = line.split(" ")
            if len(pair) != 2 or not all(pair):
                raise ValueError(f"{path}, line {number}: {line!r} is not two tokens with one space between them")
            merges.append(pair)
        return cls._from_names(path, merges, None, pattern, special)

    @classmethod
    def _from_names(cls, path, merges, vocab, pattern, special) -> "BPE":
        """Build from pairs of visible names, checking each against what exists by then."""
        ids = {name: i for i, name in enumerate(_VISIBLE)}
        pairs = []
        for k, (left, right) in enumerate(merges):
            for name in (left, right):
                if name not in ids:
                    raise ValueError(f"{path}, merge {k}: {name!r} is neither a byte nor made by an earlier merge")
            pairs.append((ids[left], ids[right]))
            ids[left + right] = 256 + k
        if vocab is not None:
            wrong = next((name for name, i in ids.items() if vocab.get(name) != i), None)
            if wrong is not None:
                raise ValueError(
                    f"{path}: token {wrong!r} has id {vocab.get(wrong)}, expected {ids[wrong]}: "
                    "this reader needs the 256 bytes in GPT-2's order, then the merges in theirs"
                )
        return cls(pairs, pattern, special)

    @classmethod
    def from_tiktoken(
        cls, path: str | os.PathLike, pattern: str = GPT2, special: Mapping[str, int] | None = None
    ) -> "BPE":
        """Read a rank file of ``tiktoken``: base64 token and rank on each line, plain or gzipped.

        The pair behind a token is found by encoding its bytes with the tokens of lower rank.

        Raises
        ------
        ValueError
            If a line is malformed, ranks are not 0, 1, 2, ..., or a token is not two earlier ones.
        """
        path = Path(path)
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        bpe = cls([], pattern, None)
        for rank, line in enumerate(data.splitlines()):
            try:
                name, number = line.split(b" ")
                token = base64.b64decode(name, validate=True)
                in_order = int(number) == rank
            except (ValueError, binascii.Error) as error:
                raise ValueError(f"{path}, line {rank + 1}: {line!r} is not 'base64 rank'") from error
            if not in_order or (rank < 256 and token != bpe.tokens[rank]):
                raise ValueError(
                    f"{path}, line {rank + 1}: {token!r} has rank {int(number)}; expected rank {rank}"
                    + (f" for byte {bpe.tokens[rank]!r}" if rank < 256 else "")
                )
            if rank < 256:
                continue
            halves = bpe._merge_bytes(token)
            if len(halves) != 2:
                raise ValueError(
                    f"{path}, line {rank + 1}: token {token!r} is not made of two earlier tokens, but of {len(halves)}"
                )
            bpe._add_merge(*halves)
        bpe.special = dict(special or {})
        bpe._finish()
        return bpe


def _well_formed(text: str) -> str:
    """Join split surrogate pairs and replace lone halves, which UTF-8 can't write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _spell(token: bytes) -> str:
    """Write bytes as a string of symbols: the character whose code point is the byte's token id."""
    return token.decode("latin-1").translate(BYTE_ID)


def visible(token: bytes) -> str:
    return "".join(_VISIBLE[BYTE_ID[b]] for b in token)
