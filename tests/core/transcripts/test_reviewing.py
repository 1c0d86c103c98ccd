"""Decisions applied to an episode's chunks: spans replaced, rows rejected, nothing else touched."""

from dataclasses import replace

from core.alignment.spans import Chunk, Span
from core.review.decisions import Decision
from core.review.judgements import digest_texts, name_basis
from core.transcripts.config import FilterConfig
from core.transcripts.rows import JudgedChunk, apply_decisions, mark_cover

TURNS = [f"turn {number}" for number in range(30)]
CONFIG = FilterConfig(min_chunks=1, min_turns=1, duplicates="reject", min_confidence=0.5)


def row(index: int, start: int, end: int, confidence: float = 0.9, size: int = 1, offset: int = 0) -> JudgedChunk:
    chunk = Chunk(size, offset, index, index, index, f"Sentence {index}.")
    reason = "low-confidence" if confidence < 0.5 else None
    return JudgedChunk(chunk, Span(start, end, 0.7, confidence), "plot", reason)


ROWS = mark_cover([row(0, 0, 3), row(1, 4, 9), row(2, 10, 12, 0.2), row(1, 4, 9, size=0)], CONFIG)


def decide(item: str, verdict: str, text: str, start: int | None = None, end: int | None = None, by: str = "people") -> Decision:
    basis = name_basis(text, digest_texts(TURNS))
    return Decision(item=item, verdict=verdict, decided_by=by, basis=basis, start=start, end=end)  # type: ignore[arg-type]


def test_a_corrected_row_has_the_readers_span_and_says_so_and_rows_of_the_same_sentences_follow() -> None:
    found = apply_decisions("E", ROWS, TURNS, [decide("E_1_0_0001", "correct", "Sentence 1.", 5, 8)], CONFIG)
    changed = found[1]
    assert (changed.span.start, changed.span.end, changed.span.confidence, changed.decided_by) == (5, 8, None, "people")
    assert changed.found == Span(4, 9, 0.7, 0.9)
    assert (found[3].span.start, found[3].reason) == (5, "duplicate")
    assert (found[0], found[2]) == (ROWS[0], ROWS[2])


def test_what_a_reader_confirms_passes_the_filter_of_the_aligners_doubt() -> None:
    (low,) = apply_decisions("E", ROWS[2:3], TURNS, [decide("E_1_0_0002", "correct", "Sentence 2.", 10, 12)], CONFIG)
    assert (low.reason, low.decided_by, low.found, low.train_on) == (None, "people", None, True)
    assert low.span.confidence == 0.2
    strict = replace(CONFIG, min_turns=4)
    (short,) = apply_decisions("E", ROWS[2:3], TURNS, [decide("E_1_0_0002", "correct", "Sentence 2.", 10, 12)], strict)
    assert short.reason == "too-few-turns"


def test_rejected_rows_say_so_and_rows_told_nowhere_are_unaligned() -> None:
    found = apply_decisions("E", ROWS, TURNS, [decide("E_1_0_0000", "reject", "Sentence 0.")], CONFIG)
    assert (found[0].reason, found[0].train_on) == ("reviewed", False)
    found = apply_decisions("E", ROWS, TURNS, [decide("E_1_0_0000", "correct", "Sentence 0.")], CONFIG)
    assert (found[0].reason, found[0].span.start) == ("unaligned", None)


def test_a_decision_about_other_texts_or_turns_that_are_not_there_changes_nothing() -> None:
    stale = replace(decide("E_1_0_0001", "correct", "Sentence 1.", 5, 8), basis="other")
    beyond = decide("E_1_0_0000", "correct", "Sentence 0.", 5, 30)
    other = decide("F_1_0_0001", "correct", "Sentence 1.", 5, 8)
    assert apply_decisions("E", ROWS, TURNS, [stale, beyond, other], CONFIG) == ROWS
