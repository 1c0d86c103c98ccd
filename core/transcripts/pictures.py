"""Draws an episode: how much of it the recap tells, how sure the aligner is, and the alignment itself."""

from collections.abc import Sequence

import numpy as np

from core.alignment.spans import Chunk, Span
from core.dataset.pictures import BLUE, ORANGE, Picture, draw_bar, frame_plot

_BINS = 120  # bars along an episode
_STEPS = 20  # bars of the histogram
_SURE = 0.5  # spans below this confidence are drawn in the second colour


def draw_episode(unit: str, aligned: Sequence[tuple[Chunk, Span]], n_turns: int) -> list[Picture]:
    """Return the pictures of an episode's smallest chunks; none if nothing of it is aligned."""
    sizes = [chunk.size for chunk, span in aligned if chunk.size and span.start is not None]
    if not sizes or not n_turns:
        return []
    spans = [
        (chunk, span.start, span.end, 1.0 if span.confidence is None else span.confidence)
        for chunk, span in aligned
        if chunk.size == min(sizes) and span.start is not None and span.end is not None
    ]
    told = np.zeros(n_turns, np.int64)
    for _, start, end, _ in spans:
        told[start : end + 1] += 1
    coverage = f"{unit}: {np.count_nonzero(told) / n_turns:.0%} of {n_turns:,} turns are in a span"
    confidence = f"{unit}: confidence of {len(spans):,} chunks of {min(sizes)} sentences"
    alignment = f"{unit}: where {len(spans):,} chunks of the recap lie in the episode"
    return [
        Picture("coverage", coverage, _draw_coverage(coverage, told)),
        Picture("confidence", confidence, _draw_confidence(confidence, [sure for *_, sure in spans])),
        Picture("alignment", alignment, _draw_alignment(alignment, spans, n_turns)),
    ]


def _draw_coverage(title: str, told: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    bins = [part.mean() for part in np.array_split(told, min(_BINS, len(told)))]
    most = max(max(bins), 1.0)
    bars = [draw_bar(place / len(bins), (place + 1) / len(bins), 0, height / most) for place, height in enumerate(bins) if height]
    return frame_plot(title, "turn", "spans over a turn (mean)", (len(told), most), bars)


def _draw_confidence(title: str, sure: Sequence[float]) -> str:
    counts = np.histogram(sure, _STEPS, (0, 1))[0]
    most = int(counts.max())
    bars = [
        draw_bar(place / _STEPS, (place + 0.9) / _STEPS, 0, count / most, BLUE if place / _STEPS >= _SURE else ORANGE)
        for place, count in enumerate(counts.tolist())
        if count
    ]
    return frame_plot(title, f"confidence (below {_SURE:g} in orange)", "chunks", (1, most), bars)


def _draw_alignment(title: str, spans: Sequence[tuple[Chunk, int, int, float]], n_turns: int) -> str:
    last = max(chunk.last_sentence for chunk, *_ in spans) + 1
    bars = [
        draw_bar(
            start / n_turns,
            (end + 1) / n_turns,
            chunk.first_sentence / last,
            (chunk.last_sentence + 1) / last,
            BLUE if sure >= _SURE else ORANGE,
            0.6,
        )
        for chunk, start, end, sure in spans
    ]
    return frame_plot(title, "turn", "sentence of the recap", (n_turns, last), bars)
