"""Greedy alignment: each chunk separately with its best window of turns (eq. 1)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.alignment.spans import Span
from core.compiled import compiled_when_busy
from core.similarity.ngrams import NgramSets, invert

_Integers = NDArray[np.int64]


def best_windows(turns: NgramSets, chunks: NgramSets, window: int) -> list[Span]:
    """Return for each chunk the window of turns with the highest β, and that β as its score; unaligned if nothing is shared."""
    holders, holder_bounds = invert(chunks, turns.n_codes)
    starts, ends, scores = _grow(turns.codes, turns.bounds, holders, holder_bounds, chunks.sizes, window)
    found = zip(starts.tolist(), ends.tolist(), scores.tolist(), strict=True)
    return [Span(start, end, score) if score > 0 else Span(None, None, 0.0) for start, end, score in found]


def close_gaps(spans: Sequence[Span]) -> list[Span]:
    """Return the spans in order and without gaps: neighbours meet half-way between the end of one and the start of the next.

    A span that is out of order shrinks to one turn. CRD3, section 4.1: "contiguous leads to lower precision".
    """
    aligned = [
        (place, span.start, span.end) for place, span in enumerate(spans) if span.start is not None and span.end is not None
    ]
    if not aligned:
        return list(spans)
    meeting = [(before[2] + after[1] + 1) // 2 for before, after in pairwise(aligned)]
    closed, start, last = list(spans), aligned[0][1], max(end for _, _, end in aligned)
    for (place, _, _), cut in zip(aligned, [*meeting, last + 1], strict=True):
        end = max(cut - 1, start)
        closed[place] = replace(spans[place], start=start, end=end)
        start = min(end + 1, last)
    return closed


@compiled_when_busy
def _grow(
    codes: _Integers, bounds: _Integers, holders: _Integers, holder_bounds: _Integers, chunk_sizes: _Integers, window: int
) -> tuple[_Integers, _Integers, NDArray[np.float64]]:
    """Grow a window around every turn. The chunks `holders[holder_bounds[c] : holder_bounds[c + 1]]` contain code c."""
    n_turns, n_chunks = bounds.size - 1, chunk_sizes.size
    starts, ends = np.zeros(n_chunks, np.int64), np.zeros(n_chunks, np.int64)
    best = np.zeros(n_chunks)
    seen_at = np.full(holder_bounds.size - 1, -1)  # the last centre whose window contained this code
    for centre in range(n_turns):
        overlaps = np.zeros(n_chunks, np.int64)
        size = 0
        for w in range(window + 1):
            start, end = centre - w, centre + w
            for turn in (start, end):
                if turn < 0 or turn >= n_turns:
                    continue
                for code in codes[bounds[turn] : bounds[turn + 1]]:
                    if seen_at[code] == centre:
                        continue
                    seen_at[code] = centre
                    size += 1
                    for chunk in holders[holder_bounds[code] : holder_bounds[code + 1]]:
                        overlaps[chunk] += 1
            start, end = max(start, 0), min(end, n_turns - 1)
            for chunk in range(n_chunks):
                overlap = overlaps[chunk]
                if overlap > 0:
                    p, r = overlap / size, overlap / chunk_sizes[chunk]
                    score = 2 * p * r / (p + r) * overlap
                    if score > best[chunk]:
                        best[chunk], starts[chunk], ends[chunk] = score, start, end
            if start == 0 and end == n_turns - 1:
                break
    return starts, ends, best
