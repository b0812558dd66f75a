# %% [markdown]
# # Exercises to chapter 3 · Counting what comes next
#
# You rebuild the chapter's table by yourself: read it, smooth it, score it, and choose how much to smooth. You write plain NumPy.
# The counts are those of the chapter: `N[a, b]` is how often symbol `b` came right after symbol `a` in the training names, with `.` for
# the beginning and end of a name; `N_validation` has the same counts for the validation names.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 10 points; a person reads question 5, for 2 points.

# %%
import numpy as np

from tokvec import bigram

SYMBOLS = bigram.SYMBOLS
N, N_validation = (counts.numpy().astype(float) for counts in bigram.stored_counts())
print(SYMBOLS, N.shape)

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · Read the table
#
# Without any smoothing, how likely is an *n* right after an *a*? Store the probability as `p_n_after_a`. And how many of the cells of `N`
# were never seen? Store the number as `empty`. Compute both from `N`.

# %% [raw]
# # BEGIN SOLUTION

# %%
a, n = SYMBOLS.index("a"), SYMBOLS.index("n")
p_n_after_a = N[a, n] / N[a].sum()  # SOLUTION
empty = (N == 0).sum()  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_probability(p_n_after_a, N):
    assert isinstance(p_n_after_a, float), "p_n_after_a should be one number; it is still to be filled in"
    assert 0 <= p_n_after_a <= 1, f"A probability lies between 0 and 1, yours is {p_n_after_a}. Did you forget to divide?"
    assert abs(p_n_after_a - N[1, 14] / N[:, 14].sum()) > 1e-6, "You divided by how often n came at all. Divide by how often a was left."


# %%
def test_empty(empty):
    assert empty is not ..., "empty is still to be filled in"
    assert empty == int(empty) and 0 <= empty < 729, f"empty counts cells, so it is a whole number below 729, not {empty}"
    assert empty != 616, "616 cells were seen. The question asks for those that were not."


# %%
# HIDDEN
def test_both(p_n_after_a, empty):
    assert abs(p_n_after_a - 0.1601) < 5e-5
    assert empty == 113

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · Add, then divide
#
# A cell that was never seen makes the loss infinite. Write `smooth(N, add)`: add `add` to every count, then divide each row by its sum. A
# row with nothing in it (no counts and `add` = 0) has no sum to divide by; it should become the uniform row.

# %% [raw]
# # BEGIN SOLUTION

# %%
def smooth(N, add):
    """Return the table of probabilities: every row of N + add, divided by its sum."""
    # BEGIN SOLUTION
    counts = N + add
    sums = counts.sum(axis=1, keepdims=True)
    return np.where(sums > 0, counts / np.where(sums > 0, sums, 1), 1 / N.shape[1])
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_shape_and_sums(smooth):
    import numpy as np

    P = smooth(np.array([[3.0, 1.0], [0.0, 2.0]]), 1)
    assert P is not None, "smooth returns nothing yet"
    assert np.shape(P) == (2, 2), f"The table should keep its shape (2, 2), yours has {np.shape(P)}"
    assert not np.allclose(np.sum(P, axis=0), 1) or np.allclose(np.sum(P, axis=1), 1), "Your columns sum to 1. It is the rows that should: sum over axis 1."
    assert np.allclose(np.sum(P, axis=1), 1), f"Each row should sum to 1, yours sum to {np.sum(P, axis=1).round(3)}"


# %%
def test_by_hand(smooth):
    import numpy as np

    P = smooth(np.array([[3.0, 1.0], [0.0, 2.0]]), 1)
    assert P is not None, "smooth returns nothing yet"
    assert abs(P[0][0] - 4 / 6) < 1e-9, f"Row (3, 1) with 1 added is (4, 2), so its first probability is 4/6, not {P[0][0]:.4f}"
    assert abs(P[1][0] - 1 / 4) < 1e-9, f"Row (0, 2) with 1 added is (1, 3), so its first probability is 1/4, not {P[1][0]:.4f}"


# %%
# HIDDEN
def test_the_added_count_is_in_the_sum_too(smooth):
    import numpy as np

    P = smooth(np.array([[8.0, 0.0, 2.0], [1.0, 1.0, 1.0], [0.0, 0.0, 5.0]]), 0.5)
    assert np.allclose(P[0], np.array([8.5, 0.5, 2.5]) / 11.5)


# %%
# HIDDEN
def test_an_empty_row_is_uniform(smooth):
    import numpy as np

    P = smooth(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 3.0], [0.0, 2.0, 0.0]]), 0)
    assert np.allclose(P, [[1 / 3, 1 / 3, 1 / 3], [0.25, 0, 0.75], [0, 1, 0]])


# %%
# HIDDEN
def test_the_counts_are_left_alone(smooth):
    import numpy as np

    counts = np.array([[3.0, 1.0], [0.0, 2.0]])
    assert smooth(counts, 1) is not None
    assert (counts == [[3, 1], [0, 2]]).all(), "smooth changed the counts it was given"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Score it
#
# Write `average_nll(P, N)`: the average negative log-likelihood, in nats a pair, that the table `P` gives to pairs that occurred `N` times
# each. A pair that never occurred must not count at all, even where `P` is zero; one that did occur where `P` is zero makes the loss
# infinite. Then write `perplexity(loss)`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def average_nll(P, N):
    """Return minus the mean log-probability of the pairs counted in N."""
    # BEGIN SOLUTION
    seen = N > 0
    with np.errstate(divide="ignore"):
        return -(N[seen] * np.log(P[seen])).sum() / N.sum()
    # END SOLUTION


def perplexity(loss):
    """Return the number of equally likely choices with this loss."""
    # BEGIN SOLUTION
    return np.exp(loss)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_uniform(average_nll, perplexity):
    import numpy as np

    counts = np.array([[2.0, 1.0], [0.0, 1.0]])
    loss = average_nll(np.full((2, 2), 0.5), counts)
    assert loss is not None, "average_nll returns nothing yet"
    assert loss > 0, f"A loss is positive, yours is {loss:.4f}. The logarithm of a probability is negative: turn the sign."
    assert not 1e-12 < abs(loss - np.log(2)) < 1e-6, "Nearly, and not exactly: leave the probabilities as they are, and leave out the pairs that never occurred."
    assert abs(loss - np.log(2)) < 1e-9, f"A table that always says 1/2 has a loss of log 2 = 0.6931, yours has {loss:.4f}. Divide by the number of pairs, N.sum()."
    assert perplexity(loss) is not None, "perplexity returns nothing yet"
    assert abs(perplexity(loss) - 2) < 1e-9, "Two equally likely choices have perplexity 2. Undo the natural logarithm with exp."


# %%
def test_weighted_by_counts(average_nll):
    import numpy as np

    loss = average_nll(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[3.0, 1.0], [0.0, 0.0]]))
    assert loss is not None, "average_nll returns nothing yet"
    right = -(3 * np.log(0.75) + np.log(0.25)) / 4
    assert not 1e-12 < abs(loss - right) < 1e-6, "Nearly, and not exactly: add nothing to the probabilities; a pair that never occurred is left out."
    assert abs(loss - right) < 1e-9, f"Three pairs at 0.75 and one at 0.25 give {right:.4f}, yours {loss:.4f}. A pair that occurred three times counts three times."


# %%
# HIDDEN
def test_zeros(average_nll):
    import numpy as np

    P = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert abs(average_nll(P, np.array([[4.0, 0.0], [0.0, 4.0]])) - np.log(2) / 2) < 1e-9, "0 times log 0 should count nothing"
    assert average_nll(P, np.array([[4.0, 1.0], [0.0, 4.0]])) == float("inf")


# %%
# HIDDEN
def test_the_chapter(average_nll, perplexity):
    from tokvec import bigram

    N, V = (counts.numpy().astype(float) for counts in bigram.stored_counts())
    P = (N + 1) / (N + 1).sum(axis=1, keepdims=True)
    assert abs(average_nll(P, V) - 2.4546) < 5e-5
    assert abs(perplexity(average_nll(P, V)) - 11.642) < 5e-4

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 2

# %% [markdown]
# ## 4 · How much to add
#
# Try `add` = 0.01, 0.1, 1, 10 and 100. For each, train on `N` and score on the names the table has not seen. Store the losses as a list in
# this order, `losses`, and the value of `add` with the best one as `best_add`.

# %% [raw]
# # BEGIN SOLUTION

# %%
choices = [0.01, 0.1, 1, 10, 100]
losses = [average_nll(smooth(N, add), N_validation) for add in choices]  # SOLUTION
best_add = choices[int(np.argmin(losses))]  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_losses(losses):
    assert losses is not ... and losses is not None, "losses is still to be filled in"
    assert len(losses) == 5, f"There are five values of add, you have {len(losses)} losses"
    assert abs(losses[2] - 2.4550) > 1e-4, "With add = 1 you have the loss on the training names. Score on N_validation."
    assert abs(losses[2] - 2.4546) < 1e-4, f"With add = 1 the chapter has 2.4546, you have {losses[2]:.4f}"


# %%
def test_best(best_add):
    assert best_add is not ..., "best_add is still to be filled in"
    assert best_add in (0.01, 0.1, 1, 10, 100), f"best_add is one of the five values of add, not {best_add}"
    assert best_add != 100, "100 has the largest loss. The best loss is the smallest."


# %%
# HIDDEN
def test_values(losses, best_add):
    from tokvec import bigram

    N, V = (counts.numpy().astype(float) for counts in bigram.stored_counts())
    import numpy as np

    right = []
    for add in (0.01, 0.1, 1, 10, 100):
        P = (N + add) / (N + add).sum(axis=1, keepdims=True)
        right.append(-(V * np.log(P)).sum() / V.sum())
    assert np.allclose(losses, right, atol=1e-6)
    assert best_add == (0.01, 0.1, 1, 10, 100)[int(np.argmin(right))]

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
# What does the table become as `add` grows without end, and what is its perplexity then? Why is the best `add` on the training names always
# zero? Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# Every row tends to the uniform distribution, since the counts matter less and less beside what is added, and the perplexity tends to 27. On
# the training names dividing the raw counts is the maximum-likelihood estimate: no other table makes those names more likely, so anything
# that is added can only make it worse there. Whether adding helps shows only on names that were not counted. (One point for each half.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
