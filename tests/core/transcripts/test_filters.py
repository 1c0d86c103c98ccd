"""The filter: each rule, its bounds, and the published counts of table 3."""

import json
from collections import Counter

import pytest

from core.alignment.spans import Chunk, Span
from core.transcripts.config import FilterConfig
from core.transcripts.rows import judge_alignments, judge_pair

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
        ("Q: Why? A: Why not?", 5, 9, 10, "question-and-answer"),
        ("Q:without a space", 5, 9, 10, None),
        ("Q: Why?", 5, 5, 9, "too-few-chunks"),  # the first rule that applies gives the reason
        ("Q: Why?", None, None, 10, "unaligned"),
        ("Q: Why?", 5, 5, 10, "question-and-answer"),
    ],
)
def test_reasons_and_bounds(summary, start, end, chunks, reason):
    assert judge_pair(summary, start, end, None, chunks, PAPER) == reason


def test_every_rule_is_a_setting():
    lenient = FilterConfig(min_confidence=0.0, min_turns=1, max_turns=1000, min_chunks=1, excluded=())
    assert judge_pair("Q: Why?", 5, 5, 0.0, 1, lenient) is None
    assert judge_pair("Q: Why?", 0, 500, None, 1, lenient) is None


@pytest.mark.parametrize(("confidence", "reason"), [(0.9, None), (0.85, None), (0.84, "low-confidence"), (None, None)])
def test_by_default_confidence_decides_and_length_does_not(confidence, reason):
    config = FilterConfig(min_confidence=0.85)
    assert judge_pair("They leave.", 5, 5, confidence, 10, config) == reason
    assert judge_pair("They leave.", 5, 5000, confidence, 10, config) == reason


def make_chunking(size, offset, count, **span):
    """Aligned chunks of one size and offset, each of two turns unless `span` says otherwise."""
    places = {"start": 3, "end": 4, "score": 1.0} | span
    return [(Chunk(size, offset, index, index, index, "They leave."), Span(**places)) for index in range(count)]


def test_a_chunking_with_few_chunks_is_dropped_and_another_of_the_same_episode_stays():
    aligned = [*make_chunking(2, 0, 10), *make_chunking(2, 1, 9), *make_chunking(3, 0, 10)]
    assert judge_alignments(aligned, PAPER) == [None] * 10 + ["too-few-chunks"] * 9 + [None] * 10


@pytest.mark.parametrize(("sentences", "reason"), [(10, None), (9, "too-few-chunks")])
def test_paragraphs_and_sections_are_judged_by_the_largest_chunking(sentences, reason):
    """A page of three paragraphs may be complete: the number of its sentences tells."""
    aligned = [*make_chunking(0, 0, 3), *make_chunking(1, 0, sentences)]
    assert judge_alignments(aligned, PAPER)[:3] == [reason] * 3


def test_every_chunk_has_the_reason_that_its_own_span_and_text_give():
    aligned = [
        *make_chunking(2, 0, 10),
        *make_chunking(2, 0, 1, start=None, end=None),
        *make_chunking(2, 0, 1, end=3),
        *make_chunking(2, 0, 1, end=500),
        *make_chunking(2, 0, 1, confidence=0.1),
        (Chunk(2, 0, 14, 28, 29, "Q: Why?"), Span(3, 4, 1.0)),
    ]
    config = FilterConfig(min_confidence=0.5, min_turns=2, max_turns=100)
    assert judge_alignments(aligned, config)[10:] == [
        "unaligned", "too-few-turns", "too-many-turns", "low-confidence", "question-and-answer",
    ]  # fmt: skip


def test_an_episode_without_chunks_has_no_reasons():
    assert judge_alignments([], PAPER) == []


def test_keeps_the_pairs_that_crd3_keeps_of_campaign_1(corpora):
    spans = Counter()
    kept = 0
    for path in sorted((corpora / "crd3" / "aligned data").glob("c=*/*.json")):
        chunks = json.loads(path.read_text(encoding="utf-8"))
        for row in chunks:
            alignment = row["ALIGNMENT"]
            spans[judge_pair(row["CHUNK"], alignment["TURN START"], alignment["TURN END"], None, len(chunks), PAPER)] += 1
    kept = spans[None]
    assert (sum(spans.values()), kept) == (36161, 23320)
    assert set(spans) == {None, "too-few-turns", "too-many-turns", "question-and-answer"}
