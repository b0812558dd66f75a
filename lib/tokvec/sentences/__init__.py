"""Sentence vectors and search by meaning (chapter 9).

- `vectors`: word overlap, TF-IDF, averaged word vectors, a transformer's pooled states
- `search`: normalise once, then exact top-k by one blocked matrix product; an index on disk
- `evaluation`: Spearman against people, top-1 retrieval, precision and recall of a threshold
- `contrastive`: train vectors so that paraphrases are near, with in-batch negatives
- `approximate`: a graph index (HNSW), its recall and its speed
- `corpus`: the passages, queries and contrasts written for the book
"""
