"""Aligns every chunking of an episode's summary with the turns of its dialogue. The turns are tokenised once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from core.alignment.config import AlignerName, AlignmentConfig, SimilarityName
from core.alignment.greedy import best_windows, close_gaps
from core.alignment.needleman_wunsch import Path, read_spans, trace_path, turn_contributions
from core.alignment.spans import Chunk, Span, SummaryOutline, chunk_all
from core.alignment.windows import WindowAligner, WindowAlignment
from core.errors import ConfigError
from core.similarity.cosine import CosineScorer, Embedder
from core.similarity.ngrams import NgramIndex
from core.similarity.overlap import OverlapScorer
from core.similarity.set_scores import ColumnNormaliser, RougeLScorer, SetScorer, TurnScorer
from core.text.tokens import Tokenizer

PathObserver = Callable[[Path], None]
ChunkAligner = Callable[[Sequence[str]], list[Span]]
Hearing = Callable[[WindowAlignment], WindowAlignment]
"""Weighs what a reader says of located sentences (`core.transcripts.reading`)."""


@dataclass(frozen=True, slots=True)
class EpisodeAlignment:
    """All chunks of an episode with their spans, in order of size, offset and index, and each turn's contribution.

    `contributions` (n_turns) come from `turn_contributions`, or from the posteriors of the windows aligner. They are all 0 for
    the greedy aligners, which have neither paths nor posteriors.
    """

    pairs: tuple[tuple[Chunk, Span], ...]
    contributions: NDArray[np.float64]


def align_episode(
    turn_texts: Sequence[str],
    sentences: Sequence[str],
    config: AlignmentConfig,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    outline: SummaryOutline | None = None,
    hear: Hearing | None = None,
) -> EpisodeAlignment:
    """Align all chunkings of the summary's `sentences` with the turns. If either is empty, there are no pairs.

    Without an `outline` there are no chunks of size 0, and every sentence has the role "story". `hear` weighs what a reader says
    of the sentences that the windows aligner has located; the other aligners do not hear.

    Raises ConfigError as `check_config` does.
    """
    check_config(config, embedder)
    groupings = outline.groupings if outline else ()
    sections = outline.sections if outline and not config.chunks_cross_sections else None
    chunkings = chunk_all(sentences, config.chunk_sizes, groupings, sections) if turn_texts else []
    if not chunkings:
        return EpisodeAlignment((), np.zeros(len(turn_texts)))
    if config.aligner == "windows":
        return _align_windows(turn_texts, sentences, chunkings, config, outline, hear)
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
    observe: PathObserver = lambda _: None,
) -> ChunkAligner:
    """Prepare the turns once and return a function that aligns one chunking per call (the texts of its chunks, at least one).

    `observe` is called with each path, if the aligner computes paths. Raises ConfigError as `check_config` does.
    """
    check_config(config, embedder)
    if config.aligner == "windows":
        windows = WindowAligner(turns, config.windows)
        return lambda chunks: windows.locate(chunks).cover_each()
    if config.aligner in ("greedy", "greedy-contiguous"):
        return _window_aligner(NgramIndex(turns, tokenizer, config.ngram_orders), config)
    score = make_turn_scorer(turns, config, tokenizer, embedder)
    return _path_aligner(ColumnNormaliser(score) if config.normalise_columns else score, observe)


def check_config(config: AlignmentConfig, embedder: Embedder | None) -> None:
    """Raise ConfigError for unknown names, settings that do not fit each other, or a missing `embedder`."""
    for what, name, known in (
        ("aligner", config.aligner, get_args(AlignerName)),
        ("similarity", config.similarity, get_args(SimilarityName)),
    ):
        if name not in known:
            raise ConfigError(f"{what} {name!r} is unknown: choose {', '.join(known[:-1])} or {known[-1]}")
    for where, part in (("", config), ("windows.", config.windows)):
        for setting, problem in part.list_problems():
            raise ConfigError(f"the aligner's setting {where}{setting} = {getattr(part, setting)}: {problem}")
    if config.similarity == "embeddings" and embedder is None:
        raise ConfigError("similarity 'embeddings' needs a sentence embedder, but none was loaded: load one, or use overlap")


def _align_windows(
    turn_texts: Sequence[str],
    sentences: Sequence[str],
    chunkings: Sequence[Sequence[Chunk]],
    config: AlignmentConfig,
    outline: SummaryOutline | None,
    hear: Hearing | None,
) -> EpisodeAlignment:
    located = WindowAligner(turn_texts, config.windows).locate(sentences, outline)
    if hear is not None:
        located = hear(located)
    pairs = tuple((chunk, located.cover(chunk)) for chunks in chunkings for chunk in chunks)
    largest = max(chunks[0].size for chunks in chunkings)
    shares = [located.contributions(chunks) for chunks in chunkings if chunks[0].size == largest]
    return EpisodeAlignment(pairs, np.mean(shares, axis=0))


def make_turn_scorer(
    turns: Sequence[str], config: AlignmentConfig, tokenizer: Tokenizer, embedder: Embedder | None
) -> TurnScorer:
    """Return the similarity of the settings, bound to the turns: it scores chunks (n_turns × n_chunks)."""
    if config.similarity == "embeddings" and embedder is not None:
        return CosineScorer(turns, embedder)
    if config.similarity == "rouge-l":
        return RougeLScorer(turns, tokenizer)
    index = NgramIndex(turns, tokenizer, config.ngram_orders)
    if config.similarity in ("idf-overlap", "rouge", "tf-idf"):
        return SetScorer(index, config.similarity)
    return OverlapScorer(index)


def _window_aligner(index: NgramIndex, config: AlignmentConfig) -> ChunkAligner:
    def align(chunks: Sequence[str]) -> list[Span]:
        spans = best_windows(index.turns, index.code(chunks), config.window)
        return close_gaps(spans) if config.aligner == "greedy-contiguous" else spans

    return align


def _path_aligner(score: TurnScorer, observe: PathObserver) -> ChunkAligner:
    def align(chunks: Sequence[str]) -> list[Span]:
        path = trace_path(score(chunks))
        observe(path)
        return read_spans(path)

    return align


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
