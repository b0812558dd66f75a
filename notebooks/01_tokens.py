# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires:
#     - wikipedia_sample
#     - gpt2_bpe
#     - minilm
# ---

# %% [markdown]
# # 1 · Text to token ids
#
# A language model does arithmetic, and text is not arithmetic. The first step from one to the other is to cut the
# text into pieces from a fixed list and to write down each piece's number. Here you build the three kinds of program
# that do it, check each against a library that is used for real models, and measure what the cutting costs. By the
# end you can say why the pieces are neither words nor letters, where the cuts fall, and why the same sentence costs a
# Thai reader more than an English one.
#
# About 40 minutes to read, half a minute to run.
#
# - **Builds on** nothing.
# - **Reads** a sample of Wikipedia, GPT-2's vocabulary and MiniLM's; needs `regex`, `tokenizers` and `bpe-openai`
#   besides NumPy, PyTorch and Matplotlib.
# - **Exercises** [at the end](#exercises), and in [a notebook that checks itself](../book/how-to-run.md#the-exercises).

# %% tags=["remove-cell"]
# In Colab: install the book's package. Elsewhere this cell does nothing.
import subprocess
import sys

REPOSITORY = ""  # written by tools/set_repository.py
if "google.colab" in sys.modules and REPOSITORY:
    package = f"tokvec[chapters] @ git+{REPOSITORY}"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", package], check=True)

# %%
import math
import random
import re
from collections import Counter
from importlib import resources

import matplotlib.pyplot as plt
import regex

from tokvec import datasets, plots
from tokvec import tokenizers as tk
from tokvec.claims import check, not_run

plots.use()
SEED = 2147483647

# %% [markdown]
# ## A letter already has a number
#
# Nearly every character of the world's scripts has a number in Unicode, its **code point**, and in the usual
# encoding, UTF-8, a file holds each as one to four bytes. So is the work not done?

# %%
for word in ("tide", "żółw", "น้ำ", "👍🏽"):
    print(word, "  code points", *map(ord, word))
    print("       bytes", *word.encode())

# %% [markdown]
# It could be. You could give a model bytes, or code points, and stop reading here. (Though what looks like one
# character may be several: the thumb is a hand and a colour of skin.) The rest of this chapter is about what that
# would cost, and what the opposite would cost. To have something to measure on, take real prose: the first articles
# of an English Wikipedia dump.

# %%
text = "\n".join(datasets.wikipedia_sample())
text = re.sub("'{2,}", "", text)  # '' and ''' mark italic and bold in a wiki
print(f"{len(text):,} characters")
print(text[:72])

# %% [markdown]
# ## Why not words
#
# Words seem the natural pieces. Give each word of the first half of the corpus a number, and read the second half
# with that list.


# %%
def words(text: str) -> list[str]:
    """Runs of letters, with the marks written above or below them."""
    return regex.findall(r"[\p{L}\p{M}]+", text)


half = len(text) // 2
known, rest = set(words(text[:half])), words(text[half:])
unknown = [word for word in rest if word not in known]
print(f"{len(known):,} words known")
check("K4.unknown_words", 100 * len(unknown) / len(rest))
for word, n in Counter(unknown).most_common(5):
    print(f"  {word:14} {n}")

# %% [markdown]
# Of the running words, 11.6 % have no number: more than one in nine. Look at which. They are not rare scraps, but
# the very words that a text is about. A list of words made today cannot hold tomorrow's names. Whatever is not on it
# becomes one and the same `<unk>`, and whatever it meant is gone.
#
# English gets off lightly. It has few forms of each word. Polish has many: *kot, kota, kotu, kotem, kotów, kotami*
# are all cats. To compare fairly you need the same text in both. For this book 96 sentences were written in four
# languages, each natural in its own.

# %%
parallel = tk.parallel_text()
for language in tk.LANGUAGES:
    print(f"{language:8}", parallel[language][12])
    print(f"{'':8}", parallel[language][25])

# %% [markdown]
# Learn the words of one half of the sentences, meet the other half. One split would depend on luck, so average over
# two hundred.


# %%
def unknown_share(sentences: list[str], splits: int = 200) -> float:
    total, rng = 0.0, random.Random(SEED)
    for _ in range(splits):
        shuffled = rng.sample(sentences, len(sentences))
        first = words(" ".join(shuffled[::2]).lower())
        second = words(" ".join(shuffled[1::2]).lower())
        known = set(first)
        total += sum(word not in known for word in second) / len(second)
    return 100 * total / splits


for language in tk.LANGUAGES:
    check(f"K4.unknown_{language}", unknown_share(parallel[language]))

# %% [markdown]
# The text is tiny, so all shares are large. What counts is the difference: the same 96 meanings, and 45.5 % of the
# words are unknown in English, and 67.8 % in Polish, half as many again. In Thai it is 93.6 %, for a plain reason:
# Thai writes no spaces between words, and a run of letters is a phrase. Who says "word" has already chosen a
# language.
#
# ## Why not characters
#
# Then take characters. There are few of them, and nothing is ever unknown. The price is length. Compare with GPT-2's
# pieces, whose making you will see below:

# %%
vocab_bpe = "6d1cbeee0f20b3d9449abfede4726ed8212e3aee"  # as tiktoken names the file
special = {"<|endoftext|>": 50256}
gpt2 = tk.BPE.from_merges_file(datasets.gpt2_bpe() / vocab_bpe, special=special)
gpt2_ids = gpt2.encode(text)
ratio = len(text) / len(gpt2_ids)
check("K4.characters_per_token", ratio)
print(f"attention over characters: {ratio**2:.0f} times the work")

# %% [markdown]
# The same text is four and a half times as long in characters. That is worse than it sounds. In a Transformer every
# position looks at every other (chapter 8), and that part of the work grows with the *square* of the length: twenty
# times as much, to read the same page. (How large a part it is, chapter 10 works out.) And the model would have to
# spend some of its layers on finding out that *t, i, d, e* belong together.
#
# So: pieces longer than letters, shorter than phrases, and never an unknown. Common words should be one piece; rare
# words should fall apart into pieces that are known. Such pieces are called **subwords**, and the art is in choosing
# them.
#
# ## Join what occurs together
#
# The oldest way is a compression trick by Philip Gage (1994), brought to language by Sennrich, Haddow and Birch
# (2016). Start from letters. Count all pairs of neighbours. Join the commonest pair into a new piece. Repeat. That is
# all of **byte-pair encoding**, BPE.
#
# The corpus from the paper has four words. A mark, `·`, stands at each word's end.

# %%
corpus = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
steps = list(tk.textbook_merges(corpus, 100))
for number, step in enumerate(steps, 1):
    cut = "   ".join(" ".join(word) for word in step.words)
    print(f"{number:2}  {' + '.join(step.pair):10} {step.count}   {cut}")

# %%
check("K2.first_pair", " ".join(steps[0].pair))
check("K2.first_count", steps[0].count)
check("K2.second_pair", " ".join(steps[1].pair))
check("K2.second_count", steps[1].count)

# %% [markdown]
# Follow it by hand. *e* and *s* stand side by side in *newest*, six times, and in *widest*, three times: nine. No
# pair has more. So *es* becomes a piece, then *est*, then *est·*, the ending of superlatives. The program knows
# nothing of superlatives. It counted.

# %%
from tokvec.figures.mergetable import MergeTableFigure

MergeTableFigure()

# %% [markdown]
# The list of merges *is* the tokeniser. To cut a new word, apply the merges in the order in which they were learned.
# *lowest* is not in the corpus:

# %%
pairs = [step.pair for step in steps]
for word in ("lowest", "newer", "slow"):
    print(word, "->", " ".join(tk.textbook_encode(word, pairs[:10])))

# %% [markdown]
# With ten merges *lowest* is a known stem and a known ending. *slow* begins with a letter that stands alone, and
# still it can be written.
#
# One trap. At the second step two pairs had nine occurrences, `es + t` and `t + ·`. Which comes first? The paper's
# program, run in today's Python, takes the pair it met first. The library `tokenizers` takes the pair with the smaller ids, and that is the
# older letters:

# %%
from tokvec.tokenizers.bpe import learn_merges

spelled = {word + "·": n for word, n in corpus.items()}
print(learn_merges(spelled, n_merges=3, first_id=ord("①")))  # new pieces: ①, ②, ③

# %% [markdown]
# Same data, same idea, another second merge. Two tokenisers that both call themselves BPE can disagree, and a model
# trained with one is lost with the other. From here on the library's rule is used, so that we can compare with it
# merge for merge.
#
# ## Bytes: an alphabet that nothing escapes
#
# One hole is left. An alphabet of letters seen in training does not hold the letter that nobody foresaw. GPT-2 closed
# the hole: its alphabet is the 256 bytes. Every text is bytes, so every text can be written, if need be a byte at a
# time. There is no `<unk>` at all.
#
# A promise about *all* texts deserves a nasty test. Here are two thousand strings drawn from the whole of Unicode.

# %%
check("K3.base_symbols", len(tk.BPE([]).tokens))
rng = random.Random(SEED)
surrogates = range(0xD800, 0xE000)  # halves of UTF-16 pairs, no characters
unicode = [chr(c) for c in range(0x110000) if c not in surrogates]
strings = ["".join(rng.choices(unicode, k=rng.randrange(40))) for _ in range(2000)]
same = [gpt2.decode(gpt2.encode(s)) == s for s in (*strings, text)]
check("K3.round_trip", all(same))
print(ascii(strings[1][:2]), "->", gpt2.encode(strings[1][:2]))

# %% [markdown]
# ## Learn two thousand merges
#
# Now do it at a size that matters: 2,048 merges on the three million characters of Wikipedia. Before counting, the
# text is cut into rough words, **pre-tokens**, each with the space in front of it, by GPT-2's regular expression. No
# merge crosses such a border, so *dog* and *dog.* will not be two pieces.

# %%
print(tk.pretokenize("It's low tide at 07:45,  isn't it?"), "\n")
bpe = tk.BPE.train(text, vocab_size=256 + 2048)
print([bpe.decode([i]) for i in range(256, 268)])
print([bpe.decode([i]) for i in range(2298, 2304)])

# %% [markdown]
# The first pieces are the grit of English: a space with *t*, *he*, *in*. The last are whole words, *self*, and
# beginnings of words, *foc* and *repl*. Is the list right? Train the library that most of the field uses, written in
# Rust, on the same text, and compare all the merges and the ids of some other text.

# %%
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

library = Tokenizer(models.BPE())
library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
alphabet = pre_tokenizers.ByteLevel.alphabet()
options = {"initial_alphabet": alphabet, "show_progress": False}
library.train_from_iterator([text], trainers.BpeTrainer(vocab_size=2304, **options))

# %%
others = [s for language in tk.LANGUAGES for s in parallel[language]]
theirs = [library.token_to_id(tk.bpe.visible(token)) for token in bpe.tokens]
same = all(library.encode(s).ids == bpe.encode(s) for s in others)
print(f"same {len(theirs):,} pieces: {theirs == list(range(2304))}")
print(f"same ids on {len(others)} sentences: {same}")

# %% [markdown]
# Now play with it. Type, and pull the slider back.

# %%
from tokvec.figures.tokenbench import TokenBenchFigure

TokenBenchFigure(bpe)

# %% [markdown]
# Three things to try. Write a word with and without a space before it. Write a long English word and undo merges
# until it is letters. Write anything that is not English: these merges were learned on English alone, and Thai comes
# out as bytes, three for each letter.
#
# How much does each merge buy? Take text that was not trained on, and use more and more of the list.

# %%
big = tk.BPE.train(text[:half], 256 + 8192)
held_out = text[half : half + 300_000]
sizes = [0, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]
gained = [len(held_out) / len(big.first(n).encode(held_out)) for n in sizes]
for n, characters, before in zip(sizes, gained, [None, None, *gained[1:]]):
    step = f"   {100 * (characters / before - 1):.0f} % more" if before else ""
    print(f"{n:5,} merges  {characters:.2f} characters a token{step}")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.4))
ax.plot(range(len(sizes)), gained, "o-", color=plots.COLOURS["token"])
ax.set_xticks(range(len(sizes)), [f"{n:,}" for n in sizes])
ax.set(yscale="log", ylim=(0.9, 4.2))
ax.set(xlabel="merges", ylabel="characters a token (log scale)")
ax.set_yticks([1, 1.5, 2, 3, 4], ["1", "1.5", "2", "3", "4"])
ax.minorticks_off()
plots.show(
    alt="A curve of characters a token against the number of merges, from 1.00 "
    "with no merges to 3.62 with 8,192; from 64 on it is nearly a straight "
    "line on a log scale.",
    caption="Each doubling of the list makes the tokens longer by about an eighth. "
    "Merge for merge, the first few dozen buy the most.",
)

# %% [markdown]
# Each doubling makes the tokens about an eighth longer, and no more. A vocabulary twice as large means twice as many
# rows in the table of chapter 2, so there is a point where it no longer pays. Makers of models have put that point
# anywhere between thirty thousand and a quarter of a million.
#
# <details>
# <summary>Why this is fast, in Python</summary>
#
# Counting every pair again after each merge, as the worked example does, would be hopeless here. Three things save
# it. Each distinct rough word is kept once, with its count. A merge touches only the words that hold the pair, and
# only the pairs beside the joined place. A heap hands over the commonest pair. And one trick: a word in the middle of
# training is kept as a string whose characters *are* its tokens, so that joining is `word.replace(pair, new)`. The
# benchmark `bpe-train` compares with the library; see `lib/tokvec/tokenizers/bpe.py`, which is short.
#
# </details>
#
# ## Tokens are not words
#
# Back to GPT-2's own 50,000 merges, and to three facts about its cuts that surprise people who think in words.


# %%
def bars(pieces: list[str]) -> str:
    return "|".join(pieces).replace(" ", "␣").replace("\n", "↵")


ranks = resources.files("bpe_openai") / "data"
special = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
with resources.as_file(ranks / "o200k_base.tiktoken.gz") as path:
    o200k = tk.BPE.from_tiktoken(path, tk.O200K, special)

# %%
sentence = "The windowsill, unbelievably, was wet."
for s in (sentence, "unbelievably", "egg egg.Egg EGG", "12345 + 12346"):
    print(f"gpt2  {bars(gpt2.split(s))}\no200k {bars(o200k.split(s))}")

# %%
both = (gpt2, o200k)
inside = [t.split("windowsill") == ["windows", "ill"] for t in both]
spaces = [t.split("the low tide") == ["the", " low", " tide"] for t in both]
check("K6.inside_words", all(inside))
check("K6.leading_space", all(spaces))
alone, after = gpt2.encode("world"), gpt2.encode("hello world")[1:]
print("world:", alone, "after 'hello ':", after)
changed = [t.encode("world") != t.encode("hello world")[1:] for t in both]
check("K6.depends_on_text_before", all(changed))

# %% [markdown]
# **Cuts fall inside words, and not where grammar would put them.** A windowsill is *windows* and *ill* to both
# vocabularies.
#
# **The space in front belongs to the token.** Before a word it is not thrown away, and it has no token of its own.
# (Before digits o200k does give it one: look at the cuts above.)
#
# **The same word is cut differently after different text.** *world* at the start of a text is token 6894; after a
# space it is 995. To the model these are two different symbols, as different as *world* and *frog*, until training
# teaches it otherwise. *unbelievably* is one token in the middle of a sentence and falls to pieces at its beginning.
# Capitals change it all again.
#
# Look at the numbers, too: `12345` and `12346` are neighbours, and GPT-2 cuts them in different places. A model that
# never sees letters or digits has a hard time counting the ones or adding the others. When you reason about such a
# model, reason in its tokens.
#
# ## Two other families
#
# **WordPiece**, BERT's tokeniser, also builds up by joining. But it does not join the *commonest* pair. It joins the
# pair that makes the corpus most *likely*. Think of the text as pieces drawn independently, each with its share as
# probability. With counts $n_t$ and $N$ pieces in all, the logarithm of the probability of the whole text, its
# **log-likelihood**, is
#
# $$\sum_t n_t\log n_t - N\log N$$
#
# and the pair to join is the one that raises it most. A pair that is common only because both halves are common gains
# little; a pair that occurs together more than chance gains much. When it cuts, WordPiece forgets the merges and
# takes the longest piece that fits, again and again. Pieces inside a word wear the mark `##`.
#
# <details>
# <summary>The gain, exactly, and a formula you may meet elsewhere</summary>
#
# Write $f(n) = n\log n$. Joining $a$ and $b$ at all their $k$ places turns $k$ of each into $k$ of a new piece and
# makes the text $k$ pieces shorter. So the log-likelihood changes by
#
# $$f(k) + f(n_a - k) + f(n_b - k) - f(n_a) - f(n_b) + f(N) - f(N - k)$$
#
# Where the pair is rare beside its halves this is about $k \big(\log\frac{k N}{n_a n_b} - 1\big)$. Many texts give
# the score $\frac{k}{n_a n_b}$ instead. That puts the pairs in order of the gain *per occurrence*, and used by itself
# it falls in love with pairs seen once. Google never published its trainer; ours computes the paper's criterion,
# with the simplest of language models, in which pieces are drawn independently.
#
# </details>
#
# **Unigram**, in SentencePiece, goes the other way. Start with far too many pieces, fit their probabilities so that
# the corpus is as likely as possible (expectation-maximisation), throw out the quarter that would be missed least,
# repeat. A space is an ordinary character, written `▁`, U+2581. A word is cut in the most probable way.
#
# Train all three to a thousand pieces on the same text, and give them the same words.

# %%
sample = text[:200_000]
families = {
    "BPE": tk.BPE.train(sample, 1000),
    "WordPiece": tk.WordPiece.train(sample, 1000),
    "Unigram": tk.Unigram.train(sample, 1000),
}
for s in ("the lowest tides", "individualism", "societies", "unbelievably", "Kraków"):
    for name, tokenizer in families.items():
        print(f"{name:10} {bars(tokenizer.split(s))}")

# %% [markdown]
# They agree more than they differ. *un*, *est*, *ism*, *ly* come out of all three, though one counts, one weighs
# likelihoods, and one prunes. BPE spends 256 of its thousand on bytes, so its pieces are shorter here; it shows `�`
# where a byte is no letter by itself. WordPiece was given small letters without accents, as BERT's uncased model is.
#
# And two of them break the promise of the byte alphabet. WordPiece and Unigram work on characters, so a character
# that training never met is unknown after all:

# %%
for name, tokenizer in families.items():
    print(f"{name:10} {bars(tokenizer.split('low tide ☃'))}")

# %% [markdown]
# Are these the real algorithms? Give ours BERT's own vocabulary (it comes with MiniLM, the encoder of
# chapters 8 and 9), give the library our thousand Unigram pieces, and compare ids.

# %%
folder = datasets.minilm()
bert = tk.WordPiece.load(folder / "vocab.txt")
bert_library = Tokenizer.from_file(str(folder / "tokenizer.json"))
bert_library.no_padding()
bert_library.no_truncation()
theirs = [bert_library.encode(s, add_special_tokens=False).ids for s in others]
check("K5.wordpiece_agrees", [bert.encode(s) for s in others] == theirs)

# %%
unigram = families["Unigram"]
scored = list(zip(unigram.pieces, unigram.log_probabilities))
unigram_library = Tokenizer(models.Unigram(scored, unk_id=0, byte_fallback=False))
spaces = pre_tokenizers.Metaspace("\u2581", prepend_scheme="always")
unigram_library.pre_tokenizer = spaces
theirs = [unigram_library.encode(s).ids for s in others]
check("K5.unigram_agrees", [unigram.encode(s) for s in others] == theirs)
check("K5.space_mark", f"U+{ord(unigram.split('a b')[1][0]):04X}")

# %% [markdown]
# Why "most probable", and how is it found? Under Unigram a word can be cut in many ways. Their number can double with
# every letter. The Viterbi algorithm goes through the letters once and keeps, at each, only the best way to get
# there: whatever follows, a worse way to the same place cannot win.

# %%
from tokvec.figures.lattice import LatticeFigure, share_of_best

LatticeFigure(unigram)

# %% [markdown]
# The other ways are not useless. If you *draw* a way instead of taking the best, a model in training sees the same
# word cut differently from day to day, and learns not to rely on one cut. Kudo called it **subword regularisation**.
# A power `alpha` below one makes the rarer cuts more frequent.

# %%
word = "unbelievably"
ways, share = share_of_best(unigram, "▁" + word)
print(f"{ways} ways; the best has {100 * share:.0f} % of the probability")
rng = random.Random(SEED)
for alpha in (1.0, 0.3):
    print("alpha", alpha)
    for _ in range(4):
        ids = unigram.sample(word, rng, alpha)
        print("   ", bars([unigram.pieces[i] for i in ids]))

# %% [markdown]
# ## What tokens cost
#
# Tokens are what a model's time is spent on and what its users pay for. How large are real vocabularies?

# %%
special = {"<|endoftext|>": 100257, "<|fim_prefix|>": 100258}
special |= {"<|fim_middle|>": 100259, "<|fim_suffix|>": 100260}
special |= {"<|endofprompt|>": 100276}
with resources.as_file(ranks / "cl100k_base.tiktoken.gz") as path:
    cl100k = tk.BPE.from_tiktoken(path, tk.CL100K, special)
check("K1.gpt2", gpt2.vocab_size)
not_run("K1.p50k", "needs p50k_base")
check("K1.cl100k", cl100k.vocab_size)
check("K1.o200k", o200k.vocab_size)

# %% [markdown]
# GPT-2's number has a plain explanation: 256 bytes, 50,000 merges, and one token that ends a text. The newer ones are
# larger by design, and leave some ids unused: their figure is the largest id plus one.

# %%
merges, ends = len(gpt2.merges), len(gpt2.special)
print(f"gpt2: 256 + {merges:,} + {ends} = {256 + merges + ends:,}")
print(f"o200k has {o200k.vocab_size - gpt2.vocab_size:,} more")
real = {"gpt2": gpt2, "cl100k": cl100k, "o200k": o200k}
for name, tokenizer in real.items():
    check(f"K7.{name}", len(text) / len(tokenizer.encode(text)))

# %% [markdown]
# A token is about four bytes, says the documentation of `tiktoken`, and in English a byte is a character. On this
# encyclopedia it is 4.51. Four times the vocabulary, from gpt2 to o200k, has brought it to 4.59 and no further:
# English was already well served. So who got the other 149,762 tokens?
#
# ## The same meaning in four languages
#
# The Polish lesson that this chapter checks says that the same text costs more tokens in Polish, and adds, honestly,
# that this was never measured there. Measure it: all 96 sentences, in each language, relative to English.

# %%
counters = {"characters": len, "bytes": lambda s: len(s.encode())}
counters |= {name: lambda s, t=t: len(t.encode(s)) for name, t in real.items()}
relative = {}
print(f"{'':10}", *(f"{lang:>8}" for lang in tk.LANGUAGES))
for name, length in counters.items():
    costs = {lang: sum(map(length, parallel[lang])) for lang in tk.LANGUAGES}
    print(f"{name:10}", *(f"{n:8,}" for n in costs.values()))
    relative[name] = {lang: n / costs["english"] for lang, n in costs.items()}

# %%
for language in ("polish", "french", "thai"):
    for name in real:
        check(f"K8.{language}_{name}", relative[name][language])
check("K8.polish_characters", relative["characters"]["polish"])
check("K8.thai_characters", relative["characters"]["thai"])

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.8))
shades = ["#9A9A9A", "#555555", "#A6CBE3", "#4C9CCB", "#0B5A8A"]
for k, (name, row) in enumerate(relative.items()):
    places = [i + (k - 2) * 0.16 for i in range(3)]
    heights = [row[lang] for lang in ("polish", "french", "thai")]
    bars_drawn = ax.bar(places, heights, width=0.15, color=shades[k], label=name)
    box = {"fc": "white", "ec": "none", "pad": 0.4}
    ax.bar_label(bars_drawn, fmt="%.2f", fontsize=7, padding=3, bbox=box)
ax.axhline(1, color="#222222", linewidth=1, zorder=0.5)
ax.set_xticks(range(3), ["Polish", "French", "Thai"])
ax.set(ylabel="times the English cost")
ax.legend(ncols=5, loc="upper left", fontsize=8, columnspacing=1)
ax.grid(axis="x")
plots.show(
    alt="Grouped bars: cost of the same sentences in Polish, French and Thai "
    "relative to English, in characters, bytes, gpt2, cl100k and o200k "
    "tokens.",
    caption="The line is English. In characters (light grey) Polish and Thai are "
    "shorter than English; in GPT-2's tokens (light blue) Thai costs nearly "
    "seven times as much. Each newer vocabulary (darker blue) narrows the "
    "gap, and none closes it.",
)

# %% [markdown]
# Look at the grey bars first. The Polish sentences are *shorter* than the English ones, counted in characters, and
# the Thai ones are shorter by far. Nothing about these languages is wordy. Then look at GPT-2: the same Polish costs
# 2.31 times the English, the same Thai 6.86 times. A user who writes Thai paid nearly seven times the price, waited
# longer, and fitted a seventh of the text into the window.
#
# The cause is not the language but the corpus the merges were learned on. GPT-2's was English. For Thai it learned
# next to nothing: a letter is three bytes, and still costs two tokens on average. By o200k the corpus had grown to
# many languages and Thai fell to 1.52. That is where many of the new tokens went.
#
# Ninety-six sentences are not a corpus. How sure are the ratios? Draw the sentences again and again with replacement,
# and see how much the ratio moves.

# %%
english = [len(gpt2.encode(s)) for s in parallel["english"]]
polish = [len(gpt2.encode(s)) for s in parallel["polish"]]
rng, n = random.Random(SEED), len(english)
draws = [rng.choices(range(n), k=n) for _ in range(2000)]
ratios = sorted(sum(polish[i] for i in d) / sum(english[i] for i in d) for d in draws)
print(f"Polish over English: 95 % of draws from {ratios[50]:.2f} to {ratios[1949]:.2f}")
cheaper = sum(p <= e for p, e in zip(polish, english))
print(f"not dearer in Polish: {cheaper} of {n} sentences")

# %% [markdown]
# The figure is firm. Now a rule of thumb that fails. The same lesson says of *kotami*, "with cats", that it is one or
# two tokens:

# %%
for name, tokenizer in real.items():
    first, inside = bars(tokenizer.split("kotami")), bars(tokenizer.split(" kotami"))
    print(f"{name:7} {first:10} after a space: {inside}")
    check(f"K9.{name}", len(tokenizer.encode("kotami")))

# %% [markdown]
# Two for o200k, and only there. For gpt2 and cl100k it is three. With a space in front, as in the middle of a
# sentence, cl100k manages with two as well. Say which tokeniser you mean, and what stands before the word.
#
# ## How far down could it go?
#
# Compression is the other name of this game. Give each token a code as long as its rarity demands, $-\log_2 p$ bits,
# and add up. How many bits does a character of English cost then?


# %%
def bits_per_character(symbols: list, characters: int) -> float:
    counts = Counter(symbols)
    n = len(symbols)
    return -sum(k * math.log2(k / n) for k in counts.values()) / characters


cuts = {"characters": list(text), "2,048 merges": bpe.encode(text), "gpt2": gpt2_ids}
for name, symbols in cuts.items():
    print(f"{name:12} {bits_per_character(symbols, len(text)):.2f} bits a character")
check("K11.bits", bits_per_character(gpt2_ids, len(text)))

# %% [markdown]
# From 4.66 bits to 2.42: longer pieces alone have nearly halved the price. What was learned about which letters go
# together sits in the vocabulary. This is without any context. Each token is guessed as if nothing stood before it,
# and the table of probabilities itself is not charged for.
#
# Claude Shannon (1951) had people guess the next letter of English texts with up to a hundred letters before it in
# view, and put the price at about one bit a letter, in an alphabet of letters and the space. The distance between the two numbers is what the rest of the book, and the rest
# of the field, is about. Chapter 3 takes the next step down, and shows what to beware of when two such numbers are
# compared.
#
# ## What this chapter did not show
#
# - Normalisation: whether *é* as one character or as *e* with an accent should be the same. BERT's tokeniser folds
#   them, GPT-2's does not, and each choice loses something.
# - What the cut does to a model. That needs trained models; here only lengths and prices were measured.
# - Languages with larger alphabets, such as Chinese, and programming languages, whose runs of spaces newer
#   vocabularies treat with care.
# - How the makers of a vocabulary choose its training text, which, as you saw, decides who pays.
#
# Text is now a list of whole numbers. Are these numbers that a network can compute with? Chapter 2 tries, and fails
# at once.
#
# ## Exercises
#
# 1. **By hand.** The corpus is *aaab* five times and *aab* three times, without end marks. What are the first three
#    merges? Check with `textbook_merges(..., end="")`, and say what happens to the pair `a + a` inside *aaa*.
# 2. **Vocabulary arithmetic.** A vocabulary of 256 bytes, M merges and three special tokens, with vectors of 768
#    numbers. From which M on does the table of vectors have more than ten million numbers?
# 3. **A fairer tokeniser.** Train 2,048 merges on the parallel text of all four languages and compute the four costs
#    again. Who pays now? Explain with what you know of the training text.
# 4. **Greedy is not optimal.** Find a word that WordPiece's longest match cuts into more pieces than necessary, with
#    the vocabulary `["[UNK]", "th", "the", "##ermal", "##r", "##mal"]`, and then one with a vocabulary of your own.
# 5. **Sampling.** For a word of your choice, draw a thousand cuts with `alpha=1` and compare their frequencies with
#    their probabilities.
#
# ## Sources
#
# - The lessons that this chapter checks: *Anatomia LLM: tokeny i embeddingi* (in Polish) and *Tokens et plongements*
#   (in French), sources of claims K1 to K9; and Shannon's paper, below, for K11.
# - Philip Gage, [A New Algorithm for Data
#   Compression](http://www.pennelynn.com/Documents/CUJ/HTML/94HTML/19940045.HTM) (1994).
# - Rico Sennrich, Barry Haddow and Alexandra Birch, [Neural Machine Translation of Rare Words with Subword
#   Units](https://arxiv.org/abs/1508.07909) (2016): BPE for language.
# - Alec Radford and others, [Language Models are Unsupervised Multitask
#   Learners](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)
#   (2019): bytes as the alphabet.
# - Mike Schuster and Kaisuke Nakajima, [Japanese and Korean Voice
#   Search](https://doi.org/10.1109/ICASSP.2012.6289079) (2012): WordPiece.
# - Taku Kudo, [Subword Regularization](https://arxiv.org/abs/1804.10959) (2018), and with John Richardson,
#   [SentencePiece](https://arxiv.org/abs/1808.06226) (2018): Unigram.
# - Aleksandar Petrov and others, [Language Model Tokenizers Introduce Unfairness Between
#   Languages](https://arxiv.org/abs/2305.15425) (2023): the same question over many languages.
# - OpenAI, [tiktoken](https://github.com/openai/tiktoken): the vocabularies, and "about 4 bytes" a token.
# - Claude E. Shannon, [Prediction and Entropy of Printed English](https://doi.org/10.1002/j.1538-7305.1951.tb01366.x)
#   (1951).
