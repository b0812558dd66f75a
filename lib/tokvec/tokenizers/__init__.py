"""Chapter 1: text to token ids. Three families of subword tokenisers, each built and each checked."""

from tokvec.tokenizers.bpe import BPE
from tokvec.tokenizers.parallel import LANGUAGES, parallel_text
from tokvec.tokenizers.pretokenizer import CL100K, GPT2, O200K, pretokenize

__all__ = ["BPE", "CL100K", "GPT2", "LANGUAGES", "O200K", "parallel_text", "pretokenize"]
