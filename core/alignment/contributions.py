"""The contribution of each turn to the summary, which table 2 of the paper averages by speaker."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.alignment.needleman_wunsch import Path


def turn_contributions(paths: Sequence[tuple[int, Path]], n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks (n_turns), averaged over the chunkings of the largest chunk size; 0 without paths.

    `paths` has the chunk size and the path of each chunking. The paper says only "each path normalized to 1", so this function is
    a reconstruction. Of the interpretations that were tried, it gives the figures closest to the paper's (speakers in its order):

    | source | mean contribution |
    |---|---|
    | the published chunks of campaign 1 | .0302 .0084 .0076 .0075 .0058 .0060 .0050 .0050 .0053 |
    | the paper, all episodes | .0307 .0086 .0083 .0074 .0070 .0058 .0057 .0056 .0048 |

    Reference: CRD3, section 4.1, table 2.
    """
    largest = max((size for size, _ in paths), default=0)
    shares = [share_path(path, n_turns) for size, path in paths if size == largest]
    return np.mean(shares, axis=0) if shares else np.zeros(n_turns)


def share_path(path: Path, n_turns: int) -> NDArray[np.float64]:
    """Return each turn's share in the chunks that `path` aligns it with (n_turns); 0 for turns off the path.

    The scores of one chunk's cells are divided by their sum, so every chunk with a positive score distributes 1 in total. A turn
    that is aligned with several chunks gets the sum of its shares.
    """
    totals = np.bincount(path.chunks, path.scores)[path.chunks]
    shares = np.divide(path.scores, totals, out=np.zeros(len(path.scores)), where=totals > 0)
    return np.bincount(path.turns, shares, minlength=n_turns).astype(np.float64)
