"""What annotators look at in a release of `transcripts`: the spans of its chunks, with the turns around them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from core.review.judgements import digest_row, digest_texts
from core.review.priority import SpanErrors, expect_f1, expect_gain, guess_errors
from core.transcripts.rows import OVERRULED
from infra.tables.parquet import match_rows, read_rows
from tasks.frame.release_spec import Released, ReviewRow, ReviewSource

AROUND = 12
"""Turns shown before and after a span; the page asks for more."""
_COLUMNS = ("id", "episode", "summary", "turn_start", "turn_end", "score", "confidence", "reason", "source")
_PLACE = ("episode", "chunk_size", "offset", "chunk_index")


def list_rows(released: Released) -> ReviewSource:
    """Return the chunks of a release whose spans annotators can correct, one for each summary of an episode.

    These are the pairs of the release, and chunks that were dropped for doubts of the aligner. The priority is the expected gain
    in pooled F1 (`core.review.priority`). Chunks that were dropped come last: the release has them not, so they cannot hurt it.
    """
    chosen: dict[tuple[str, str], dict[str, Any]] = {}
    copies: dict[tuple[str, str], int] = {}
    told: dict[tuple[str, int, int, int], str] = {}
    for key in released.list_keys("alignments"):
        for row in read_rows(released.store, key, (*_COLUMNS, *_PLACE[1:]), ("found_start", "found_end")):
            told[_locate(row)] = row["summary"]
            if row["reason"] is None or row["reason"] in OVERRULED or row["reason"] == "reviewed":
                place = (row["episode"], row["summary"])
                copies[place] = copies.get(place, 0) + (row["reason"] is None)
                if place not in chosen or (chosen[place]["reason"] is not None and row["reason"] is None):
                    chosen[place] = row
    shown = {row["id"]: row for row in chosen.values()}
    for row in shown.values():
        if row.get("found_start") is not None:  # annotators are blind: they see the aligner's span in place of another's
            row |= {"turn_start": row["found_start"], "turn_end": row["found_end"]}
    errors = {name: guess_errors(row["score"], row["turn_start"], row["turn_end"]) for name, row in shown.items()}
    f1 = expect_f1([errors[name] for name, row in shown.items() if row["reason"] is None])
    rows = [
        ReviewRow(
            item=name,
            unit=row["episode"],
            priority=_weigh(row, errors[name], f1, copies[row["episode"], row["summary"]]),
            confidence=row["confidence"],
            why=f"left out: {row['reason']}" if row["reason"] in OVERRULED else "",
        )
        for name, row in shown.items()
    ]

    @lru_cache(maxsize=8)
    def read_turns(unit: str) -> tuple[list[dict[str, Any]], str]:
        columns = ("number", "speakers", "text")
        keys = released.list_keys("dialogues")
        turns = [turn for key in keys for turn in match_rows(released.store, key, "episode", unit, columns)]
        return turns, digest_texts(turn["text"] for turn in turns)

    def show(item: str) -> Mapping[str, Any]:
        row = shown[item]
        turns, dialogue = read_turns(row["episode"])
        start, end = row["turn_start"], row["turn_end"]
        middle = len(turns) // 2
        first = max(0, (middle if start is None else start) - AROUND)
        last = min(len(turns) - 1, (middle if end is None else end) + AROUND)
        return {
            "item": item,
            "unit": row["episode"],
            "title": row["episode"],
            "summary": row["summary"],
            "before": told.get(_locate(row, -1), ""),
            "after": told.get(_locate(row, 1), ""),
            "source": row["source"],
            "found": {"start": start, "end": end},
            "confidence": row["confidence"],
            "count": len(turns),
            "turns": turns[first : last + 1],
            "digest": digest_row(row["summary"], dialogue),
        }

    def more(unit: str, start: int, end: int) -> Sequence[Mapping[str, Any]]:
        return read_turns(unit)[0][max(0, start) : end + 1]

    return ReviewSource(kind="span", rows=rows, show=show, more=more)


def _locate(row: Mapping[str, Any], step: int = 0) -> tuple[str, int, int, int]:
    """Return where a chunk stands in its recap, or the chunk so many places on."""
    unit, size, offset, index = (row[name] for name in _PLACE)
    return unit, size, offset, index + step


def _weigh(row: Mapping[str, Any], errors: SpanErrors, f1: float, copies: int) -> float:
    if row["reason"] is None:
        return expect_gain(errors, f1, max(copies, 1))
    return -1 + (row["confidence"] or 0.0)  # of those that were dropped, the likeliest first
