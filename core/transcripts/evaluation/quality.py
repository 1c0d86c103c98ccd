"""Computes the figures of `fabula evaluate transcripts` from graded chunks."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.metrics.alignment_quality import rate_spans
from core.metrics.reliability import Reliability, rate_confidences
from core.transcripts.evaluation.grading import GradedChunk, GradedEpisode


def describe_quality(episodes: Sequence[GradedEpisode], resamples: int = 10_000, seed: int = 0) -> dict[str, Any]:
    """Return the quality figures over all episodes, and those of each episode under `by_episode`.

    Args:
        episodes: the graded episodes.
        resamples: the number of bootstrap resamples for the intervals.
        seed: the seed of the resampling.

    Returns:
        `chunks`, `kept_chunks`, `kept_share`: the number of chunks, how many the filter keeps, and their share;
        `all`, `kept`: `pooled` and `macro` precision, recall and F1 (`value`, `low`, `high`) of all chunks and of the kept
        chunks, None without chunks;
        `reliability`: confidence against correctness, None if the aligner gives no confidence.
    """
    chunks = [chunk for episode in episodes for chunk in episode.chunks]
    table = rate_chunk_confidences(chunks)
    return {
        **_describe(chunks, resamples, seed),
        "reliability": None if table is None else asdict(table),
        "by_episode": {episode.episode: _describe(episode.chunks, resamples, seed) for episode in episodes},
    }


def rate_chunk_confidences(chunks: Sequence[GradedChunk]) -> Reliability | None:
    """Compare the confidence of aligned chunks with how often their spans are right; None if no chunk has a confidence."""
    sure = [(chunk.confidence, chunk.right) for chunk in chunks if chunk.confidence is not None and chunk.match.predicted]
    return rate_confidences([confidence for confidence, _ in sure], [right for _, right in sure])


def describe_coverage(episodes: Sequence[GradedEpisode], missing_sentences: int = 0) -> float:
    """Return the share of the gold sentences that are found in a chunk; 0 without sentences.

    `missing_sentences` is the number of gold sentences of episodes that were not graded. A share below .98 means that the chunks
    come from another text than the gold; the other figures then mean little.
    """
    sentences = missing_sentences + sum(episode.sentences for episode in episodes)
    return sum(episode.found for episode in episodes) / sentences if sentences else 0.0


def _describe(chunks: Sequence[GradedChunk], resamples: int, seed: int) -> dict[str, Any]:
    kept = [chunk for chunk in chunks if chunk.kept]
    return {
        "chunks": len(chunks),
        "kept_chunks": len(kept),
        "kept_share": len(kept) / len(chunks) if chunks else None,
        "all": _rate(chunks, resamples, seed),
        "kept": _rate(kept, resamples, seed),
    }


def _rate(chunks: Sequence[GradedChunk], resamples: int, seed: int) -> dict[str, Any] | None:
    rates = rate_spans([chunk.match for chunk in chunks], [chunk.block for chunk in chunks], resamples=resamples, seed=seed)
    return None if rates is None else {"pooled": asdict(rates.pooled), "macro": asdict(rates.macro)}
