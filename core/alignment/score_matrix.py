"""The scores that an alignment rests on, as a matrix, and the spans that were read from it: for people to look at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.aligners import bind_turns, make_turn_scorer
from core.alignment.config import AlignmentConfig
from core.alignment.spans import Span
from core.alignment.summary_outline import SummaryOutline
from core.alignment.windows import WindowAligner
from core.similarity.cosine import Embedder
from core.text.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class ScoreMatrix:
    """`scores` (n_sentences × n_turns, from 0 to 1 at the most), and the span of each sentence.

    `posterior`: a score is the probability that a turn tells of a sentence; else it is a similarity, in parts of the highest one.
    """

    scores: NDArray[np.float64]
    spans: list[Span]
    posterior: bool


def score_sentences(
    turn_texts: Sequence[str],
    sentences: Sequence[str],
    config: AlignmentConfig,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    outline: SummaryOutline | None = None,
) -> ScoreMatrix:
    """Return the score matrix of a summary's sentences and the turns of its dialogue; neither may be empty.

    The windows aligner has posteriors (`WindowAligner`), the others the similarity of equation 1. The greedy aligners choose
    windows of n-grams, so their spans need not lie on high scores.

    Reference: CRD3, figure 4.
    """
    if config.aligner == "windows":
        located = WindowAligner(turn_texts, config.windows).locate(sentences, outline)
        found = located.posteriors
        within = np.clip(found.begun + found.lasting - 1, 0.0, 1.0) * (1 - found.unaligned)[:, None]
        return ScoreMatrix(within, located.cover_each(), posterior=True)
    scores = make_turn_scorer(turn_texts, config, tokenizer, embedder)(sentences).T
    highest = float(scores.max(initial=0.0))
    spans = bind_turns(turn_texts, config, tokenizer, embedder)(sentences)
    return ScoreMatrix(scores / highest if highest else scores, spans, posterior=False)


def shrink_columns(scores: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Return a matrix with at most `most` columns: each is the highest of neighbouring ones, so that no peak is lost."""
    columns = scores.shape[1]
    if columns <= most:
        return scores
    starts = np.arange(most) * columns // most
    shrunk: NDArray[np.float64] = np.maximum.reduceat(scores, starts, axis=1)
    return shrunk
