# %% [markdown]
# # Exercises to chapter 5 · Longer memory: the MLP language model
#
# You prepare the data of the neural language model, count its parameters, run it forwards, and send one gradient backwards through it by
# hand. You write plain NumPy.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import numpy as np

SYMBOLS = ".abcdefghijklmnopqrstuvwxyz"

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · Contexts
#
# Write `contexts(word, k)`: the training examples of one word, as two lists. The first holds a tuple of the `k` symbols before each place,
# filled up with `.` at the beginning; the second the symbol that came. The last symbol that comes is the `.` at the end.

# %% [raw]
# # BEGIN SOLUTION

# %%
def contexts(word, k):
    """Return the contexts of a word, and what came after each."""
    # BEGIN SOLUTION
    padded = "." * k + word + "."
    places = range(len(word) + 1)
    return [tuple(padded[i : i + k]) for i in places], [padded[i + k] for i in places]
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_al(contexts):
    found = contexts("al", 3)
    assert found is not None, "contexts returns nothing yet"
    X, Y = found
    assert len(X) == len(Y) == 3, f"al has three examples, for a, l and the end; you have {len(Y)}"
    assert list(Y) == ["a", "l", "."], f"What comes is a, then l, then the end, not {Y}"
    assert list(X)[0] == (".", ".", "."), "Before the first letter there are only dots, as many as k"
    assert list(X) == [(".", ".", "."), (".", ".", "a"), (".", "a", "l")], "The newest symbol stands last in the context"


# %%
# HIDDEN
def test_other_lengths(contexts):
    X, Y = contexts("emma", 1)
    assert list(X) == [(".",), ("e",), ("m",), ("m",), ("a",)] and list(Y) == list("emma.")
    X, Y = contexts("ab", 5)
    assert list(X)[2] == (".", ".", ".", "a", "b") and len(Y) == 3

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 2

# %% [markdown]
# ## 2 · Count the parameters
#
# The model has a table of 27 symbols with `d` numbers each, a hidden layer of `h` units over the `k` rows read, with a bias, and an output
# layer of 27 scores, with a bias. Write `parameters(k, d, h)`. Then store by how many the number grows for each further symbol of context,
# at d = 10 and h = 200, as `growth`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def parameters(k, d, h):
    """Return how many numbers the network learns."""
    # BEGIN SOLUTION
    return 27 * d + (k * d * h + h) + (h * 27 + 27)
    # END SOLUTION


growth = parameters(2, 10, 200) - parameters(1, 10, 200)  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_small(parameters):
    found = parameters(1, 1, 1)
    assert found is not None, "parameters returns nothing yet"
    assert found != 27 + 1 + 27, "The two biases are missing: one number for each hidden unit, and one for each score"
    assert found == 83, f"With one of everything: a table of 27, a weight and a bias, 27 weights and 27 biases, 83 in all, not {found}"


# %%
def test_growth(growth):
    assert growth is not ..., "growth is still to be filled in"
    assert growth > 0, "A longer context needs more weights in the hidden layer"
    assert growth != 270 + 2000, "The table does not grow: all places of the context read the same one"


# %%
# HIDDEN
def test_the_chapter(parameters, growth):
    assert [parameters(k, 10, 200) for k in (1, 3, 8)] == [7897, 11897, 21897]
    assert growth == 2000

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Forwards
#
# Write `forward(ids, C, W1, b1, W2, b2)`, the probabilities of the next symbol for a batch of contexts. `ids` has shape (n, k). Read the
# rows from `C`, put the k rows of each context side by side, then tanh(x W1 + b1), then the scores h W2 + b2, then softmax. Shape of the
# result: (n, 27), or as many columns as `W2` has.

# %% [raw]
# # BEGIN SOLUTION

# %%
def forward(ids, C, W1, b1, W2, b2):
    """Return the probabilities of the next symbol, one row a context."""
    # BEGIN SOLUTION
    x = C[ids].reshape(len(ids), -1)
    scores = np.tanh(x @ W1 + b1) @ W2 + b2
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_shape(forward):
    import numpy as np

    g = np.random.default_rng(0)
    C, W1, b1, W2, b2 = g.normal(size=(5, 2)), g.normal(size=(6, 4)), g.normal(size=4), g.normal(size=(4, 5)), g.normal(size=5)
    P = forward(np.array([[0, 1, 2], [4, 4, 3]]), C, W1, b1, W2, b2)
    assert P is not None, "forward returns nothing yet"
    assert np.shape(P) == (2, 5), f"Two contexts and five symbols make a result of shape (2, 5), yours has {np.shape(P)}"
    assert np.allclose(P.sum(axis=1), 1), "Every row is a distribution: softmax over the scores of one context"
    assert np.all(P > 0), "A probability from softmax is above zero"


# %%
def test_only_the_output_bias(forward):
    import numpy as np

    P = forward(np.array([[0]]), np.zeros((2, 3)), np.zeros((3, 4)), np.zeros(4), np.zeros((4, 2)), np.array([np.log(3), 0]))
    assert P is not None, "forward returns nothing yet"
    assert np.allclose(P, [[0.75, 0.25]]), f"With all weights zero only b2 = (log 3, 0) speaks: (0.75, 0.25), not {np.round(P, 3)}"


# %%
# HIDDEN
def test_against_a_loop(forward):
    import numpy as np

    g = np.random.default_rng(1)
    C, W1, b1, W2, b2 = g.normal(size=(5, 2)), g.normal(size=(6, 4)), g.normal(size=4), g.normal(size=(4, 5)), g.normal(size=5)
    ids = np.array([[0, 1, 2], [4, 4, 3], [2, 1, 0]])
    P = forward(ids, C, W1, b1, W2, b2)
    for row, context in zip(P, ids):
        scores = np.tanh(np.concatenate([C[i] for i in context]) @ W1 + b1) @ W2 + b2
        assert np.allclose(row, np.exp(scores) / np.exp(scores).sum()), "the order of the rows in a context matters"
    assert not np.allclose(P[0], P[2])

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## 4 · Backwards
#
# For one hidden layer, h = tanh(x W + b), the gradient of the loss with respect to `h` arrives as `dh` (shape n x m). Write `backward(x, h,
# dh)`, which returns the gradients with respect to `W`, `b` and `x`, in this order, as a tuple; `W` itself comes as a fourth argument. The
# derivative of tanh(a), expressed in h, is 1 - h squared.

# %% [raw]
# # BEGIN SOLUTION

# %%
def backward(x, h, dh, W):
    """Return (dW, db, dx)."""
    # BEGIN SOLUTION
    da = dh * (1 - h**2)
    return x.T @ da, da.sum(axis=0), da @ W.T
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_shapes(backward):
    import numpy as np

    x, W = np.ones((3, 2)), np.zeros((2, 4))
    found = backward(x, np.tanh(x @ W), np.ones((3, 4)), W)
    assert found is not None, "backward returns nothing yet"
    shapes = [np.shape(part) for part in found]
    assert shapes == [(2, 4), (4,), (3, 2)], f"Each gradient has the shape of what it belongs to, (2, 4), (4,) and (3, 2); yours have {shapes}"


# %%
def test_by_hand(backward):
    import numpy as np

    dW, db, dx = backward(np.array([[2.0]]), np.array([[0.5]]), np.array([[1.0]]), np.array([[3.0]])) or (None,) * 3
    assert dW is not None, "backward returns nothing yet"
    assert not np.allclose(dW, 2), "The tanh is missing: what arrives at h has to be multiplied by 1 - h squared first"
    assert np.allclose(dW, 1.5), f"1 - 0.25 = 0.75 arrives before the tanh, times x = 2 is 1.5, not {np.round(dW, 3)}"
    assert np.allclose(db, 0.75) and np.allclose(dx, 2.25), "The bias gets 0.75, and x gets 0.75 times W = 3, 2.25"


# %%
# HIDDEN
def test_against_differences(backward):
    import numpy as np

    g = np.random.default_rng(2)
    x, W, b, dh = g.normal(size=(5, 3)), g.normal(size=(3, 4)), g.normal(size=4), g.normal(size=(5, 4))

    def loss(x, W, b):
        return (np.tanh(x @ W + b) * dh).sum()

    found = backward(x, np.tanh(x @ W + b), dh, W)
    for place, gradient in zip(range(3), (found[2], found[0], found[1])):
        parts = [x, W, b]
        slopes = np.empty_like(parts[place])
        for index in np.ndindex(slopes.shape):
            d = np.zeros_like(slopes)
            d[index] = 1e-6
            up, down = list(parts), list(parts)
            up[place], down[place] = parts[place] + d, parts[place] - d
            slopes[index] = (loss(*up) - loss(*down)) / 2e-6
        assert np.allclose(gradient, slopes, atol=1e-6), ("dx", "dW", "db")[place]

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
# A table of counts over three symbols has 19,683 rows; the network with a context of three has 11,897 numbers in all. In contexts that
# training never met, the table can only guess blindly, and the network does far better. How can fewer numbers know more? And where a
# context was met often, why does the table hold its own? Four or five sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# In the count table every row is learned alone, from its own few examples, and most rows have none. In the network all contexts pass
# through the same table and the same hidden layer, so what is learned from one context carries over to others: symbols that behave alike
# get similar rows, and a context that was never seen gets a sensible answer from similar ones. Where a context has many examples of its
# own, counting them is the best answer there is, and the network has to fit that row with weights that serve all the others as well. (One
# point for sharing, one for the full row.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
