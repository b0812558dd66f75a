# %% [markdown]
# # Exercises to chapter 9 · Searching by meaning
#
# You pool token vectors into sentence vectors, search with them, and measure how well a similarity agrees with people. You write plain
# NumPy.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import numpy as np

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 3

# %% [markdown]
# ## 1 · Mean pooling
#
# A batch of sentences is padded to one length. `states` has shape (sentences, places, d), `mask` has shape (sentences, places), with 1 for
# a token and 0 for padding. Write `pool(states, mask)`, the mean of the vectors of the tokens, shape (sentences, d). A sentence without any
# token gets zeros.

# %% [raw]
# # BEGIN SOLUTION

# %%
def pool(states, mask):
    """Return the mean vector of each sentence's tokens, padding left out."""
    # BEGIN SOLUTION
    weights = mask[:, :, None]
    return (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_padding(pool):
    import numpy as np

    states = np.array([[[2.0, 0.0], [4.0, 2.0], [100.0, 100.0]]])
    found = pool(states, np.array([[1, 1, 0]]))
    assert found is not None, "pool returns nothing yet"
    assert np.shape(found) == (1, 2), f"One sentence of two numbers: shape (1, 2), yours is {np.shape(found)}"
    assert not np.allclose(found, states.mean(axis=1)), "The padding is in your mean. Multiply by the mask first"
    assert not np.allclose(found, [[2, 2 / 3]]), "Divide by the number of tokens in each sentence, not by the number of places"
    assert np.allclose(found, [[3, 1]]), f"The mean of (2, 0) and (4, 2) is (3, 1), not {np.round(found, 3)}"


# %%
# HIDDEN
def test_lengths_differ_and_may_be_zero(pool):
    import numpy as np

    states = np.random.default_rng(0).normal(size=(3, 4, 5))
    mask = np.array([[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]])
    with np.errstate(invalid="ignore", divide="ignore"):
        found = pool(states, mask)
    assert np.allclose(found[0], states[0].mean(axis=0)) and np.allclose(found[1], states[1, 0])
    assert np.allclose(found[2], 0), "a sentence without tokens gets zeros"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · Search
#
# Write `search(queries, documents, k)`: for each query the numbers of the `k` documents with the largest cosine, best first; shape
# (queries, k). Of equally good documents the one with the smaller number comes first. (`np.argsort(..., kind="stable")` keeps the order of
# equals.)

# %% [raw]
# # BEGIN SOLUTION

# %%
def search(queries, documents, k):
    """Return the k best documents for each query, by cosine."""
    # BEGIN SOLUTION
    q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    d = documents / np.linalg.norm(documents, axis=1, keepdims=True)
    return np.argsort(-(q @ d.T), axis=1, kind="stable")[:, :k]
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_plane(search):
    import numpy as np

    documents = np.array([[0.0, 1.0], [9.0, 9.0], [1.0, 0.0], [-1.0, 0.0]])
    found = search(np.array([[2.0, 0.0]]), documents, 2)
    assert found is not None, "search returns nothing yet"
    assert np.shape(found) == (1, 2), f"One query, two answers: shape (1, 2), yours is {np.shape(found)}"
    assert np.asarray(found)[0, 0] != 1, "(9, 9) is long, not near. Cosine takes the length out: make unit vectors first"
    assert np.asarray(found)[0, 0] != 3, "That is the farthest. The largest cosine comes first"
    assert np.array_equal(found, [[2, 1]]), f"(1, 0) has the direction of the query, then comes (9, 9): documents 2 and 1, not {found}"


# %%
# HIDDEN
def test_many(search):
    import numpy as np

    g = np.random.default_rng(1)
    Q, D = g.normal(size=(7, 6)), g.normal(size=(50, 6)) * g.uniform(0.1, 5, size=(50, 1))
    S = (Q / np.linalg.norm(Q, axis=1, keepdims=True)) @ (D / np.linalg.norm(D, axis=1, keepdims=True)).T
    assert np.array_equal(search(Q, D, 5), np.argsort(-S, axis=1)[:, :5])


# %%
# HIDDEN
def test_ties(search):
    import numpy as np

    D = np.tile([[1.0, 0.0], [0.0, 1.0]], (20, 1))
    assert np.array_equal(search(np.array([[1.0, 0.0]]), D, 4), [[0, 2, 4, 6]])

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Agreement with people
#
# Spearman's correlation is Pearson's correlation of the ranks. Equal values share the mean of their ranks: (10, 20, 20, 30) has the ranks
# (1, 2.5, 2.5, 4). Write `ranks(values)` and `spearman(a, b)`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def ranks(values):
    """Return the ranks from 1, equal values sharing the mean of theirs."""
    # BEGIN SOLUTION
    values = np.asarray(values)
    smaller = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    return smaller + (equal + 1) / 2
    # END SOLUTION


def spearman(a, b):
    """Return Spearman's rank correlation of two lists of numbers."""
    # BEGIN SOLUTION
    return np.corrcoef(ranks(a), ranks(b))[0, 1]
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_ranks(ranks):
    import numpy as np

    found = ranks(np.array([30.0, 10.0, 20.0]))
    assert found is not None, "ranks returns nothing yet"
    assert not np.allclose(found, [1, 2, 0]), "That is the order of the values (argsort). The rank says for each value at which place it stands"
    assert np.allclose(found, [3, 1, 2]), f"30 is the third, 10 the first, 20 the second: ranks 3, 1, 2, not {found}"


# %%
def test_spearman(spearman):
    import numpy as np

    found = spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 10.0, 100.0, 1000.0]))
    assert found is not None, "spearman returns nothing yet"
    assert np.isclose(found, 1), f"Both rise together, so their ranks agree fully: 1, not {found:.3f}. Take the correlation of the ranks, not of the values"


# %%
# HIDDEN
def test_ties(ranks, spearman):
    import numpy as np

    assert np.allclose(ranks(np.array([10.0, 20.0, 20.0, 30.0])), [1, 2.5, 2.5, 4])
    assert np.allclose(ranks(np.array([5.0, 5.0, 5.0])), 2)
    a, b = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0]), np.array([2.0, 7.0, 1.0, 8.0, 2.0, 8.0])
    assert np.isclose(spearman(a, b), np.corrcoef([3, 1.5, 4, 1.5, 5, 6], [2.5, 4, 1, 5.5, 2.5, 5.5])[0, 1])
    assert np.isclose(spearman(a, -a), -1)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 2

# %% [markdown]
# ## 4 · A threshold
#
# A pair counts as "the same meaning" when its similarity is at least `threshold`. `same` says which pairs really are. Write
# `precision_recall(similarity, same, threshold)`: the share of right ones among the pairs that are called the same, and the share of those
# that really are the same that were called so. Where nothing is called the same, precision is 1.

# %% [raw]
# # BEGIN SOLUTION

# %%
def precision_recall(similarity, same, threshold):
    """Return (precision, recall) of calling a pair the same from the threshold on."""
    # BEGIN SOLUTION
    called = similarity >= threshold
    right = (called & same).sum()
    return (right / called.sum() if called.any() else 1.0), right / same.sum()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(precision_recall):
    import numpy as np

    found = precision_recall(np.array([0.9, 0.7, 0.6, 0.2]), np.array([True, False, True, True]), 0.6)
    assert found is not None, "precision_recall returns nothing yet"
    precision, recall = found
    assert not np.isclose(precision, 1 / 2), "A pair exactly at the threshold is called the same: at least, not more than"
    assert np.isclose(precision, 2 / 3), f"Three pairs are called the same, two of them rightly: 2/3, not {precision:.3f}"
    assert np.isclose(recall, 2 / 3), f"Three pairs are the same, two of them were found: 2/3, not {recall:.3f}"


# %%
# HIDDEN
def test_extremes(precision_recall):
    import numpy as np

    similarity, same = np.array([0.9, 0.1, 0.3, 0.2]), np.array([True, False, False, True])
    assert np.allclose(precision_recall(similarity, same, -1), (0.5, 1))
    assert np.allclose(precision_recall(similarity, same, 0.95), (1, 0))
    assert np.allclose(precision_recall(similarity, same, 0.5), (1, 0.5))

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 2
# manual: true

# %% [markdown]
# ## 5 · In your words
#
# On a benchmark of sentence pairs, counting common words beats the averaged token vectors of a language model that has read a whole
# library. How can that be, and what does contrastive training change? Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# A language model is trained to predict tokens, and nothing in that asks for the mean of its vectors to be near for sentences of one
# meaning; the means mostly share large directions that all sentences have, so they say little. The pairs of the benchmark do share words,
# which counting sees directly. Contrastive training asks for exactly what is measured: it pulls pairs of one meaning together and pushes
# other sentences apart. (One point for each half.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
