# %% [markdown]
# # Exercises to chapter 8 · Vectors that depend on the sentence
#
# You write attention: its weights, its mask, and two ways to say where a token stands. You write plain NumPy.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 12 points; a person reads question 5, for 2 points.

# %%
import numpy as np

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 3

# %% [markdown]
# ## 1 · Attention weights
#
# Write `weights(Q, K)`: for queries `Q` and keys `K`, both of shape (n, d), the matrix of attention weights softmax(Q K^T / sqrt(d)), a
# distribution in each row. Scores may be in the thousands, and nothing may overflow: take each row's largest score off first.

# %% [raw]
# # BEGIN SOLUTION

# %%
def weights(Q, K):
    """Return the attention weights, shape (n, n); row i says where place i looks."""
    # BEGIN SOLUTION
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(weights):
    import numpy as np

    A = weights(np.array([[2 * np.log(3), 0, 0, 0], [0, 0, 0, 0]]), np.eye(4)[:2])
    assert A is not None, "weights returns nothing yet"
    assert np.shape(A) == (2, 2), f"Two places look at two places: shape (2, 2), yours is {np.shape(A)}"
    assert np.allclose(A.sum(axis=1), 1), "Each row is a distribution over the places looked at: softmax along axis 1"
    assert np.allclose(A[1], 0.5), "A query of zeros looks at all places alike"
    assert not np.isclose(A[0, 0], 0.9), "The division by the root of d is missing: with d = 4, halve the scores"
    assert np.isclose(A[0, 0], 0.75), f"The scores of the first place are log 3 and 0, after dividing by 2: weights 3/4 and 1/4, not {np.round(A[0], 3)}"


# %%
# HIDDEN
def test_queries_in_rows_and_large_scores(weights):
    import numpy as np

    g = np.random.default_rng(0)
    Q, K = g.normal(size=(5, 3)), g.normal(size=(5, 3))
    e = np.exp(Q @ K.T / np.sqrt(3))
    assert np.allclose(weights(Q, K), e / e.sum(axis=1, keepdims=True))
    with np.errstate(over="ignore", invalid="ignore"):
        assert np.allclose(weights(np.array([[3000.0]]), np.array([[2000.0]])), 1)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · Do not look ahead
#
# Write `causal(Q, K)`: the same weights, but place i may look only at places up to and including i. The others get exactly zero, and each
# row still sums to 1. Large scores must not overflow here either.

# %% [raw]
# # BEGIN SOLUTION

# %%
def causal(Q, K):
    """Return the attention weights of a model that reads from left to right."""
    # BEGIN SOLUTION
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(np.tri(len(Q), dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_triangle(causal):
    import numpy as np

    A = causal(np.zeros((3, 2)), np.ones((3, 2)))
    assert A is not None, "causal returns nothing yet"
    assert A[0, 1] == 0 and A[0, 2] == 0 and A[1, 2] == 0, "Place i may not look at places after i: those weights are exactly zero"
    assert not np.allclose(A[0], 0), "Every place may look at itself"
    assert np.allclose(A.sum(axis=1), 1), "Masking after the softmax leaves rows that do not sum to 1. Set the forbidden scores to minus infinity before it"
    assert np.allclose(A, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]), "Equal scores share the weight among the places that may be looked at"


# %%
# HIDDEN
def test_the_future_changes_nothing(causal):
    import numpy as np

    g = np.random.default_rng(1)
    Q, K = g.normal(size=(6, 4)), g.normal(size=(6, 4))
    A = causal(Q, K)
    other = K.copy()
    other[4:] = 50 * g.normal(size=(2, 4))
    assert np.allclose(causal(Q, other)[:4], A[:4])
    full = np.exp(Q @ K.T / 2)
    assert np.allclose(A[5], full[5] / full[5].sum())
    large = causal(np.array([[1.0], [1.0]]), np.array([[0.0], [2000.0]]))
    assert np.allclose(large, [[1, 0], [0, 1]])

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Sinusoidal positions
#
# Write `positions(n, d)` for even `d`: the n x d matrix with sin(m w) in column 2i and cos(m w) in column 2i + 1 of row m, where w =
# 10000^(-2i/d).

# %% [raw]
# # BEGIN SOLUTION

# %%
def positions(n, d):
    """Return the sinusoidal position vectors of the Transformer, shape (n, d)."""
    # BEGIN SOLUTION
    angles = np.arange(n)[:, None] * 10_000.0 ** (-np.arange(0, d, 2) / d)
    P = np.empty((n, d))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_rows(positions):
    import numpy as np

    P = positions(3, 4)
    assert P is not None, "positions returns nothing yet"
    assert np.shape(P) == (3, 4), f"The shape should be (3, 4), yours is {np.shape(P)}"
    assert np.allclose(P[0], [0, 1, 0, 1]), f"At place 0 every sine is 0 and every cosine 1, alternating: (0, 1, 0, 1), not {np.round(P[0], 3)}"
    assert np.allclose(P[1, :2], [np.sin(1), np.cos(1)]), "The first pair of columns turns by one radian a place"
    assert np.allclose(P[1, 2:], [np.sin(0.01), np.cos(0.01)]), "With d = 4 the second pair has w = 10000^(-2/4) = 0.01"


# %%
# HIDDEN
def test_against_a_loop(positions):
    import math

    import numpy as np

    P = positions(40, 10)
    for m in (0, 7, 39):
        for i in range(5):
            w = 10000 ** (-2 * i / 10)
            assert np.isclose(P[m, 2 * i], math.sin(m * w)) and np.isclose(P[m, 2 * i + 1], math.cos(m * w))
    assert np.allclose((P**2).sum(axis=1), 5)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · Rotate
#
# Rotary positions turn each pair of coordinates (2i, 2i + 1) of a vector at place m by the angle m w, with the same w as above: the pair
# (x, y) becomes (x cos - y sin, x sin + y cos). Write `rotate(x, m)` for a single vector of even length. What it is for: the dot product of
# two rotated vectors depends on the distance of their places only.

# %% [raw]
# # BEGIN SOLUTION

# %%
def rotate(x, m):
    """Return the vector x as rotary positions turn it at place m."""
    # BEGIN SOLUTION
    angle = m * 10_000.0 ** (-np.arange(0, len(x), 2) / len(x))
    turned = np.empty(len(x))
    turned[0::2] = x[0::2] * np.cos(angle) - x[1::2] * np.sin(angle)
    turned[1::2] = x[0::2] * np.sin(angle) + x[1::2] * np.cos(angle)
    return turned
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_quarter_turn(rotate):
    import numpy as np

    found = rotate(np.array([1.0, 0.0]), np.pi / 2)
    assert found is not None, "rotate returns nothing yet"
    assert np.allclose(found, [0, 1]), f"A quarter turn takes (1, 0) to (0, 1), not to {np.round(found, 3)}"
    assert np.allclose(rotate(np.array([0.0, 1.0]), np.pi / 2), [-1, 0]), "A quarter turn takes (0, 1) to (-1, 0). Check the sign of the first sine"


# %%
def test_place_zero(rotate):
    import numpy as np

    x = np.array([1.0, 2.0, 3.0, 4.0])
    found = rotate(x.copy(), 0)
    assert found is not None, "rotate returns nothing yet"
    assert np.allclose(found, x), "At place 0 nothing turns"


# %%
# HIDDEN
def test_only_the_distance_matters(rotate):
    import numpy as np

    g = np.random.default_rng(2)
    q, k = g.normal(size=8), g.normal(size=8)
    first = rotate(q, 3) @ rotate(k, 1)
    assert np.isclose(first, rotate(q, 103) @ rotate(k, 101)) and np.isclose(first, rotate(q, 2) @ k)
    assert not np.isclose(first, rotate(q, 4) @ rotate(k, 1))


# %%
# HIDDEN
def test_its_input_is_left_alone_and_pairs_turn_at_their_own_speed(rotate):
    import numpy as np

    x = np.array([1.0, 0.0, 1.0, 0.0])
    found = rotate(x, 5)
    assert np.allclose(found, [np.cos(5), np.sin(5), np.cos(0.05), np.sin(0.05)])
    assert np.array_equal(x, [1, 0, 1, 0]), "rotate changed the vector it was given, perhaps halfway through"

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
# Two vectors of *bank*, from two sentences, already differ in layer 0 of a model, before any attention. Where does that difference come
# from, and how would you arrange the sentences so that it vanishes? What makes the vectors differ in the next layer? Three or four
# sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# Layer 0 adds a vector for the position to the vector of the token, so the same token at two places differs. Put *bank* at the same place
# in both sentences and the two are equal. From the next layer on, attention mixes in the vectors of the other tokens, so different company
# makes different vectors even at the same place. (One point for the position, one for attention.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
