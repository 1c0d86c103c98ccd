import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.spans import Chunk, Span
from core.review.decisions import Decision
from core.review.judgements import digest_row, digest_texts
from core.transcripts.config import FilterConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.rows import (
    JudgedChunk,
    apply_decisions,
    choose_cover,
    decide_rows,
    judge_alignments,
    judge_pair,
    mark_cover,
)

PAPER = FilterConfig(min_confidence=0.0, min_turns=2, max_turns=100, min_chunks=10)


@pytest.mark.parametrize(
    ("summary", "start", "end", "chunks", "reason"),
    [
        ("They leave.", 5, 6, 10, None),
        ("They leave.", 0, 99, 10, None),
        ("They leave.", 0, 100, 10, "too-many-turns"),
        ("They leave.", 5, 5, 10, "too-few-turns"),
        ("They leave.", 5, 6, 9, "too-few-chunks"),
        ("They leave.", None, None, 10, "unaligned"),
        ("Q:without a space", 5, 9, 10, None),
        ("Q: Why?", 5, 5, 9, "too-few-chunks"),  # the first rule that applies gives the reason
        ("Q: Why?", None, None, 10, "unaligned"),
        ("Q: Why?", 5, 5, 10, "question-and-answer"),
    ],
)
def test_reasons_and_bounds(summary, start, end, chunks, reason):
    assert judge_pair(summary, Span(start, end, 0.0), chunks, PAPER) == reason


@pytest.mark.parametrize(("confidence", "reason"), [(0.9, None), (0.85, None), (0.84, "low-confidence"), (None, None)])
def test_by_default_confidence_decides_and_length_does_not(confidence, reason):
    config = FilterConfig(min_confidence=0.85)
    assert judge_pair("They leave.", Span(5, 5, 0.0, confidence), 10, config) == reason
    assert judge_pair("They leave.", Span(5, 5000, 0.0, confidence), 10, config) == reason


def make_chunking(size, offset, count, **span):
    """Aligned chunks of one size and offset, each of two turns unless `span` says otherwise."""
    places = {"start": 3, "end": 4, "score": 1.0} | span
    return [(Chunk(size, offset, index, index, index, "They leave."), Span(**places)) for index in range(count)]


def test_a_chunking_with_few_chunks_is_dropped_and_another_of_the_same_episode_stays():
    aligned = [*make_chunking(2, 0, 10), *make_chunking(2, 1, 9), *make_chunking(3, 0, 10)]
    assert judge_alignments(aligned, PAPER) == [None] * 10 + ["too-few-chunks"] * 9 + [None] * 10
    # A page of three paragraphs may be complete: the number of its sentences tells.
    for sentences, reason in ((10, None), (9, "too-few-chunks")):
        aligned = [*make_chunking(0, 0, 3), *make_chunking(1, 0, sentences)]
        assert judge_alignments(aligned, PAPER)[:3] == [reason] * 3


def test_keeps_the_pairs_that_crd3_keeps_of_campaign_1(corpora):
    spans = Counter()
    kept = 0
    for path in sorted((corpora / "crd3" / "aligned data").glob("c=*/*.json")):
        chunks = json.loads(path.read_text(encoding="utf-8"))
        for row in chunks:
            alignment = row["ALIGNMENT"]
            span = Span(alignment["TURN START"], alignment["TURN END"], 0.0)
            spans[judge_pair(row["CHUNK"], span, len(chunks), PAPER)] += 1
    kept = spans[None]
    assert (sum(spans.values()), kept) == (36161, 23320)
    assert set(spans) == {None, "too-few-turns", "too-many-turns", "question-and-answer"}


LENIENT = FilterConfig(min_chunks=0)
RECAP = Recap(
    "",
    "",
    (
        RecapSection("recap", "Previously", "", ("They slept.",), ("They slept.",)),
        RecapSection("plot", "Part I", "", ("They wake.", "They eat."), ("They wake.", "They eat.")),
        RecapSection("break", "Break", "", ("Shown:", "A film was shown.", "Fan art"), ("A film was shown.",), (0, 2)),
        RecapSection("plot", "Part II", "", ("They leave.",), ("They leave.",)),
    ),
)
WORDS = [10] * 20


def row(
    first: int, last: int, start: int, end: int, confidence: float = 0.9, size: int = 2, text: str = ""
) -> tuple[Chunk, Span]:
    summary = text or " ".join(RECAP.sentences[first : last + 1])
    return Chunk(size, 0, first, first, last, summary), Span(start, end, 1.0, confidence)


def judge(*rows: tuple[Chunk, Span], words: list[int] = WORDS, config: FilterConfig = LENIENT) -> list[JudgedChunk]:
    return decide_rows(rows, RECAP, words, config)[: len(rows)]


def test_rows_have_the_kind_of_their_section_and_untold_paragraphs_are_rejected_at_their_place() -> None:
    judged = judge(*(row(place, place, place, place) for place in range(5)))
    assert [entry.kind for entry in judged] == ["recap", "plot", "plot", "break", "plot"]
    untold = decide_rows([], RECAP, WORDS, LENIENT)
    found = [(entry.chunk.text, entry.kind, entry.reason) for entry in untold]
    assert found == [("Shown:", "break", "untold"), ("Fan art", "break", "untold")]
    assert [(entry.chunk.size, entry.chunk.offset, entry.chunk.index) for entry in untold] == [(0, 2, 0), (0, 2, 1)]
    assert all(entry.chunk.last_sentence < entry.chunk.first_sentence for entry in untold)


def test_repeats_and_all_but_one_pair_of_a_long_turn_are_rejected() -> None:
    rows = [row(0, 0, 3, 4, size=0), row(0, 0, 3, 4, size=2), row(0, 0, 3, 5, size=3)]
    assert [entry.reason for entry in judge(*rows)] == [None, "duplicate", None]
    assert [entry.reason for entry in judge(*rows, config=FilterConfig(min_chunks=0, duplicates="keep"))] == [None] * 3
    words = [10, 900, 10, 10]
    rows = [row(0, 0, 1, 1), row(1, 2, 0, 2), row(1, 1, 1, 1), row(3, 3, 2, 3)]
    assert [entry.reason for entry in judge(*rows, words=words)] == ["shared-turn", None, "shared-turn", None]
    off = FilterConfig(min_chunks=0, shared_turn_words=0)
    assert [entry.reason for entry in judge(*rows, words=words, config=off)] == [None] * 4


def test_the_rows_to_train_on_are_kept_rows_of_few_sentences_that_a_summariser_reads_as_a_whole() -> None:
    config = FilterConfig(min_chunks=0, train_on_sentences=2)
    rows = [row(0, 4, 0, 9), row(0, 0, 0, 1), row(1, 2, 2, 4), row(1, 1, 2, 2), row(3, 4, 5, 9, 0.2)]
    judged = judge(*rows, config=config)
    assert [entry.train_on for entry in judged] == [False, True, True, False, False]
    long, short = row(0, 1, 0, 500), row(2, 3, 501, 1000)
    words = [10] * 1001
    assert [entry.train_on for entry in judge(long, short, words=words)] == [False, True]
    unbounded = FilterConfig(min_chunks=0, train_on_turns=0)
    assert [entry.train_on for entry in judge(long, short, words=words, config=unbounded)] == [True, True]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.sampled_from([0.5, 0.8, 0.9, None])), max_size=8))
def test_no_other_set_without_a_common_sentence_covers_more(drawn: list[tuple[int, int, float | None]]) -> None:
    rows = [
        JudgedChunk(Chunk(2, 0, 0, first, first + more, ""), Span(0, 0, 1.0, confidence), "plot", None)
        for first, more, confidence in drawn
    ]

    def weigh(places: tuple[int, ...]) -> float:
        sentences = [n for p in places for n in range(rows[p].chunk.first_sentence, rows[p].chunk.last_sentence + 1)]
        if len(set(sentences)) < len(sentences):
            return -1.0
        return sum(
            (rows[p].chunk.last_sentence - rows[p].chunk.first_sentence + 1)
            * (1.0 if (sure := rows[p].span.confidence) is None else sure)
            for p in places
        )

    best = max(weigh(places) for size in range(len(rows) + 1) for places in combinations(range(len(rows)), size))
    assert abs(weigh(tuple(choose_cover(rows))) - best) < 1e-9


TURNS = [f"turn {number}" for number in range(30)]
CONFIG = FilterConfig(min_chunks=1, min_turns=1, duplicates="reject", min_confidence=0.5)


def judged_row(index: int, start: int, end: int, confidence: float = 0.9, size: int = 1, offset: int = 0) -> JudgedChunk:
    chunk = Chunk(size, offset, index, index, index, f"Sentence {index}.")
    reason = "low-confidence" if confidence < 0.5 else None
    return JudgedChunk(chunk, Span(start, end, 0.7, confidence), "plot", reason)


ROWS = mark_cover([judged_row(0, 0, 3), judged_row(1, 4, 9), judged_row(2, 10, 12, 0.2), judged_row(1, 4, 9, size=0)], CONFIG)


def decide(item: str, verdict: str, text: str, start: int | None = None, end: int | None = None, by: str = "people") -> Decision:
    digest = digest_row(text, digest_texts(TURNS))
    return Decision(item=item, verdict=verdict, decided_by=by, digest=digest, start=start, end=end)  # type: ignore[arg-type]


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


def test_rejected_rows_say_so_those_told_nowhere_are_unaligned_and_stale_decisions_change_nothing() -> None:
    found = apply_decisions("E", ROWS, TURNS, [decide("E_1_0_0000", "reject", "Sentence 0.")], CONFIG)
    assert (found[0].reason, found[0].train_on) == ("reviewed", False)
    found = apply_decisions("E", ROWS, TURNS, [decide("E_1_0_0000", "correct", "Sentence 0.")], CONFIG)
    assert (found[0].reason, found[0].span.start) == ("unaligned", None)
    stale = replace(decide("E_1_0_0001", "correct", "Sentence 1.", 5, 8), digest="other")
    beyond = decide("E_1_0_0000", "correct", "Sentence 0.", 5, 30)
    other = decide("F_1_0_0001", "correct", "Sentence 1.", 5, 8)
    assert apply_decisions("E", ROWS, TURNS, [stale, beyond, other], CONFIG) == ROWS
