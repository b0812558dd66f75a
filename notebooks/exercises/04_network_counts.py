# %% [markdown]
# # Exercises to chapter 4 · The network that rediscovers the counts
#
# You write the one-layer network of the chapter by hand: the softmax, the loss, its gradient, and the descent. No autograd: plain NumPy.
# The counts are those of the chapters, with 27 symbols: `N[a, b]` is how often `b` came after `a`.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import numpy as np

from tokvec import bigram

N, N_validation = (counts.numpy().astype(float) for counts in bigram.stored_counts())
print(N.shape, N.sum())

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · Before the first step
#
# Start from a matrix `W` of zeros. What is the loss of the network on any data, in nats? Store it as `loss_at_zero`, computed and not
# looked up. And how many numbers does the network learn? Store that as `parameters`.

# %% [raw]
# # BEGIN SOLUTION

# %%
loss_at_zero = np.log(27)  # SOLUTION
parameters = 27 * 27  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_loss(loss_at_zero):
    assert loss_at_zero is not ..., "loss_at_zero is still to be filled in"
    assert abs(loss_at_zero - 27) > 1e-6, "27 is the perplexity. The loss is its logarithm"
    assert loss_at_zero > 0, "Equal scores give every symbol the same probability, 1/27, and minus its logarithm is positive"


# %%
def test_parameters(parameters):
    assert parameters is not ..., "parameters is still to be filled in"
    assert parameters > 27, f"There is a row for each symbol, and a score in it for each symbol that may follow; that is more than {parameters}"


# %%
# HIDDEN
def test_both(loss_at_zero, parameters):
    assert abs(loss_at_zero - 3.295836866) < 1e-6
    assert parameters == 729

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · Softmax
#
# Write `softmax(W)`: every row of scores becomes a row of probabilities. It must stand scores in the thousands, where a plain exponential
# overflows.

# %% [raw]
# # BEGIN SOLUTION

# %%
def softmax(W):
    """Return the rows of W as probabilities."""
    # BEGIN SOLUTION
    e = np.exp(W - W.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_rows(softmax):
    import numpy as np

    P = softmax(np.array([[0.0, 0.0], [np.log(3), 0.0]]))
    assert P is not None, "softmax returns nothing yet"
    assert np.shape(P) == (2, 2), f"The shape should stay (2, 2), yours is {np.shape(P)}"
    assert np.allclose(P[0], [0.5, 0.5]), f"Equal scores give equal probabilities, not {np.round(P[0], 3)}. Is the sum taken over each row (axis=1)?"
    assert np.allclose(P[1], [0.75, 0.25]), f"Scores log 3 and 0 give 3/4 and 1/4, not {np.round(P[1], 3)}"


# %%
def test_large_scores(softmax):
    import numpy as np

    with np.errstate(over="ignore", invalid="ignore"):
        P = softmax(np.array([[1000.0, 1000.0, 1000.0]]))
    assert P is not None, "softmax returns nothing yet"
    assert np.allclose(P, 1 / 3), "exp(1000) is too large for a number. Subtract the row's largest score first: it changes nothing, since it cancels"


# %%
# HIDDEN
def test_shifts_cancel_and_rows_are_apart(softmax):
    import numpy as np

    W = np.array([[-2000.0, -2001.0], [5.0, 3.0], [700.0, 0.0]])
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        P = softmax(W)
    assert np.allclose(P[0], [0.7310586, 0.2689414]), "each row is shifted by its own largest score, not by the largest of all"
    assert np.allclose(P[1], [0.8807971, 0.1192029])
    assert np.allclose(P.sum(axis=1), 1)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · A gradient by hand
#
# The loss is the average over all pairs, `-(N * log P).sum() / N.sum()` with `P = softmax(W)`. Write `gradient(W, N)`, its derivative with
# respect to `W`. For a single pair it is the row of `P` minus the one-hot vector of what came; now add up over the counts.

# %% [raw]
# # BEGIN SOLUTION

# %%
def gradient(W, N):
    """Return the derivative of the average loss with respect to every score in W."""
    # BEGIN SOLUTION
    return (N.sum(axis=1, keepdims=True) * softmax(W) - N) / N.sum()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(gradient):
    import numpy as np

    G = gradient(np.zeros((2, 2)), np.array([[3.0, 1.0], [0.0, 0.0]]))
    assert G is not None, "gradient returns nothing yet"
    assert np.shape(G) == (2, 2), f"The gradient has the shape of W, (2, 2), yours has {np.shape(G)}"
    assert np.allclose(G[1], 0), "Nothing came after the second symbol, so its row gets no gradient"
    assert not np.allclose(G[0], [1 / 4, -1 / 4]), "Your gradient points the wrong way: it is what the model says minus what was counted"
    assert np.allclose(G[0], [-1 / 4, 1 / 4]), f"The row says (1/2, 1/2) four times, (2, 2), and saw (3, 1). The difference (-1, 1), over 4 pairs, is (-1/4, 1/4), not {np.round(G[0], 3)}"


# %%
# HIDDEN
def test_against_differences(gradient):
    import numpy as np

    g = np.random.default_rng(0)
    W, N = g.standard_normal((4, 4)), g.integers(0, 9, (4, 4)).astype(float)

    def loss(W):
        return -(N * (W - np.log(np.exp(W).sum(axis=1, keepdims=True)))).sum() / N.sum()

    slopes = np.empty((4, 4))
    for i in range(4):
        for j in range(4):
            d = np.zeros((4, 4))
            d[i, j] = 1e-6
            slopes[i, j] = (loss(W + d) - loss(W - d)) / 2e-6
    assert np.allclose(gradient(W, N), slopes, atol=1e-7), "rows that were seen more often have larger gradients"


# %%
# HIDDEN
def test_zero_at_the_counts(gradient):
    import numpy as np

    N = np.array([[8.0, 2.0], [1.0, 3.0]])
    assert np.allclose(gradient(np.log(N), N), 0, atol=1e-12)
    assert not np.allclose(gradient(np.zeros((2, 2)), N), 0)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · Down the slope
#
# Write `descend(N, steps, rate)`: start from a matrix of zeros, take that many steps of gradient descent on the counts, and return `W`.
# Then run it on the names for 500 steps with a rate of 50, and store the largest difference between any cell of softmax(W) and the count
# table (every row of `N` divided by its sum) as `gap`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def descend(N, steps, rate):
    """Return the scores after some steps of gradient descent from zero."""
    # BEGIN SOLUTION
    W = np.zeros_like(N)
    for _ in range(steps):
        W = W - rate * gradient(W, N)
    return W
    # END SOLUTION


gap = np.abs(softmax(descend(N, 500, 50)) - N / N.sum(axis=1, keepdims=True)).max()  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_one_step(descend):
    import numpy as np

    W = descend(np.array([[3.0, 1.0], [0.0, 0.0]]), 1, 2.0)
    assert W is not None, "descend returns nothing yet"
    assert np.allclose(W[0], [0.5, -0.5]), f"From zero, with gradient (-1/4, 1/4) and rate 2, one step leads to (0.5, -0.5), not {np.round(W[0], 3)}. Subtract the gradient"


# %%
def test_gap(gap):
    assert gap is not ..., "gap is still to be filled in"
    assert gap < 0.5, f"After 500 steps the worst cell is off by less than {gap:.3f}. Compare probabilities with probabilities"


# %%
# HIDDEN
def test_many_steps(descend):
    import numpy as np

    N = np.array([[3.0, 1.0], [1.0, 4.0]])
    W = descend(N, 2000, 2.0)
    P = np.exp(W) / np.exp(W).sum(axis=1, keepdims=True)
    assert np.allclose(P, N / N.sum(axis=1, keepdims=True), atol=1e-6)
    assert np.array_equal(N, [[3, 1], [1, 4]]), "descend changed the counts it was given"


# %%
# HIDDEN
def test_the_names(gap):
    import numpy as np

    from tokvec import bigram

    N = bigram.stored_counts()[0].numpy().astype(float)
    W = np.zeros((27, 27))
    for _ in range(500):
        P = np.exp(W) / np.exp(W).sum(axis=1, keepdims=True)
        W -= 50 * (N.sum(axis=1, keepdims=True) * P - N) / N.sum()
    P = np.exp(W) / np.exp(W).sum(axis=1, keepdims=True)
    assert abs(gap - np.abs(P - N / N.sum(axis=1, keepdims=True)).max()) < 1e-6

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
# In which row of the names is the gap largest after your 500 steps, and why does that row come right last? Name one change to the descent
# that would help it. Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# It is the row of a rare symbol, *q*. The gradient of a row is scaled by the share of all pairs that start with its symbol, so a row that
# is seen a hundred times less often moves a hundred times more slowly towards the same place. A step size of its own for each row helps,
# for instance dividing each row's gradient by its share; so do optimisers such as Adam that do this by themselves, or simply more steps.
# (One point for the reason, one for a change that works.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
