r"""Cut raw text into pre-tokens, the units inside which a subword tokeniser works.

A pre-token is roughly a word with the space in front of it. No token ever crosses
its border, which is what keeps "dog", "dog." and "dog!" from needing three entries.
The three patterns are those published with OpenAI's tokenisers [1]_; ``\p{L}`` is any
letter, ``\p{N}`` any number sign, ``\s`` any white space.

References
----------
.. [1] ``tiktoken_ext/openai_public.py``, https://github.com/openai/tiktoken (MIT).
"""

from functools import lru_cache

import regex

#: Contractions, then words, numbers and punctuation with one leading space, then white space.
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"

#: cl100k (GPT-4): digits in groups of at most three, any one sign may lead a word.
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)

_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
#: o200k (GPT-4o): a word may change from capitals to small letters once; marks count as letters.
O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@lru_cache(maxsize=32)
def _compiled(pattern: str) -> regex.Pattern:
    return regex.compile(pattern)


def pretokenize(text: str, pattern: str = GPT2) -> list[str]:
    """Split text into pre-tokens; joined together they are the text again.

    Parameters
    ----------
    text : str
        Any text.
    pattern : str, optional
        A regular expression in the syntax of the package ``regex``. Every character
        must be matched by one of its alternatives.

    Returns
    -------
    list of str
        The pieces, in order.

    Examples
    --------
    >>> pretokenize("It's low tide.")
    ['It', "'s", ' low', ' tide', '.']
    """
    return _compiled(pattern).findall(text)
