"""Chapter 1: text to token ids. Three families of subword tokenisers, each built and each checked."""

from tokvec.tokenizers.bpe import BPE, textbook_encode, textbook_merges
from tokvec.tokenizers.parallel import LANGUAGES, parallel_text
from tokvec.tokenizers.pretokenizer import CL100K, GPT2, O200K, pretokenize
from tokvec.tokenizers.unigram import Unigram
from tokvec.tokenizers.wordpiece import WordPiece

__all__ = [
    "BPE",
    "CL100K",
    "GPT2",
    "LANGUAGES",
    "O200K",
    "Unigram",
    "WordPiece",
    "parallel_text",
    "pretokenize",
    "textbook_encode",
    "textbook_merges",
]
