import json
from typing import Any

import pytest

from core.review.judgements import Judgement, TurnSpan
from core.review.label_studio import read_tasks, write_task

SHOWN: dict[str, Any] = {
    "item": "E1_2_0_0000", "unit": "E1", "summary": "They row.", "digest": "b", "found": {"start": 11, "end": 12},
    "turns": [{"number": 10 + place, "speakers": ["Ann", "Bo"], "text": f"turn {place}"} for place in range(5)],
}  # fmt: skip


def judge(answer: Any, question: str = "span", annotator: str = "anna") -> Judgement:
    return Judgement(
        item="E1_2_0_0000", dataset="d", version="v", question=question, answer=answer, annotator=annotator,
        at="2026-11-22T18:00:00+00:00", seconds=7.5, unit="E1", digest="b",
    )  # fmt: skip


def annotate(judgement: Judgement) -> dict[str, Any]:
    """Return a task with the annotation that the tool makes of an answer."""
    task: dict[str, Any] = json.loads(json.dumps(write_task(SHOWN, "d", "v")))
    answer = judgement.answer
    if isinstance(answer, TurnSpan) and answer.start is not None and answer.end is not None:
        value: dict[str, Any] = {"start": str(answer.start - 10), "end": str(answer.end - 10), "paragraphlabels": ["told"]}
        result = {"from_name": "told", "to_name": "turns", "type": "paragraphlabels", "value": value}
    else:
        name = "nowhere" if isinstance(answer, TurnSpan) else "pair"
        choice = "no turn tells of it" if isinstance(answer, TurnSpan) else "accept" if answer else "reject"
        result = {"from_name": name, "to_name": "turns", "type": "choices", "value": {"choices": [choice]}}
    task["annotations"] = [
        {"completed_by": {"email": judgement.annotator}, "created_at": judgement.at, "lead_time": 7.5, "result": [result]}
    ]  # fmt: skip
    return task


@pytest.mark.parametrize(
    "judgement",
    [judge(TurnSpan(11, 13)), judge(TurnSpan(14, 14)), judge(TurnSpan(None, None)), judge(True, "pair"), judge(False, "pair")],
)
def test_a_judgement_travels_there_and_back(judgement: Judgement) -> None:
    found = read_tasks([annotate(judgement)], "d")
    assert (found.judgements, found.refused) == ((judgement,), ())


def test_a_task_has_the_aligners_prediction_and_is_read_with_the_annotations_of_the_tool() -> None:
    task = write_task(SHOWN, "d", "v")
    assert task["annotations"] == []
    assert task["predictions"][0]["result"][0]["value"]["start"] == "1"
    region = {"start": "0", "end": "2", "startOffset": 3, "endOffset": 4, "paragraphlabels": ["told"], "text": "…"}
    task["annotations"] = [
        {"id": 7, "completed_by": 3, "created_at": "2026-11-22T18:00:00.123456Z", "lead_time": 12.25, "was_cancelled": False,
         "result": [{"id": "x", "type": "paragraphlabels", "from_name": "told", "to_name": "turns", "value": region}]},
        {"id": 8, "completed_by": 3, "created_at": "2026-11-22T18:00:00Z", "was_cancelled": True, "result": []},
    ]  # fmt: skip
    (judgement,) = read_tasks([task], "d").judgements
    assert (judgement.answer, judgement.annotator, judgement.seconds) == (TurnSpan(10, 12), "user-3", 12.25)
    assert read_tasks([task], "d", "ben").judgements[0].annotator == "ben"


@pytest.mark.parametrize(
    "change",
    [
        lambda task: task["data"].update(dataset="other"),
        lambda task: task["data"].pop("item"),
        lambda task: task["annotations"][0].update(result=[]),
        lambda task: task["annotations"][0].update(created_at="yesterday"),
        lambda task: task["annotations"][0].update(lead_time=10**400),
        lambda task: task["annotations"][0].update(lead_time=True),
        lambda task: task["data"].update(unit="\ud800"),
        lambda task: task["annotations"][0]["result"][0]["value"].update(end="99"),
    ],
)
def test_a_bad_annotation_is_refused_alone(change: Any) -> None:
    good, bad = (annotate(judge(TurnSpan(11, 13))) for _ in range(2))
    change(bad)
    found = read_tasks([bad, good, "no task"], "d")
    assert len(found.judgements) == len(found.refused) == 1
    assert "task 1, annotation 1" in found.refused[0]
