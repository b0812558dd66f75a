# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires:
#     - dictionary
#     - glove
#     - minilm
# ---

# %% [markdown]
# # 10 · What distance means in many dimensions
#
# Chapter 9 drew a line at a cosine of 0.4, which sounds like a weak resemblance. Whether it is depends on how large
# a cosine chance alone produces, and in hundreds of dimensions chance produces very little. Here you measure what
# random points do as dimensions are added, derive the law behind it, and then hold real vectors against it. By the
# end you can say how surprising a similarity is, choose a threshold from data instead of from a feeling, and explain
# what a longer memory costs a network, with attention and without.
#
# About 30 minutes to read, half a minute to run.
#
# - **Builds on** chapters 5, 8 and 9.
# - **Reads** MiniLM, GloVe's vectors and the dictionary; needs `transformers` besides NumPy, PyTorch and Matplotlib.
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
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from tokvec import datasets, dimension, plots
from tokvec.claims import check
from tokvec.figures.dimension import DimensionFigure
from tokvec.sentences import corpus, evaluation, vectors

plots.use()
SEED = 2147483647


# %% [markdown]
# ## A thousand points in a box
#
# Throw 1,000 points at random into a square with sides of length 1. Some two of them will land almost on top of each
# other, and some two will sit in opposite corners. How many times farther apart is the farthest pair than the
# nearest?

# %%
def thousand_points(d):
    return np.random.default_rng(SEED).random((1000, d))


flat = dimension.extreme_distances(thousand_points(2))
print(f"nearest pair {flat.nearest:.5f}, farthest pair {flat.farthest:.4f}")
print(f"ratio {flat.ratio:,.0f}")

# %% [markdown]
# Thousands of times. In a square, near and far are different worlds. Now give the points more coordinates, and change
# nothing else.

# %%
ratios = {}
print("dimensions   nearest   farthest      ratio")
for d in (2, 3, 10, 100, 1000, 10_000):
    found = dimension.extreme_distances(thousand_points(d))
    ratios[d] = found.ratio
    print(f"{d:10,}  {found.nearest:8.3f}   {found.farthest:8.3f}  {found.ratio:9,.2f}")
check("D1.ratio", ratios[10_000])
n_pairs = 1000 * 999 // 2
farther = 100 * (ratios[10_000] - 1)
print(f"{n_pairs:,} pairs; the farthest is {farther:.0f} % farther than the nearest")
print(f"all their difference vectors: {n_pairs * 10_000 * 8 / 1e9:.0f} GB")

# %% [markdown]
# In 10,000 dimensions the farthest pair of half a million is only 6 % farther apart than the nearest. Nobody is
# close to anybody. The question "which point is nearest?" still has an answer, but the answer has hardly won.
#
# (How it is measured: the difference vectors of all pairs would fill 40 GB. `extreme_distances` uses
# $|x - y|^2 = |x|^2 + |y|^2 - 2\,x \cdot y$, one matrix product in blocks, and measures again, directly, every pair that could be extreme.)
#
# Touch it. Start at 2 and go right:

# %%
DimensionFigure()

# %% [markdown]
# ## Why distances agree
#
# The square of a distance is a sum, one term for each coordinate. Each term is the squared difference of two random
# numbers between 0 and 1. Its mean is 1/6 and its variance 7/180. Add $d$ of them and the mean is $d$ times as
# large, but the spread only $\sqrt d$ times, because high terms and low terms cancel. The sum gets relatively
# sharper. That is all.
#
# <details>
# <summary>The two constants</summary>
#
# For independent uniform $u, v$ on $[0, 1]$ the difference has density $1 - |t|$. So $E[t^2] = 2\int_0^1 t^2 (1 -
# t)\,dt = 1/6$ and $E[t^4] = 2\int_0^1 t^4 (1 - t)\,dt = 1/15$, and the variance of $t^2$ is $1/15 - 1/36 = 7/180$.
#
# </details>
#
# Now take the root. A number near $m$ that wobbles by $s$ has a root near $\sqrt m$ that wobbles by $s / (2 \sqrt
# m)$:
#
# $$\text{distance} \approx \sqrt{\frac d 6} \;\pm\; \frac{\sqrt{7d/180}}{2\sqrt{d/6}} = \sqrt{\frac d 6} \;\pm\; \sqrt{\frac{7}{120}}$$
#
# The $d$ has gone from the second term. The distances grow, and their spread stays where it is.

# %%
variance = Fraction(1, 15) - Fraction(1, 36)
print(f"variance of a squared difference: 1/15 - 1/36 = {variance}")
print(f"variance of the distance: {variance / (4 * Fraction(1, 6))}")
print("dimensions   mean: law  measured   spread: law  measured")
for d in (10, 100, 1000):
    mean, spread = dimension.cube_distance_law(d)
    distances = dimension.pair_distances(thousand_points(d))
    print(f"{d:10,}   {mean:9.3f}  {distances.mean():8.3f}", end="   ")
    print(f"{spread:11.3f}  {distances.std():8.3f}")

# %% [markdown]
# So the spread is 0.242 whether the mean is 1.291 or 12.910. The extremes of half a million nearly normal numbers lie
# between four and five standard deviations from the mean, on either side, and the ratio follows:

# %%
print("dimensions   ratio: law  measured   (ratio - 1) x root of d")
for d in (100, 1000, 10_000):
    law = dimension.extreme_ratio_law(1000, d)
    excess = (ratios[d] - 1) * math.sqrt(d)
    print(f"{d:10,}   {law:10.3f}  {ratios[d]:8.3f}   {excess:23.1f}")

# %% [markdown]
# The last column levels off: with many dimensions the excess over 1 falls as one over the root of $d$. Beyer and
# others (1999) proved that distances concentrate in this way for a wide class of data, among them all whose
# coordinates are independent and of one distribution. It is another face of the curse of dimensionality that
# chapter 5 met in its tables.
#
# Remember the condition. It says *independent* coordinates, and the coordinates of a trained embedding are anything
# but. You measure that below.
#
# ## Cosines of strangers
#
# Search compares directions, not points. Draw two random directions: what is their cosine? In the plane anything
# goes. In 768 dimensions:

# %%
cosines = {
    d: dimension.random_cosines(1000, d, np.random.default_rng(SEED))
    for d in (2, 100, 768)
}
for d, c in cosines.items():
    print(f"{d:4} dimensions: mean {c.mean():+.4f}, sd {c.std():.4f}", end=", ")
    print(f"1/root d {1 / math.sqrt(d):.4f}")
check("D2.sd_100", cosines[100].std())
check("D2.sd_768", cosines[768].std())

# %% [markdown]
# Strangers are nearly at right angles. The spread is $1/\sqrt d$, and the reason takes two lines. Turn the space
# until the first vector lies along the first axis. Then the cosine is the first coordinate of the other unit vector
# $u$. Its $d$ squared coordinates add up to 1, and no coordinate is special, so each squared coordinate is on average
# $1/d$:
#
# $$E[\cos^2] = E[u_1^2] = \frac 1 d \qquad \text{and so} \qquad \text{sd} = \frac{1}{\sqrt d}$$
#
# The whole law is known too. The density of a cosine $c$ is proportional to $(1 - c^2)^{(d-3)/2}$, which for large
# $d$ is a narrow bell.

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7, 3))
bins, grid = np.linspace(-0.8, 0.8, 161), np.linspace(-0.8, 0.8, 801)
greens = ("#8FD3BC", "#009E73", "#00513B")  # shades of the colour of vectors
for d, colour in zip((10, 100, 768), greens):
    sample = dimension.random_cosines(20_000, d, np.random.default_rng(SEED))
    ax.hist(sample, bins=bins, density=True, color=colour, alpha=0.45)
    law = dimension.cosine_density(grid, d)
    ax.plot(grid, law, color=colour, label=f"{d} dimensions")
ax.axvline(0.4, color="#222222", linestyle="--")
ax.set(xlabel="cosine of two random directions", ylabel="density", xlim=(-0.8, 0.8))
ax.legend(frameon=False)
plots.show(
    alt="Three bell curves round zero for 10, 100 and 768 dimensions, ever "
    "narrower, each over a histogram that it fits; a dashed line at 0.4.",
    caption="Histograms of random pairs, twenty thousand each, under the exact law. "
    "At 768 dimensions nothing at all comes near the dashed line at 0.4.",
)

# %% [markdown]
# ## How surprising is 0.1? And 0.4?
#
# The lesson that this chapter checks reports that 0.2 % of 1,000 random pairs in 768 dimensions go beyond 0.1, in
# either direction. Here is our sample, and what the exact law says about all pairs.

# %%
beyond = 100 * (np.abs(cosines[768]) > 0.1).mean()
exact = 100 * dimension.cosine_tail(0.1, 768)
check("D2.tail_768", beyond)
print(f"our 1,000 pairs: {beyond:.1f} %; the law: {exact:.2f} %")
expected = 10 * exact  # of 1,000 pairs; rare events are Poisson
terms = (expected**i / math.factorial(i) for i in range(3))
two_or_fewer = 100 * math.exp(-expected) * sum(terms)
print(f"chance that 1,000 pairs show two or fewer: {two_or_fewer:.0f} %")

# %% [markdown]
# The law says 0.55 %, more than twice what the lesson saw. Two pairs in a thousand where five or six are expected:
# that happens in 9 % of all samples. The lesson's figure was a draw on the low side, and a rate read off two events
# is hardly a rate. Where a law is known, quote the law.
#
# Now 0.4.

# %%
for d in (50, 100, 384, 768):
    print(f"{d:4} dimensions: 0.4 is {0.4 * math.sqrt(d):5.2f} sd away", end=", ")
    print(f"probability of more, either way {dimension.cosine_tail(0.4, d):.0e}")

# %% [markdown]
# At 768 dimensions, 0.4 is 11.09 standard deviations from nothing. A cosine of 0.4 does not mean "40 % alike". It
# means: not by chance. Among random directions you would never meet it.
#
# Among random directions. Your vectors are not random directions.
#
# ## Real vectors use fewer dimensions than they have
#
# Take 1,000 definitions from a dictionary, at random. Two of them usually have nothing to do with each other. Encode
# them with MiniLM, in 384 dimensions, and take all cosines. Beside them: the 2,000 most frequent words of GloVe, in 50.

# %%
entries = datasets.dictionary()
order = np.random.default_rng(SEED).permutation(len(entries))
drawn = [entries[i] for i in order[:4000] if entries[i][0] != "["]
definitions = [text for text in drawn if 5 <= len(vectors.words(text)) <= 20][:1000]
print(definitions[0], definitions[2], sep="\n")

# %%
encoder = vectors.Encoder.from_folder(datasets.minilm())
glove_words, glove = datasets.glove()
sets = {
    "random, 384": np.random.default_rng(SEED).standard_normal((1000, 384)),
    "MiniLM, 384": encoder.encode(definitions),
    "random, 50": np.random.default_rng(SEED).standard_normal((2000, 50)),
    "GloVe words, 50": glove[:2000],
}


# %%
def all_cosines(x):
    unit = vectors.normalise(x)
    return (unit @ unit.T)[np.triu_indices(len(x), k=1)]


print("                   mean     sd   beyond 0.4   effective dimension")
for name, x in sets.items():
    c = all_cosines(x)
    print(f"{name:16} {abs(c.mean()):6.2f} {c.std():6.2f}", end=" ")
    print(f"{100 * (c > 0.4).mean():10.1f} %", end=" ")
    print(f"{dimension.effective_dimension(x):12.0f}")

# %% [markdown]
# Look at the last row. The mean cosine of two frequent words is 0.43, and more than half of all pairs lie beyond 0.4.
# With these vectors 0.4 is no sign of anything. MiniLM is better spread, and still: two random definitions reach 0.4
# in 0.9 % of cases, where random directions of 384 dimensions never do. (Here only cosines above 0.4 count, not those
# below -0.4. For random directions that is half of the probability above.)
#
# The last column puts a number on it. For random directions the mean of $\cos^2$ is $1/d$. Turn that round and ask
# any set of vectors:
#
# $$d_\text{eff} = \frac{1}{\text{mean of } \cos^2}$$
#
# This is their **effective dimension**. For random vectors it gives back the dimension, 384 and 50. MiniLM's
# definitions behave like directions in 36 dimensions, the GloVe words like directions in 5.
#
# <details>
# <summary>The same number, from eigenvalues</summary>
#
# Scale all vectors to length 1 and let $M = X^\top X / n$ be their matrix of second moments, with eigenvalues
# $\lambda_i$ that sum to 1. The sum of squares of the entries of $M$ is $\sum \lambda_i^2$, and it is also the mean
# of $\cos^2$ over all $n^2$ pairs. So $d_\text{eff} = 1 / \sum \lambda_i^2$ up to the $n$ pairs of a vector with
# itself, which `effective_dimension` leaves out: the *participation ratio*. If $k$ directions are used equally and
# the others not at all, it is $k$.
#
# </details>
#
# Where did the dimensions go? Mostly into a direction that all vectors share. Subtract the mean vector, so that only
# differences are left:

# %%
for name in ("MiniLM, 384", "GloVe words, 50"):
    centred = sets[name] - sets[name].mean(axis=0)
    c = all_cosines(centred)
    print(f"{name}, centred: mean {abs(c.mean()):.2f}, sd {c.std():.2f}", end=", ")
    print(f"beyond 0.4 {100 * (c > 0.4).mean():.1f} %")
    print(f"   effective dimension {dimension.effective_dimension(centred):.0f}")

# %% [markdown]
# The common direction said nothing about any single word, and it made all of them look alike. Without it the GloVe
# words have five times as many dimensions to differ in, and MiniLM's definitions three times. What is still missing
# from 384 and 50 is partly meaning: animals resemble animals, and that is what we want the vectors to say.
#
# So here is the honest form of the rule. *0.4 is far from chance if the vectors fill their space.* Before you trust a
# threshold, take a few thousand unrelated pairs of your own and look where they lie.
#
# ## A threshold from data
#
# The passages and questions of chapter 9 make a small test. Each of 44 questions has one passage that answers it,
# and 220 that do not. Score all pairs with MiniLM, keep those at or above a threshold, and compute precision and
# recall as there.

# %%
passages, queries = corpus.passages(), corpus.queries()
asked, texts = [q.text for q in queries], [p.text for p in passages]
scores = vectors.similarity(encoder, asked, texts)
right = np.array([[p.name == q.answer for p in passages] for q in queries])
signal, noise = scores[right], scores[~right]
print(f"right pairs: {len(signal)}, mean cosine {signal.mean():.2f}")
print(f"wrong pairs: {len(noise):,}, {len(passages) - 1} a question")
print(f"   mean {noise.mean():.2f}, sd {noise.std():.2f}")

# %%
found = evaluation.precision_recall(signal, noise, np.arange(1, 8) / 10)
print("threshold  precision  recall    F1")
for t, p, r, f in zip(*found, found.f1):
    p = "none kept" if np.isnan(p) else f"{p:.2f}"
    print(f"{t:9.1f}  {p:>9} {r:7.2f} {f:5.2f}")

# %% [markdown]
# At 0.1 every right pair is kept, and hardly any kept pair is right. At 0.6 most of what is kept is right, and most
# of the right pairs are gone. The harmonic mean of the two, F1, is best at 0.4, inside the range from 0.3 to 0.7 that
# the lesson recommends. Both ends of that range are bad choices here.
#
# A short question and a longer passage are not two versions of one sentence: the right pairs have 0.46 on average,
# far less than chapter 9's paraphrases. And here 220 wrong pairs stand against each right one, there about four
# strangers. So a range that was comfortable there is narrow here. A threshold belongs to a model, a task *and* a
# proportion. Choose it on a few hundred labelled pairs, and again when one of the three changes.
#
# ## Hubs: everybody's neighbour
#
# One more oddity. Let each of 1,000 points name its ten nearest neighbours, and count how often each point is named.
# The mean is ten. In a square nobody is named much more often.

# %%
print("dimensions   most named   never named   skewness")
for d in (2, 10, 100, 1000):
    counts = dimension.neighbour_counts(thousand_points(d), 10, metric="euclidean")
    named, never = counts.max(), (counts == 0).sum()
    print(f"{d:10,}   {named:10}   {never:11}   {dimension.skewness(counts):8.2f}")

# %% [markdown]
# With many dimensions a few points become *hubs*, named by a sixth of all others, and dozens are named by nobody. The
# reason is the one of this chapter: when all distances agree, a point a little nearer to the centre is a little
# nearer to *everybody*. A search index with hubs returns the same few texts for many a query.
#
# Is it so with directions?

# %%
real = {"random, 384": sets["random, 384"], "MiniLM": sets["MiniLM, 384"]}
real["MiniLM, centred"] = real["MiniLM"] - real["MiniLM"].mean(axis=0)
print("                 most named   never named   skewness")
for name, x in real.items():
    counts = dimension.neighbour_counts(x, 10)
    named, never = counts.max(), (counts == 0).sum()
    print(f"{name:16} {named:10}   {never:11}   {dimension.skewness(counts):8.2f}")

# %% [markdown]
# Random directions have no centre to be near to, and their hubs are small. MiniLM's vectors do have a mean, and
# larger hubs; subtract it, and most of the difference goes. Which definitions does everybody name?

# %%
counts = dimension.neighbour_counts(real["MiniLM"], 10)
for i in np.argsort(-counts, kind="stable")[:4]:
    print(f"{counts[i]:3}  {definitions[i][:70]}")


# %% [markdown]
# Definitions of moods and manners, with several synonyms each: a little like a great many others, and just like none.
#
# ## What a longer memory costs
#
# One cost of dimensions is still open. Chapter 5's network reads $k$ letters, looks up a vector of 10 numbers for
# each, and lays them side by side, so that a longer memory is a longer vector. Its first layer has one slab of
# weights for each position.

# %%
def rest_of_the_mlp(hidden=200):
    return 27 * 10 + hidden + hidden * 27 + 27


for k in (1, 3, 8, 1000):
    first = dimension.mlp_first_layer(k)
    times = first / rest_of_the_mlp()
    print(f"{k:5,} letters: first layer {first:9,} weights", end=", ")
    print(f"{times:6.1f} times all the rest")
layers = [dimension.mlp_first_layer(k) for k in range(1, 51)]
check("D4.linear", set(np.diff(layers)) == {dimension.mlp_first_layer(1)})

# %% [markdown]
# It grows linearly: 2,000 weights for each further letter. That sounds cheap, and it is the wrong thing to buy. A
# weight belongs to a *place*, "seven letters back", for ever. What is learned about a letter at one place is not
# known at any other, and at a thousand letters almost all of the network is this layer.
#
# Attention itself, as in chapter 8, has no weights that belong to a place. (A learned table of positions has one row
# for each; nothing else belongs to a place.) Each position asks all others, and what it asks depends on what is
# there. The price is the asking: $n$ positions put $n$ questions each. Count the multiplications of one head's scores
# and averages, as PyTorch itself counts them while they run:

# %%
import torch
from torch.utils.flop_counter import FlopCounterMode


def counted(n, d=64):
    q, k, v = torch.ones(3, n, d)
    with FlopCounterMode(display=False) as counter:
        torch.softmax(q @ k.T / math.sqrt(d), dim=1) @ v
    return counter.get_total_flops() // 2  # a multiplication and an addition are two


# %%
work = {n: counted(n) for n in (128, 256, 512, 1024)}
for n, products in work.items():
    print(f"{n:5,} positions: {products:11,} multiplications", end=", ")
    print(f"{products // n:7,} for each")
law = {n: dimension.attention_multiplications(n, 64) for n in work}
doubled = all(work[2 * n] == 4 * work[n] for n in (128, 256, 512))
check("D4.square", doubled and work == law)

# %% [markdown]
# Twice the context, four times the work: $2 n^2 d$. The cost for each position grows with the context, and the number
# of the head's weights does not grow at all. That is the trade the Transformer made: it pays in computation for
# weights that serve at every place.
#
# When does the square begin to hurt? A whole attention layer of width $d$ also makes queries, keys, values and an
# output, $4 n d^2$ multiplications, all linear in $n$. The square overtakes them when $2 n^2 d > 4 n d^2$, at $n =
# 2d$.

# %%
for name, d in (("GPT-2 small", 768), ("GPT-3", 12_288)):
    print(f"{name}: width {d:,}, the square overtakes at {2 * d:,} positions")
n, d = 100_000, 768
square, projections = dimension.attention_multiplications(n, d), 4 * n * d**2
print(f"{n:,} positions, width {d}: {square / projections:.0f} times as much")

# %% [markdown]
# Well below that length the square hardly matters. Far beyond it, it is nearly all the work there is, and much of the
# research of recent years has been about that square.
#
# ## The way on
#
# You began with text and a list of numbers for its pieces. The numbers became rows of a table. Counting showed what a
# prediction is, and a network found by itself what counting finds. Rows for letters came to lean, a little, towards
# vowels and consonants; rows for words towards what people call related; and sentences could be searched. At each
# step a table stood at the beginning, and what came out was a geometry, to be trusted as far as it was measured.
#
# ## What this chapter did not show
#
# - Intrinsic dimension by other means. The participation ratio sees linear structure; methods that follow curved
#   sheets (nearest-neighbour estimators) give other numbers.
# - Cures for hubs, and for a shared direction, beyond subtracting the mean: whitening, removing leading components,
#   local scaling.
# - Distances other than the Euclidean. In the cube the L1 distance concentrates a little less, the maximum norm a
#   little more, all at the rate of one over the root of $d$.
# - How the square is avoided: windows, sparse patterns, linear attention, state spaces. Start with the survey by Tay
#   and others below.
#
# And what the book did not show is the whole machine: blocks of attention and feed-forward layers, stacked, and
# trained on a great deal of text. What goes into it and what comes out of it, you now know. What happens when the
# blocks are stacked is the next question, and a good one to start from.
#
# ## Exercises
#
# 1. **The law at work.** How many dimensions does it take until the farthest of 1,000 points is at most 1.5 times as
#    far as the nearest? Predict with `extreme_ratio_law`, then measure.
# 2. **Another number of points.** With 10 points instead of 1,000 the ratio at 100 dimensions is smaller. Explain
#    with the extremes of $N$ normal numbers, and check.
# 3. **Effective dimension.** Make 2,000 vectors of 100 normal numbers and multiply the i-th coordinate by $1/i$.
#    Predict the effective dimension from the eigenvalues $1/i^2$, then measure it. The measured one is larger by two
#    thirds: what does scaling every vector to length 1 do to the eigenvalues?
# 4. **Your own noise.** Take 500 random pairs of sentences of a text of yours, encode them with MiniLM, and find the
#    cosine that only one pair in a hundred exceeds.
# 5. **An open question.** The hubs above are definitions. What do they have in common, and would you remove them from
#    an index?
#
# ## Sources
#
# - The lesson that this chapter checks: *Next-token prediction: embeddings and the meaning of perplexity* (in Thai),
#   source of claims D1, D2 and D4.
# - Kevin Beyer, Jonathan Goldstein, Raghu Ramakrishnan and Uri Shaft, [When Is "Nearest Neighbor"
#   Meaningful?](https://doi.org/10.1007/3-540-49257-7_15) (1999).
# - Charu Aggarwal, Alexander Hinneburg and Daniel Keim, [On the Surprising Behavior of Distance Metrics in High
#   Dimensional Space](https://doi.org/10.1007/3-540-44503-X_27) (2001).
# - Miloš Radovanović, Alexandros Nanopoulos and Mirjana Ivanović, [Hubs in
#   Space](https://jmlr.org/papers/v11/radovanovic10a.html) (2010).
# - Jiaqi Mu and Pramod Viswanath, [All-but-the-Top: Simple and Effective Postprocessing for Word
#   Representations](https://arxiv.org/abs/1702.01417) (2018): subtracting what all vectors share.
# - Yi Tay, Mostafa Dehghani, Dara Bahri and Donald Metzler, [Efficient Transformers: A
#   Survey](https://arxiv.org/abs/2009.06732) (2020).
