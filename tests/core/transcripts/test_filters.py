"""The filter: each rule, its bounds, and the published counts of table 3."""

import json
from collections import Counter

import pytest

from core.transcripts.config import FilterConfig
from core.transcripts.filters import judge_pair

PAPER = FilterConfig(min_confidence=0.0, min_turns=2, max_turns=100)


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
