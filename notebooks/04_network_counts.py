# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 4 · The network that rediscovers the counts
#
# Chapter 3 counted. Here is a network that has never heard of counting: 27 x 27 random numbers, and one rule, make
# the symbol that really came next less surprising. You write its loss in two ways, see that they are one computation,
# follow the gradient for 3,000 steps, and find out where it goes. By the end you can say what a network can learn
# from pairs and what it cannot, why the gradient is "what I said minus what happened", and why rare things are
# learned last.
#
# About 15 minutes to read, a few seconds to run.
#
# - **Builds on** chapters 2 and 3.
# - **Reads** the table that chapter 3 counted, which comes with the book; needs no packages besides NumPy, PyTorch
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
import torch

from tokvec import bigram, plots
from tokvec.claims import check

plots.use()

# %% [markdown]
# ## A layer of random numbers
#
# The network is one matrix, `W`, with a row for each symbol before and a column for each symbol after. Put a symbol
# in as a one-hot vector, multiply by `W`, and out come 27 scores, the **logits**. The softmax of chapter 2 makes
# them a distribution: exponentiate, so that all are positive, and divide by the sum.

# %%
W = bigram.start(bigram.generator())
a = bigram.SYMBOLS.index("a")
one_hot = torch.nn.functional.one_hot(torch.tensor(a), 27).float()
logits = one_hot @ W
print("same as row a of W:", torch.equal(logits, W[a]))
guess = torch.softmax(logits, dim=0)
for p, i in zip(*guess.topk(3)):
    print(f"a -> {bigram.decode([int(i)])}   {p:.4f}")

# %% [markdown]
# The product with a one-hot vector gave back one row of the matrix, as in chapter 2. So this layer is an embedding
# table, and here the row that is read is already the answer: its numbers are the scores of what comes next.
#
# The guesses are nonsense. Nothing has been learned yet.
#
# ## One loss, written twice
#
# The loss is the one of chapter 3, the average negative log-likelihood of what really came next. As one first writes
# it, there is a row of logits for each of the training pairs. The names are not needed for that: pairs can be made
# from the counts, each as often as it occurred. Only their order is lost, and an average does not care about order.

# %%
N, N_validation = bigram.stored_counts()
xs, ys = N.nonzero(as_tuple=True)
xs, ys = (ids.repeat_interleave(N[N > 0]) for ids in (xs, ys))
print(f"{len(xs):,} pairs, in {int((N > 0).sum())} cells of {len(N)} rows")
print(f"{int((N == 0).sum())} cells are empty")
print(f"row by row    {bigram.loss_by_rows(W, xs, ys):.4f}")
print(f"from counts   {bigram.loss_by_counts(W, N):.4f}")

# %% [markdown]
# The same number, 3.7550, from two very different amounts of work. All pairs that fall into one cell of the table
# contribute the same term, so it is enough to know how many they are:
#
# $$L(W) = -\frac{1}{n}\sum_{i=1}^{n}\log \mathrm{softmax}(W_{x_i})_{y_i} = -\frac{1}{n}\sum_{a,b} N_{ab}\,\log \mathrm{softmax}(W_a)_b$$
#
# Nothing else about the names can ever reach this network. The counts are the **sufficient statistic** of the data:
# they hold all that the model is able to learn. The first form costs 182,583 rows a step, the second 27. Take three
# steps with each, and compare all the weights.

# %%
by_rows = bigram.descend_by_rows(W, xs, ys, steps=3, learning_rate=50.0)
by_counts, _ = bigram.descend(W, N, steps=3, learning_rate=50.0)
same = torch.allclose(by_rows, by_counts, rtol=0, atol=1e-3)
print(f"all {W.numel()} weights agree to three decimals:", same)

# %% [markdown]
# ## What the gradient says
#
# Gradient descent changes `W` a little against the slope of the loss, again and again. For a softmax with
# cross-entropy the slope has a form worth knowing by heart. For the row of symbol $a$, which makes up the share
# $n_a/n$ of all pairs,
#
# $$\frac{\partial L}{\partial W_a} = \frac{n_a}{n}\,\big(\mathrm{softmax}(W_a) - P_a\big)$$
#
# where $P_a$ is row $a$ of the count table. **What I said, minus what happened**, times how often it matters.
#
# <details>
# <summary>Derivation: the gradient of softmax and cross-entropy</summary>
#
# For one pair $(a, b)$ with $q = \mathrm{softmax}(W_a)$ the loss is $-\log q_b = -W_{ab} + \log\sum_c e^{W_{ac}}$.
# Its derivative with respect to the logit $W_{ac}$ is
#
# $$\frac{\partial(-\log q_b)}{\partial W_{ac}} = q_c - [b = c]$$
#
# where $[b = c]$ is $1$ if $b$ is $c$, and else $0$. Now average over all pairs. Those that begin with $a$ are $n_a$
# in number, and among them $[b = c]$ averages to $N_{ac}/n_a = P_{ac}$. So
#
# $$\frac{\partial L}{\partial W_{ac}} = \frac{n_a}{n}\,(q_c - P_{ac})$$
#
# </details>
#
# Check it against automatic differentiation:

# %%
W_auto = W.clone().requires_grad_()
bigram.loss_by_counts(W_auto, N).backward()
P = bigram.probabilities(N)
share = N.sum(1, keepdim=True) / N.sum()
by_hand = share * (torch.softmax(W, dim=1) - P)
same = torch.allclose(W_auto.grad, by_hand, rtol=0, atol=1e-6)
print("agree to six decimals:", same)

# %% [markdown]
# The slope is zero only where the network says what the counts say. So the formula has already told how this ends.
#
# ## The descent
#
# Plain gradient descent on all the data, 3,000 steps. The learning rate of 50 looks wild. It is not: the gradient of
# a row is scaled by its share of the pairs, and even the most frequent symbol has a share of 0.1486, and the rarest
# of 0.00118.

# %%
print(f"largest share of a row: {share.max():.4f}, smallest: {share.min():.5f}")
steps, learning_rate = (1, 100, 1000, 3000), 50
every = range(1, 3001)
W_end, trace = bigram.descend(W, N, 3000, learning_rate, N_validation, every)
print(f"learning rate {learning_rate}")
print("step   train    validation  gap")
for t in (trace[s - 1] for s in steps):
    print(f"{t.step:<6d} {t.train:.4f}   {t.validation:.4f}      {t.gap:.6f}")

# %%
check("N6.train", [trace[s - 1].train for s in steps])
check("N6.validation", [trace[s - 1].validation for s in steps])
check("N6.gap", [trace[s - 1].gap for s in steps])

# %% [markdown]
# (As in the lesson that the chapter checks, the training loss is the one that the step started from. The other two
# columns are measured after it.)
#
# The last column is the largest difference between any cell of `softmax(W)` and the same cell of the count table.
# After one step the worst of the 729 cells is off by 0.757269. After 3,000 it is off by 0.004048. Nobody told the
# network to count. There was nowhere else to go.

# %% tags=["hide-input"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.0))
at = [t.step for t in trace]
left.plot(at, [t.train for t in trace], color=plots.COLOURS["gradient"])
floor = -(N * P.clamp_min(1e-30).log()).sum() / N.sum()
left.axhline(floor, color=plots.COLOURS["id"], linestyle="--", linewidth=1)
left.set(xscale="log", xlabel="step", title="training loss (nats)")
right.plot(at, [t.gap for t in trace], color=plots.COLOURS["gradient"])
right.set(xscale="log", yscale="log", xlabel="step", title="largest gap to the counts")
plots.show(
    alt="Two curves over 3,000 steps: the training loss falls to the loss of "
    "the count table, and the largest gap to the table falls towards zero.",
    caption="Left: after a few hundred steps the loss can hardly be told from that "
    "of the count table (dashed). Right: the gap goes on closing long after the loss has "
    "stopped showing it. All axes of steps are logarithmic.",
)

# %% [markdown]
# Why the bend in the right curve? Look which cell is the worst at the time.

# %%
for step in (100, 200, 250, 1000):
    W_then, _ = bigram.descend(W, N, step, learning_rate)
    gaps = (torch.softmax(W_then, dim=1) - P).abs()
    before, after = divmod(int(gaps.argmax()), 27)
    pair = bigram.decode([before, after])
    print(f"step {step:<5d} worst cell {pair}   off by {gaps.max():.3f}")

# %% [markdown]
# Each time it is in the row of *q*. First it is *qu*: the network began by thinking little of the one pair that
# matters in that row. By step 250 that is mended, and what is left is *qi*, which it began by thinking all but
# impossible. The small steps of a rare row lift it slowly.

# %% tags=["hide-input"]
W_100, _ = bigram.descend(W, N, 100, 50.0)
stages = {"start": W, "after 100 steps": W_100, "after 3,000 steps": W_end}
fig, axes = plt.subplots(1, 4, figsize=(7.2, 2.3))
pictures = {name: torch.softmax(w, dim=1) for name, w in stages.items()}
pictures["count table"] = P
for ax, (name, picture) in zip(axes, pictures.items()):
    ax.imshow(picture.sqrt(), cmap="Blues", vmin=0, vmax=0.9)
    ax.set_title(name, fontsize=9)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(False)
plots.show(
    alt="Four 27 by 27 heat maps: random at the start, most of the structure "
    "after 100 steps, and after 3,000 steps the same as the count table.",
    caption="The matrix as a table of probabilities, at three moments, and the "
    "count table that it was never shown. After 100 steps the frequent rows "
    "are right. The last to come right is the row of q, the tenth from the "
    "bottom.",
)

# %% [markdown]
# ## Rare things are learned last
#
# Where is the worst cell? And how bad is it in the rows that the network saw often?

# %%
gaps = (torch.softmax(W_end, dim=1) - P).abs()
worst = divmod(int(gaps.argmax()), 27)
check("N7.mean_gap", gaps.mean())
check("N7.worst_cell", " ".join(bigram.decode(worst)))
check("N7.worst_cell_count", N[worst])
often = N.sum(1) > 1000
check("N7.large_rows", often.sum())
check("N7.worst_large_row_gap", gaps[often].max())

# %% [markdown]
# The worst cell is in the row of *q*, which met *i* 12 times in the whole training set. In the 22 rows that were seen
# more than a thousand times, no cell is off by more than 0.000562. The gradient formula says why. A row's step is
# scaled by its share of the pairs, so a row that is seen a hundred times less often moves a hundred times more
# slowly. It ends in the same place. It takes longer.

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.2))
seen, row_gap = N.sum(1), gaps.max(1).values
ax.scatter(seen, row_gap, color=plots.COLOURS["gradient"], s=18)
for s, gap, symbol in zip(seen.tolist(), row_gap.tolist(), bigram.SYMBOLS):
    ax.annotate(symbol, (s, gap), xytext=(4, 2), textcoords="offset points", fontsize=9)
ax.set(xscale="log", xlabel="times the row was seen in training")
ax.set(yscale="log", ylabel="largest gap in the row")
plots.show(
    alt="Scatter plot of the 27 symbols, both axes logarithmic: on the whole, the "
    "more often a row was seen, the smaller its largest gap after 3,000 steps.",
    caption="One point a symbol. On the whole, the rarer the row, the farther it "
    "still is from the counts.",
)

# %%
first = P[a].topk(3).indices
network = torch.softmax(W_end, dim=1)
print("           counts   network")
for i in first.tolist():
    print(f"a -> {bigram.decode([i])}     {P[a, i]:.4f}   {network[a, i]:.4f}")
check("N8.counts", P[a, first])
check("N8.network", network[a, first])

# %% [markdown]
# In the row of *a*, one of the frequent ones, the two agree in every digit shown.
#
# ## Why it had to
#
# Chapter 3 showed that the count table has the lowest cross-entropy of all tables. The network's output is a table,
# one row of probabilities for each symbol, and it can be any table without zeros. The loss is convex in `W`, so
# descent cannot be caught in a valley on the way. Two roads, one objective, one lowest point. The network did not
# learn something *like* counting. It went to the counts, slowly.
#
# One thing it cannot do: reach a zero. Softmax has none to give. The 113 empty cells sink towards it and never
# arrive, which is why this table, unlike the unsmoothed one, has a finite validation loss, 2.4544.
#
# So why bother? It took 3,000 steps to find what one pass of counting finds at once. Because counting ends here, and
# this does not. A table of counts over three symbols has 27 times 27 times as many rows, and each is learned alone. A
# network can have layers, and share between contexts what it has learned.
#
# ## What this chapter did not show
#
# - Batches. Every step here used all the data. Larger models look at a few examples a step, and their path is noisy.
# - Better optimisers. Methods that give each weight a step size of its own are kinder to rare rows.
# - Regularisation. Pulling `W` towards zero has a like effect to adding to the counts: both make the table more even.
#
# What does a network do with a longer memory, where counting runs out of data? Chapter 5 gives it three letters, and
# then eight.
#
# ## Exercises
#
# 1. **A gradient by hand.** For logits (1, 0, -1) and the true class 0, compute softmax, loss and gradient on paper.
#    Check them with autograd.
# 2. **Smoothing by decay.** Add `0.01 * (W ** 2).mean()` to the loss. What happens to the validation loss, and to the
#    row of *q*? Compare with add-one smoothing.
# 3. **Another start.** Start from `W = 0`. What is the loss before the first step, and why exactly that? Is the end
#    the same?
# 4. **A step for each row.** Divide the gradient of each row by its share, and use a learning rate of 1. How many
#    steps until the largest gap is under 0.004? What did you change about the geometry of the problem?
# 5. **An open question.** The network ends at the counts and cannot do better. What would it need, to know that *o*
#    might follow *q*?
#
# ## Sources
#
# - The lesson that this chapter checks: *Next-token prediction: embeddings and the meaning of perplexity* (in Thai),
#   source of claims N6 to N8.
# - Andrej Karpathy, [makemore](https://github.com/karpathy/makemore) (2022): the one-layer network on bigrams.
# - Yoshua Bengio and others, [A Neural Probabilistic Language Model](https://www.jmlr.org/papers/v3/bengio03a.html)
#   (2003): where the embedding table comes from.
