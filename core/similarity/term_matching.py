"""Scores documents against queries by shared terms: BM25, and the covered share of the query's idf."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Terms = Sequence[Sequence[str]]


def bm25_scores(queries: Terms, documents: Terms, k1: float = 1.2, b: float = 0.75) -> NDArray[np.float64]:
    """Return the BM25 score of every query and document (n_queries × n_documents), ≥ 0.

    Each distinct term of a query counts once: Σ idf(w) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · |document| / mean length)),
    with idf(w) = ln(1 + (n − df + ½) / (df + ½)) from these documents alone.

    Reference: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.
    """
    wanted, counts = _count(queries, documents)
    lengths = np.array([len(document) for document in documents], dtype=np.float64)
    length_norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1.0)) if lengths.size else lengths
    terms = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    counts.data *= (k1 + 1) / (counts.data + length_norm[counts.indices]) * _idf(counts)[terms]
    return np.asarray((wanted @ counts).toarray(), dtype=np.float64)


def idf_coverage(queries: Terms, documents: Terms) -> NDArray[np.float64]:
    """Return the share of each query's idf that each document's terms cover (n_queries × n_documents), 0 to 1."""
    wanted, counts = _count(queries, documents)
    idf = _idf(counts)
    covered = np.asarray((wanted @ (counts.sign().multiply(idf[:, None])).tocsr()).toarray(), dtype=np.float64)
    total = (wanted @ idf)[:, None]
    return np.asarray(np.divide(covered, total, out=np.zeros_like(covered), where=total > 0), dtype=np.float64)


def _count(queries: Terms, documents: Terms) -> tuple[csr_array, csr_array]:
    """Return the queries' terms as 0 or 1 (n_queries × n_terms) and their counts in the documents (n_terms × n_documents)."""
    distinct = [list(dict.fromkeys(query)) for query in queries]
    places = {term: place for place, term in enumerate(dict.fromkeys(term for query in distinct for term in query))}
    bounds = np.append(0, np.cumsum([len(query) for query in distinct], dtype=np.int64))
    columns = np.array([places[term] for query in distinct for term in query], dtype=np.int64)
    wanted = csr_array((np.ones(columns.size), columns, bounds), shape=(len(queries), len(places)))
    cells = [(places[term], at) for at, document in enumerate(documents) for term in document if term in places]
    rows, at = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    counts = csr_array((np.ones(rows.size), (rows, at)), shape=(len(places), len(documents)))
    counts.sum_duplicates()
    return wanted, counts


def _idf(counts: csr_array) -> NDArray[np.float64]:
    held, n_documents = np.diff(counts.indptr), counts.shape[1]
    return np.asarray(np.log1p((n_documents - held + 0.5) / (held + 0.5)), dtype=np.float64)
