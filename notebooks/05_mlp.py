# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires:
#     - names
# ---

# %% [markdown]
# # 5 · Longer memory: the MLP language model
#
# The network of chapter 4 did a great deal of work to arrive where counting starts. It has to earn its keep on a
# harder task, and the first one is memory: the table of chapter 3 remembers one letter. Here you give a model three,
# then eight, in two ways: with a larger table of counts, and with the network of Bengio and others (2003), the
# ancestor of the models in the rest of this book. You write its backward pass by hand, train it for 100,000 steps,
# and find out where it beats counting, where counting beats it, and why. By the end you can say what an embedding
# table is for, what more context costs, and where the work of a language model goes.
#
# About 30 minutes to read, half a minute to run.
#
# - **Builds on** chapters 2 to 4.
# - **Reads** the names; needs `numba` besides NumPy, PyTorch and Matplotlib.
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
from itertools import pairwise

import matplotlib.pyplot as plt
import torch

from tokvec import bigram, datasets, mlp, plots
from tokvec.claims import check
from tokvec.figures.mlp import MLPFigure

plots.use()
torch.set_num_threads(1)  # matrices this small gain nothing from a second thread
train, validation, test = bigram.split(datasets.names())

# %% [markdown]
# ## A table with a longer memory
#
# A context is the last k symbols, filled up with `.` at the start of a name. Each place in a name is an example: this
# context, that symbol next.

# %%
X, Y = mlp.contexts(["emma"], 3)
for x, y in zip(X.tolist(), Y.tolist()):
    print(f"{bigram.decode(x)} -> {bigram.decode([y])}")
print(f"all training names: {len(mlp.contexts(train, 3)[0]):,} examples")

# %% [markdown]
# Counting works as before. Only the rows of the table are contexts now, and there are $27^k$ of them. Add a little to
# every count, divide, and score the validation names. Chapter 3 added 1. Smaller numbers are tried here too.


# %%
def row(X):
    """Return the row of each context: its ids, read as a number in base 27."""
    return (X * 27 ** torch.arange(X.shape[-1] - 1, -1, -1)).sum(-1)


def count(k):
    X, Y = mlp.contexts(train, k)
    return torch.bincount(row(X) * 27 + Y, minlength=27 ** (k + 1)).view(-1, 27)


def score(N, words, k, add):
    """Return each symbol's loss, and how often its context was seen in training."""
    X, Y = mlp.contexts(words, k)
    seen = N[row(X)].sum(1)
    return -((N[row(X), Y] + add) / (seen + 27 * add)).double().log(), seen


# %%
adds = (1, 0.3, 0.1, 0.03)
print("k     rows   add 1   add 0.3 add 0.1 add 0.03")
for k in (1, 2, 3, 4):
    N = count(k)
    losses = [score(N, validation, k, add)[0].mean() for add in adds]
    print(f"{k} {len(N):8,d}   " + "  ".join(f"{loss:.4f}" for loss in losses))

# %% [markdown]
# A second and a third letter help a great deal. The fourth makes things worse, at every setting. More memory, and a
# poorer model, for a table that has nothing to fall back on. Look at the rows.

# %%
N3 = count(3)
seen = N3.sum(1)
check("M3.rows", len(N3))
check("M3.empty", 100 * (seen == 0).double().mean())
check("M3.seen_once", 100 * (seen == 1).double().mean())

# %%
N4 = count(4)
empty = (N4.sum(1) == 0).double().mean()
print(f"of {len(N4):,} rows of four, {100 * empty:.1f} % are empty")
old = set(row(mlp.contexts(train, 8)[0]).tolist())
held = set(row(mlp.contexts(validation, 8)[0]).tolist())
print(f"rows of eight {27**8:,}, of which training meets {len(old):,}")
new = 100 * len(held - old) / len(held)
print(f"validation meets {len(held):,}, and {new:.0f} % of them are new")

# %% [markdown]
# Of the 19,683 rows for three symbols, 72.4 % are empty. With four it is 96.2 %, and a table for eight would have
# 282,429,536,481 rows, for 182,583 training symbols. This is the **curse of dimensionality** as Bengio meant it: each
# symbol of memory multiplies the rows by 27, and the data stay what they are. (Chapter 10 meets another of its
# faces.) A row that was never seen says nothing, and a full row next to it cannot help, because the table does not
# know that they are neighbours. `brea` and `bria` are as foreign to each other as `brea` and `zzzz`.
#
# ## Share what you know
#
# So stop giving each context a row. Give each *symbol* a row, of ten numbers, in one table C. Look up the k symbols,
# lay the k rows side by side, and let a layer of 200 units mix them:
#
# $$e = [\,C_{x_1}, \dots, C_{x_k}\,] \qquad h = \tanh(e W_1 + b_1) \qquad z = h W_2 + b_2$$
#
# The 27 numbers $z$ are the logits of chapter 4; softmax makes them probabilities. Everything here is learned: the
# table too. If *a* and *i* come to have similar rows, then what is learned after `bra` serves after `bri` as well.
# The model does not have to meet every context. It has to meet every symbol.
#
# In code it is as short as in the formula.

# %%
g = bigram.generator()
model = mlp.init(k=3, g=g)
X, Y = mlp.contexts(train, 3)
e = model.C[X[:1]].flatten(-2)
h = torch.tanh(e @ model.W1 + model.b1)
z = h @ model.W2 + model.b2
print(tuple(X[:1].shape), tuple(e.shape), tuple(h.shape), tuple(z.shape))
print(f"loss before training {mlp.loss(model, X, Y):.4f}")
print(f"blind guessing       {torch.tensor(27.0).log():.4f}")

# %% [markdown]
# And it is small. A longer context adds rows to $W_1$, and nothing else: ten rows of 200 numbers a symbol.

# %%
sizes = {k: mlp.parameter_count(mlp.init(k, bigram.generator())) for k in (1, 3, 8)}
check("M1.parameters", list(sizes.values()))
check("M1.times_the_table", sizes[1] / 27**2)
print("parameters for one more symbol:", (sizes[8] - sizes[3]) // 5)

# %% [markdown]
# From one symbol to eight the table of counts grows from 27 rows to 282,429,536,481. The network grows from 7,897
# parameters to 21,897: by 2,000 a symbol.
#
# ## The gradient, by hand
#
# Training is the loop of chapter 4 with small batches: take a few contexts at random, compute the loss, and move
# every parameter a little against its gradient. PyTorch can find the gradients by itself. But this network is small
# enough to do it on paper, and then there is no mystery left in it. Write $\delta_s$ for the derivative of the loss
# with respect to any quantity $s$. Read from the end, each line follows from the one before:
#
# $$\begin{aligned}
# \delta_z &= (q - y)/n & \delta_{W_2} &= h^\top \delta_z & \delta_{b_2} &= \textstyle\sum \delta_z \\
# \delta_a &= \delta_z W_2^\top \odot (1 - h^2) & \delta_{W_1} &= e^\top \delta_a & \delta_{b_1} &= \textstyle\sum \delta_a \\
# \delta_e &= \delta_a W_1^\top & \delta_C &= \text{each row's share of } \delta_e
# \end{aligned}$$
#
# Here $q$ is what the model said, $y$ the one-hot truth, $n$ the size of the batch, and the sums run over it. The
# first line is the one you know from chapter 4: what I said, minus what happened.
#
# <details>
# <summary>Derivation, line by line</summary>
#
# Write $a = eW_1 + b_1$, so that $h = \tanh(a)$.
#
# **Logits.** For one example the loss is $-z_y + \log\sum_c e^{z_c}$. Its derivative with respect to $z_c$ is $q_c -
# [c = y]$, as in chapter 4. The loss is the mean over $n$ examples, hence the $n$ below.
#
# **A linear layer.** Let $z = hW + b$ for a row vector $h$, that is $z_j = \sum_i h_i W_{ij} + b_j$. Then
#
# $$\delta_{W_{ij}} = h_i\,\delta_{z_j} \qquad \delta_{b_j} = \delta_{z_j} \qquad \delta_{h_i} = \sum_j \delta_{z_j} W_{ij}$$
#
# For a batch, the examples' contributions to $W$ and $b$ add up. In matrices: $\delta_W = h^\top\delta_z$, $\delta_b$
# is the sum over the batch, and $\delta_h = \delta_z W^\top$.
#
# **The tanh.** Since $\tanh'(a) = 1 - \tanh^2(a)$, and each unit depends on its own input only, $\delta_a = \delta_h
# \odot (1 - h^2)$.
#
# **The table.** $e$ is made of rows of C. A row that was looked up at several places receives the sum of the
# gradients at those places, and a row that was not looked up receives none. This is the one-hot product of
# chapter 2, read backwards.
#
# </details>
#
# Six matrix products, two of them for the forward pass. Check every parameter against automatic differentiation:

# %%
batch = torch.randint(0, len(X), (32,), generator=bigram.generator())
leaves = [p.clone().requires_grad_() for p in mlp.stored("k3")]
z = mlp.logits(mlp.MLP(*leaves), X[batch])
loss = torch.nn.functional.cross_entropy(z, Y[batch])
by_autograd = torch.autograd.grad(loss, leaves)
by_hand = mlp.gradients(mlp.stored("k3"), X[batch], Y[batch])
for name, ours, theirs in zip(mlp.MLP._fields, by_hand, by_autograd):
    agree = torch.allclose(ours, theirs, rtol=0, atol=1e-6)
    print(f"{name:<2} {ours.numel():5d} numbers agree to six decimals: {agree}")

# %% [markdown]
# Why bother, when autograd gives the same? Because it pays. On matrices of this size autograd spends most of its time
# on bookkeeping, not on arithmetic. `mlp.train` runs these lines compiled, and does the work of
# `mlp.train_by_autograd` in a small part of the time (the benchmark `mlp` says how small). Both draw the same batches
# from the same generator. Take a thousand steps with each:

# %%
few = range(1000)
for trainer in (mlp.train_by_autograd, mlp.train):
    g = bigram.generator()
    trained = trainer(mlp.init(3, g), X, Y, g, few)
    loss = mlp.loss(trained, X, Y)
    print(f"loss after {len(few):,} steps {loss:.4f}   {trainer.__name__}")

# %% [markdown]
# ## One letter, three, eight
#
# Now the whole training, three times. The only thing that differs is k.

# %%
print(f"{len(mlp.STEPS):,} steps of {mlp.BATCH} contexts each")
for step in (0, 69_999, 70_000):
    print(f"step {step:6,d}: learning rate {mlp.learning_rate(step)}")

# %%
marks = [0, 300, 1_000, 3_000, 10_000, 30_000, 70_000, 100_000]
held_out = {k: mlp.contexts(validation, k) for k in (1, 3, 8)}
models, curves = {}, {}
for k in (1, 3, 8):
    X, Y = mlp.contexts(train, k)
    g = bigram.generator()
    models[k] = mlp.init(k, g)
    curves[k] = [mlp.loss(models[k], *held_out[k])]
    for begin, end in pairwise(marks):
        models[k] = mlp.train(models[k], X, Y, g, range(begin, end))
        curves[k].append(mlp.loss(models[k], *held_out[k]))

# %%
losses = {k: curve[-1] for k, curve in curves.items()}
print("k  parameters  train   validation  perplexity")
for k, loss in losses.items():
    in_training = mlp.loss(models[k], *mlp.contexts(train, k))
    print(f"{k}  {sizes[k]:6,d}      {in_training:.4f}  {loss:.4f}", end="      ")
    print(f"{bigram.perplexity(loss):.3f}")
check("M2.perplexity_1", bigram.perplexity(losses[1]))
check("M2.perplexity_3", bigram.perplexity(losses[3]))
check("M2.gain_3_to_8", losses[3] - losses[8])

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.4))
for (k, curve), style in zip(curves.items(), ("o:", "s--", "^-")):
    ax.plot(marks[1:], curve[1:], style, color=plots.COLOURS["gradient"], markersize=5)
    place = (8, 4 if k == 1 else -3)
    end = (marks[-1], curve[-1])
    ax.annotate(f"k = {k}", end, xytext=place, textcoords="offset points")
line = score(count(1), validation, 1, 1)[0].mean()
grey = plots.COLOURS["id"]
ax.axhline(line, color=grey, linewidth=1)
label = "count table, one symbol"
ax.text(8_000, line - 0.005, label, color=grey, va="top", fontsize=9)
ax.set(xscale="log", xlim=(280, 250_000))
ax.set(xlabel="training steps", ylabel="validation loss (nats)")
plots.show(
    alt="Validation loss against training steps for contexts of one, three and "
    "eight symbols. The curve of one symbol flattens at the count table's "
    "loss; those of three and eight go well below it.",
    caption="One symbol of context: the network comes down to the count table's "
    "line and stays there, with eleven times as many numbers. The fall after "
    "70,000 steps is the smaller learning rate.",
)

# %% [markdown]
# Start with the first row. With one symbol of context this network has 11 times the parameters of the table of
# counts, and 200 units to bend them with. It ends at a perplexity of 11.678, where the table of chapter 3 had
# 11.642. It is no better. It cannot be: one symbol is all it sees, and for each symbol that it can see, the best
# possible answer on the training names is that row's counts. Nothing whatever can score below this on them:

# %%
N1 = count(1)
P1 = N1 / N1.sum(1, keepdim=True)
floor = -(N1 * P1.clamp_min(1e-30).log()).sum() / N1.sum()
network = mlp.loss(models[1], *mlp.contexts(train, 1))
print(f"training loss, k = 1: counts {floor:.4f}, network {network:.4f}")
table = score(N1, validation, 1, 1)[0].mean().item()
print(f"validation perplexity of the table {bigram.perplexity(table):.3f}")
fall = 1 - bigram.perplexity(losses[3]) / bigram.perplexity(losses[1])
print(f"from k = 1 to 3: {100 * fall:.0f} % lower")
print(f"   for {sizes[3] - sizes[1]:,} parameters more")
print(f"from k = 3 to 8: {sizes[8] - sizes[3]:,} parameters more")
eight = mlp.loss(models[8], *mlp.contexts(train, 8))
print(f"training loss, k = 8: {eight:.4f}, validation {losses[8]:.4f}")

# %% [markdown]
# **Capacity was never the limit. Information was.** Add layers, add units, train for a year: what is not in the input
# cannot come out.
#
# With three symbols the same code falls to 8.285, which is 29 % lower, for 4,000 parameters more. With eight it
# gains another 0.06 nats, for 10,000 more. Is that so little because the letters far back have little to tell? Or
# because the larger network learns more of its names by heart, with 1.9309 on them and 2.0506 on others? This number
# alone does not say.
#
# ## Did it beat counting?
#
# Now the question that is easily skipped. With one added to every count, the table of three symbols lost clearly. But
# one is a lot to add to each of 27 cells of a row that was seen five times. Take the best of the settings tried
# above.

# %%
tenth, seen = score(N3, validation, 3, 0.1)
one = score(N3, validation, 3, 1)[0]
verdict = {True: "beats counting", False: "loses to counting"}
print(f"table of three, add 1     {one.mean():.4f}")
print(f"table of three, add 0.1   {tenth.mean():.4f}")
print(f"network of three          {losses[3]:.4f}")
check("M5.against_add_1", verdict[losses[3] < one.mean().item()])
check("M5.against_add_a_tenth", verdict[losses[3] < tenth.mean().item()])
print(f"network of eight          {losses[8]:.4f}")

# %% [markdown]
# The lesson that this chapter checks says that at three characters the network beats counting. It beats one careless
# way of counting. A table with 0.1 added scores 2.1007, and the network 2.1145. The 0.1 was chosen on these same
# names, which flatters the table a little. No setting was chosen on the test names:

# %%
print("test names")
for k, N in ((3, N3), (4, N4)):
    print(f"table of {k}, add 0.1   {score(N, test, k, 0.1)[0].mean():.4f}")
for k in (3, 8):
    print(f"network of {k}          {mlp.loss(models[k], *mlp.contexts(test, k)):.4f}")


# %% [markdown]
# The table still wins, by a little. The table of four is worse, and the network of eight is far ahead of both. So is
# counting over? It is not. A table of four knows nothing in a row that it has not seen, but the table of three might.
# Let each table **fall back** on the one below it: some symbols' worth of what the shorter context says is added to
# every row.

# %%
def fall_back(words, k, weight):
    """Return each symbol's loss when every table is topped up by the one below."""
    P = 1 / 27
    for j in range(1, k + 1):
        N = count(j)
        X, Y = mlp.contexts(words, j)
        n = N[row(X)].sum(1)
        P = (N[row(X), Y] + weight * P) / (n + weight).double()
    return -P.log()


print("falling back   weight   validation    test")
for k, weight in ((3, 20), (4, 10), (4, 20), (4, 40)):
    found = [fall_back(words, k, weight).mean() for words in (validation, test)]
    print("table of {}        {:3}       {:.4f}    {:.4f}".format(k, weight, *found))

# %% [markdown]
# Now the fourth symbol helps. The weight of 20 is the best of the three on the validation names, and with 2.0157 on
# the test names **counting is ahead even of the network of eight**. On so few data a well-made table is hard to beat.
# What the network has is sharing that nobody had to design.
#
# Where is that sharing? Take the plain table of three again, and sort the validation symbols by how often their
# context was seen in training.

# %%
X3, Y3 = held_out[3]
z = mlp.logits(models[3], X3)
ours = torch.nn.functional.cross_entropy(z, Y3, reduction="none")
print("context seen       symbols   table   network")
bands = [0, 1, 10, 100, 1_000, 100_000]
for low, high in pairwise(bands):
    at = (seen >= low) & (seen < high)
    print(f"{low:5,d} to {high - 1:6,d}  {at.sum():8,d}", end="     ")
    print(f"{tenth[at].mean():.3f}   {ours[at].mean():.3f}")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.0))
saved = tenth - ours
inside = [(seen >= low) & (seen < high) for low, high in pairwise(bands)]
gains = [saved[at].mean() for at in inside]
ax.bar(range(5), gains, color=plots.COLOURS["gradient"], width=0.6)
ax.axhline(0, color=plots.COLOURS["id"], linewidth=1)
ax.set_xticks(range(5), ["never", "1 to 9", "10 to 99", "100 to 999", "1,000 or more"])
ax.set(xlabel="times the context was seen in training")
ax.set(ylabel="nats that the network saves")
plots.show(
    alt="Bars: how many nats a symbol the network saves over the count table, "
    "by how often the context was seen. Large and positive for contexts "
    "never seen, small and positive for rare ones, slightly negative for "
    "the others.",
    caption="Above zero the network is better. It wins where the table has nothing "
    "to say, and gives a little back from ten times on, most of it between 10 "
    "and 99.",
)


# %% [markdown]
# There it is. In a context that was never seen, the table can only guess blindly: 3.296 nats, the logarithm of 27.
# The network has never seen it either, and pays 2.185. It has met the letters elsewhere. In contexts seen one to nine
# times it is still ahead. From ten times on, the table's own row is good enough, and the network, which has to fit
# all contexts with one set of weights, is a little behind.
#
# At three symbols most of the running text falls into rows that are full: that is why counting is so hard to beat
# here. At eight, 42 % of the different contexts in validation are new. There a table that only adds a constant is
# finished, and the network is at its best.
#
# The lesson's own example of sharing is `bra` and `bre`: what is learned after the first serves after the second,
# "without ever having seen" it. A fine example, on other names than these:

# %%
def times(context):
    return int(N3[row(torch.tensor(bigram.encode(context)))].sum())


check("M5.bre_in_training", f"{times('bre')} times")
for never in ("ibl", "naq"):
    P = mlp.next_symbol(models[3], never)
    likely = ", ".join(f"{bigram.SYMBOLS[i]} {P[i]:.2f}" for i in P.topk(3).indices)
    print(f"{never}: seen {times(never)} times; the network expects {likely}")
    found = [name for name in validation if never in name]
    print("     in the validation names:", *found)

# %% [markdown]
# `bre` is in the training names 157 times. But `ibl` and `naq` are not there at all, and the network has sensible
# ideas about both: a vowel after the first, a *u* after the *q* of the second. It has met the letters in other
# company.
#
# ## Let it write
#
# First the names that the table of one symbol wrote in chapter 3, once more. Then the networks' own.

# %%
g = bigram.generator()
table_names = [bigram.sample(bigram.probabilities(N1, add=1), g) for _ in range(20)]
samples = {}
for k in (3, 8):
    g = bigram.generator(bigram.SEED + 10)
    samples[k] = [mlp.sample(models[k], g) for _ in range(20)]
written = {"counts, k = 1": table_names, "k = 3": samples[3], "k = 8": samples[8]}
for k, words in written.items():
    print(f"{k}, longest {max(map(len, words))}")
    for start in range(0, 20, 5):
        print("   ", "  ".join(words[start : start + 5]))

# %%
wanted = ["deliah", "nellara", "joce", "khyrmin", "reety", "salayson", "mahnen"]
check("M4.samples", [name for name in wanted if name in samples[3]])
check("M4.longest", max(map(len, samples[3])))
known = set(train)
for k in (3, 8):
    print(f"k = {k}, in the training names:", *(n for n in samples[k] if n in known))

# %% [markdown]
# *Nellara* and *reety* would not be noticed in a list of names, and *deliah* and *kael* are on it. The monsters are
# gone: the table of one symbol wrote a name of 19 letters, and the longest here has 13. The network of eight writes
# better names still, and six of its twenty are in the training list, against two for the network of three. To
# remember more of a name is also to memorise more names.
#
# Try it yourself. This is the trained network, and it runs in the page.

# %%
MLPFigure()


# %% [markdown]
# ## Where the work goes
#
# Count the multiplications for one prediction. The lookups cost none.

# %%
def multiplications(k, vocabulary, d=10, hidden=200):
    return {"hidden layer": k * d * hidden, "output layer": hidden * vocabulary}


for k, vocabulary in ((3, 27), (8, 27), (3, 100_000)):
    work = multiplications(k, vocabulary)
    share = 100 * work["output layer"] / sum(work.values())
    layers = ", ".join(f"{name} {n:,}" for name, n in work.items())
    print(f"k = {k}, {vocabulary:,} symbols: {layers} ({share:.2f} %)")

# %% [markdown]
# With 27 symbols and three of context the two layers cost about the same. With a vocabulary of 100,000, as large as
# one in chapter 1, the output layer takes 99.97 % of the work, at every position. For a network of this size it is
# the expensive part, and chapter 7 begins by getting rid of it.
#
# With such a vocabulary it also holds most of the numbers, and chapter 2 left a question about that: does **weight tying** make a model
# better? The output layer has one column for each symbol, the table C one row for each symbol. Press and Wolf (2017)
# let C do both jobs: $W_2 = C^\top$. For that the rows must be as long as the hidden layer is wide. So here are two
# networks with rows of 64 numbers and 64 units, trained alike, one of them tied. (The tied table's starting size was
# the best of three. `mlp.recreate` trains both again.)

# %%
X3_train, Y3_train = mlp.contexts(train, 3)
for seed in ("", "-1", "-2"):  # the recipe's seed, and two others
    pair = {name: mlp.stored(name + seed) for name in ("untied", "tied")}
    loss = {name: mlp.loss(model, *held_out[3]) for name, model in pair.items()}
    fit = [mlp.loss(model, X3_train, Y3_train) for model in pair.values()]
    print("training   {:.4f} untied, {:.4f} tied".format(*fit), end="   ")
    print("validation {untied:.4f}, {tied:.4f}".format(**loss), end="   ")
    print(f"{loss['tied'] - loss['untied']:+.3f}")
    if not seed:
        check("V10.loss_untied", loss["untied"])
        check("V10.loss_tied", loss["tied"])

# %%
print("C", tuple(pair["tied"].C.shape))
for name, model in pair.items():
    print(f"{name:<6} {mlp.parameter_count(model):,} parameters")
print(f"saved {27 * 64:,} here, and {100_000 * 768:,} at 100,000 rows of 768")

# %% [markdown]
# Tying is known to improve models of words. Here it does not: the tied network is between 0.019 and 0.024 nats
# worse, from each of three seeds. It is worse on the training names too: it does not overfit more, it fits less well.
# It is a table with two masters. As input, the row of *q* has to tell the next layer that a *u* is coming; as output, it has
# to say when a *q* is due. With 27 symbols, each of them seen hundreds of times or more, both tables can be learned
# well, and sharing saves only 1,728 numbers. With 100,000 words, most of them rare, sharing saves 76,800,000, and a
# rare word's row needs all the gradient it can get.
#
# ## What this chapter did not show
#
# - The best model of names. Better smoothing would help the tables still more (Kneser-Ney), and better training the
#   network. The comparisons here are between plain things.
# - Where in the context to look. The network's weights belong to places: the third symbol back has its own slab of
#   $W_1$, for ever, whatever stands there. A model that decides for itself where to look needs attention, and that is
#   chapter 8.
#
# And what is in the table? Nobody put anything into C, and yet the network found use for it. Chapter 6 opens it.
#
# ## Exercises
#
# 1. **Counting parameters.** Write `parameters(k, d, hidden, V)` without building a network, and check it against
#    `mlp.parameter_count` for k = 1, 3, 8. Up to which k does the network have fewer parameters than a table with a context
#    of two symbols has cells?
# 2. **The backward pass.** Write the gradient of a network *without* the tanh, from the derivation above, and check
#    it against autograd to six decimals.
# 3. **Interpolation.** Mix the tables of one, two and three symbols, $P = \lambda_1 P_1 + \lambda_2 P_2 + \lambda_3
#    P_3$, with weights that sum to one. What is the best validation loss you find? Does the network of three still
#    lose?
# 4. **The order of the context.** Reverse every context before training with k = 3. Does the validation loss change by
#    more than another seed would change it? Why should you have known?
# 5. **Width.** Train k = 3 with 50, 100, 200 and 400 units. Plot training and validation loss against the number of
#    parameters.
#
# ## Sources
#
# - The lesson that this chapter checks: *Next-token prediction: embeddings and the meaning of perplexity* (in Thai),
#   source of claims M1 to M5; V10 is chapter 2's.
# - Yoshua Bengio, Réjean Ducharme, Pascal Vincent and Christian Jauvin, [A Neural Probabilistic Language
#   Model](https://www.jmlr.org/papers/v3/bengio03a.html) (2003): the model, and the argument for sharing.
# - Andrej Karpathy, [makemore](https://github.com/karpathy/makemore) (2022): the names, and this network's sizes.
# - Ofir Press and Lior Wolf, [Using the Output Embedding to Improve Language
#   Models](https://arxiv.org/abs/1608.05859) (2017): weight tying.
# - Stanley F. Chen and Joshua Goodman, [An empirical study of smoothing techniques for language
#   modeling](https://doi.org/10.1006/csla.1999.0128) (1999): how much smoothing decides.
