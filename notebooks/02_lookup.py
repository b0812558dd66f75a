# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   tokvec:
#     requires: []
# ---

# %% [markdown]
# # 2 · From ids to vectors
#
# Chapter 1 ended with a list of whole numbers. A network cannot use them as they are. Here you see why, and what is
# done instead. By the end you can say what an embedding table is, show that reading a row of it is a matrix product
# in disguise, follow a gradient into the rows that were read and no others, count what the table costs in real
# models, and name the one thing it can never know.
#
# About 25 minutes to read, a few seconds to run.
#
# - **Builds on** chapter 1, of which the idea of a token is enough.
# - **Reads** no data; needs no packages besides NumPy, PyTorch and Matplotlib.
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
import numpy as np
import torch
from ipywidgets import interact

from tokvec import embedding
from tokvec.claims import check
from tokvec.figures import budget, laboratory, onehot, shuffle

torch.set_printoptions(precision=2, sci_mode=False)
g = torch.Generator().manual_seed(2147483647)

# %% [markdown]
# ## An id is a name
#
# Take six tokens. Three of them are animals, three are not. Can a straight line through their ids tell which is
# which? Fit one, and note how far off it is. Then do nothing but number the same six tokens in another order, and fit
# again.

# %%
animal = torch.tensor([1.0, 0, 1, 0, 0, 1], dtype=torch.float64)


def miss(inputs):
    """Squared error of the best linear fit to `animal`."""
    fit = inputs @ torch.linalg.lstsq(inputs, animal[:, None]).solution
    return (fit - animal[:, None]).square().sum().item()


for naming in ([0, 1, 2, 3, 4, 5], [5, 0, 3, 1, 2, 4]):
    x = torch.tensor(naming, dtype=torch.float64)
    line = torch.stack([x, torch.ones(6)], dim=1)
    print(f"ids {naming}   error {miss(line):.2f}")

# %% [markdown]
# The first numbering leaves an error of 1.49, which is as good as not looking. The second leaves 0.34. The tokens are
# the same, the question is the same, and only the labels were changed. Whoever computes with ids as if they were
# quantities believes that token five thousand is *more* than token twelve. But an id is a name. It says *which*, and
# nothing about *how much*.
#
# So give each token a place of its own: a vector with a slot for every token in the vocabulary, zero everywhere, and
# a single one in the slot that is the token's. This is its **one-hot** vector.

# %%
for naming in ([0, 1, 2, 3, 4, 5], [5, 0, 3, 1, 2, 4]):
    one_hot = torch.from_numpy(embedding.one_hot(naming, 6))
    print(f"ids {naming}   error {miss(one_hot):.2f}")

# %% [markdown]
# Now the numbering makes no difference. A one-hot vector knows no order and no distance: any two tokens are equally
# far apart.
#
# ## A row for each token
#
# One-hot vectors are honest, and empty. What you want is for a token to carry numbers that say something about it. So
# make a table: one row a token, and $d$ numbers in each row. Here are ten tokens with three numbers each, drawn at
# random, for nobody knows yet what they should be. Look up the ids 6, 9 and 6 again.

# %%
table = torch.randn((10, 3), generator=g).double().numpy().round(2)
vectors = embedding.lookup(table, [6, 9, 6])
print(vectors)
check("V6.equal_rows", np.array_equal(vectors[0], vectors[2]))

# %% [markdown]
# That is all an embedding layer does. Out of $V$ rows it returns those that the ids name:
#
# $$E \in \mathbb{R}^{V \times d}, \qquad \text{lookup}(i) = E_i$$
#
# The first and the last row that came out are equal. They were read from the same place, and the table does not know
# that it was asked twice.
#
# Check that the id is only a name. Give every token a new number, move every row to where its new number points, and
# translate the sequence. Not one number that comes out may change.

# %%
new_name = torch.randperm(10, generator=g).numpy()
renamed = np.empty_like(table)
renamed[new_name] = table
print("ids", [6, 9, 6], "are now", new_name[[6, 9, 6]].tolist())
again = embedding.lookup(renamed, new_name[[6, 9, 6]])
check("V6.renaming", np.array_equal(again, vectors))

# %% [markdown]
# And the other way about: change one number in the table, and it changes wherever its token stands.

# %%
edited = table.copy()
edited[6, 1] = 9.99
moved = embedding.lookup(edited, [6, 9, 6]) != vectors
print(moved.astype(int))
check("V6.every_occurrence", moved.sum() == 2 and moved[[0, 2], 1].all())

# %% [markdown]
# ## A product in disguise
#
# Reading a row looks like bookkeeping, not like arithmetic. A network learns by following gradients through
# arithmetic. Is there any here? Multiply a one-hot vector with the table, the long way, and watch what is left.

# %%
onehot.OneHotFigure()

# %% [markdown]
# Every row but one is multiplied by zero. What comes out at the bottom is the row that the lookup would have read at
# once. With $\mathbf{e}_i$ for the one-hot row vector of token $i$:
#
# $$\mathbf{e}_i E = \sum_{j=1}^{V} (\mathbf{e}_i)_j \, E_j = E_i$$
#
# The product is not wrong, only wasteful. Do it in Python and let a counter run along: first on the table in the
# figure, then on one of the shape of GPT-2's.

# %%
small = np.array(onehot.TABLE)
cat = embedding.one_hot(1, 5)
product, multiplications = embedding.count_multiplications(cat, small)
check("V4.same_row", np.array_equal(product, embedding.lookup(small, 1)))
check("V4.small", multiplications)

# %%
rng = np.random.default_rng(0)
large = rng.standard_normal((768, 50257), dtype=np.float32).T
token = embedding.one_hot(464, 50257)
product, multiplications = embedding.count_multiplications(token, large)
print("same row:", np.allclose(product, large[464]))
check("V4.gpt2", multiplications)
check("V4.kept", product.size)
check("V4.times_the_work", multiplications / product.size)

# %% [markdown]
# To keep 768 numbers, the product makes 38,597,376 multiplications: 50,257 for each number that the lookup simply
# reads. Nobody does this. But it is good to know that it *could* be done, because it settles what kind of thing a
# lookup is. It is a linear layer, with weights like any other, whose input happens to be one-hot.
#
# ## Who gets the gradient
#
# A linear layer has a gradient, so the lookup has the same one. Take the three ids again, and any loss at all that
# depends on the three vectors. Here it is their product with some fixed numbers. What does the loss want from the
# table?

# %%
pull = torch.randn((3, 3), generator=g).double()  # arrives at each vector read
E = torch.tensor(table, requires_grad=True)
read = torch.nn.functional.embedding(torch.tensor([6, 9, 6]), E)
(read * pull).sum().backward()
reached = E.grad.abs().sum(dim=1).nonzero().flatten().tolist()
print("rows with a gradient:", reached)
check("V5.only_selected", reached == [6, 9])
check("V5.twice", torch.equal(E.grad[6], pull[0] + pull[2]))

# %% [markdown]
# Of ten rows, two are touched. Row 9 gets what arrived at the second place. Row 6 was read twice, and gets the sum of
# both. All other rows get exactly zero: not a small number, none at all. Through a lookup, a token
# learns only when it appears.
#
# <details>
# <summary>Derivation: the gradient of a lookup</summary>
#
# Let place $k$ of the sequence hold id $i_k$, let $\mathbf{x}_k = \mathbf{e}_{i_k} E$ be the vector read there, and
# let $\mathbf{g}_k = \partial L / \partial \mathbf{x}_k$ be the gradient that arrives. By the chain rule
#
# $$\frac{\partial L}{\partial E} = \sum_k \mathbf{e}_{i_k}^{\top}\, \mathbf{g}_k, \qquad \text{so row } j \text{ gets} \quad
# \sum_{k \,:\, i_k = j} \mathbf{g}_k$$
#
# The outer product of a one-hot column with $\mathbf{g}_k$ is a matrix with $\mathbf{g}_k$ in row $i_k$ and zeros
# elsewhere. Rows that no place reads have an empty sum.
#
# </details>
#
# Three ways to write the same layer: PyTorch's `Embedding`, a `Linear` layer on one-hot vectors, and the two
# functions of this chapter's module, which do nothing but read rows and add gradients up. They should agree to the
# last digit, going forward and back.

# %%
ids = [6, 9, 6]
layer = torch.nn.Embedding.from_pretrained(torch.tensor(table), freeze=False)
linear = torch.nn.Linear(10, 3, bias=False, dtype=torch.float64)
linear.weight.data = torch.tensor(table.T.copy())
by_index = layer(torch.tensor(ids))
by_product = linear(torch.from_numpy(embedding.one_hot(ids, 10)))
((by_index + by_product) * pull).sum().backward()
ours = embedding.lookup_gradient(ids, pull.numpy(), rows=10)
same = np.array_equal(by_index.detach(), vectors)
print("forward: ", same, torch.equal(by_index, by_product))
gradient, by_linear = layer.weight.grad, linear.weight.grad.T
print("gradient:", np.array_equal(gradient, ours), torch.equal(gradient, by_linear))

# %% [markdown]
# ## A table you can teach
#
# The numbers in the table are weights. They begin as noise, and the training of the whole network moves them, a row
# at a time. Here is a table that is small enough to watch. The words are Polish, since one of them is worth having:
# *zamek* is a castle, and also a lock. The network has read *kamienny*, "of stone", and what came next was *zamek*.
# It has two answers to choose from, *zamek* and *klucz*, a key, and gives each a score: the dot product of the row it
# read with a fixed vector for the answer.

# %%
laboratory.LaboratoryFigure()

# %% [markdown]
# Press *Take a step* and look for what moves. Now the same step with autograd. The **softmax** turns the two scores
# into probabilities: exponentiate both, and divide by their sum. The loss is the **cross-entropy**, minus the
# logarithm of the probability of what really came.

# %%
E = torch.tensor(laboratory.TABLE, dtype=torch.float64, requires_grad=True)
W = torch.tensor([laboratory.OUTPUT[word] for word in ("zamek", "klucz")]).double()
kamienny, zamek = torch.tensor([1]), torch.tensor([0])


def lesson(E):
    logits = torch.nn.functional.embedding(kamienny, E) @ W.T
    loss = torch.nn.functional.cross_entropy(logits, zamek)
    return logits.softmax(dim=1)[0, 0], loss


p, loss = lesson(E)
check("V7.p_before", 100 * p.item())
check("V7.loss_before", loss.item())

# %%
E.grad = None
lesson(E)[1].backward()
with torch.no_grad():
    stepped = E - 0.4 * E.grad
p, loss = lesson(stepped)
check("V7.p_after", 100 * p.item())
check("V7.loss_after", loss.item())
moved = [laboratory.TOKENS[i] for i in (stepped != E).any(dim=1).nonzero().flatten()]
print("rows that moved:", moved)
check("V7.only_that_row", moved == ["kamienny"])


# %% [markdown]
# One step, and the probability of the right answer rose from 47.0 % to 61.0 %. The row of *zamek* did not move,
# though *zamek* was the answer: it was the label here, not the input. Only a row that was read can learn. With $p$
# for the probability of the right answer and $\mathbf{e}$ for the row that was read:
#
# $$\frac{\partial L}{\partial \mathbf{e}} = -(1 - p)\,(\mathbf{w}_{\text{zamek}} - \mathbf{w}_{\text{klucz}})$$
#
# Read the formula as a sentence. The row moves towards what speaks for the right answer and away from what speaks for
# the wrong one, and the surer it already is, the less it moves.
#
# The rate of 0.4 was a choice. In a running notebook, drag it and see where one step leads.

# %% tags=["nbval-ignore-output"]
@interact(rate=(0.0, 4.0, 0.2))
def one_step(rate=0.4):
    p, loss = lesson(E.detach() - rate * E.grad)
    print(f"rate {rate:.1f}   p(zamek) {100 * p:.1f} %   loss {loss:.3f}")


# %% [markdown]
# One example and two answers show how a row learns, not what it will come to mean. For that it takes a corpus. In
# chapter 7, rows that learned in this way from millions of words end up near the rows of words that are used alike.
#
# ## What the table costs
#
# A table of $V$ rows and $d$ columns has $V d$ weights. For a real vocabulary that is a large number before the
# network has done anything.

# %%
gpt2 = embedding.GPT2["small"]
print(f"GPT-2: {gpt2.vocabulary:,} tokens, {gpt2.context:,} positions")
check("V1.table", gpt2.token_table)
check("V2.total", gpt2.total)
check("V2.share", 100 * gpt2.embedding_share)
for name, shape in embedding.GPT2.items():
    share = 100 * shape.embedding_share
    print(f"{name:7s} d {shape.width:5,}  layers {shape.layers}", end="  ")
    print(f"all {shape.total:13,}  tables {share:4.1f} %")
check("V3.share_xl", 100 * embedding.GPT2["XL"].embedding_share)

# %%
budget.BudgetFigure()

# %% [markdown]
# Nearly a third of GPT-2 small is a table of rows to look up: 31.6 %, tokens and positions together. In GPT-2 XL it
# is 5.3 %, though the table there is more than twice as large. A block holds matrices of $d$ by $d$ and $d$ by $4d$,
# twelve $d^2$ in all, so it grows with the square of $d$, and the tables with $d$ itself. And XL has four times as many
# blocks, which the tables do not notice. The ratio of tables to blocks falls to an eighth; width makes a factor of two
# of it, and depth a factor of four.
#
# How wide are the rows of other models? The widths are their papers' figures, the vocabularies those of their
# tokenisers (the first Transformer's is "about" 37,000), and the products are computed.

# %%
published = {
    "Transformer (2017)": (512, 37_000),
    "GPT-3 (2020)": (12_288, 50_257),
    "LLaMA 7B (2023)": (4_096, 32_000),
    "LLaMA 65B (2023)": (8_192, 32_000),
}
for name, (d, V) in published.items():
    print(f"{name:18s} d {d:6,}   V {V:6,}   table {V * d:11,}")
d, V = published["GPT-3 (2020)"]
check("V9.gpt3_table", V * d)

# %% [markdown]
# From 512 numbers a token in the first Transformer to 12,288 in GPT-3, whose table alone holds more than six hundred
# million weights: 617,558,016, nearly five times the whole of GPT-2 small.
#
# At the other end of a language model stands a matrix of the same size. It turns the last vector into a score for
# each of the $V$ tokens, and so it too holds one vector a token. A model can keep both. Or one table serves twice:
# look up a row of $E$ to read a token, and multiply with the same rows to write one. This is called **weight tying**,
# and GPT-2 does it. (Then every row is an output row too, and learns at every step.)

# %%
print(f"tied   {gpt2.total:11,}")
print(f"untied {gpt2.untied_total:11,}")
check("V10.saved_gpt2", gpt2.untied_total - gpt2.total)

# %% [markdown]
# Tying saves 38,597,376 weights. Whether it also makes the model better is a question for a model that you can train
# twice: chapter 5 does.
#
# ## What a row cannot know
#
# A row says what a token is. It says nothing about where it stands. Shuffle a sentence, and see what is left of it.

# %%
shuffle.ShuffleFigure()

# %% [markdown]
# *The dog bit the man* becomes *the man bit the dog*, out of the very same rows. Not one number was lost. What was
# lost is which place held which row, and to the man that is all the difference.
#
# Does it matter to a network? Attention, the layer that mixes the vectors of a sentence, compares every row with
# every other and takes no notice of places. So whatever it computes for *dog*, it computes for *dog* anywhere. Let
# PyTorch's own attention confirm it, on four words of random rows with eight numbers each.

# %%
attention = torch.nn.functional.scaled_dot_product_attention
x = torch.randn((1, 4, 8), generator=g, dtype=torch.float64)
order = torch.tensor([2, 0, 3, 1])


def change(run, x=x):
    """Shuffle the input, or shuffle the output: the largest difference."""
    return (run(x[:, order]) - run(x)[:, order]).abs().max().item()


# %%
ids = torch.tensor([3, 1, 4, 1])
rows = torch.tensor(laboratory.TABLE)
check("V8.rows_travel", torch.equal(rows[ids[order]], rows[ids][order]))
plain = change(lambda x: attention(x, x, x))
print(f"without positions: {plain:.6f}")
check("V8.equivariant", plain < 1e-6)

# %% [markdown]
# To shuffle before or after makes no difference: the layer is **permutation-equivariant**. It reads a bag of tokens.
# There are two ways out, and models use both. One is to say where each row stands, by adding a second vector to it
# that belongs to the place and not to the token. The other is a blindfold, the **causal mask**: each place sees only
# itself and what came before. Then the first word and the last are no longer treated alike.

# %%
# One row a place: a table once more.
places = torch.randn((1, 4, 8), generator=g, dtype=torch.float64)
coded = change(lambda x: attention(x + places, x + places, x + places))
masked = change(lambda x: attention(x, x, x, is_causal=True))
print(f"with positions added: {coded:.2f}")
print(f"with a causal mask:   {masked:.2f}")
check("V8.positions_break_it", coded > 1e-6)
check("V8.mask_breaks_it", masked > 1e-6)

# %% [markdown]
# In GPT-2 the vectors of the places are a table too, with a row for each of 1,024 positions: the thin hatched part of
# the bar above. Chapter 8 has other ways to say *where*, and what each of them can and cannot say.
#
# ## What this chapter did not show
#
# - Good rows. One step on one example shows how a row learns, not what: chapters 5 to 7 train real tables and look
#   at them.
# - Context. *Zamek* has one row, for the castle and for the lock. That is the work of the layers behind the table, in
#   chapter 8.
# - What the rows mean. The coordinates of a trained row have no names. Whether the angles between rows carry meaning
#   is a question to be measured, and chapter 6 does it.
# - Tricks to make the table smaller: factorised, hashed, shared between languages. They change the cost and not the
#   idea.
#
# A row learns from what came next. So where do enough examples of that come from, and how good can a model that
# predicts the next symbol be? Chapter 3 answers both without any network.
#
# ## Exercises
#
# 1. **By hand.** Write `lookup_by_product(table, ids)` with one matrix product and no indexing. Check it on three
#    tables of your own.
# 2. **Both gradients.** Let the loss be the squared length of the three vectors read for `[6, 9, 6]`. Predict the
#    gradient of row 6 on paper, then let autograd tell you.
# 3. **A budget.** Which width $d$ makes the tables of a 12-layer GPT-2 exactly as large as its blocks, or as near as
#    it gets? Answer with `embedding.GPT2Shape`, in steps of 64.
# 4. **A step too far.** In the laboratory's lesson, is there any rate at which one step makes the loss worse? Argue
#    from the formula, then try 40 and 400.
# 5. **An open question.** A masked attention layer without any position code can still tell some orders apart. Which
#    can it not?
#
# ## Sources
#
# - The lessons that this chapter checks: *Tokens et plongements* (in French), source of claims V1 to V5 and V8;
#   *Token Embedding* (in Polish), of V6 and V7; *Anatomia LLM: tokeny i embeddingi* (in Polish), of V9; and Press and
#   Wolf's paper, below, for V10.
# - Alec Radford and others, [Language Models are Unsupervised Multitask
#   Learners](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)
#   (2019): GPT-2.
# - Tom Brown and others, [Language Models are Few-Shot Learners](https://arxiv.org/abs/2005.14165) (2020): GPT-3's
#   width.
# - Hugo Touvron and others, [LLaMA](https://arxiv.org/abs/2302.13971) (2023): the widths of the LLaMA models.
# - Ashish Vaswani and others, [Attention Is All You Need](https://arxiv.org/abs/1706.03762) (2017): embeddings,
#   attention, positions.
# - Ofir Press and Lior Wolf, [Using the Output Embedding to Improve Language
#   Models](https://arxiv.org/abs/1608.05859) (2017): weight tying.
# - PyTorch's [Embedding](https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html): the layer and its
#   options.
