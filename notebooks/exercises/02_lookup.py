# %% [markdown]
# # Exercises to chapter 2 · From ids to vectors
#
# You build the layer that turns ids into vectors, the slow way and the fast way, send a gradient back through it, and take one step of
# learning. You write plain NumPy.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 10 points; a person reads question 5, for 2 points.

# %%
import numpy as np

table = np.random.default_rng(2).standard_normal((10, 3)).round(2)  # 10 tokens, 3 numbers each
print(table)

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · What the table costs
#
# GPT-2 medium has 50,257 tokens and vectors of 1,024 numbers. How many numbers are in its token table? Store them as `numbers`. Multiplying
# a one-hot vector with the table, instead of reading a row, takes how many multiplications for each number that is kept? Store that as
# `waste`.

# %% [raw]
# # BEGIN SOLUTION

# %%
vocabulary, width = 50_257, 1_024
numbers = vocabulary * width  # SOLUTION
waste = numbers / width  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_numbers(numbers):
    assert numbers is not ..., "numbers is still to be filled in"
    assert numbers != 50_257 + 1_024, "Every one of the tokens has that many numbers: multiply, do not add"
    assert numbers > 50e6, f"A row of 1,024 numbers for each of 50,257 tokens is more than {numbers:,}"


# %%
def test_waste(waste):
    assert waste is not ..., "waste is still to be filled in"
    assert waste > 1024, f"The product makes as many multiplications as the table has numbers, and keeps 1,024. That is more than {waste:g} each"


# %%
# HIDDEN
def test_both(numbers, waste):
    assert numbers == 51_463_168
    assert waste == 50_257

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 2

# %% [markdown]
# ## 2 · One-hot
#
# Write `one_hot(ids, V)`: for a list of n ids, the n x V matrix with a single 1 in each row, in the column that the id names. An id that
# has no column, such as -1 or V, must raise an `IndexError`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def one_hot(ids, V):
    """Return the ids as one-hot rows, shape (len(ids), V)."""
    # BEGIN SOLUTION
    rows = np.zeros((len(ids), V))
    for place, i in enumerate(ids):
        if not 0 <= i < V:
            raise IndexError(f"id {i} has no column: there are {V}")
        rows[place, i] = 1
    return rows
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_rows(one_hot):
    import numpy as np

    rows = one_hot([2, 0], 4)
    assert rows is not None, "one_hot returns nothing yet"
    assert np.shape(rows) == (2, 4), f"Two ids and V = 4 make a matrix of shape (2, 4), yours has {np.shape(rows)}"
    assert np.array_equal(np.sum(rows, axis=1), [1, 1]), "Each row has a single 1, and zeros beside it"
    assert np.array_equal(rows, [[0, 0, 1, 0], [1, 0, 0, 0]]), "The 1 stands in the column of the id: id 2 in the third column, id 0 in the first"


# %%
# HIDDEN
def test_repeated_ids(one_hot):
    import numpy as np

    assert np.array_equal(one_hot([1, 1, 2], 3), [[0, 1, 0], [0, 1, 0], [0, 0, 1]])


# %%
# HIDDEN
def test_ids_without_a_column(one_hot):
    assert one_hot([2], 3) is not None
    for bad in (-1, 3):
        try:
            one_hot([bad], 3)
        except IndexError:
            continue
        raise AssertionError(f"id {bad} has no column of 3, and no IndexError came")

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · The gradient of a lookup
#
# The layer read `table[ids]`. From above comes the gradient at each vector read: `upstream`, one row for each id. Write
# `table_gradient(ids, upstream, V)`, the gradient for the whole table, shape V x d. A row that was read twice gets the sum of both; a row
# that was not read gets zeros.

# %% [raw]
# # BEGIN SOLUTION

# %%
def table_gradient(ids, upstream, V):
    """Return the gradient of the loss with respect to the table, shape (V, d)."""
    # BEGIN SOLUTION
    gradient = np.zeros((V, upstream.shape[1]))
    for i, row in zip(ids, upstream):
        gradient[i] += row
    return gradient
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_shape_and_zeros(table_gradient):
    import numpy as np

    gradient = table_gradient([3, 1], np.array([[1.0, 2.0], [3.0, 4.0]]), 5)
    assert gradient is not None, "table_gradient returns nothing yet"
    assert np.shape(gradient) == (5, 2), f"The gradient has the shape of the table, (5, 2), yours has {np.shape(gradient)}"
    assert not np.any(gradient[[0, 2, 4]]), "Rows 0, 2 and 4 were not read, so their gradient is exactly zero"
    assert np.array_equal(gradient[3], [1, 2]), "Row 3 was read first, so it gets the first row of upstream"


# %%
def test_read_twice(table_gradient):
    import numpy as np

    gradient = table_gradient([6, 9, 6], np.array([[1.0], [10.0], [100.0]]), 10)
    assert gradient is not None, "table_gradient returns nothing yet"
    assert gradient[6, 0] != 100, "Row 6 was read twice and kept only the last gradient. gradient[ids] += upstream does that; add one by one, or use np.add.at"
    assert gradient[6, 0] == 101, f"Row 6 was read twice, and gets 1 + 100 = 101, not {gradient[6, 0]}"


# %%
# HIDDEN
def test_equals_the_product(table_gradient):
    import numpy as np

    g = np.random.default_rng(0)
    ids, upstream = g.integers(0, 7, 30), g.standard_normal((30, 4))
    assert np.allclose(table_gradient(list(ids), upstream, 7), np.eye(7)[ids].T @ upstream)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · One step of learning
#
# A row `e` of the table is read, and the scores of the possible answers are `W @ e`, with a fixed row of `W` for each answer. The loss is
# the cross-entropy with the right answer, `target`. Write `step(e, W, target, rate)`, which returns the row after one step of gradient
# descent. The gradient with respect to the scores is softmax(scores) minus the one-hot vector of the target.

# %% [raw]
# # BEGIN SOLUTION

# %%
def step(e, W, target, rate):
    """Return the row after one step of gradient descent; e itself is left as it was."""
    # BEGIN SOLUTION
    scores = W @ e
    p = np.exp(scores - scores.max())
    p /= p.sum()
    p[target] -= 1
    return e - rate * (p @ W)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_direction(step):
    import numpy as np

    e, W = np.array([0.5, -1.0]), np.array([[1.0, 0.0], [0.0, 1.0]])
    after = step(e.copy(), W, 1, 0.1)
    assert after is not None, "step returns nothing yet"
    assert np.shape(after) == (2,), f"The row has 2 numbers, yours has shape {np.shape(after)}"
    before_gap, after_gap = e[1] - e[0], after[1] - after[0]
    assert after_gap > before_gap, "After the step the right answer should score higher than before. Go against the gradient: subtract it"


# %%
def test_by_hand(step):
    import numpy as np

    after = step(np.array([0.0, 0.0]), np.array([[2.0, 0.0], [0.0, 2.0]]), 0, 0.5)
    assert after is not None, "step returns nothing yet"
    assert np.allclose(after, [0.5, -0.5]), f"Both scores are 0, so p = (1/2, 1/2), its gradient (-1/2, 1/2), times W (-1, 1): the row becomes (0.5, -0.5), not {np.round(after, 3)}"


# %%
# HIDDEN
def test_against_differences(step):
    import numpy as np

    g = np.random.default_rng(1)
    e, W, target = g.standard_normal(4), g.standard_normal((5, 4)), 3

    def loss(e):
        scores = W @ e
        return np.log(np.exp(scores).sum()) - scores[target]

    slope = [(loss(e + d) - loss(e - d)) / 2e-6 for d in 1e-6 * np.eye(4)]
    assert np.allclose(step(e.copy(), W, target, 0.4), e - 0.4 * np.array(slope), atol=1e-6)


# %%
# HIDDEN
def test_leaves_its_input_alone_and_large_scores_are_finite(step):
    import numpy as np

    e, W = np.array([800.0, 0.0]), np.eye(2)
    after = step(e, W, 1, 0.5)
    assert np.allclose(after, [799.5, 0.5]), "exp(800) overflows: subtract the largest score before the exponential"
    assert np.array_equal(e, [800, 0]), "step changed the row that it was given"

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
# A colleague scales all ids to lie between 0 and 1 and feeds them to a network "to save the table". What will the network take from these
# numbers that is not true? And why does it not help to choose the ids cleverly? Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# The network takes the numbers for quantities: it will treat neighbouring ids as similar, the id 0.5 as lying between 0.4 and 0.6, and
# large ids as more of something. But ids are names, and no order of the vocabulary is right for every purpose: one number gives each token
# two neighbours, while words are alike in many ways at once, which takes many coordinates. (One point for the false order or distance, one
# for why one dimension is not enough.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
