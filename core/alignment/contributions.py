"""What each turn contributes to the summary: the quantity that table 2 averages by speaker."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.alignment.needleman_wunsch import Path


def turn_contributions(paths: Sequence[tuple[int, Path]], n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks (n_turns), averaged over the chunkings of the largest chunk size; 0 without paths.

    `paths` are the chunkings' chunk sizes and paths. The paper says no more than "each path normalized to 1", so this is a
    reconstruction: of the readings that were tried, the one whose figures come closest. Campaign 1's published chunks give, for
    the speakers in the paper's order,
    .0302 .0084 .0076 .0075 .0058 .0060 .0050 .0050 .0053; the paper has, on all episodes,
    .0307 .0086 .0083 .0074 .0070 .0058 .0057 .0056 .0048.

    Reference: CRD3, section 4.1, table 2.
    """
    largest = max((size for size, _ in paths), default=0)
    shares = [share_path(path, n_turns) for size, path in paths if size == largest]
    return np.mean(shares, axis=0) if shares else np.zeros(n_turns)


def share_path(path: Path, n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks that `path` aligns it with (n_turns; 0 for turns off the path).

    The cells of one chunk are a vertical line of the path: their scores are divided by their sum, and a turn on several lines
    gets the sum of its shares. Every chunk with a positive score so gives away 1 in all.
    """
    totals = np.bincount(path.chunks, path.scores)[path.chunks]
    shares = np.divide(path.scores, totals, out=np.zeros(len(path.scores)), where=totals > 0)
    return np.bincount(path.turns, shares, minlength=n_turns).astype(np.float64)
