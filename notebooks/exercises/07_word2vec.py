# %% [markdown]
# # Exercises to chapter 7 · Word vectors, and what analogies hide
#
# You write the core of skip-gram with negative sampling: the noise it draws from, its loss, its gradient; and then the analogy search that
# is done with its vectors. You write plain NumPy, on small made vectors.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import numpy as np

counts = np.array([1000.0, 100.0, 10.0, 1.0])  # how often each of four words occurs

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · The noise
#
# Negative words are drawn with probabilities in proportion to the counts raised to the power 3/4. Write `noise(counts)`, these
# probabilities. Then store as `lift` how many times likelier the rarest of the four words above becomes, compared with drawing by the
# counts themselves.

# %% [raw]
# # BEGIN SOLUTION

# %%
def noise(counts):
    """Return the probabilities that negative samples are drawn with."""
    # BEGIN SOLUTION
    weights = counts**0.75
    return weights / weights.sum()
    # END SOLUTION


lift = noise(counts)[3] / (counts[3] / counts.sum())  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_noise(noise):
    import numpy as np

    p = noise(np.array([16.0, 1.0]))
    assert p is not None, "noise returns nothing yet"
    assert np.isclose(np.sum(p), 1), f"Probabilities sum to 1, yours to {np.sum(p):.3f}"
    assert not np.isclose(p[0], 16 / 17), "The power 3/4 is missing"
    assert np.isclose(p[0], 8 / 9), f"16 to the power 3/4 is 8, so the first word gets 8/9, not {p[0]:.4f}. Take the power first, divide after"


# %%
def test_lift(lift):
    assert lift is not ..., "lift is still to be filled in"
    assert lift > 1, "The power 3/4 makes rare words likelier, so lift is above 1: the new probability divided by the old"


# %%
# HIDDEN
def test_both(noise, lift):
    import numpy as np

    counts = np.array([1000.0, 100.0, 10.0, 1.0])
    weights = counts**0.75
    assert np.allclose(noise(counts), weights / weights.sum())
    assert np.isclose(lift, 1111 / weights.sum())
    assert noise(np.array([4.0, 0.0]))[1] == 0, "a word that never occurs is never drawn"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · The loss of one pair
#
# A centre vector `v` should say yes to the context word's vector `u`, and no to each of the negative vectors, the rows of `negatives`.
# Write `loss(v, u, negatives)`: minus log sigmoid(u . v), minus the sum of log sigmoid(-n . v) over the negatives. It has to stay finite
# for scores in the thousands: log sigmoid(x) is -log(1 + exp(-x)), which `np.logaddexp` computes safely.

# %% [raw]
# # BEGIN SOLUTION

# %%
def loss(v, u, negatives):
    """Return the loss of skip-gram with negative sampling for one pair."""
    # BEGIN SOLUTION
    return np.logaddexp(0, -(u @ v)) + np.logaddexp(0, negatives @ v).sum()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_zero(loss):
    import numpy as np

    found = loss(np.zeros(2), np.ones(2), np.ones((3, 2)))
    assert found is not None, "loss returns nothing yet"
    assert np.ndim(found) == 0, "The loss is one number: sum over the negatives"
    assert np.isclose(found, 4 * np.log(2)), f"All scores are 0, so each of the four answers costs log 2, together 2.7726, not {found:.4f}"


# %%
def test_signs(loss):
    import numpy as np

    v = np.array([2.0, 0.0])
    good = loss(v, np.array([3.0, 0.0]), np.array([[-3.0, 0.0]]))
    bad = loss(v, np.array([-3.0, 0.0]), np.array([[3.0, 0.0]]))
    assert good is not None, "loss returns nothing yet"
    assert good < bad, "A context word that points like v, and a negative that points away, should cost little. Yours costs more: check the signs"


# %%
# HIDDEN
def test_value(loss):
    import numpy as np

    g = np.random.default_rng(0)
    v, u, negatives = g.normal(size=4), g.normal(size=4), g.normal(size=(5, 4))
    right = -np.log(1 / (1 + np.exp(-u @ v))) - np.log(1 / (1 + np.exp(negatives @ v))).sum()
    assert np.isclose(loss(v, u, negatives), right)


# %%
# HIDDEN
def test_large_scores(loss):
    import numpy as np

    with np.errstate(over="ignore", divide="ignore"):
        found = loss(np.array([1.0]), np.array([-3000.0]), np.array([[2000.0]]))
    assert np.isclose(found, 5000)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · The gradient
#
# Write `gradient(v, u, negatives)`: the derivative of that loss with respect to `v`. For each score the derivative is what the model says,
# sigmoid of the score, minus what is true: 1 for the context word, 0 for a negative.

# %% [raw]
# # BEGIN SOLUTION

# %%
def gradient(v, u, negatives):
    """Return the derivative of the loss with respect to the centre vector v."""
    # BEGIN SOLUTION
    rows = np.vstack([u, negatives])
    truth = np.zeros(len(rows))
    truth[0] = 1
    return (1 / (1 + np.exp(-(rows @ v))) - truth) @ rows
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(gradient):
    import numpy as np

    found = gradient(np.zeros(2), np.array([2.0, 0.0]), np.array([[0.0, 4.0]]))
    assert found is not None, "gradient returns nothing yet"
    assert np.shape(found) == (2,), f"The gradient has the shape of v, (2,), yours has {np.shape(found)}"
    assert not np.allclose(found, [1, -2]), "Your gradient points the wrong way: what the model says minus what is true"
    assert np.allclose(found, [-1, 2]), f"Both scores are 0, so sigmoid is 1/2: (1/2 - 1) u + (1/2 - 0) n = (-1, 2), not {np.round(found, 3)}"


# %%
# HIDDEN
def test_against_differences(gradient):
    import numpy as np

    g = np.random.default_rng(1)
    v, u, negatives = g.normal(size=3), g.normal(size=3), g.normal(size=(4, 3))

    def loss(v):
        return np.logaddexp(0, -(u @ v)) + np.logaddexp(0, negatives @ v).sum()

    slopes = [(loss(v + d) - loss(v - d)) / 2e-6 for d in 1e-6 * np.eye(3)]
    assert np.allclose(gradient(v, u, negatives), slopes, atol=1e-6)


# %%
# HIDDEN
def test_a_negative_drawn_twice_counts_twice(gradient):
    import numpy as np

    found = gradient(np.zeros(1), np.array([0.0]), np.array([[2.0], [2.0]]))
    assert np.allclose(found, [2.0])

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · a is to b as c is to what?
#
# Write `analogy(E, a, b, c)`: the number of the row whose direction is nearest, by cosine, to the direction of b - a + c, where `a`, `b`,
# `c` are row numbers. First make every row of `E` a unit vector. Leave out the three rows of the question, as the usual rule has it.

# %% [raw]
# # BEGIN SOLUTION

# %%
def analogy(E, a, b, c):
    """Return the row that answers the analogy, the three rows of the question left out."""
    # BEGIN SOLUTION
    U = E / np.linalg.norm(E, axis=1, keepdims=True)
    scores = U @ (U[b] - U[a] + U[c])
    scores[[a, b, c]] = -np.inf
    return int(scores.argmax())
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_square(analogy):
    import numpy as np

    E = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 1.0, 1.0], [0.0, 0.0, -1.0]])
    found = analogy(E, 0, 1, 2)
    assert found is not None, "analogy returns nothing yet"
    assert found not in (0, 1, 2), f"Row {found} is one of the question's own rows. Leave all three out"
    assert found == 3, f"Row 0 is to row 1 as row 2 is to row 3; you found row {found}. It is b - a + c"


# %%
# HIDDEN
def test_units_first(analogy):
    import numpy as np

    g = np.random.default_rng(5)
    for _ in range(20):
        E = g.normal(size=(12, 4)) * g.uniform(0.1, 9, size=(12, 1))
        U = E / np.linalg.norm(E, axis=1, keepdims=True)
        target = U[1] - U[0] + U[2]
        rest = max(range(3, 12), key=lambda i: U[i] @ target)
        before = E.copy()
        assert analogy(E, 0, 1, 2) == rest
        assert np.array_equal(E, before), "analogy changed the vectors it was given"

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
# A slide says: "king - man + woman = queen: the model has understood gender." What does the rule of question 4 have to do with it, and
# what would you measure before you believe the slide? Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# With the question's own words left out, the answer has to be another word near king, and queen is its neighbour anyway: without the rule
# the nearest row to the sum is often king itself. One should compare with the same search without a and b (the nearest neighbour of c), and
# report the share of questions over a whole set, with the input words allowed, for the vectors at hand. (One point for what leaving out
# does, one for a fair comparison.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
