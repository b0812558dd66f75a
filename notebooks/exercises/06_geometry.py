# %% [markdown]
# # Exercises to chapter 6 · What is in the table: the geometry of an embedding
#
# You measure angles between rows, find neighbours, and decide whether a pattern is more than chance. You write plain NumPy. The table here
# is made: eight symbols, of which the first three were drawn towards one common direction.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
import itertools

import numpy as np

g = np.random.default_rng(6)
E = g.standard_normal((8, 5))
E[:3] += [1.0, 0.5, 0, 0, 0]
print(E.round(2))

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 3

# %% [markdown]
# ## 1 · Cosine
#
# Write `cosines(E)`: the matrix of cosines between all pairs of rows. A row of zeros has no direction: let its cosine with everything be 0.

# %% [raw]
# # BEGIN SOLUTION

# %%
def cosines(E):
    """Return the cosine of every pair of rows, shape (n, n)."""
    # BEGIN SOLUTION
    lengths = np.linalg.norm(E, axis=1, keepdims=True)
    units = E / np.where(lengths > 0, lengths, 1)
    return units @ units.T
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(cosines):
    import numpy as np

    S = cosines(np.array([[1.0, 0.0], [3.0, 4.0], [-2.0, 0.0]]))
    assert S is not None, "cosines returns nothing yet"
    assert np.shape(S) == (3, 3), f"Three rows have 3 x 3 cosines, yours have shape {np.shape(S)}"
    assert not np.isclose(S[0, 1], 3), "That is the dot product. Divide by both lengths"
    assert np.isclose(S[0, 1], 0.6), f"(1, 0) and (3, 4) have the cosine 3/5, not {S[0, 1]:.3f}"
    assert np.isclose(S[0, 2], -1), "Opposite rows have the cosine -1, however long they are"


# %%
# HIDDEN
def test_length_does_not_matter(cosines):
    import numpy as np

    E = np.random.default_rng(0).normal(size=(6, 4))
    S = cosines(E * np.array([1, 10, 0.1, 5, 2, 7])[:, None])
    assert np.allclose(S, cosines(E)) and np.allclose(np.diag(S), 1) and np.allclose(S, S.T)


# %%
# HIDDEN
def test_a_row_of_zeros(cosines):
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        S = cosines(np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert np.allclose(S, [[0, 0], [0, 1]])

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 2

# %% [markdown]
# ## 2 · Neighbours
#
# Write `nearest(E, row, n)`: the numbers of the `n` rows with the largest cosine to the given row, the nearest first, as a list. A row is
# not its own neighbour.

# %% [raw]
# # BEGIN SOLUTION

# %%
def nearest(E, row, n):
    """Return the n rows nearest to a row, without the row itself."""
    # BEGIN SOLUTION
    S = cosines(E)[row].copy()
    S[row] = -np.inf
    return np.argsort(-S)[:n].tolist()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_plane(nearest):
    import numpy as np

    found = nearest(np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 1.0], [1.0, 1.0]]), 0, 2)
    assert found is not None, "nearest returns nothing yet"
    assert len(found) == 2, f"Two neighbours were asked for, you return {len(found)}"
    assert 0 not in list(found), "Row 0 is nearest to itself, and that is no news. Leave it out"
    assert list(found) == [2, 3], f"(5, 1) points most nearly like (1, 0), then (1, 1): rows 2 and 3, not {list(found)}. Largest cosine first"


# %%
# HIDDEN
def test_more(nearest):
    import numpy as np

    E = np.random.default_rng(1).normal(size=(30, 6))
    U = E / np.linalg.norm(E, axis=1, keepdims=True)
    for row in (0, 7, 29):
        order = [i for i in np.argsort(-(U @ U[row])).tolist() if i != row]
        assert [int(i) for i in nearest(E * 3, row, 5)] == order[:5]


# %%
# HIDDEN
def test_a_twin_is_a_neighbour(nearest):
    import numpy as np

    assert list(nearest(np.array([[1.0, 2.0], [0.0, 1.0], [2.0, 4.0]]), 2, 1)) == [0], "leave out the row itself, not the largest cosine"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Do they belong together?
#
# Write `separation(S, group)`: the mean cosine of the pairs within the group, minus the mean cosine of the pairs with one member inside and
# one outside. `S` is the matrix of cosines, `group` a tuple of row numbers. A pair is two different rows.

# %% [raw]
# # BEGIN SOLUTION

# %%
def separation(S, group):
    """Return the mean cosine within the group, minus that between it and the others."""
    # BEGIN SOLUTION
    inside = list(group)
    outside = [i for i in range(len(S)) if i not in inside]
    within = [S[i, j] for i, j in itertools.combinations(inside, 2)]
    return np.mean(within) - S[np.ix_(inside, outside)].mean()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_by_hand(separation):
    import numpy as np

    S = np.array([[1.0, 0.8, 0.1, 0.2], [0.8, 1.0, 0.3, 0.0], [0.1, 0.3, 1.0, 0.5], [0.2, 0.0, 0.5, 1.0]])
    found = separation(S, (0, 1))
    assert found is not None, "separation returns nothing yet"
    assert not np.isclose(found, 0.9 - 0.15), "The diagonal is in your mean. A row with itself is not a pair"
    assert not np.isclose(found, 0.8), "The mean of the pairs between inside and outside, 0.15, is still to be subtracted"
    assert np.isclose(found, 0.65), f"Within: 0.8. Between: the mean of 0.1, 0.2, 0.3 and 0, 0.15. The difference is 0.65, not {found:.3f}"


# %%
# HIDDEN
def test_more(separation):
    import numpy as np

    S = np.random.default_rng(3).normal(size=(7, 7))
    S = (S + S.T) / 2
    np.fill_diagonal(S, 1)
    within = np.mean([S[1, 4], S[1, 6], S[4, 6]])
    between = np.mean([S[i, j] for i in (1, 4, 6) for j in (0, 2, 3, 5)])
    assert np.isclose(separation(S, (1, 4, 6)), within - between)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · Could it be chance?
#
# How many groups of the same size are separated at least as well? Write `p_value(S, group)`: the share of all groups of that size, the
# given one among them, whose separation is as large or larger. Then store the value for rows 0, 1 and 2 of `E` as `p`.

# %% [raw]
# # BEGIN SOLUTION

# %%
def p_value(S, group):
    """Return the share of groups of the same size that separate at least as well."""
    # BEGIN SOLUTION
    observed = separation(S, group)
    groups = itertools.combinations(range(len(S)), len(group))
    return np.mean([separation(S, other) >= observed - 1e-12 for other in groups])
    # END SOLUTION


p = p_value(cosines(E), (0, 1, 2))  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_bounds(p_value):
    import numpy as np

    S = np.eye(5)
    S[0, 1] = S[1, 0] = 0.9
    found = p_value(S, (0, 1))
    assert found is not None, "p_value returns nothing yet"
    assert found > 0, "The group itself is one of the groups, so the share is never zero: count it, with >="
    assert np.isclose(found, 0.1), f"There are 10 groups of two, and only (0, 1) separates so well: 1/10, not {found:.3f}"


# %%
def test_p(p):
    assert p is not ..., "p is still to be filled in"
    assert 1 / 56 <= p <= 1, f"There are 56 groups of three among eight, so p lies between 1/56 and 1, not at {p:.4f}"


# %%
# HIDDEN
def test_against_a_direct_count(p_value, p):
    import itertools

    import numpy as np

    def direct(S, group):
        def gap(inside):
            outside = [i for i in range(len(S)) if i not in inside]
            pairs = [S[i, j] for i, j in itertools.combinations(inside, 2)]
            return np.mean(pairs) - np.mean([S[i, j] for i in inside for j in outside])

        gaps = [gap(other) for other in itertools.combinations(range(len(S)), len(group))]
        return np.mean(np.array(gaps) >= gap(group) - 1e-9)

    S = np.random.default_rng(4).normal(size=(7, 7))
    S = (S + S.T) / 2
    np.fill_diagonal(S, 1)
    assert np.isclose(p_value(S, (2, 5)), direct(S, (2, 5)))
    assert np.isclose(p_value(S, (0, 3, 6)), direct(S, (0, 3, 6)))
    g = np.random.default_rng(6)
    E = g.standard_normal((8, 5))
    E[:3] += [1.0, 0.5, 0, 0, 0]
    U = E / np.linalg.norm(E, axis=1, keepdims=True)
    assert np.isclose(p, direct(U @ U.T, (0, 1, 2)))

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
# Somebody tries twenty ways of grouping the letters, finds one with p = 0.03, and reports that one. What is wrong with it, and what should
# the report say? Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# With twenty tries, one value below 0.05 is to be expected from chance alone: if they were independent, the chance of at least one in
# twenty would be about 64 %. The value holds only for a group that was chosen before looking at the table. The report should name all twenty tries and correct for them, for
# instance by comparing with 0.05/20, or test the one group on a table that was trained anew. (One point for the reason, one for a remedy.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
