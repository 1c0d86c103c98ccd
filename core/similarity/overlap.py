"""β (eq. 2): n-gram overlap scaled by ROUGE's F1, for all turns and chunks at once."""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled_when_busy, kernel_part
from core.similarity.ngrams import NgramSets
from core.text.numbering import Codes

_BLOCK = 256
"""Chunks that are compared at a time. Each of their n-grams takes at most this many bytes of memory meanwhile."""


def overlap_matrix(turns: NgramSets, chunks: NgramSets) -> NDArray[np.float64]:
    """Return β (n_turns × n_chunks) of sets coded by one index, which coded the turns first.

    β = |τ(s) ∩ τ(t)| · F1 = 2 |τ(s) ∩ τ(t)|² / (|τ(s)| + |τ(t)|), or 0 if nothing is shared. With i = |τ(s) ∩ τ(t)|, it is
    computed as p = i/|t|, r = i/|s|, 2·p·r / (p + r) · i. Another order of operations would change ties and so spans.

    Reference: CRD3, section 4.1, eq. 2.
    """
    beta = np.empty((len(turns.bounds) - 1, len(chunks.bounds) - 1))
    _score(beta, turns.codes, turns.bounds, turns.n_codes, chunks.codes, chunks.bounds)
    return beta


@compiled_when_busy
def _score(beta: NDArray[np.float64], codes: Codes, bounds: Codes, n_codes: int, chunk_codes: Codes, chunk_bounds: Codes) -> None:
    """Set `beta`: the overlaps of a turn are the sum of its codes' rows (1 for a chunk with the code), counted in bytes."""
    n_turns, n_chunks = beta.shape
    for first in range(0, n_chunks, _BLOCK):
        end = min(first + _BLOCK, n_chunks)
        row_of, rows = _spread(chunk_codes, chunk_bounds[first : end + 1], n_codes)
        wide_rows, n_words = rows.view(np.uint64), rows.shape[1] // 8
        overlaps, counted = np.empty(end - first, np.int32), np.empty(rows.shape[1], np.uint8)
        wide = counted.view(np.uint64)
        chunk_sizes = (chunk_bounds[first + 1 : end + 1] - chunk_bounds[first:end]).astype(np.float64)
        for turn in range(n_turns):
            overlaps[:] = 0
            for start in range(bounds[turn], bounds[turn + 1], 255):  # as many codes as a byte can count
                counted[:] = 0
                for at in range(start, min(start + 255, bounds[turn + 1])):
                    row = row_of[codes[at]]
                    for word in range(n_words):
                        wide[word] += wide_rows[row, word]
                for chunk in range(overlaps.size):
                    overlaps[chunk] += counted[chunk]
            size = np.float64(bounds[turn + 1] - bounds[turn])
            for chunk in range(overlaps.size):
                overlap = np.float64(overlaps[chunk])
                p, r = overlap / size, overlap / chunk_sizes[chunk]
                score = 2 * p * r / (p + r) * overlap
                beta[turn, first + chunk] = score if overlap > 0 else 0.0  # a branch around 0/0 would prevent vector code


@kernel_part
def _spread(codes: Codes, bounds: Codes, n_codes: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the row of each code below `n_codes` (of codes in no chunk the first), and the rows: 1 for chunks with the code."""
    row_of, n_rows = np.zeros(n_codes, np.int32), 1
    for code in codes[bounds[0] : bounds[-1]]:
        if code < n_codes and row_of[code] == 0:
            row_of[code] = n_rows
            n_rows += 1
    rows = np.zeros((n_rows, (bounds.size + 6) // 8 * 8), np.uint8)
    for chunk in range(bounds.size - 1):
        for code in codes[bounds[chunk] : bounds[chunk + 1]]:
            if code < n_codes:
                rows[row_of[code], chunk] = 1
    return row_of, rows
