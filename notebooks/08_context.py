# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires:
#     - minilm
# ---

# %% [markdown]
# # 8 · Vectors that depend on the sentence
#
# Chapter 7 ended at a table that has one row for *bank*, whether the bank is by a river or takes your savings. Here
# you build the mechanism that repairs this, one attention head, small enough that every weight can be read. You see
# what it cannot see, the order of the words, and tell it the order in four ways. Then you follow one word through the
# layers of trained encoders and measure, for twelve words with two senses, where the senses part. The last of these
# encoders was trained for this book, so you can watch the parting happen. By the end you can say where a word's
# vector in a sentence comes from, name four codes of position and what each can say, and doubt a cosine until you
# know what unrelated things have.
#
# About 40 minutes to read, under a minute to run.
#
# - **Builds on** chapters 2 and 7.
# - **Reads** MiniLM, and a small BERT that comes with the book; needs `transformers` and `tokenizers` besides NumPy,
#   PyTorch and Matplotlib.
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
import json

import matplotlib.pyplot as plt
import torch
from tokenizers import Tokenizer

from tokvec import attention, contextual, datasets, masked_lm, plots
from tokvec.claims import check, not_run
from tokvec.figures.clocks import ClocksFigure
from tokvec.figures.head import HeadFigure
from tokvec.figures.layers import LayersFigure

plots.use()

# %% [markdown]
# ## Two castles, or a castle and a lock
#
# Chapter 2 had a word for it, and it is Polish. *Zamek* is a castle, and *zamek* is a lock. In *oto kamienny zamek*,
# here is a *zamek* of stone, you see towers. In *oto metalowy zamek*, a *zamek* of metal, you see a keyhole. You knew
# which from one neighbour.
#
# Take the two sentences and the table of chapter 2, four of its six rows.

# %%
table = {
    "oto": [0.10, -0.30, 0.25, 0.00, 0.40, -0.15],
    "kamienny": [0.30, 0.40, -0.10, 0.10, 0.20, 0.10],
    "metalowy": [0.35, 0.15, -0.20, 0.45, 0.30, -0.05],
    "zamek": [-0.50, 0.60, 0.20, -0.35, 0.10, 0.70],
}


# %%
def look_up(sentence):
    rows = [table[token] for token in sentence.split()]
    return torch.tensor(rows, dtype=torch.float64)


stone, metal = look_up("oto kamienny zamek"), look_up("oto metalowy zamek")
check("C4.equal_lookup", torch.equal(stone[2], metal[2]))

# %% [markdown]
# The third row is *zamek* in both, and a table has nothing else to give. Perhaps the position helps? Add to each row
# a vector that says where it stands (which one, comes below).

# %%
places = attention.sinusoidal_positions(3, 6)
x, y = stone + places, metal + places
check("C4.equal_with_positions", torch.equal(x[2], y[2]))

# %% [markdown]
# No: *zamek* is third in both sentences, so both get the same vector added. A lookup sees the token, a position sees
# the place, and neither sees the neighbour. The vector of *zamek* has to be **computed** from the sentence.
#
# ## One head, by hand
#
# Let every word ask every word: how much of you should there be in me? Compare the two vectors by their dot product,
# divide by the square root of the number of coordinates, so that longer rows do not mean larger scores, and turn the
# answers into shares with the softmax. Then the new vector of a word is the mix of all the vectors, in those shares.

# %%
scores = x @ x.T / 6**0.5
weights = scores.softmax(dim=1)
mixed = weights @ x
for token, row in zip(["oto", "kamienny", "zamek"], weights.tolist()):
    print(f"{token:9s}", " ".join(f"{w:.4f}" for w in row))
print("each row sums to", [round(s, 4) for s in weights.sum(dim=1).tolist()])
print("zamek in per cent:", " ".join(f"{100 * w:.0f}" for w in weights[2].tolist()))

# %% [markdown]
# These nine numbers are the whole mechanism. Read the last row: the new *zamek* is 41 % old *zamek*, 35 %
# *kamienny* and 25 % *oto* (rounded, so one too many). A third of it is stone now. In the other sentence a third
# will be metal.

# %%
after_stone, stone_weights = attention.self_attention(x)
after_metal, metal_weights = attention.self_attention(y)
print("the same as by hand:", torch.equal(after_stone, mixed))
print("zamek looks at      oto    middle zamek")
print("  beside kamienny", " ".join(f"{w:.4f}" for w in stone_weights[2].tolist()))
print("  beside metalowy", " ".join(f"{w:.4f}" for w in metal_weights[2].tolist()))


# %%
def cosine(a, b):
    return torch.cosine_similarity(a, b, dim=0).item()


print(f"cosine of the two zamek: {cosine(after_stone[2], after_metal[2]):.4f}")
different = not torch.allclose(after_stone[2], after_metal[2])
check("C4.different_after_head", different)

# %% [markdown]
# 0.9959: for the first time in this book, one word has two vectors. The difference is small, and it should be.
# Nothing here was trained; the two adjectives are rows that somebody wrote down, and the head only passes them on.
# What it shows is where the difference comes from. Take it away and it is gone:

# %%
again, _ = attention.self_attention(look_up("oto metalowy zamek") + places)
print(f"metal in both: cosine {cosine(after_metal[2], again[2]):.4f}")
check("C4.equal_again", torch.equal(after_metal, again))

# %% [markdown]
# The table of weights is complete: nothing else happens inside a head, except that a trained one looks through three
# learned matrices. They give each word a **query** (what it looks for), a **key** (what it is found by) and a
# **value** (what it passes on):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\Big(\frac{Q K^{\top}}{\sqrt{d}}\Big) V, \qquad Q = X W_Q,\; K = X W_K,\; V = X W_V$$
#
# In our head all three matrices are the identity, so $Q = K = V = X$. The cost is in the formula too: $Q K^{\top}$
# has one number for each *pair* of words, so twice the text is four times the work. In the figure you can put other
# words in.

# %%
HeadFigure()

# %% [markdown]
# ## What attention cannot see
#
# Now two sentences with the same words. *The dog bit the postman* is an accident; *the postman bit the dog* is news.
# Send both through the head without positions, and compare what has become of each word.

# %%
table |= HeadFigure().table  # four English words, made up like the others
accident, news = "the dog bit the postman", "the postman bit the dog"


def compare(head):
    a, b = head(look_up(accident)), head(look_up(news))
    for word in ("dog", "bit", "postman"):
        i, j = accident.split().index(word), news.split().index(word)
        print(f"{word:8s} largest difference {(a[i] - b[j]).abs().max():.4f}")


compare(lambda x: attention.self_attention(x)[0])

# %% [markdown]
# Zero, zero, zero. Who bit whom is not a detail that the head got wrong. It never had it. Each word takes in a mix of
# the others, and a mix has no order: the sum is the same whichever way you add it up. This is the permutation
# equivariance that chapter 2 met from outside, in PyTorch's attention on random rows. It holds for any weights, also
# learned ones:

# %%
g = torch.Generator().manual_seed(2147483647)
W = [torch.randn(6, 4, generator=g, dtype=torch.float64) for _ in range(3)]
shuffle = torch.randperm(5, generator=g)
x = look_up(accident)
straight, _ = attention.self_attention(x, *W)
shuffled, _ = attention.self_attention(x[shuffle], *W)
print("order", shuffle.tolist())
error = (shuffled - straight[shuffle]).abs().max()
print("the same outputs in that order, to 1e-6:", bool(error < 1e-6))

# %% [markdown]
# One thing breaks the symmetry without saying a word about positions: the causal mask of chapter 2, which lets each
# word see only itself and what came before it. Language models that write from left to right have it anyway. The
# first word then sees one word, the second two, and how much a word can see says where it is.

# %%
mask = attention.causal_mask(5)
compare(lambda x: attention.self_attention(x, mask=mask)[0])

# %% [markdown]
# ## Four ways to tell it the order
#
# **1. Add sines and cosines.** The first Transformer added a fixed code to each vector. Coordinates come in pairs, a
# sine and a cosine; the first pair turns by one radian from word to word, each later pair more slowly. At position
# $p$, in $d$ coordinates:
#
# $$PE_{(p,\,2i)} = \sin\!\big(p\, /\, 10000^{2i/d}\big), \qquad PE_{(p,\,2i+1)} = \cos\!\big(p\, /\, 10000^{2i/d}\big)$$

# %%
code = attention.sinusoidal_positions(100, 64)
p, i = 9, 5
angle = torch.tensor(p / 10000 ** (2 * i / 64))
pair = torch.tensor([angle.sin(), angle.cos()], dtype=torch.float64)
check("C5.sinusoidal_formula", torch.allclose(code[p, 2 * i : 2 * i + 2], pair))
places = attention.sinusoidal_positions(5, 6)
compare(lambda x: attention.self_attention(x + places)[0])

# %%
alike = torch.nn.functional.cosine_similarity(code[:1], code)
for distance in (1, 2, 5, 10, 50):
    print(f"{distance:2d} apart: cosine {alike[distance].item():.4f}")
from_7 = torch.nn.functional.cosine_similarity(code[7:8], code[7:])
print("the same counted from position 7:", torch.allclose(from_7, alike[:93]))

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.2))
ax.imshow(code.T, aspect="auto", cmap="BrBG", vmin=-1, vmax=1)
ax.set(xlabel="position", ylabel="coordinate")
ax.grid(False)
plots.show(
    alt="Heat map of 64 coordinates by 100 positions: fast stripes in the first "
    "coordinates, ever slower ones below.",
    caption="Read a column: it is the code of one position. The top rows tick like "
    "seconds, the bottom ones like hours, and no two columns are alike.",
)

# %% [markdown]
# A clock with 32 hands. Neighbours have nearly the same code, and how alike two codes are depends on their distance
# alone: counted from position 0 or from position 7, it is the same list. And the dog that bites is no longer the dog
# that is bitten.
#
# **2. Learn a table.** BERT and GPT-2 do with positions what chapter 2 did with tokens: one trainable row each. It
# works as well, up to the last row.

# %%
learned = attention.LearnedPositions(512, 6, g)
try:
    learned(513)
except IndexError as error:
    print(str(error).replace("; ", ";\n"))
    check("C5.learned_table_ends", len(learned(512)) == 512)

# %% [markdown]
# Position 512 is the 513th. Nobody trained a row for it, so there is none, and the model has no rule that would give
# one.
#
# **3. Turn the vectors (RoPE).** Instead of adding to the vector, turn it: each pair of coordinates is the hand of a
# clock, and the position says how far it goes round. Only queries and keys are turned. Their dot product depends on
# the angle *between* them, and if both turn by the same amount, the angle stays.

# %%
q, k = (torch.randn(1, 8, generator=g, dtype=torch.float64) for _ in range(2))


def product(m, n):
    turned_q = attention.rotate(q, torch.tensor([m]))
    turned_k = attention.rotate(k, torch.tensor([n]))
    return (turned_q @ turned_k.T).item()


for m, n in ((5, 2), (6, 3), (1005, 1002), (5, 3)):
    print(f"m = {m:4d}, n = {n:4d}, m - n = {m - n}: product {product(m, n):+.4f}")
same = [product(n + 3, n) for n in range(2000)]
moves = abs(product(5, 3) - product(5, 2)) > 1e-3
check("C5.rope_relative", max(same) - min(same) < 1e-9 and moves)

# %% [markdown]
# <details>
# <summary>Derivation: why only the difference is left</summary>
#
# Write a pair of coordinates as one complex number. Turning it by the angle $m\theta$ is multiplying by
# $e^{im\theta}$, and the dot product of two pairs is the real part of one times the conjugate of the other:
#
# $$\langle R_m q,\, R_n k\rangle = \mathrm{Re}\big(q e^{im\theta}\, \overline{k e^{in\theta}}\big) = \mathrm{Re}\big(q \bar{k}\, e^{i(m-n)\theta}\big)$$
#
# The positions $m$ and $n$ appear as $m - n$ and in no other way. The sum over all pairs, each with its own $\theta$,
# inherits that.
#
# </details>

# %%
ClocksFigure()

# %% [markdown]
# **4. Charge for distance (ALiBi).** Leave the vectors alone and take something off the score: a fixed price for each
# word of distance. Each head has its own price, from a half down to almost nothing, so some heads are short-sighted
# and some are not.

# %%
slopes = attention.alibi_slopes(8)
print("prices of 8 heads:", " ".join(f"{p:.4f}" for p in slopes.tolist()))
bias = attention.alibi_bias(3000, 0.5)
row = (bias[6, :7] + 0.0).tolist()
print("the last of 7 words sees:", " ".join(f"{b:.1f}" for b in row))
place = torch.arange(3000)
linear = torch.equal(bias, -0.5 * (place[:, None] - place).abs())
no_end = torch.equal(bias[:7, :7], attention.alibi_bias(7, 0.5))
check("C5.alibi_linear", linear and no_end)


# %% [markdown]
# Do both of these tell the accident from the news?

# %%
def rope(x):
    turned = attention.rotate(x, torch.arange(len(x)))
    return attention.attention(turned, turned, x)[0]


compare(rope)
print()
compare(lambda x: attention.self_attention(x, bias=bias[:5, :5])[0])

# %% [markdown]
# They do, if less loudly. And there is no table, so there is no end: the price of the three-thousandth word follows
# from the rule. The same is true of sines and of RoPE. Having a value at every length is not the same as working well
# there; the authors of ALiBi trained on short texts and measured on long ones, and theirs held up.
#
# | code | where it enters | past the trained length |
# |---|---|---|
# | sines and cosines | added to the vectors | defined |
# | learned table | added to the vectors | no row |
# | RoPE | turns queries and keys | defined; depends on the difference alone |
# | ALiBi | taken off the scores | defined; linear in the distance |
#
# A price on distance has one blind spot: it cannot tell left from right. Read a text backwards and every distance is
# the same. ALiBi was made for models with a causal mask, and there the mask knows.
#
# ## A trained encoder
#
# Enough of hand-made rows. The encoder `all-MiniLM-L6-v2`, MiniLM for short, has six layers of twelve heads each, 384
# coordinates, and weights that were learned. It was made in two stages: first it learned to imitate a larger model of
# BERT's kind, then, on pairs of sentences, to put those that mean the same close together. That second stage matters
# here, and it comes back below.
#
# First what a table would say of *bank* by a river and at a till. The encoder has a table too: its layer 0 is the row
# of the token plus the row of the position, scaled. Put every token at one and the same position, and all that can
# differ is the row of the token:

# %%
RIVER = "He sat on the bank of the river and watched the water go by."
MONEY = "She deposited the cheque at the bank on the corner of the street."
minilm = contextual.load("minilm", dtype=torch.float64)
print(minilm)
static = contextual.word_vectors(minilm, [RIVER, MONEY], "bank", position=5)
check("C1.cosine", contextual.cosines(static)[0, 0, 1])

# %% [markdown]
# One, by construction: it is the same row, in these sentences and in any. Now give the positions back, and follow
# *bank* through the layers. Beside the two banks stand a second river and a second till.

# %%
senses = contextual.senses()
river_2, money_2 = senses["bank"]["river"][0], senses["bank"]["money"][0]
print(river_2, money_2, sep="\n")
four = [RIVER, MONEY, river_2, money_2]
banks = contextual.cosines(contextual.word_vectors(minilm, four, "bank"))
check("C2.minilm_river_money", banks[:, 0, 1])
check("C2.minilm_river_river", banks[:, 0, 2])
check("C2.minilm_money_money", banks[:, 1, 3])

# %% [markdown]
# Seven numbers a line: what goes into the first layer, then what comes out of each of the six. The river and the till
# fall to 0.8020 in the end; two rivers stay at 0.8910, two tills at 0.8614.
#
# Look at the first number, though. Layer 0 has seen no neighbour, and the river and the till are already at 0.9553,
# not at 1. Why? *Bank* is the fifth word of one sentence and the seventh of the other, and a different position row
# was added. You have just seen that with equal positions it is 1:

# %%
check("C3.differs", banks[0, 0, 1] < 0.999)
equal = contextual.cosines(static)[:, 0, 1]
check("C3.equal_positions_equal", abs(equal[0] - 1) < 1e-9)
print("equal positions:", " ".join(f"{c:.4f}" for c in equal.tolist()))

# %% [markdown]
# So a cosine below 1 at layer 0 is not meaning. It is the address.
#
# The lesson that this chapter checks measured `bert-base-uncased`, with twelve layers of 768 coordinates. If you have
# fetched it, this cell runs it. When this page was made it was not to be had, and the figures are the lesson's.

# %%
try:
    bert = contextual.load("bert-base-uncased")
    vectors = contextual.word_vectors(bert, [RIVER, MONEY], "bank")
    in_bert = contextual.cosines(vectors)
    check("C2.river_money", in_bert[[0, 4, 9, 12], 0, 1])
except datasets.MissingDataset:
    not_run("C2.river_money", "needs bert-base-uncased")
not_run("C2.river_river", "needs the source's second sentence")
not_run("C2.money_money", "needs the source's second sentence")

# %% [markdown]
# In both the senses part. How far, and at which layer, differs. In BERT the two senses fall to 0.4284 at layer 9 and
# rise again to 0.5278 at the end. In MiniLM they never get below 0.8020, and that is at the last layer. Before you
# make anything of that: one pair of sentences is one pair of sentences.
#
# ## Twelve words, two senses, eight sentences each
#
# For this book twelve words were put into eight sentences for each of two senses: the *bark* of a tree and of a dog,
# a *seal* on a rock and on a letter. They are in the package (`data/senses.tsv`), free for any use. At each layer,
# three questions. How alike are two occurrences of one sense? Of two senses? And take one occurrence away, and
# compute the **centroid** (the mean) of the other seven of its sense, and of the eight of the other sense: is it
# nearer to its own?

# %%
for word in ("bark", "crane", "pupil"):
    for kind in senses[word]:
        print(f"{word}, {kind}: {senses[word][kind][0]}")
measured = contextual.measure(minilm)
mean = contextual.average(measured)


# %%
def show_layers(m):
    print("layer   same sense     different      gap    nearer to own")
    for i in range(len(m.same)):
        same = f"{m.same[i]:.3f} ± {m.same_sd[i]:.3f}"
        cross = f"{m.cross[i]:.3f} ± {m.cross_sd[i]:.3f}"
        own = 100 * m.accuracy[i]
        print(f"{i:5d}  {same}  {cross}  {m.gap[i]:6.3f}  {own:6.1f} %")


show_layers(mean)

# %% tags=["hide-input"]
green, grey = plots.COLOURS["vector"], plots.COLOURS["id"]
layers = range(minilm.layers + 1)
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2))
same, cross = (mean.same, mean.same_sd, green), (mean.cross, mean.cross_sd, grey)
for m, sd, colour in (same, cross):
    left.fill_between(layers, m - sd, m + sd, color=colour, alpha=0.2, linewidth=0)
left.plot(layers, mean.same, "o-", color=green, label="same sense")
left.plot(layers, mean.cross, "s--", color=grey, label="different senses")
left.set(xlabel="layer", ylabel="cosine")
left.legend()
for word, one in measured.items():
    right.plot(layers, one.gap, color=green, linewidth=1, alpha=0.7)
    if word in ("pupil", "light", "bank", "bat", "trunk"):
        right.text(6.1, one.gap[-1], word, fontsize=9, va="center")
right.set(xlabel="layer", ylabel="gap", xlim=(0, 7.4))
plots.show(
    alt="Left: mean cosine of same-sense and different-sense pairs by layer, "
    "with a band of one standard deviation. Right: the gap for each of "
    "twelve words.",
    caption="Left: means over twelve words; the band is the spread over pairs. "
    "Right: the gap, word by word. They start together at layer 0 and part "
    "at once; how far depends on the word.",
)

# %%
for word, one in sorted(measured.items(), key=lambda item: -item[1].gap[-1]):
    own = 100 * one.accuracy[-1]
    print(f"{word:7s} gap {one.gap[-1]:.3f}   nearer to own {own:5.1f} %")

# %% [markdown]
# One layer of looking at neighbours is enough to put 84.4 % of the occurrences nearer to their own; chance is one
# half. The gap grows, with one small step back, from 0.001 at layer 0 to 0.066 at the last. It is no law for every
# word: *pupil* parts by 0.188, *trunk* by 0.022. A tree trunk and a travelling trunk are both heavy, wooden, and lie
# about.
#
# But look at how high the curves are. At layer 3, two occurrences that mean *different* things still have a cosine of
# 0.866. Is that alike? A cosine means nothing until you know what unrelated things have. So compare occurrences of
# different words:

# %%
vectors = []
for word, kinds in senses.items():
    sentences = [sentence for group in kinds.values() for sentence in group]
    vectors.append(contextual.word_vectors(minilm, sentences, word))
owner = torch.arange(len(senses)).repeat_interleave(16)
all_pairs = contextual.cosines(torch.cat(vectors))
strangers = all_pairs[:, owner[:, None] != owner].mean(dim=1)
print("different words:", " ".join(f"{c:.3f}" for c in strangers.tolist()))

# %% [markdown]
# Two different words lie at 0.265 there. So *bank* is first of all *bank*, whatever its sense: the sentence moves the
# vector and does not replace it. The senses differ in the last stretch only, from 0.866 to 0.910, and that is
# enough to sort nine of ten.
#
# <details>
# <summary>Why the nearest centroid may be right less than half of the time, and why at layer 0 it is right more often</summary>
#
# When an occurrence is left out, the centroid of its own sense moves a little away from it; the other does not. So
# with no information at all the guess is wrong slightly more often than right. At layer 0 the only information is the
# position. If one sense of a word happens to come later in our sentences, position alone sorts some of them, and
# 60.4 % is what that accident gives here. A careful experiment balances the positions; this one lets you see the
# leak.
#
# </details>
#
# One caution about the stand-in. MiniLM's second training compared sentences by the mean of the *last* layer's
# vectors, and pulled them apart or together there. That its last layer has the widest gap says something about that
# training, and not that last layers are best. For that, you want a model that was never trained for similarity.
#
# ## A language model of our own
#
# `small-bert` was trained for this book, by one command (`python -m tokvec.contextual train`), and its weights are in
# the package. The text is the definitions of a dictionary and a small sample of Wikipedia. The task is BERT's: hide
# some tokens, guess them from the rest.
#
# $$L = -\frac{1}{|M|}\sum_{i \in M} \log P(t_i \mid \text{the text with } M \text{ hidden})$$
#
# Here $M$ is the set of hidden places and $t_i$ the token at place $i$. There are no pairs of sentences in this loss,
# no similarity, and no senses.
#
# <details>
# <summary>What is hidden, and how</summary>
#
# A few tokens of each row are chosen at random. Eight of ten chosen ones are replaced by `[MASK]`, one by a random
# token, and one is left as it is. If only masks were ever asked about, the model could stop caring about the tokens
# it can see; now any of them might be wrong. The last vector at a chosen place is compared with every row of the
# token table, and a softmax turns the products into probabilities. The table is the one the tokens came in by: the
# weights are tied, as in chapter 2.
#
# </details>

# %%
small = contextual.load("small-bert", dtype=torch.float64)
manifest = json.loads((contextual.SMALL_BERT / "manifest.json").read_text())
recipe, history = manifest["recipe"], manifest["history"]
tokens = recipe["steps"] * recipe["rows"] * recipe["length"]
print(f"{recipe['layers']} layers, {manifest['parameters']:,} parameters")
print(f"{recipe['steps']:,} steps, {tokens:,} tokens")
print(f"loss on hidden tokens {history[-1]['validation_loss']:.3f} nats")

# %%
tokenizer = Tokenizer.from_file(str(contextual.SMALL_BERT / "tokenizer.json"))
model = masked_lm.load_weights(contextual.SMALL_BERT / "model.safetensors")
for text in (
    "She [MASK] the letter with red wax.",
    "The [MASK] of the river was covered with grass.",
):
    found = masked_lm.guess(model, tokenizer, text)
    print(text, "->", ", ".join(token for token, _ in found))

# %% [markdown]
# A verb where a verb belongs, a noun where a noun belongs. It has learned some grammar and little of the world; a
# larger model might have said *sealed*. Now its *bank*, in the same four sentences as before:

# %%
banks = contextual.cosines(contextual.word_vectors(small, four, "bank"))
check("C2.small_bert_river_money", banks[:, 0, 1])
check("C2.small_bert_river_river", banks[:, 0, 2])
check("C2.small_bert_money_money", banks[:, 1, 3])

# %% [markdown]
# At the last layer the river and the till have 0.7893, and the two rivers only 0.7630. By this one comparison it has
# understood nothing. One comparison is also what most demonstrations show you. Ask all twelve words:

# %%
measured_small = contextual.measure(small)
mean_small = contextual.average(measured_small)
show_layers(mean_small)

# %% [markdown]
# The cosines are lower all along, and the senses are apart: 0.588 for two occurrences of one sense, 0.551 for two
# senses, a gap of 0.038 where layer 0 has 0.003. Three occurrences in four are nearer to their own sense (75.0 %),
# against 54.7 % at layer 0. That is well below MiniLM's 92.7 %, and it should be: this model has a quarter of the
# parameters and has read eighteen million tokens, half an hour of one processor core. But it was never told which
# sentences mean the same, so nobody can say that it was taught to part them.
#
# Then why does it? The training left seven checkpoints behind. Each was measured on the same sentences. Beside them
# stands the loss of a model that sees no neighbours at all and knows only how frequent each token is.

# %%
print(f"frequencies alone: loss {manifest['unigram_loss']:.3f}")
print(" step    loss    gap   nearer to own")
for row in history:
    gap = row["same"][-1] - row["cross"][-1]
    step, loss = row["step"], row["validation_loss"]
    own = 100 * row["accuracy"][-1]
    print(f"{step:5,}  {loss:6.3f}  {gap:5.3f}  {own:6.1f} %")

# %% tags=["hide-input"]
steps = [row["step"] for row in history]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2))
losses = [row["validation_loss"] for row in history]
left.plot(steps, losses, "o-", color=plots.COLOURS["gradient"])
left.set(xlabel="training steps", ylabel="loss on hidden tokens, nats")
left.axhline(manifest["unigram_loss"], color=grey, linestyle="--", linewidth=1)
above = manifest["unigram_loss"] + 0.1
left.text(steps[-1], above, "frequencies alone", ha="right", color=grey)
right.plot(steps, [100 * row["accuracy"][-1] for row in history], "o-", color=green)
right.axhline(50, color=grey, linestyle="--", linewidth=1)
right.text(steps[-1], 51, "chance", ha="right", color=grey)
right.set(xlabel="training steps", ylabel="nearer to own sense, %")
plots.show(
    alt="Left: the loss on hidden tokens falls with training steps. Right: the "
    "share of occurrences nearer to their own sense rises with them.",
    caption="One training, two measures. The senses start to part when the loss has "
    "fallen below what frequencies alone can give, and go on parting as it "
    "falls.",
)

# %% [markdown]
# Read the table from the top. In the first 250 steps the loss falls from 8.914 to 6.429, and the senses do not
# move: 52.6 % is chance. A model that knows the frequencies alone would have 6.664. So most of what was learned by
# then is which tokens are common, and for that you need no neighbours.
#
# There is no more to be had that way. From there on, whatever lowers the loss has to come out of the sentence, and so
# the vectors must begin to carry the sentence. As the loss goes from 6.040 to 3.474, the share climbs from 55.2 %
# to 75.0 %. What is hidden beside a *bank* with a river is not what is hidden beside a *bank* with a loan. A vector
# that says which bank it is makes better guesses. **Senses part because that lowers the loss**; nothing else was ever
# asked for.
#
# (The gap in cosines is the rougher witness: it is 0.029 at step 500 already, and 0.021 at step 1,000. Early on, all
# cosines are in motion at once.)
#
# The next figure holds both encoders and all twelve words. Find a word whose senses never part.

# %%
LayersFigure.measured(
    {"minilm": ("MiniLM", minilm), "small-bert": ("our small BERT", small)}
)

# %% [markdown]
# ## Which layer is best?
#
# The gap between the curves, in units of their spread, layer by layer:

# %%
for name, m in (("MiniLM", mean), ("small BERT", mean_small)):
    spread = ((m.same_sd**2 + m.cross_sd**2) / 2).sqrt()
    print(f"{name:10s}", " ".join(f"{a:.2f}" for a in (m.gap / spread).tolist()))

# %% [markdown]
# By the gap alone the last layer is best in both. Divide the gap by the spread of the cosines, which says how clearly
# you see it, and MiniLM's best layers are the fourth and fifth (1.34), with the last at 1.19. In our small model the
# last stays ahead, 0.33. Of the four layers that the lesson prints, its BERT's two banks are furthest apart at layer
# 9, and closer again at the last, the twelfth.
#
# The usual explanation is that the last layers of a masked model may forget. The last vector has one task: to name
# the token at its own place. At a *bank* that is not hidden the answer is *bank*, in both senses. What told the
# senses apart has done its work by then and can go. Four layers leave little room for that. This chapter has not
# tested it. What it has shown is enough for a rule: do not take the last layer on trust; measure it on words of
# yours.
#
# ## What this chapter did not show
#
# - Learned queries, keys and values. Our head mixes by likeness alone. A trained head can look for the subject of a
#   verb, the word before, or nothing much; reading that off the weights is a field of its own.
# - Many heads and many layers at work on one sentence. You measured what comes out of a layer, not how it came about.
# - That a wide gap is *understanding*. The nearest centroid sorts occurrences into two heaps that we named. It was
#   told the heaps.
# - BERT itself. The figures beside ours are the lesson's until you run the cell with the model at hand.
# - Balanced positions. At layer 0 our sentences leak a little through where the word stands.
#
# A word has a vector for each sentence it stands in. What is the vector of the sentence, and can you search with it?
# Chapter 9 builds the search box.
#
# ## Exercises
#
# 1. **The head without a scale.** Leave out the division by $\sqrt{d}$ and multiply the vectors of *oto kamienny
#    zamek* by 1, 2, 4 and 8. What becomes of the largest weight in the last row? What would that do to the
#    gradient?
# 2. **Position by mask.** Send five copies of the same word through one head with a causal mask and identity
#    projections. Are the outputs equal? Why? Now give the first word another vector and look again.
# 3. **RoPE at a distance.** Take $k = q$, and average the product over a thousand random $q$ of 64 coordinates, for
#    each distance from 0 to 100. Does it fall? Is it monotonic?
# 4. **Your own word.** Choose another word with two senses, write six sentences for each, and measure it with
#    `contextual.measure`. Where does it stand in the list between *pupil* and *trunk*?
# 5. **Balance.** Write, for one word, sentences in which it is always the fourth token. What is the accuracy of the
#    nearest centroid at layer 0 now, and why?
#
# ## Sources
#
# - The lessons that this chapter checks: *Token Embedding* (in Polish), source of claim C4; *Anatomia LLM: tokeny i
#   embeddingi* (in Polish), of C5; *Next-token prediction: embeddings and the meaning of perplexity* (in Thai), of C1
#   to C3.
# - Ashish Vaswani and others, [Attention Is All You Need](https://arxiv.org/abs/1706.03762) (2017): the head, the
#   sinusoidal code.
# - Jianlin Su and others, [RoFormer: Enhanced Transformer with Rotary Position
#   Embedding](https://arxiv.org/abs/2104.09864) (2021).
# - Ofir Press, Noah A. Smith and Mike Lewis, [Train Short, Test Long](https://arxiv.org/abs/2108.12409) (2022):
#   ALiBi.
# - Jacob Devlin and others, [BERT](https://arxiv.org/abs/1810.04805) (2019).
# - Kawin Ethayarajh, [How Contextual are Contextualized Word Representations?](https://doi.org/10.18653/v1/D19-1006)
#   (2019): layer by layer, and what cosines of unrelated words are.
# - Nils Reimers and Iryna Gurevych, [Sentence-BERT](https://doi.org/10.18653/v1/D19-1410) (2019), and the [model card
#   of all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2).
