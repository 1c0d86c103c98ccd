"""Measures how far found spans begin and end from gold ones: the table of `lab.quality.alignment --ends`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.spans import Chunk, Span
from core.transcripts.evaluation import GradedEpisode
from core.transcripts.recaps.recap import Recap

NEAR = 2
"""Turns: a span that begins or ends within so many turns of the gold begins or ends right."""
_RESAMPLES = 2_000
_AS_CHOSEN = "alignment.windows.end_lasting=1"
_LIKE_INSIDE = f"{_AS_CHOSEN} alignment.windows.edge_mention=0.25 alignment.windows.edge_engaged=0.2"
EARLIER = {
    "spans of the highest expected F1": _AS_CHOSEN,
    "the same, chunks across sections": f"{_AS_CHOSEN} alignment.chunks_cross_sections=true",
    "the same, ends like the turns between": f"{_LIKE_INSIDE} alignment.chunks_cross_sections=true",
}
"""The default as it was before its spans' ends were mended."""
_SHARES: dict[str, Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]] = {
    "reaches the last turn": lambda _, end: end >= -NEAR,
    "stops before": lambda _, end: end < -NEAR,
    "runs over": lambda _, end: end > NEAR,
    "starts after": lambda start, _: start > NEAR,
    "starts before": lambda start, _: start < -NEAR,
    "both right": lambda start, end: (np.abs(start) <= NEAR) & (np.abs(end) <= NEAR),
}


@dataclass(frozen=True, slots=True)
class EndFigures:
    """How the spans of some chunks begin and end, against the gold.

    `start` and `end` are the median and the mean of the distance in turns, whatever its direction. `shares` has the share of the
    chunks by name, with the bounds of its 95 % interval (episodes are drawn anew).
    """

    chunks: int
    start: tuple[float, float]
    end: tuple[float, float]
    shares: dict[str, tuple[float, float, float]]


def keep_plot(recap: Recap, pairs: Sequence[tuple[Chunk, Span]]) -> list[tuple[Chunk, Span]]:
    """Return the pairs whose chunk begins in a section about the plot."""
    kinds = recap.kinds_of_sentences()
    return [pair for pair in pairs if kinds[pair[0].first_sentence] == "plot"]


def describe_ends(graded: Sequence[GradedEpisode], kept_only: bool, seed: int = 0) -> EndFigures | None:
    """Describe how the aligned chunks of these episodes begin and end; None if there are none.

    `kept_only` leaves out what the filter drops.
    """
    errors = [
        np.array([each.errors for each in episode.chunks if each.errors is not None and (each.kept or not kept_only)], np.int64)
        for episode in graded
    ]
    errors = [each.reshape(-1, 2) for each in errors]
    every = np.concatenate(errors) if errors else np.empty((0, 2), np.int64)
    if not len(every):
        return None
    size = np.abs(every)
    draws = np.random.default_rng(seed).integers(len(errors), size=(_RESAMPLES, len(errors)))
    counts = np.array([len(each) for each in errors])[draws].sum(axis=1)
    shares = {}
    for name, holds in _SHARES.items():
        hits = np.array([holds(each[:, 0], each[:, 1]).sum() for each in errors])
        drawn = hits[draws].sum(axis=1) / np.maximum(counts, 1)
        low, high = np.quantile(drawn, (0.025, 0.975))
        shares[name] = (float(hits.sum() / len(every)), float(low), float(high))
    medians, means = np.median(size, axis=0), size.mean(axis=0)
    return EndFigures(len(every), (float(medians[0]), float(means[0])), (float(medians[1]), float(means[1])), shares)


def show_ends(rows: Iterable[tuple[str, EndFigures | None]]) -> str:
    """Return a Markdown table with a row for each title and its figures."""
    lines = [
        f"| | chunks | start: median, mean | end: median, mean | {' | '.join(_SHARES)} |",
        f"|---|---|---|---|{'---|' * len(_SHARES)}",
    ]
    for title, found in rows:
        if found is None:
            lines.append(f"| {title} | 0 | – | – | {' | '.join('–' for _ in _SHARES)} |")
            continue
        cells = (f"{value:.1%} ({low:.1%} – {high:.1%})" for value, low, high in found.shares.values())
        errors = (f"{median:g}, {mean:.1f}" for median, mean in (found.start, found.end))
        lines.append(f"| {title} | {found.chunks:,} | {' | '.join((*errors, *cells))} |")
    return "\n".join(lines)


def print_ends(graded: Sequence[tuple[str, Sequence[GradedEpisode]]]) -> None:
    """Print the table for all chunks, and for those that the filter keeps; `graded` has the episodes of each row."""
    for kept_only, heading in ((False, "all chunks"), (True, "kept chunks")):
        print(f"\n{heading}\n\n{show_ends((title, describe_ends(found, kept_only)) for title, found in graded)}")
