import json
from collections.abc import Sequence

import pytest

from core.alignment.spans import Chunk, Span
from core.errors import SourceError
from core.metrics.alignment_quality import SpanMatch
from core.transcripts.config import FilterConfig
from core.transcripts.evaluation import GoldSentence, GradedEpisode, describe_quality, grade_episode, read_gold

GOLD = (
    GoldSentence("The party enters the cave of glass.", 10, 19),
    GoldSentence("They fight a worm there for a long time.", 20, 29),
    GoldSentence("They win.", 100, 100),
    GoldSentence("A word from our sponsor was shown on screen.", None, None),
)


def chunk(text: str, start: int | None, end: int | None, confidence: float | None = None) -> tuple[Chunk, Span]:
    return Chunk(2, 0, 0, 0, 1, text), Span(start, end, 0.0, confidence)


def grade(*pairs: tuple[Chunk, Span], gold: Sequence[GoldSentence] = GOLD) -> GradedEpisode:
    return grade_episode("E1", gold, pairs, FilterConfig())


def test_a_chunks_gold_span_covers_all_its_sentences_and_a_short_one_counts_only_alone() -> None:
    graded = grade(chunk("The party enters the cave of glass. They fight a worm there for a long time.", 15, 34))
    assert graded.chunks[0].match == SpanMatch(15, 20, 20)
    assert (graded.sentences, graded.found) == (3, 2)
    both = grade(chunk("The party enters the cave of glass. They win.", 10, 19))
    assert both.chunks[0].match == SpanMatch(10, 10, 10)
    assert both.found == 2
    assert grade(chunk("They win.", 10, 19)).chunks[0].match == SpanMatch(0, 10, 1)


def test_chunks_without_gold_and_sentences_without_turns_are_left_out() -> None:
    graded = grade(chunk("Credits.", 1, 2), chunk("A word from our sponsor was shown on screen.", 1, 2))
    assert (graded.chunks, graded.sentences, graded.found) == ((), 3, 0)
    rows = [{"text": "a", "turn_start": 1, "turn_end": 3, "sentence": 0}, {"text": "b", "turn_start": None, "turn_end": None}]
    assert read_gold("E1.json", json.dumps(rows)) == (GoldSentence("a", 1, 3), GoldSentence("b", None, None))


def test_an_unaligned_chunk_loses_its_gold_turns_and_neighbours_share_a_block() -> None:
    graded = grade(chunk("The party enters the cave of glass.", None, None))
    assert graded.chunks[0].match == SpanMatch(0, 0, 10)
    found = describe_quality([graded], resamples=10)
    assert found["all"]["pooled"]["recall"]["value"] == 0
    assert (found["kept"], found["kept_share"], found["reliability"]) == (None, 0, None)
    gold = [GoldSentence(f"Sentence {place} tells of another adventure.", place, place) for place in range(20)]
    graded = grade(*(chunk(entry.text, 0, 0) for entry in gold), gold=gold)
    assert [entry.block for entry in graded.chunks] == [("E1", place // 8) for place in range(20)]


def test_figures_of_all_and_of_kept_chunks() -> None:
    chunks = [
        chunk("The party enters the cave of glass.", 10, 19, 0.9),
        chunk("They fight a worm there for a long time.", 40, 49, 0.2),
    ]
    found = describe_quality([grade(*chunks)], resamples=10)
    assert (found["chunks"], found["kept_chunks"], found["kept_share"]) == (2, 1, 0.5)
    assert found["all"]["pooled"]["f1"]["value"] == pytest.approx(0.5)
    assert found["kept"]["macro"]["f1"]["value"] == pytest.approx(1)
    assert found["by_episode"]["E1"]["all"] == found["all"]
    assert [(entry["stated"], entry["observed"]) for entry in found["reliability"]["bins"]] == [(0.2, 0.0), (0.9, 1.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "E1.json: not valid JSON"),
        ("{}", "E1.json: found dict; expected a JSON list"),
        ('["a"]', "E1.json, entry 0: not a gold sentence"),
        ('[{"text": "a", "turn_start": 3, "turn_end": 1}]', "entry 0"),
        ('[{"text": "a", "turn_start": true, "turn_end": 1}]', "entry 0"),
        ('[{"text": "a", "turn_start": 1, "turn_end": null}]', "entry 0"),
        ('[{"text": "a"}]', "entry 0"),
    ],
)
def test_the_error_names_the_malformed_entry(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_gold("E1.json", text)


def test_a_record_with_peoples_spans_is_gold() -> None:
    said = (("Ana", "Boats."), ("Ben", "Sails."), ("Ana", "Oars."))
    turns = [{"speaker": speaker, "content": text} for speaker, text in said]
    queries = [{"query": "What of sails?", "answer": "Ben wants sails.", "relevant_text_span": [["1", "2"]]}]
    whole = [{"query": "Sum up.", "answer": "They talk of boats."}]
    record = {"meeting_transcripts": turns, "specific_query_list": queries, "general_query_list": whole}
    assert read_gold("m1.json", json.dumps(record)) == (GoldSentence("Ben wants sails.", 1, 2),)
