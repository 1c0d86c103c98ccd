"""Order-preserving alignment of turns and chunks: eq. 3 and its traceback."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.spans import Span
from core.compiled import compiled_when_busy

_DIAGONAL, _UP, _LEFT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Path:
    """The best path through a score matrix: one entry per cell, from first to last, in arrays of equal length.

    `turns` and `chunks` are the cells' indices. Each step raises one or both by one, and every chunk occurs. `scores` are the
    scores of the cells.
    """

    turns: NDArray[np.int64]
    chunks: NDArray[np.int64]
    scores: NDArray[np.float64]


def trace_path(scores: NDArray[np.float64]) -> Path:
    """Return the best path of eq. 3 through a score matrix (n_turns × n_chunks, both ≥ 1, no score negative).

    H[y, x] = M[y−1, x−1] + max(H[y−1, x−1], H[y−1, x], H[y, x−1]), with −y and −x along the borders. There is no gap penalty, so
    several turns may share a chunk and several chunks may share a turn. Ties go to the diagonal, then up (previous turn, same
    chunk), then left. Time O(n_turns · n_chunks); memory one byte per cell.

    Raises ValueError for an empty matrix and for negative or non-finite scores.

    Reference: CRD3, section 4.1, eq. 3; this order of ties reproduces its published alignments.
    """
    if scores.ndim != 2 or 0 in scores.shape:
        raise ValueError(f"the score matrix has shape {scores.shape}: expected n_turns × n_chunks, both at least 1")
    if not 0 <= scores.min() <= scores.max() < np.inf:
        raise ValueError("scores must be finite and not negative: otherwise the path could leave chunks out")
    cells = _trace(_moves(np.ascontiguousarray(scores, dtype=np.float64)))
    turns, chunks = cells[::-1, 0], cells[::-1, 1]
    return Path(turns, chunks, scores[turns, chunks])


def read_spans(path: Path) -> list[Span]:
    """Return one span per chunk: its first and last turn on the path, with CRD3's `ALIGNMENT SCORE`.

    That score is the difference of two values of H along the path, divided by the number of turns. The difference is the sum of β
    over all but the last of the chunk's cells. For a chunk on a single turn it is the score of the previous cell (0 for the first
    chunk). Neighbouring spans share their boundary turn unless the path moved diagonally.
    """
    heights = np.concatenate(([0.0, 0.0], np.cumsum(path.scores)))  # heights[i + 1]: H before cell i
    firsts = np.searchsorted(path.chunks, np.arange(path.chunks[-1] + 1))
    lasts = np.append(firsts[1:], path.chunks.size) - 1
    starts, ends = path.turns[firsts], path.turns[lasts]
    low = np.where(firsts == lasts, firsts, firsts + 1)
    score = (heights[lasts + 1] - heights[low]) / (ends - starts + 1)
    return [Span(start, end, value) for start, end, value in zip(starts.tolist(), ends.tolist(), score.tolist(), strict=True)]


@compiled_when_busy
def _moves(scores: NDArray[np.float64]) -> NDArray[np.uint8]:
    n_turns, n_chunks = scores.shape
    moves = np.empty((n_turns, n_chunks), np.uint8)
    row = -np.arange(n_chunks + 1).astype(np.float64)
    for y in range(n_turns):
        diagonal = row[0]
        row[0] = left = -(y + 1.0)
        for x in range(n_chunks):
            score = scores[y, x]
            up = row[x + 1]
            best, move = diagonal + score, _DIAGONAL
            if up + score > best:
                best, move = up + score, _UP
            if left + score > best:
                best, move = left + score, _LEFT
            moves[y, x] = move
            diagonal, left = up, best
            row[x + 1] = best
    return moves


@compiled_when_busy
def _trace(moves: NDArray[np.uint8]) -> NDArray[np.int64]:
    n_turns, n_chunks = moves.shape
    cells = np.empty((n_turns + n_chunks, 2), np.int64)
    y, x, length = n_turns - 1, n_chunks - 1, 0
    while y >= 0 and x >= 0:
        cells[length, 0], cells[length, 1] = y, x
        length += 1
        move = moves[y, x]
        if move != _LEFT:
            y -= 1
        if move != _UP:
            x -= 1
    return cells[:length]
