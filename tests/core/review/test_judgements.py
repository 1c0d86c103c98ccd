import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.review.judgements import Judgement, parse_judgement, read_judgements, select_question, write_judgements

GOOD = {"item": "t3_a", "dataset": "threads", "version": "1f0c", "question": "interactions", "answer": [True, False]}
GOOD |= {"reader": "anna", "at": "2026-11-22T18:40:00+00:00"}


def encode(**changes: object) -> bytes:
    return json.dumps(GOOD | changes).encode()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"item": " "}, "item ' '"),
        ({"reader": None}, "reader None"),
        ({"version": 3}, "version 3"),
        ({"at": "2026-11-22T18:40:00"}, "offset from UTC"),
        ({"answer": []}, "answer"),
        ({"answer": [1, 0]}, "answer"),
        ({"answer": True}, "'interactions'"),
        ({"question": "is_room", "answer": [True]}, "a whole number or a label"),
        ({"question": "sense", "answer": 6}, "level from 1 to 5"),
        ({"question": "sense", "answer": True}, "level from 1 to 5"),
        ({"question": "naturalness", "answer": 2, "position": 1}, "other"),
        ({"question": "naturalness", "answer": 2, "position": 3, "other": "b"}, "position"),
        ({"seconds": -1}, "-1 seconds"),
        ({"seconds": float("nan")}, "nan seconds"),
        ({"seconds": 10**400}, "seconds, expected a number"),
        ({"question": "write-factoid", "answer": {"asked": "\udc00", "right": "a"}}, "surrogate"),
        *(({name: "\ud800"}, "surrogate") for name in ("item", "note", "unit", "basis")),
        ({"question": "is_room", "answer": "\ud800"}, "surrogate"),
        ({"position": 0}, "position 0"),
        ({"position": True}, "position True"),
        ({"note": None}, "note None"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_the_others_stay(changes: dict[str, object], reason: str) -> None:
    found = read_judgements([encode(), b"\n", encode(**changes), encode(item="t3_b")], "a.jsonl")
    assert [judgement.item for judgement in found.judgements] == ["t3_a", "t3_b"]
    (refused,) = found.refused
    assert refused.startswith("a.jsonl, line 3: ")
    assert reason in refused


@pytest.mark.parametrize("line", [b"{", b"[]", b"\xff", b"[" * 100_000, b" " * 2**20 + b"{}", b"1" * 5000])
def test_lines_that_are_no_objects_are_refused(line: bytes) -> None:
    with pytest.raises(SourceError):
        parse_judgement(line)


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8).filter(str.strip)


@given(
    st.builds(
        Judgement,
        item=TEXT,
        dataset=TEXT,
        version=TEXT,
        question=st.just("is_room"),
        answer=st.booleans() | st.integers(-9, 9) | TEXT,
        annotator=TEXT,
        at=st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
        seconds=st.none() | st.floats(0, 1e6),
        position=st.none() | st.integers(1, 100),
        other=st.none() | TEXT,
        note=st.text(max_size=9),
    )
)
def test_what_is_written_is_read_back(judgement: Judgement) -> None:
    assert read_judgements(write_judgements([judgement, judgement]).splitlines(keepends=True)).judgements == (
        judgement,
        judgement,
    )


def test_hasty_answers_and_other_questions_are_left_out() -> None:
    lines = [encode(seconds=59, item="a"), encode(seconds=60, item="b"), encode(item="c"), encode(question="sense", answer=2)]
    chosen = select_question(read_judgements(lines).judgements, "interactions", least_seconds=60)
    assert [entry.item for entry in chosen] == ["b", "c"]
