# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires:
#     - names
#     - wikipedia_sample
# ---

# %% [markdown]
# # 3 · Counting what comes next
#
# Chapter 2 gave one row one lesson: after *kamienny* came *zamek*. Where do such lessons come from by the million,
# and how do you tell what a model has made of them? A **language model** answers one question: given the symbols so
# far, how likely is each symbol to come next? Here you build the smallest one that can be called a model, a table of
# counts. You sample from it, score it on names that were held out, read its score as a number of choices, and watch
# one missing count ruin the score. By the end you can say what perplexity is, why zeros are fatal, why dividing
# counts is not a trick but the best answer there is, and when two perplexities may not be compared.
#
# About 30 minutes to read, half a minute to run.
#
# - **Builds on** chapter 1, for its last part.
# - **Reads** the names and a sample of Wikipedia; needs `regex` besides NumPy, PyTorch and Matplotlib.
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
from itertools import product

import matplotlib.pyplot as plt
import torch

from tokvec import bigram, datasets, plots
from tokvec.claims import check

plots.use()

# %% [markdown]
# ## The data label themselves
#
# The corpus is a list of first names, one a line. The task is to make more of them, one letter at a time. Before
# anything is counted, one name in ten is put aside for validation and one in ten for testing: a model is to be judged
# on data that it was not fitted to.

# %%
names = datasets.names()
train, validation, test = bigram.split(names)
print(names[:5])
check("N1.names", len(names))
check("N1.split", [len(train), len(validation), len(test)])
known = set(train)
again = sum(name in known for name in validation)
print(f"validation names that training has as well: {again}")

# %% [markdown]
# Some names stand in the list more than once, so 416 of the validation names are in the training part too. The split
# is the lesson's, and is kept so that its figures can be checked.
#
# A name has to begin and end somewhere, so a 27th symbol, `.`, stands at both ends. Then a name is a chain of pairs:
# this symbol, and the one after it.

# %%
xs, ys = bigram.bigrams(["emma"])
for x, y in zip(xs.tolist(), ys.tolist()):
    print(f"{bigram.decode([x])} -> {bigram.decode([y])}")

# %% [markdown]
# Look at the two columns. The right one is the left one, moved up by a line. **The labels are the data, shifted by
# one.** Nobody had to annotate anything: a text of a million symbols is a million labelled examples. This is why
# language models are trained on whatever text there is, and not on data that somebody made.

# %%
xs, ys = bigram.bigrams(train)
xv, yv = bigram.bigrams(validation)
check("N1.train_bigrams", len(xs))
check("N1.validation_bigrams", len(xv))

# %% [markdown]
# ## A model is a table
#
# Now count. `N[a, b]` is how often `b` came right after `a` in the training names. That is the whole of the training:
# one pass over the data, and no learning rate.

# %%
N = bigram.count(xs, ys)
print(N.shape, N.sum().item())
for a, b in ("an", ".a", "qu", "qz"):
    times = N[bigram.SYMBOLS.index(a), bigram.SYMBOLS.index(b)]
    print(f"{a} -> {b}   {times:5d}")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 6.6))
ax.imshow(torch.log10(N.float() + 1), cmap="Blues")
ax.set_xticks(range(27), bigram.SYMBOLS)
ax.set_yticks(range(27), bigram.SYMBOLS)
ax.set(xlabel="symbol that came next", ylabel="symbol before")
ax.tick_params(length=0, labeltop=True)
ax.grid(False)
for i, j in (N == 0).nonzero().tolist():
    ax.plot(j, i, ".", color=plots.COLOURS["gradient"], markersize=3)
plots.show(
    alt="Heat map of 27 by 27 bigram counts: a row for each symbol before, a "
    "column for each after. Cells never seen carry a dot.",
    caption="Darker is more often, on a log scale. The rows of a, e and n are dark "
    "all along; the row of q is nearly empty. A dot marks a pair that no "
    "training name has.",
)

# %% [markdown]
# Divide each row by its sum, and every row is a probability distribution: given the symbol before, how likely is each
# symbol next? For a reason that comes below, add one to every count first.

# %%
P = bigram.probabilities(N, add=1)
after_a, order = P[bigram.SYMBOLS.index("a")].sort(descending=True)
for p, i in zip(after_a[:6].tolist(), order[:6].tolist()):
    print(f"a -> {bigram.decode([i])}   {p:.4f}")
check("N2.symbols", list(bigram.decode(order[:6].tolist())))
check("N2.probabilities", after_a[:6])

# %% [markdown]
# After an *a*, the likeliest thing is that the name is over: nearly one time in five.
#
# ## Let it write
#
# Start at the boundary. Draw the next symbol from the row you are in, go to that symbol's row, and go on until you
# draw the boundary again. All the chance comes from one seeded generator, so you get the same names as this page.

# %%
g = bigram.generator()
samples = [bigram.sample(P, g) for _ in range(20)]
for start in range(0, 20, 5):
    print("  ".join(samples[start : start + 5]))

# %%
check("N5.second", samples[1])
check("N5.second_length", len(samples[1]))
check("N5.longest", max(len(name) for name in samples))
pairs = N[bigram.bigrams([samples[1]])]
print("rarest pair in it was seen", pairs.min().item(), "times in training")

# %% [markdown]
# The second name is a monster: *momakurailezitynn*. Yet look at any two letters of it side by side. Every pair in it
# is a pair that real names have, and the rarest of them was seen 44 times. Nothing is wrong with any step. What is
# wrong is the whole, and the whole is what a model with one letter of memory cannot see: it does not know that it has
# been going on for 17 letters.

# %% tags=["hide-input"]
x1, y1 = bigram.bigrams([samples[1]])
along = P[x1, y1]
steps = [f"{bigram.decode([a])}→{bigram.decode([b])}" for a, b in zip(x1, y1)]
fig, ax = plt.subplots(figsize=(7.2, 2.8))
ax.bar(range(len(along)), along, color=plots.COLOURS["probability"], width=0.75)
ax.set_xticks(range(len(along)), steps, fontsize=8)
ax.axhline(1 / 27, color=plots.COLOURS["id"], linestyle="--", linewidth=1)
ax.text(-0.7, 1 / 27 + 0.006, "1/27", ha="right", color=plots.COLOURS["id"], fontsize=8)
ax.set(ylabel="probability of the step", xlim=(-1.9, len(along) - 0.4))
ax.grid(False, axis="x")
plots.show(
    alt="Bars: the probability of each step of the sampled name "
    "momakurailezitynn, with a dashed line at one in 27.",
    caption="The steps of one sampled name. Most are well above blind guessing "
    "(dashed). The last one, ending after n, was likely at both of its "
    "chances.",
)

# %% [markdown]
# ## One number for how good it is
#
# A good model gives high probability to what really comes next. Take the probabilities it gave to every symbol of the
# validation names, and multiply them: that is the likelihood. The product of thousands of numbers below one is too
# small for any computer, so take logarithms and add; turn the sign, so that smaller is better; divide by the count,
# so that long texts are not punished. This is the **average negative log-likelihood**, in nats a symbol:
#
# $$L = -\frac{1}{n}\sum_{i=1}^{n}\log P(y_i \mid x_i)$$

# %%
loss = bigram.average_nll(P, xv, yv)
check("N3.val_loss", loss)

# %% [markdown]
# What is 2.4546? On its own, nothing much. So undo the logarithm. To see what comes out, score a model that knows
# nothing at all and gives every symbol the same probability, one in 27.

# %%
uniform = torch.full((27, 27), 1 / 27)
uniform_loss = bigram.average_nll(uniform, xv, yv)
check("N3.uniform_loss", uniform_loss)
check("N3.uniform_perplexity", bigram.perplexity(uniform_loss))
check("N3.val_perplexity", bigram.perplexity(loss))

# %% [markdown]
# The model that knows nothing scores 27.000 exactly, since $e^{\log 27} = 27$. The exponential has turned the loss
# back into a count of things. That count is the **perplexity**: the number of equally likely choices that would be as
# hard to guess. Knowing one letter, the table is as unsure as somebody who picks from 11.642 symbols instead of 27.
# On average it is as if more than half of the alphabet were out of the question.
#
# $$\text{perplexity} = e^{L}$$
#
# ## Zero is fatal
#
# Back to the one that was added to every count. Leave it out, and score again.

# %%
P0 = bigram.probabilities(N)
unsmoothed = bigram.average_nll(P0, xv, yv)
print("unsmoothed validation loss:", unsmoothed)
check("N4.infinite", unsmoothed == float("inf"))

# %% [markdown]
# Infinite. How much of the table did that?

# %%
empty = (N == 0).sum().item()
check("N4.cells", N.numel())
check("N4.empty", empty)
check("N4.empty_share", 100 * empty / N.numel())

# %%
seen = N[xv, yv] > 0
missed = [bigram.decode(pair) for pair in zip(xv[~seen].tolist(), yv[~seen].tolist())]
print(missed)
check("N4.hits", len(missed))
check("N4.hit_qo", missed.count("qo"))
check("N4.seen_only", bigram.average_nll(P0, xv[seen], yv[seen]))
print(f"the same pairs, add 1: {bigram.average_nll(P, xv[seen], yv[seen]):.4f}")

# %% [markdown]
# In training, 113 of the 729 cells were never seen: 15.5 % of the table is empty. Among the 22,697 validation pairs,
# seven fall into such a cell. The model had called them impossible, and they happened. The logarithm of zero is minus
# infinity, and a sum with one infinite term is infinite, whatever the other terms are.
#
# Adding one to every count (**add-one smoothing**, Laplace's rule) costs almost nothing here: on the pairs that
# training had seen, 2.4532 against 2.4524 without it; on all of them, 2.4546 against infinity. But read the repair as a confession. A count table cannot
# generalise. It has seen *u* after *q* and cannot wonder whether *o* might do as well, because nothing in it says
# that *u* and *o* have anything in common. Each of its 729 cells is learned alone. The rest of this book is about
# tables whose rows know about each other.
#
# ## Why dividing counts is the best answer
#
# Row by row, dividing counts by their sum looks like common sense. It is more: of all tables there are, it is the one
# that makes the training data most likely. Try to beat it. Here are a thousand rivals, each the count table with a
# little of a random table mixed in.

# %%
best = bigram.average_nll(P0, xs, ys)
g = bigram.generator()
noise = [torch.rand((27, 27), generator=g).softmax(1) for _ in range(1000)]
rivals = [0.99 * P0 + 0.01 * table for table in noise]
losses = torch.stack([-(N * rival.double().log()).sum() / N.sum() for rival in rivals])
print(f"count table {best:.4f}   best of 1,000 rivals {losses.min():.4f}")
check("N9.maximum_likelihood", bool((losses > best).all()))

# %% [markdown]
# <details>
# <summary>Derivation: the maximum-likelihood estimate of a row</summary>
#
# Take one row with counts $n_1, \dots, n_V$ and unknown probabilities $p_1, \dots, p_V$. The log-likelihood of the
# row is $\sum_b n_b \log p_b$, to be made as large as possible while $\sum_b p_b = 1$. With a multiplier $\lambda$
# for the constraint, set the derivative to zero:
#
# $$\frac{\partial}{\partial p_b}\Big(\sum_c n_c\log p_c - \lambda\big(\sum_c p_c - 1\big)\Big) = \frac{n_b}{p_b} - \lambda = 0$$
#
# So $p_b = n_b/\lambda$, and since the probabilities sum to one, $\lambda = \sum_c n_c$. Hence $p_b = n_b / \sum_c
# n_c$: the count over the sum of its row. A symbol with $n_b = 0$ does not occur in the sum at all, so whatever it is
# given is taken from the others: $p_b = 0$, which is the same formula. The logarithm is concave, so this is the only
# maximum.
#
# </details>
#
# There is a second way to say the same thing. The truth at each place is a distribution too: all of it on the symbol
# that really came. Such a distribution is a one-hot vector, as in chapter 2. Measure how far the model's
# distribution $q$ is from the truth $p$ with the Kullback-Leibler divergence:
#
# $$D(p \,\|\, q) = \sum_b p_b \log\frac{p_b}{q_b} = -\sum_b p_b\log q_b - H(p)$$
#
# The first part is the cross-entropy. In the second, $H(p)$ is the entropy of the truth, and that is zero, because a
# one-hot truth holds no surprise. So making the training data more likely, lowering the cross-entropy, and pulling
# the model towards the data are one and the same act.

# %%
truth = torch.nn.functional.one_hot(yv, 27).double()
log_q = P[xv].double().log()
kl = torch.nn.functional.kl_div(log_q, truth, reduction="batchmean").item()
print(f"KL divergence {kl:.4f}   cross-entropy {loss:.4f}")
check("N9.cross_entropy_is_kl", abs(kl - loss) < 1e-6)

# %% [markdown]
# The counts are stored with the book, since chapter 4 starts from them. Are they these?

# %%
stored_train, stored_validation = bigram.stored_counts()
print("training counts agree:  ", torch.equal(stored_train, N))
counts_there = torch.equal(stored_validation, bigram.count(xv, yv))
print("validation counts agree:", counts_there)

# %% [markdown]
# ## One symbol at a time is enough
#
# "It only predicts the next symbol," people say, as if there were some larger task that it does not do. There is
# none. The chain rule of probability holds for any sequence of anything:
#
# $$P(c_1 c_2 \dots c_m) = \prod_{i=1}^{m} P(c_i \mid c_1 \dots c_{i-1})$$
#
# So a model of the next symbol gives a probability to every whole text, and if it is sure to stop some time, these add
# up to one. Check it on this
# table: spell out every word of up to three letters, multiply along each one, and add up. Then let the table run,
# without spelling anything, and see how much of it has ended by then.

# %%
letters = bigram.SYMBOLS[1:]
short = ["".join(w) for m in range(4) for w in product(letters, repeat=m)]
spelled = sum(P[bigram.bigrams([w])].double().prod().item() for w in short)
print(f"{len(short):,} words of up to three letters: {spelled:.6f}")

# %%
state, ended = torch.zeros(27, dtype=torch.float64), []
state[bigram.BOUNDARY] = 1
for _ in range(200):
    state = state @ P.double()
    ended.append(state[bigram.BOUNDARY].item())
    state[bigram.BOUNDARY] = 0
print(f"ended after at most three letters: {sum(ended[:4]):.6f}")
print(f"ended after at most 199 letters:   {sum(ended):.6f}")
check("N9.chain_rule", abs(spelled - sum(ended[:4])) < 1e-6 and sum(ended) > 0.9999)
real = sum(len(w) <= 3 for w in train) / len(train)
print(f"names so short: expected {100 * spelled:.0f} %, real {100 * real:.1f} %")

# %% [markdown]
# The 18,279 short words get 0.394125 of the probability, by either route, and all words together get everything. A
# model of next symbols *is* a model of whole texts. There was never a second job.
#
# As a model of whole names the table is a poor one, and this is where it shows: it expects 39 % of all names to have
# at most three letters, and 2.0 % of them do. One letter of memory cannot count letters.
#
# ## Perplexity is a price per token
#
# Until here a symbol was a letter. Chapter 1 had other ways to cut a text, and each of them gives a perplexity. Does
# the model with the lowest one win? Take one text and one model, and change nothing but the knife.
#
# The text is English: the Wikipedia articles of chapter 1, of which only lines of prose are kept. Whole articles go
# to training, to validation and to the test.

# %%
import math
import re

from tokvec import tokenizers
from tokvec.interpolated import price, vocabulary


def prose(article: str) -> str:
    lines = re.sub("'{2,}", "", article).split("\n")
    return "\n".join(x for x in lines if len(x) >= 80 and x[0] not in "*#|=:;!{}<")


articles = [text for text in map(prose, datasets.wikipedia_sample()) if text]
texts = ["\n".join(part) for part in bigram.split(articles)]
print(len(articles), "articles, characters:", *(f"{len(text):,}" for text in texts))

# %% [markdown]
# With thousands of symbols, adding one to every count drowns the counts. Mix three tables instead: which symbol
# followed this one, how common each symbol is, and all symbols alike.
#
# $$P(y \mid x) = w_2\,\frac{c(x, y)}{c(x)} + w_1\,\frac{c(y)}{N} + w_0\,\frac{1}{V}$$
#
# The three weights add up to one, and are chosen to make the validation text as likely as possible. This is the
# **interpolated** bigram model. Four knives: letters, 512 merges, 2,048 merges, whole words (the rough
# words of chapter 1, punctuation marks among them). A word that training saw only once counts as unknown.

# %%
length = len(texts[2])
prices = {"characters": price(*map(list, texts), length)}
merges = tokenizers.BPE.train(texts[0], 256 + 8192)
for n in (512, 2048):
    bpe = merges.first(n)
    every_id = {i: i + 1 for i in range(bpe.vocab_size)}  # 0 is for the unknown
    prices[f"BPE-{n}"] = price(*map(bpe.encode, texts), length, every_id)
words = [tokenizers.pretokenize(text) for text in texts]
seen_twice = vocabulary(words[0], min_count=2)
prices["words"] = price(*words, length, seen_twice)

# %%
print("             symbols   tokens  perplexity  bits a character")
for name, p in prices.items():
    row = f"{p.perplexity:10.2f} {p.bits_per_character:16.3f}"
    print(f"{name:10} {p.symbols:9,} {p.tokens:8,}  {row}")

# %%
perplexity = {name: p.perplexity for name, p in prices.items()}
bits = {name: p.bits_per_character for name, p in prices.items()}
check("K10.perplexity_factor", max(perplexity.values()) / min(perplexity.values()))
check("K10.order_by_bits", sorted(bits, key=bits.get))
check("K10.bits_words", bits["words"])
check("K10.bits_bpe_2048", bits["BPE-2048"])
check("K10.bits_bpe_512", bits["BPE-512"])

# %% [markdown]
# The perplexities differ by a factor of 24, and not a thing about the model has changed. Guessing a word is harder
# than guessing a letter. So each guess costs more, and there are fewer guesses to make. Now look at the last column.
# It takes the same total and divides it by something that no knife can change, the number of characters. The order
# turns over completely: what looked best is worst.
#
# $$\text{bits a character} = \frac{\text{tokens}}{\text{characters}}\,\log_2(\text{perplexity})$$

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 4.0))
colours = ["#777777", "#56B4E9", "#0072B2", "#222222"]
left = {name: math.log(p) for name, p in perplexity.items()}
for name, colour in zip(prices, colours):
    heights = []
    for scale in (left, bits):
        low, high = min(scale.values()), max(scale.values())
        heights.append((scale[name] - low) / (high - low))
    ax.plot([0, 1], heights, "o-", color=colour, linewidth=2)
    label = f"{name}  {perplexity[name]:.1f}"
    ax.text(-0.04, heights[0], label, ha="right", va="center")
    ax.text(1.04, heights[1], f"{bits[name]:.2f}  {name}", va="center")
ax.set(xlim=(-0.6, 1.6), ylim=(-0.12, 1.12), yticks=[])
ax.set_xticks([0, 1], ["perplexity (log scale)", "bits a character"])
ax.text(-0.58, 1.05, "worse", fontsize=9)
ax.text(-0.58, -0.08, "better", fontsize=9)
ax.grid(False)
plots.show(
    alt="Two vertical scales joined by lines: perplexity on the left, bits a "
    "character on the right, for four tokenisers. Characters are best on "
    "the left and worst on the right, words the other way round.",
    caption="One model, one text, four knives; lower is better on both sides. Every "
    "pair of lines crosses.",
)

# %% [markdown]
# So a perplexity can be compared with another only if both count the same tokens. Between different tokenisers
# compare bits a character.
#
# And yet do not believe the last column too quickly either. How can words be so cheap?

# %%
print(f"unknown: {prices['words'].unknown:,} of {prices['words'].tokens:,} words")
print("known words  unknown  perplexity    bits  spelled out")
for min_count in (2, 20, 100, 1000):
    ids = vocabulary(words[0], min_count)
    short = price(*words, length, ids)
    full = price(*words, length, ids, spell=True)
    share = f"{100 * short.unknown / short.tokens:.1f} %"
    bits_of_both = f"{short.bits_per_character:7.3f} {full.bits_per_character:12.3f}"
    print(f"{len(ids):11,} {share:>8} {short.perplexity:11.2f} {bits_of_both}")

# %% [markdown]
# Read down the column of bits. The fewer words the model knows, the better its score. With 30 words it pays 0.422
# bits a character. That is less than half of the one bit or so that Shannon's readers needed (1951), and they knew
# English. It does so by answering "unknown" to 62.6 % of all words, and being right. Every word that it cannot read
# has become one cheap symbol. It is the champion of not reading.
#
# The last column makes it honest: after "unknown" the word must be spelled out, letter by letter, by a second model
# of the same kind. Now knowing fewer words costs more, as it should. The four knives again, all of them able to give
# back the text, and one more:

# %%
every_id = {i: i + 1 for i in range(merges.vocab_size)}
honest = prices | {
    "characters": price(*map(list, texts), length, spell=True),
    "words": price(*words, length, seen_twice, spell=True),
    "BPE-8192": price(*map(merges.encode, texts), length, every_id),
}
for name, p in sorted(honest.items(), key=lambda item: item[1].nats):
    print(f"{name:10} {p.bits_per_character:.3f} bits a character")

# %%
seen_twenty_times = vocabulary(words[0], min_count=20)
perplexity["words"] = price(*words, length, seen_twenty_times).perplexity
check("K10.order_by_perplexity", sorted(perplexity, key=perplexity.get))

# %% [markdown]
# Words rise from 1.542 bits to 2.277, a hair below 2,048 merges, and 8,192 merges beat them. The order by bits that
# this chapter checks still holds, and only just. The lesson that the chapter checks has another list, from the lowest
# perplexity to the highest, and in it words come second, before both of the others. The last line above shows how
# that can come about: with a list of the words that training saw at least twenty times. The lesson does not say where
# its own words stop; a perplexity of words means nothing until you say that.
#
# The best of these numbers is about two bits a character. Shannon's one bit is a long way off, and a bigger table of
# pairs will not get there.
#
# ## What this chapter did not show
#
# - Longer memory. Each letter more to look back on multiplies the rows by 27, and from three letters on most of them
#   are empty.
# - The best smoothing. Adding one is the bluntest of many ways, interpolation is better, and Kneser-Ney's is better
#   still.
#
# One thing in the table stays open. It was filled by counting and is the best of its kind. Would something that has
# never heard of counting, and only tries to be less surprised, end up at the same table? Chapter 4 lets a network
# try.
#
# ## Exercises
#
# 1. **Reading a number.** What is the perplexity of the table on its own training names? Is it lower than on the validation names, and by
#    how much? Explain the difference in one sentence.
# 2. **Smoothing.** Write `smooth(N, add)` without `bigram.probabilities`. Score `add` = 0.01, 0.1, 1, 10, 100 on the validation names.
#    Which is best? What does the table become as `add` grows without end?
# 3. **Perplexity.** Show, on paper and in a cell, that the uniform model over any number of symbols V has perplexity V.
# 4. **A second letter.** Count trigrams: a table with one row for each pair of symbols. How many of its 729 x 27 cells are empty? What is
#    its validation perplexity with add-one smoothing?
# 5. **The price of a token.** A model has perplexity 20 on tokens of 4 characters on average, another 15 on tokens of 3. Which is better,
#    and by how many bits a character?
# 6. **An open question.** The table prefers to end a name after *a*. Find two other habits of names that you can read off the heat map.
#
# ## Sources
#
# - The lesson that this chapter checks: *Next-token prediction: embeddings and the meaning of perplexity* (in Thai),
#   source of claims N1 to N5, N9 and K10.
# - Andrej Karpathy, [makemore](https://github.com/karpathy/makemore) (2022): the names and the idea.
# - Daniel Jurafsky and James H. Martin, [Speech and Language Processing](https://web.stanford.edu/~jurafsky/slp3/),
#   chapter 3: n-grams, smoothing, perplexity.
# - Frederick Jelinek and Robert Mercer, *Interpolated estimation of Markov source parameters from sparse data*
#   (1980).
# - Claude E. Shannon, [Prediction and Entropy of Printed English](https://doi.org/10.1002/j.1538-7305.1951.tb01366.x)
#   (1951).
