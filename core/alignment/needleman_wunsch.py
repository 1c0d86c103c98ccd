"""Order-preserving alignment of turns and chunks: eq. 3, its traceback, and each turn's contribution (table 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.spans import Span
from core.compiled import compiled_when_busy

_DIAGONAL, _UP, _LEFT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Path:
    """The best path through a score matrix: the turns, chunks and scores of its cells, from first to last; every chunk occurs."""

    turns: NDArray[np.int64]
    chunks: NDArray[np.int64]
    scores: NDArray[np.float64]


def trace_path(scores: NDArray[np.float64]) -> Path:
    """Return the best path of eq. 3 through a score matrix (n_turns × n_chunks, both ≥ 1, no score negative).

    H[y, x] = M[y−1, x−1] + max(H[y−1, x−1], H[y−1, x], H[y, x−1]), with −y and −x along the borders. There is no gap penalty, so
    several turns may share a chunk and several chunks may share a turn. Ties go to the diagonal, then up (previous turn, same
    chunk), then left: this order reproduces the published alignments.

    Reference: CRD3, section 4.1, eq. 3.
    """
    if not 0 <= scores.min() <= scores.max() < np.inf:
        raise ValueError("scores must be finite and not negative: otherwise the path could leave chunks out")
    cells = _trace(_moves(np.ascontiguousarray(scores, dtype=np.float64)))
    turns, chunks = cells[::-1, 0], cells[::-1, 1]
    return Path(turns, chunks, scores[turns, chunks])


def read_spans(path: Path) -> list[Span]:
    """Return one span per chunk: its first and last turn on the path, with CRD3's `ALIGNMENT SCORE`.

    That score is the sum of β over all but the last of the chunk's cells, divided by the number of turns. For a chunk on a single
    turn it is the score of the previous cell (0 for the first chunk).
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


def turn_contributions(paths: Sequence[tuple[int, Path]], n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks (n_turns), averaged over the chunkings of the largest chunk size; 0 without paths.

    `paths` has the chunk size and the path of each chunking. The paper says only "each path normalized to 1" (section 4.1, table
    2). Of the interpretations that were tried, this one comes closest: it gives .0302 .0084 .0076 .0075, the paper
    .0307 .0086 .0083 .0074, with the speakers in the same order.
    """
    largest = max((size for size, _ in paths), default=0)
    shares = [share_path(path, n_turns) for size, path in paths if size == largest]
    return np.mean(shares, axis=0) if shares else np.zeros(n_turns)


def share_path(path: Path, n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks that `path` aligns it with (n_turns): every chunk distributes 1, if it scores."""
    totals = np.bincount(path.chunks, path.scores)[path.chunks]
    shares = np.divide(path.scores, totals, out=np.zeros(len(path.scores)), where=totals > 0)
    return np.bincount(path.turns, shares, minlength=n_turns).astype(np.float64)
