"""Decides which aligned chunks become pairs. The aligner computes the scores; this module only applies the thresholds."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from core.alignment.spans import Chunk, Span
from core.dataset.rejects import RejectedRows, explain_maximum, explain_minimum
from core.transcripts.config import FilterConfig

Reason = Literal[
    "too-few-chunks",
    "unaligned",
    "question-and-answer",
    "too-few-turns",
    "too-many-turns",
    "low-confidence",
    "duplicate",
    "shared-turn",
    "untold",
    "reviewed",
]
"""Why a pair is dropped. These words stand in published data, so they must not change."""


_BOUNDS: Mapping[str, tuple[Callable[..., RejectedRows], str]] = {
    "too-few-chunks": (explain_minimum, "min_chunks"),
    "too-few-turns": (explain_minimum, "min_turns"),
    "too-many-turns": (explain_maximum, "max_turns"),
    "low-confidence": (explain_minimum, "min_confidence"),
}
"""The setting that bounds a value, for each reason that has one."""

_SWITCHES: Mapping[str, tuple[str, str]] = {
    "question-and-answer": ("excluded", "without the mark all of them pass"),
    "duplicate": ("duplicates", "keep lets all of them pass"),
    "shared-turn": ("shared_turn_words", "0 lets all of them pass"),
    "unaligned": ("", "the aligner found no turns that tell of them; no setting of the filter does"),
    "reviewed": ("", "readers have rejected them (`fabula review`); no setting of the filter does"),
}
"""The setting that decides for each other reason, "" where none does, and what to do."""


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


def explain_rejects(config: FilterConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    """Return the dropped chunks by reason, in the order of the rules, each with the setting that decides and what it would take.

    `rows` are those of the table `rejects`, with `episode`, `chunk_size`, `offset`, `turn_start`,
    `turn_end`, `confidence` and `reason`. The rules after the one that dropped a chunk were not asked:
    a chunk that one rule lets pass may be dropped by a later one.
    """
    counts: Counter[str] = Counter()
    values: dict[str, list[Any]] = {"low-confidence": [], "too-few-turns": [], "too-many-turns": []}
    few: Counter[tuple[str, int, int]] = Counter()
    for row in rows:
        reason = row["reason"]
        counts[reason] += 1
        if reason == "too-few-chunks":
            few[row["episode"], row["chunk_size"], row["offset"]] += 1
        elif reason == "low-confidence":
            values[reason].append(row["confidence"])
        elif reason in values:
            values[reason].append(row["turn_end"] - row["turn_start"] + 1)
    most: dict[str, int] = {}
    for (episode, size, _), count in few.items():
        if size:
            most[episode] = max(most.get(episode, 0), count)
    # Paragraphs and sections go with the largest chunking of their episode (`judge_alignments`).
    chunks = [
        number for (episode, size, _), count in few.items() for number in [count if size else most.get(episode, count)] * count
    ]
    values["too-few-chunks"] = chunks
    order = [reason for reason in get_args(Reason) if reason in counts]
    return [_explain(reason, counts[reason], values, config) for reason in [*order, *sorted(set(counts) - set(order))]]


def _explain(reason: str, count: int, values: Mapping[str, Sequence[Any]], config: FilterConfig) -> RejectedRows:
    if reason in _BOUNDS:
        explain, name = _BOUNDS[reason]
        return explain(reason, f"filter.{name}", getattr(config, name), values[reason])
    name, note = _SWITCHES.get(reason, ("", ""))
    setting = f"filter.{name} = {_show(getattr(config, name))}" if name else ""
    return RejectedRows(reason=reason, count=count, setting=setting, note=note)


def _show(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
