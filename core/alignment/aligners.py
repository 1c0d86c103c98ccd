"""Aligns every chunking of an episode's summary with the turns of its dialogue. The turns are tokenised once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.config import AlignmentConfig
from core.alignment.greedy import best_windows, close_gaps
from core.alignment.needleman_wunsch import Path, read_spans, trace_path, turn_contributions
from core.alignment.spans import Chunk, Order, Span, SummaryOutline, chunk_all
from core.alignment.windows import WindowAligner, WindowAlignment
from core.errors import ConfigError
from core.similarity.cosine import Embedder, bind_cosines
from core.similarity.ngrams import NgramIndex
from core.similarity.set_scores import bind_rouge_l, normalise_columns, score_sets
from core.text.tokens import Tokenizer

Hearing = Callable[[WindowAlignment], WindowAlignment]
"""Weighs what a reader says of located sentences (`core.transcripts.reading`)."""
TurnScorer = Callable[[Sequence[str]], NDArray[np.float64]]
"""Scores chunks against the turns of one dialogue (n_turns × n_chunks): finite and not negative; higher means more similar."""


@dataclass(frozen=True, slots=True)
class EpisodeAlignment:
    """All chunks of an episode with their spans, and each turn's contribution (n_turns; 0 for the greedy aligners).

    `order` is the order that the aligner found the summary to be in; the other aligners take it for granted.
    """

    pairs: tuple[tuple[Chunk, Span], ...]
    contributions: NDArray[np.float64]
    order: Order = "held"


def align_episode(
    turn_texts: Sequence[str],
    sentences: Sequence[str],
    config: AlignmentConfig,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    outline: SummaryOutline | None = None,
    hear: Hearing | None = None,
) -> EpisodeAlignment:
    """Align all chunkings of the summary's `sentences` with the turns; without an `outline` there are no chunks of size 0.

    `hear` weighs what a reader says of the sentences that the windows aligner has located; the other aligners do not hear.
    """
    groupings = outline.groupings if outline else ()
    sections = outline.sections if outline and not config.chunks_cross_sections else None
    chunkings = chunk_all(sentences, config.chunk_sizes, groupings, sections) if turn_texts else []
    if not chunkings:
        return EpisodeAlignment((), np.zeros(len(turn_texts)))
    if config.aligner == "windows":
        located = WindowAligner(turn_texts, config.windows).locate(sentences, outline)
        located = located if hear is None else hear(located)
        largest = max(chunks[0].size for chunks in chunkings)
        shares = [located.contributions(chunks) for chunks in chunkings if chunks[0].size == largest]
        found = tuple((chunk, located.cover(chunk)) for chunks in chunkings for chunk in chunks)
        return EpisodeAlignment(found, np.mean(shares, axis=0), located.order)
    paths: list[Path] = []
    align = bind_turns(turn_texts, config, tokenizer, embedder, paths.append)
    pairs = tuple(pair for chunks in chunkings for pair in zip(chunks, align([chunk.text for chunk in chunks]), strict=True))
    sizes = [chunks[0].size for chunks in chunkings]
    return EpisodeAlignment(pairs, turn_contributions(list(zip(sizes, paths, strict=False)), len(turn_texts)))


def bind_turns(
    turns: Sequence[str],
    config: AlignmentConfig,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    observe: Callable[[Path], None] = lambda _: None,
) -> Callable[[Sequence[str]], list[Span]]:
    """Prepare the turns once for another aligner than windows; return a function that aligns the texts of a chunking.

    `observe` is called with each path.
    """
    if config.aligner in ("greedy", "greedy-contiguous"):
        index = NgramIndex(turns, tokenizer, config.ngram_orders)

        def align_greedily(chunks: Sequence[str]) -> list[Span]:
            spans = best_windows(index.turns, index.code(chunks), config.window)
            return close_gaps(spans) if config.aligner == "greedy-contiguous" else spans

        return align_greedily
    score = make_turn_scorer(turns, config, tokenizer, embedder)

    def align_in_order(chunks: Sequence[str]) -> list[Span]:
        scores = score(chunks)
        path = trace_path(normalise_columns(scores) if config.normalise_columns else scores)
        observe(path)
        return read_spans(path)

    return align_in_order


def make_turn_scorer(
    turns: Sequence[str], config: AlignmentConfig, tokenizer: Tokenizer, embedder: Embedder | None
) -> TurnScorer:
    """Return the similarity of the settings, bound to the turns, which are prepared once."""
    if config.similarity == "embeddings":
        if embedder is None:
            raise ConfigError("similarity 'embeddings' needs a sentence embedder, but none was loaded: load one, or use overlap")
        return bind_cosines(turns, embedder)
    if config.similarity == "rouge-l":
        return bind_rouge_l(turns, tokenizer)
    index, similarity = NgramIndex(turns, tokenizer, config.ngram_orders), config.similarity
    return lambda chunks: score_sets(index.turns, index.code(chunks), similarity)


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
    """Return the score matrix of a summary's sentences and a dialogue's turns (CRD3, figure 4); neither may be empty."""
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
