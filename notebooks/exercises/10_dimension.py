# %% [markdown]
# # Exercises to chapter 10 · What distance means in many dimensions
#
# You measure what chance does in many dimensions, and how sure you can be of it. You write plain NumPy.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import numpy as np

g = np.random.default_rng(10)

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 3

# %% [markdown]
# ## 1 · Cosines of chance
#
# Write `random_cosines(n, d, g)`: draw n pairs of vectors with `g.standard_normal`, d numbers each, and return the n cosines. Then store
# the standard deviation that theory promises for d = 768, 1 over the root of d, as `promised`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def random_cosines(n, d, g):
    """Return the cosines of n pairs of random vectors."""
    # BEGIN SOLUTION
    a, b = g.standard_normal((n, d)), g.standard_normal((n, d))
    return (a * b).sum(axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))
    # END SOLUTION


promised = 1 / np.sqrt(768)  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_shape_and_range(random_cosines):
    import numpy as np

    found = random_cosines(50, 3, np.random.default_rng(0))
    assert found is not None, "random_cosines returns nothing yet"
    assert np.shape(found) == (50,), f"One cosine for each of 50 pairs: shape (50,), yours is {np.shape(found)}"
    assert np.abs(found).max() <= 1 + 1e-9, "A cosine lies between -1 and 1. Divide the dot product by both lengths"
    assert np.min(found) < 0 < np.max(found), "Random directions are as often obtuse as acute. Draw both vectors of a pair anew"


# %%
def test_promised(promised):
    assert promised is not ..., "promised is still to be filled in"
    assert 0 < promised < 0.1, f"One over the root of 768 is a few hundredths, not {promised}"


# %%
# HIDDEN
def test_spread(random_cosines, promised):
    import numpy as np

    assert abs(promised - 0.0360844) < 1e-6
    for d in (2, 100):
        found = np.asarray(random_cosines(20_000, d, np.random.default_rng(1)))
        assert abs(found.std() * np.sqrt(d) - 1) < 0.03 and abs(found.mean()) < 0.03
    assert len(set(np.round(random_cosines(100, 5, np.random.default_rng(2)), 9))) == 100

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · How sure is a share?
#
# Of n independent draws, a share p had some property. Its standard error is the root of p (1 - p) / n. Write `bounds(hits, n)`: the share,
# less and plus 1.96 standard errors, as a pair (low, high), kept between 0 and 1.

# %% [raw]
# # BEGIN SOLUTION

# %%
def bounds(hits, n):
    """Return the 95 % bounds of a share, by the normal approximation."""
    # BEGIN SOLUTION
    p = hits / n
    error = np.sqrt(p * (1 - p) / n)
    return max(0.0, p - 1.96 * error), min(1.0, p + 1.96 * error)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_half(bounds):
    found = bounds(50, 100)
    assert found is not None, "bounds returns nothing yet"
    low, high = found
    assert low < 0.5 < high, f"The share 0.5 lies between its bounds, yours are {low:.3f} and {high:.3f}"
    assert abs(high - 0.5 - (0.5 - low)) < 1e-9, "The bounds lie equally far below and above"
    assert not abs(high - 0.55) < 1e-9, "That is one standard error. Take 1.96 of them"
    assert abs(low - 0.402) < 1e-9, f"The standard error is 0.05, so the lower bound is 0.5 - 0.098 = 0.402, not {low:.4f}"


# %%
# HIDDEN
def test_more(bounds):
    import math

    low, high = bounds(2, 1000)
    assert low == 0 and abs(high - (0.002 + 1.96 * math.sqrt(0.002 * 0.998 / 1000))) < 1e-12, "a share is never below 0"
    assert bounds(99, 100)[1] == 1
    wide, narrow = bounds(40, 100), bounds(4000, 10000)
    assert abs((wide[1] - wide[0]) / (narrow[1] - narrow[0]) - 10) < 1e-9, "a hundred times the draws, a tenth of the width"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Near and far
#
# Write `spread(points)`: the largest distance between any two different points, divided by the smallest. Then store its value for 100
# points drawn with `g.random((100, d))` at d = 2 and at d = 2,000, as the list `spreads`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def spread(points):
    """Return the largest distance of any pair over the smallest."""
    # BEGIN SOLUTION
    pairs = [np.linalg.norm(points[i + 1 :] - points[i], axis=1) for i in range(len(points) - 1)]
    distances = np.concatenate(pairs)
    return distances.max() / distances.min()
    # END SOLUTION


spreads = [spread(g.random((100, d))) for d in (2, 2000)]  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(spread):
    import numpy as np

    found = spread(np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    assert found is not None, "spread returns nothing yet"
    assert np.isfinite(found), "The smallest distance you divide by is that of a point to itself, zero. Leave those out"
    assert np.isclose(found, 5), f"The distances are 5, 1 and the root of 18: 5 over 1 is 5, not {found:.3f}"


# %%
def test_spreads(spreads):
    assert spreads is not ..., "spreads is still to be filled in"
    assert len(spreads) == 2, f"Two values of d, two spreads; you have {len(spreads)}"
    assert spreads[0] > 10 * spreads[1], "In two dimensions the farthest pair is many times as far as the nearest; in 2,000 hardly farther"


# %%
# HIDDEN
def test_more(spread, spreads):
    import numpy as np

    points = np.random.default_rng(3).random((40, 6))
    D = [np.sqrt(((a - b) ** 2).sum()) for i, a in enumerate(points) for b in points[:i]]
    assert np.isclose(spread(points), max(D) / min(D))
    assert 1 < spreads[1] < 1.3

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 2

# %% [markdown]
# ## 4 · What longer contexts cost
#
# A hidden layer of `h` units reads `k` vectors of `d` numbers side by side. Attention over `k` places compares every place with every
# place, `d` multiplications each. Write `layer_weights(k, d, h)`, without biases, and `attention_products(k, d)`, the multiplications for
# the scores of one head. Then store by what each grows when k is doubled, as `factors`, a list of two numbers.

# %% [raw]
# # BEGIN SOLUTION

# %%
def layer_weights(k, d, h):
    """Return the weights of a layer that reads k vectors side by side."""
    return k * d * h  # SOLUTION


def attention_products(k, d):
    """Return the multiplications for all scores among k places."""
    return k * k * d  # SOLUTION


factors = [layer_weights(2000, 10, 200) / layer_weights(1000, 10, 200), attention_products(2000, 64) / attention_products(1000, 64)]  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_counts(layer_weights, attention_products):
    found = layer_weights(3, 10, 200), attention_products(3, 10)
    assert found[0] not in (None, ...), "layer_weights returns nothing yet"
    assert found[0] == 6000, f"3 x 10 inputs to 200 units are 6,000 weights, not {found[0]}"
    assert found[1] == 90, f"3 x 3 comparisons of 10 numbers are 90 multiplications, not {found[1]}"


# %%
def test_factors(factors):
    assert factors is not ..., "factors is still to be filled in"
    assert len(factors) == 2, "One factor for the layer, one for attention"
    assert factors[1] > factors[0], "Attention grows faster: with the square of the context"


# %%
# HIDDEN
def test_values(layer_weights, attention_products, factors):
    assert layer_weights(8, 10, 200) == 16000 and attention_products(1024, 64) == 67108864
    assert list(factors) == [2, 4]

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
# Two sentence vectors of 768 numbers have the cosine 0.4. Is that much or little? Say what chance would give, and why a threshold should
# still be measured and not derived. Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# For random directions in 768 dimensions cosines have a standard deviation of about 0.036, so 0.4 is eleven of them away from 0: never
# chance. But real vectors do not fill their space evenly: they share common directions, so that unrelated sentences may already have
# cosines well above 0. Where to draw the line depends on the model and on the costs of both mistakes, so it has to be measured on pairs
# with known answers. (One point for chance, one for measuring.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
