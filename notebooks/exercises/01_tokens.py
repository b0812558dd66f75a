# %% [markdown]
# # Exercises to chapter 1 · Text to token ids
#
# You write byte-pair encoding: count the pairs, join one, learn a list of merges, and tokenise with it. You write plain Python.
#
# Fill in every `...`, and run the check below each question as often as you like: it says what is wrong. When your work is graded, further
# tests run that you do not see here. Questions 1 to 4 make 11 points; a person reads question 5, for 2 points.

# %%
from collections import Counter

words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # a word, and how often it occurs
corpus = {(*word, "·"): count for word, count in words.items()}  # letters, and a mark for the end of the word
print(corpus)

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 2

# %% [markdown]
# ## 1 · Characters and bytes
#
# For the text below, store the number of its characters as `characters`, the number of its bytes in UTF-8 as `bytes_`, and the number of
# token ids that a byte-level vocabulary needs for it if it has no merges at all as `ids`.

# %% [raw]
# # BEGIN SOLUTION

# %%
text = "zażółć gęślą jaźń"
characters = len(text)  # SOLUTION
bytes_ = len(text.encode("utf-8"))  # SOLUTION
ids = bytes_  # SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_characters(characters, text):
    assert characters is not ..., "characters is still to be filled in"
    assert characters == len(text), f"len(text) counts characters; spaces are characters too. It is not {characters}"


# %%
def test_bytes(bytes_):
    assert bytes_ is not ..., "bytes_ is still to be filled in"
    assert bytes_ > 17, "Letters outside ASCII take two bytes or more in UTF-8 (these take two), so there are more bytes than characters: text.encode('utf-8')"


# %%
# HIDDEN
def test_all(characters, bytes_, ids):
    assert characters == 17
    assert bytes_ == 26
    assert ids == 26, "without merges each byte is one token"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## 2 · Count the pairs
#
# Write `count_pairs(corpus)`: how often each pair of neighbouring symbols occurs, where a word that occurs 6 times counts its pairs 6
# times. Return a `Counter` (or a dict) from pairs to counts.

# %% [raw]
# # BEGIN SOLUTION

# %%
def count_pairs(corpus):
    """Return how often each pair of neighbouring symbols occurs."""
    # BEGIN SOLUTION
    pairs = Counter()
    for word, count in corpus.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    return pairs
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_small(count_pairs):
    pairs = count_pairs({("a", "b", "a", "b"): 2})
    assert pairs is not None, "count_pairs returns nothing yet"
    assert ("a", "b") in pairs, "The keys are pairs of symbols, such as ('a', 'b')"
    assert pairs[("a", "b")] != 2, "ab occurs twice in the word, and the word twice: 4 times. You counted the word once, or the pair once"
    assert pairs[("a", "b")] == 4, f"ab occurs twice in a word that occurs twice: 4 times, not {pairs[('a', 'b')]}"
    assert pairs[("b", "a")] == 2, f"ba occurs once in a word that occurs twice, not {pairs[('b', 'a')]} times"


# %%
def test_the_chapter(count_pairs):
    pairs = count_pairs({(*w, "·"): n for w, n in {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()})
    assert pairs is not None, "count_pairs returns nothing yet"
    assert ("e", "s") in pairs, "The keys are pairs of symbols, such as ('e', 's'), which is in newest and widest"
    assert pairs[("e", "s")] == 9, f"es is in newest (6 times) and widest (3 times): 9, not {pairs[('e', 's')]}"


# %%
# HIDDEN
def test_tokens_of_several_letters_and_short_words(count_pairs):
    pairs = count_pairs({("es", "t", "·"): 3, ("a",): 7, ("t", "t", "t"): 1})
    assert dict(pairs) == {("es", "t"): 3, ("t", "·"): 3, ("t", "t"): 2}

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## 3 · Join a pair
#
# Write `join(word, pair)`: the word, a tuple of symbols, with every occurrence of the pair made one symbol. Go from left to right; a symbol
# that was joined is used up.

# %% [raw]
# # BEGIN SOLUTION

# %%
def join(word, pair):
    """Return the word with the pair joined wherever it occurs."""
    # BEGIN SOLUTION
    joined, i = [], 0
    while i < len(word):
        if word[i : i + 2] == pair:
            joined.append(pair[0] + pair[1])
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return tuple(joined)
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_newest(join):
    joined = join(("n", "e", "w", "e", "s", "t", "·"), ("e", "s"))
    assert joined is not None, "join returns nothing yet"
    assert isinstance(joined, tuple), f"The result is a tuple again, so that it can be a key, not a {type(joined).__name__}"
    assert joined == ("n", "e", "w", "es", "t", "·"), f"Joining e and s in n e w e s t gives n e w es t, not {' '.join(joined)}"


# %%
def test_overlap(join):
    joined = join(("a", "a", "a"), ("a", "a"))
    assert joined is not None, "join returns nothing yet"
    assert isinstance(joined, tuple), f"The result is a tuple again, not a {type(joined).__name__}"
    assert joined != ("aa", "aa"), "The middle a was used twice. After joining two symbols, go on behind both"
    assert joined == ("aa", "a"), f"From left to right a a a becomes aa a, not {' '.join(joined)}"


# %%
# HIDDEN
def test_more(join):
    assert join(("a", "b", "a", "b", "a"), ("a", "b")) == ("ab", "ab", "a")
    assert join(("a", "b"), ("b", "a")) == ("a", "b")
    assert join(("x", "es", "t"), ("es", "t")) == ("x", "est")
    assert join(("ab", "c"), ("a", "b")) == ("ab", "c")
    assert join((), ("a", "b")) == ()

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## 4 · Learn the merges
#
# Write `learn(corpus, n)`: join the commonest pair everywhere, and repeat `n` times, or until there is no pair left. Return the list of
# pairs in the order in which they were joined. Where several pairs are equally common, take the one that is met first when reading the
# corpus.

# %% [raw]
# # BEGIN SOLUTION

# %%
def learn(corpus, n):
    """Return the first n pairs that byte-pair encoding joins."""
    # BEGIN SOLUTION
    merges = []
    for _ in range(n):
        pairs = count_pairs(corpus)
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        corpus = {join(word, best): count for word, count in corpus.items()}
        merges.append(best)
    return merges
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
def test_first(learn):
    corpus = {(*w, "·"): n for w, n in {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()}
    merges = learn(corpus, 2)
    assert merges is not None, "learn returns nothing yet"
    assert len(merges) == 2, f"Two merges were asked for, you return {len(merges)}"
    assert merges[0] == ("e", "s"), f"The first pair is e s, 9 times, and met before s t. You joined {merges[0]}"
    assert merges[1] == ("es", "t"), f"Once es is one symbol, es t is the commonest pair. You joined {merges[1]}: count again after every merge"


# %%
# HIDDEN
def test_ten(learn):
    corpus = {(*w, "·"): n for w, n in {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()}
    before = dict(corpus)
    merges = learn(corpus, 6)
    assert merges == [("e", "s"), ("es", "t"), ("est", "·"), ("l", "o"), ("lo", "w"), ("n", "e")]
    assert corpus == before, "learn changed the corpus it was given"


# %%
# HIDDEN
def test_it_ends(learn):
    assert learn({("a", "b"): 1}, 10) == [("a", "b")]

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
# A tokeniser was trained on English. A Polish reader finds that her texts cost twice as many tokens as their English translations. Give two
# reasons that follow from how the merges were learned and from what they were learned on. Three or four sentences.

# %% [raw]
# # BEGIN SOLUTION

# %% [markdown]
# The merges join what is common in the training text, so English words became single tokens while Polish words fall apart into pieces that
# happen to be common in English, or into letters. Polish also has letters outside ASCII that take two bytes in UTF-8, so that without a
# merge for them even a single letter is two tokens; and its words have many endings, so each form is rarer than an English word of the same
# meaning. (One point for each of two sound reasons.)

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
