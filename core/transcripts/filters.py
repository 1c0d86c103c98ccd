"""Decides which aligned chunks become pairs. The aligner computes the scores; this module only applies the thresholds."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from core.alignment.spans import Chunk, Span
from core.transcripts.config import FilterConfig

Reason = Literal["too-few-chunks", "unaligned", "question-and-answer", "too-few-turns", "too-many-turns", "low-confidence"]
"""Why a pair is dropped. These words stand in published data, so they must not change."""


def judge_alignments(aligned: Sequence[tuple[Chunk, Span]], config: FilterConfig) -> list[Reason | None]:
    """Return for each aligned chunk of an episode the reason why it is dropped, None where it is kept.

    `aligned` holds all chunkings of the episode. A chunking is a chunk size and an offset. Chunks by paragraph or section
    (size 0) are judged by the largest chunking: sentences show whether a wiki page is complete, paragraphs do not.
    """
    chunkings = Counter((chunk.size, chunk.offset) for chunk, _ in aligned)
    most = max(chunkings.values(), default=0)
    return [
        judge_pair(
            chunk.text, span.start, span.end, span.confidence, chunkings[chunk.size, chunk.offset] if chunk.size else most, config
        )
        for chunk, span in aligned
    ]


def judge_pair(
    summary: str, turn_start: int | None, turn_end: int | None, confidence: float | None, chunks: int, config: FilterConfig
) -> Reason | None:
    """Return the reason for dropping an aligned chunk, or None to keep it.

    The rules are checked in the order of `Reason`; the first one that applies gives the reason.

    Args:
        summary: the chunk's text.
        turn_start: the first aligned turn, 0-based; None where the chunk is unaligned.
        turn_end: the last aligned turn, 0-based and inclusive; None where the chunk is unaligned.
        confidence: the aligner's confidence from 0 to 1. None where the aligner gives no confidence; that rule then passes.
        chunks: how many chunks the chunking (episode, chunk size, offset) has.
        config: the thresholds.

    Reference: CRD3, section 4.1, "Data Augmentation", for all rules but the confidence. The paper's text says 2 < turns and more
    than 10 chunks. The published pairs follow 2 ≤ turns ≤ 100 and at least 10 chunks.
    """
    if chunks < config.min_chunks:
        return "too-few-chunks"
    if turn_start is None or turn_end is None:
        return "unaligned"
    if any(mark in summary for mark in config.excluded):
        return "question-and-answer"
    turns = turn_end - turn_start + 1
    if turns < config.min_turns:
        return "too-few-turns"
    if 0 < config.max_turns < turns:
        return "too-many-turns"
    if confidence is not None and confidence < config.min_confidence:
        return "low-confidence"
    return None
