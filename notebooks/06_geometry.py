# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 6 · What is in the table: the geometry of an embedding
#
# Chapter 5 trained a network, and with it a table of 27 rows that nobody filled. What is in it? Do letters that
# sound alike have rows that point the same way? Here you measure angles, ask of every answer whether chance could
# have given it, and find that most of what one trained table shows is an accident of its first random numbers. Then
# you see what is left when eleven tables speak together. By the end you can read a neighbour list with suspicion, run
# an exact permutation test, and say what an embedding table is a map of.
#
# About 20 minutes to read, a few seconds to run.
#
# - **Builds on** chapter 5.
# - **Reads** the weights that chapter 5 trains, which come with the book; needs no packages besides NumPy, PyTorch
#   and Matplotlib.
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
import matplotlib.pyplot as plt
import numpy as np
import torch

from tokvec import bigram, geometry, mlp, plots
from tokvec.bigram import SYMBOLS
from tokvec.claims import check
from tokvec.figures.groups import GroupsFigure
from tokvec.figures.lettermap import LetterMapFigure

plots.use()

# %% [markdown]
# ## Which rows point the same way?
#
# Here is the table of the network with three symbols of context: a row of ten numbers for each symbol, of which you
# see three.

# %%
model = mlp.stored("k3")
C = model.C.numpy()
print("shape", C.shape)
for letter in "aeq":
    print(letter, *(f"{x:5.2f}" for x in C[SYMBOLS.index(letter)]))

# %% [markdown]
# To compare two rows, take the cosine of the angle between them: 1 if they point the same way, 0 if they are at right
# angles, -1 if they are opposed.
#
# $$\cos(u, v) = \frac{u \cdot v}{|u|\,|v|}$$
#
# Divide each row by its length once, and all cosines together are one matrix product. For each symbol, look for the
# row most similar to its own.


# %%
def neighbour(S, symbol):
    """Return the symbol most similar to `symbol`, and how similar it is."""
    i, cosine = geometry.nearest(S, SYMBOLS.index(symbol))[0]
    return [SYMBOLS[i], cosine]


S = geometry.cosine_matrix(C)
for symbol in "cjiua":
    check(f"G1.{symbol}", neighbour(S, symbol))
check("G1.boundary", neighbour(S, "."))

# %% [markdown]
# You could write a story about this list, and the lesson that this chapter checks tells it. *C* and *k* sound the
# same in names, and so do *i* and *y*. *J* and *z* both begin names. The boundary is near nothing at all, since it
# marks a place and not a sound.
#
# And *a*? Its nearest row is *h*, and that one has no story.
#
# ## Vowels and consonants
#
# Single pairs are anecdotes. So ask about a group that was named before anybody looked: are vowels more like each
# other than like consonants? Average the cosines over all the pairs of each kind.

# %%
letters = S[1:, 1:]  # without the boundary
vowels = [SYMBOLS.index(v) - 1 for v in "aeiou"]
means = geometry.group_means(letters, vowels)
check("G2.vowel_vowel", means.within)
check("G2.consonant_consonant", means.outside)
check("G2.vowel_consonant", means.across)

# %% [markdown]
# Vowels are more like each other, at 0.1889, than like consonants, at -0.0042. Is that much? Numbers like these need
# a yardstick, and the table itself has one: **take other groups of five letters.** If being a vowel had nothing to do
# with the rows, then the vowels would be a group like any other, and as likely to come last as first.
#
# The lesson drew 2,000 groups at random. But there are no more than 65,780 groups of five letters. With two matrix
# products you can have all of them.

# %%
result = geometry.permutation_test(letters, vowels)
print(f"within minus across for the vowels: {result.statistic:.4f}")
print(f"groups of five: {len(result.distribution):,}")
print(f"{result.as_good:,} groups do as well or better, the vowels among them")
check("G3.p_value", result.p_value)
best = geometry.all_groups(26, 5)[result.distribution.argmax()]
print(f"p = {result.p_value:.4f}")
print("the best five:", *(SYMBOLS[i + 1] for i in best))

# %% [markdown]
# So 1,819 of 65,780 groups separate as cleanly: the p-value is 0.0277, and it is exact, since nothing was drawn. The
# lesson counted 58 in 2,000. That was one draw. Other draws give other numbers:

# %%
rng = np.random.default_rng(0)
good = result.distribution >= result.statistic - 1e-9
print("eight draws of 2,000:", *(rng.choice(good, 2000).sum() for _ in range(8)))
expected = 2000 * result.p_value
spread = np.sqrt(expected * (1 - result.p_value))
print(f"expected {expected:.1f}, give or take {spread:.1f}")

# %% [markdown]
# Now try it. Choose any five letters, and see where they fall among all groups. (The mean of eleven runs is explained
# at the end of the chapter.)

# %%
GroupsFigure()

# %% [markdown]
# The best five of this table are *f v w x z*. Would you have named them? In any table, *some* group looks striking.
# This is why a group must be named first and measured second.
#
# ## A map, with a warning
#
# Ten dimensions cannot be drawn. The usual way out is to project the rows on the plane in which they vary most, by
# **principal component analysis** (PCA): a singular value decomposition of the centred table.

# %%
_, _, share = geometry.pca(C, 3)
print("variance along three directions:", *(f"{100 * s:.1f} %" for s in share))
print(f"the plane shows {100 * share[:2].sum():.0f} %")

# %%
LetterMapFigure()

# %% [markdown]
# The plane holds 34 % of the variance. The other two thirds are not in the picture, and so the lines of the figure
# go past near dots to far ones. A map like this is for asking questions. It cannot answer them.
#
# Did you slide back through training? Then you have seen something odd. Most letters stay near where they began.
#
# ## How far did the rows travel?
#
# At step 0 the table is pure chance. Compare each row with what became of it 100,000 steps later.

# %%
on_the_way, by_seed = mlp.stored_tables()
start, end = (geometry.unit_rows(on_the_way[step]) for step in (0, 100_000))
turned = (start * end).sum(axis=1)
print(f"cosine of a row with its own beginning: mean {turned.mean():.3f}")
for i in (turned.argmin(), turned.argmax()):
    print(f"   {SYMBOLS[i]} {turned[i]:.2f}")
pairs = np.triu_indices(27, 1)
before, after = ((rows @ rows.T)[pairs] for rows in (start, end))
correlation = np.corrcoef(before, after)[0, 1]
print(f"cosines of all pairs, before and after: correlation {correlation:.2f}")
lengths = [np.linalg.norm(on_the_way[step][1]) for step in (0, 100_000)]
print("length of the row of a: {:.2f}, then {:.2f}".format(*lengths))

# %% [markdown]
# The mean cosine between a row and its own random beginning is 0.877. The row of *a*, the most frequent letter, has
# kept its direction almost exactly; it has only become shorter, from 4.23 to 2.91. The angles *between* rows are mostly those of the start, too. Ask now where our
# list of neighbours came from:

# %%
print("steps     c   j   i   u   a   .    vowel-vowel  vowel-cons.   p")
for step, table in on_the_way.items():
    S_then = geometry.cosine_matrix(table)
    near = "   ".join(neighbour(S_then, symbol)[0] for symbol in "cjiua.")
    m = geometry.group_means(S_then[1:, 1:], vowels)
    p = geometry.permutation_test(S_then[1:, 1:], vowels).p_value
    print(f"{step:7,d}   {near}      {m.within:7.4f}      {m.across:7.4f}   {p:.4f}")

# %% [markdown]
# Read the columns downwards. *U* met *e* early, and *i* met *y* within 10,000 steps: training did that. The pull of
# the vowels is training as well: it begins on the wrong side, at p = 0.7988, and ends at 0.0277. But *c* had *z*
# beside it from the start and kept it for 10,000 steps, and *a* had *n*, then *b*, then *h*.
#
# Why would rows stay where they are? Because they can. The hidden layer takes ten numbers a symbol and can learn to
# read them from almost any starting place. Nothing pulls two rows together unless that lowers the loss.
#
# ## Roll the dice again
#
# So train the same network from ten other seeds. What is a fact about names will come back. What was an accident will
# not. (The network with eight symbols of context is in the list too, but it is no twelfth witness: it was trained
# from the recipe's seed, and the table is drawn first, so it began with the very same numbers.)

# %%
tables = {"recipe": C, "k = 8": mlp.stored("k8").C.numpy()}
tables |= {f"seed {s}": table for s, table in by_seed.items()}
print("table     c-    j-    i-    u-    a-    .-         p")
p_values = {}
for name, table in tables.items():
    S_here = geometry.cosine_matrix(table)
    near = [neighbour(S_here, symbol) for symbol in "cjiua."]
    p_values[name] = geometry.permutation_test(S_here[1:, 1:], vowels).p_value
    shown = " ".join(f"{letter}{cosine:4.2f}" for letter, cosine in near)
    print(f"{name:<8} {shown}   {p_values[name]:.4f}")

# %%
runs = [C, *by_seed.values()]  # eleven networks with k = 3
cosines = [geometry.cosine_matrix(table) for table in runs]
for a, b in ("ck", "jz", "iy", "ue", "ah"):
    times = sum(neighbour(each, a)[0] == b for each in cosines)
    print(f"{a}'s nearest is {b}: {times} of {len(runs)}")
low = sum(p < 0.05 for name, p in p_values.items() if name != "k = 8")
print(f"vowels apart at p < 0.05: {low} of {len(runs)}")
ends = [neighbour(each, ".")[1] for each in cosines]
print(f"the boundary's nearest: from {min(ends):.3f} to {max(ends):.3f}")

# %% [markdown]
# What survives? The vowels stand apart in ten runs of eleven: that is a finding. In most runs *y* is nearest to *i*.
# *C* and *k* do so in three of eleven. But among the eleven *a* and *h* met once, in the one run that the lesson had,
# and so did *u* and *e*. And the boundary, near nothing in that run, has a neighbour at 0.353 in another.
#
# Between two runs, the cosines of the same pairs of letters are almost unrelated. Between two that began alike, with
# three symbols and with eight, they are not:

# %%
pairs = np.triu_indices(26, 1)
flat = np.array([each[1:, 1:][pairs] for each in cosines])
between = np.corrcoef(flat)[np.triu_indices(len(flat), 1)]
print(f"correlation between two runs: {between.mean():.2f} on average,")
print(f"   from {between.min():.2f} to {between.max():.2f}")
eight = geometry.cosine_matrix(tables["k = 8"])[1:, 1:][pairs]
print(f"recipe and k = 8, one beginning: {np.corrcoef(flat[0], eight)[0, 1]:.2f}")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.2))
values = [geometry.permutation_test(S_[1:, 1:], vowels).statistic for S_ in cosines]
ax.hist(result.distribution, bins=60, color=plots.COLOURS["vector"], alpha=0.6)
for value in values:
    ax.axvline(value, ymax=0.35, color=plots.COLOURS["id"], linewidth=1.5)
ax.axvline(values[0], ymax=0.6, color="#222222", linewidth=2.5)
ax.set(xlabel="within minus across", ylabel="groups of five")
plots.show(
    alt="Histogram of within minus across for all groups of five letters in the "
    "recipe's table; eleven lines for the vowels in eleven runs, all on the "
    "right side.",
    caption="All 65,780 groups in one table, and the vowels in eleven: the thick "
    "line is the run of the lesson, the thin ones the other seeds. All lie "
    "on the right.",
)

# %% [markdown]
# ## Eleven tables speak together
#
# If accidents differ from run to run and facts do not, then **average**. You cannot average the tables, since each
# run has its own coordinates: its first column means nothing in the next. But a cosine means the same in all of them.
# Take the mean of the eleven cosine matrices, and look for neighbours again.

# %%
S_mean = np.mean(cosines, axis=0)
for row in ("aeiou", "bcdfg", "hjklm", "npqrs", "tvwxy"):
    found = [(a, *neighbour(S_mean, a)) for a in row]
    print("   ".join(f"{a}-{b} {cosine:.2f}" for a, b, cosine in found))
three = geometry.nearest(S_mean, SYMBOLS.index("a"), 3)
print("next to a:", ", ".join(f"{SYMBOLS[i]} {cosine:.2f}" for i, cosine in three))

# %% [markdown]
# The picture has changed. The three rows nearest to *a* are *e*, *u* and *o*: the stray *h* was noise. And look at
# the consonants. *B* is with *f*, *d* with *v*, *p* with *t*, *s* with *c*, *c* with *k*. Now the vowels
# against all groups of five, once more.

# %%
together = geometry.permutation_test(S_mean[1:, 1:], vowels)
print(f"{together.as_good} of {len(together.distribution):,} groups do as well")
print(f"p = {together.p_value:.5f}")
groups = geometry.all_groups(26, 5)
for rank, i in enumerate(np.argsort(-together.distribution)[:5], start=1):
    print(rank, *(SYMBOLS[j + 1] for j in groups[i]), f"{together.distribution[i]:.3f}")

# %% [markdown]
# Of 65,780 groups of five letters, the five vowels come **second**. First are *e i o u y*: the network counts *y*
# among the vowels, and in names it is right. Third are *a e i u y*. Then, with no vowel in them, *c d k p t* and *b d
# p t v*. Say them aloud. But for *v* they are stops (*c* as in *carl*), the consonants that hold the breath and let
# it go. Nobody told the network what a sound is. It was told to guess the next letter.
#
# Go back to the figure above, choose "Mean of eleven runs", and press "The best five".
#
# So the structure is real, and one table hides it. In a single run it is a small tilt on top of a random beginning,
# and a list of nearest neighbours shows mostly the beginning.
#
# ## Not a map of meaning
#
# One more experiment, to see how loosely the model holds its angles. Take any invertible 10 x 10 matrix $M$. Multiply
# the table by $M$, and each slab of ten rows of $W_1$ by the inverse of $M$:
#
# $$C' = C M \qquad W_1' = M^{-1} W_1 \ \text{ (slab by slab)} \qquad\text{so that}\qquad C' W_1' = C W_1$$
#
# The network computes the same thing as before, for every context there is.

# %%
M = torch.randn((10, 10), generator=bigram.generator(), dtype=torch.float64)
model = mlp.MLP(*(p.double() for p in model))
slabs = torch.linalg.inv(M) @ model.W1.view(3, 10, 200)
moved = model._replace(C=model.C @ M, W1=slabs.view(30, 200))
every = torch.cartesian_prod(*[torch.arange(27)] * 3)
here, there = (mlp.logits(network, every).softmax(1) for network in (model, moved))
same = torch.allclose(here, there, rtol=0, atol=1e-9)
print(f"{len(every):,} contexts, same probabilities:", same)
S_moved = geometry.cosine_matrix(moved.C.numpy())
print("nearest before:", "  ".join(f"{a}-{neighbour(S, a)[0]}" for a in "cjiua."))
print("nearest after: ", "  ".join(f"{a}-{neighbour(S_moved, a)[0]}" for a in "cjiua."))

# %% [markdown]
# Not one prediction has changed, and four of the six neighbours have. So the angles are not part of what the model
# knows. They are part of how this one came to be written down. (If $M$ only turns the table, without stretching it,
# the cosines stay. Random beginnings favour no direction, so that training treats all such turnings alike, and an
# average of cosines over many runs does mean something.)
#
# An embedding table is **a change of coordinates that was learned and not designed**. Its only task is to make the
# next layer's task easier. Whatever structure you find in it is there because it lowered the loss, or because it was
# there at the start and did no harm. To tell the two apart you need more than one table.
#
# ## What this chapter did not show
#
# - Tables of words. A word has more to be similar *in* than a letter has, and is used in far more places.
# - A lesson for large models. Their tables start from random numbers too, but are trained for longer, on more, and
#   are often tied to the output. The test is the same: another seed.
# - What the hidden layer does with the rows. Rows that differ may do the same work further up.
#
# In this network closeness was never asked for, and so it came about by accident or by the way. What happens when the
# dot product of two rows *is* the training task? Chapter 7 tries it, on words.
#
# ## Exercises
#
# 1. **Cosine by hand.** Write `cosine(u, v)` without a library. Check it against `geometry.cosine_matrix` for all
#    pairs. What should it do with a row of zeros, and why?
# 2. **A one-sided question.** Write the permutation test for groups of three letters. How many groups are there?
#    Choose three letters *before* you look, and report their p-value in the recipe's table and in the mean of eleven.
# 3. **Is y a vowel?** Compute, in the mean of the eleven, the mean cosine of each consonant with the five vowels.
#    Which consonant comes first, and how far behind is the second?
# 4. **Lengths.** Is a row longer when its letter is more frequent? Use `bigram.stored_counts()` for the frequencies,
#    and compare with the lengths of the rows at step 0.
# 5. **How many runs?** Average the cosines of the first n runs for n from 1 to 11, and plot the p-value of the
#    vowels against n. When would you have believed it?
#
# ## Sources
#
# - The lesson that this chapter checks: *Next-token prediction: embeddings and the meaning of perplexity* (in Thai),
#   source of claims G1 to G3.
# - Ronald A. Fisher, *The Design of Experiments* (1935), section 21: the permutation test.
# - Karl Pearson, [On lines and planes of closest fit to systems of points in
#   space](https://doi.org/10.1080/14786440109462720) (1901): principal components.
# - Laura Wendlandt, Jonathan K. Kummerfeld and Rada Mihalcea, [Factors Influencing the Surprising Instability of Word
#   Embeddings](https://doi.org/10.18653/v1/N18-1190) (2018): neighbours change from run to run in word vectors too.
