"""Reviews as tasks of Label Studio, and its annotations as judgements: the JSON that it imports and exports.

Spans are read in its `Paragraphs` view: each turn is a paragraph, and the region labelled `told` is the span. Whether a pair is
good is a choice; `docs/review.md` has the labelling configuration. What makes an annotation a judgement again (item, unit,
version, digest of the texts) travels in the task's `data`.

Reference: Label Studio's documentation, "Label Studio JSON format of annotated tasks" and the tags Paragraphs and Choices.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.errors import SourceError
from core.review.judgements import Judgement, Reviews, TurnSpan, parse_judgement, write_judgements

_NOWHERE = "no turn tells of it"


def write_task(shown: Mapping[str, Any], dataset: str, version: str) -> dict[str, Any]:
    """Return a row as a task; the aligner's span is its prediction.

    It has no annotations: Label Studio refuses those of people whom it does not know.

    `shown` is the row as the page shows it (`item`, `unit`, `summary`, `turns`, `digest`, perhaps `found`).
    """
    turns = shown["turns"]
    found = shown.get("found")
    predicted = [] if found is None else _write_span(TurnSpan(found["start"], found["end"]), turns)
    return {
        "data": {
            "item": shown["item"],
            "unit": shown["unit"],
            "dataset": dataset,
            "version": version,
            "basis": shown["digest"],
            "title": shown.get("title") or shown["unit"],
            "summary": shown["summary"],
            "turns": [
                {"author": ", ".join(turn["speakers"]), "text": turn["text"], "number": turn["number"]} for turn in turns
            ],
        },
        "predictions": [{"model_version": "aligner", "result": predicted}] if predicted else [],
        "annotations": [],
    }  # fmt: skip


def read_tasks(tasks: Any, dataset: str, annotator: str | None = None) -> Reviews:
    """Return the judgements of exported tasks; an annotation that is none is refused alone.

    `annotator` is whose the annotations are; None: as they say (the e-mail address, or the number of the user).

    Raises:
        SourceError: it is no list of tasks.
    """
    if not isinstance(tasks, list):
        raise SourceError(f"found {type(tasks).__name__}, expected the list of tasks that Label Studio exports as JSON")
    judgements: list[Judgement] = []
    refused: list[str] = []
    for number, task in enumerate(tasks, 1):
        annotations = task.get("annotations") if isinstance(task, dict) else None
        for place, annotation in enumerate(annotations if isinstance(annotations, list) else [], 1):
            try:
                judgements += _read_annotation(task["data"], annotation, dataset, annotator)
            except (SourceError, KeyError, TypeError, ValueError, AttributeError) as error:
                said = error if isinstance(error, SourceError) else "it is not as Label Studio writes it; export it again"
                refused.append(f"task {number}, annotation {place}: {said}")
    return Reviews(tuple(judgements), tuple(refused))


def _write_span(answer: TurnSpan, turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if answer.start is None or answer.end is None:
        return [{"from_name": "nowhere", "to_name": "turns", "type": "choices", "value": {"choices": [_NOWHERE]}}]
    numbers = [turn["number"] for turn in turns]
    if answer.start not in numbers or answer.end not in numbers:
        return []
    start, end = numbers.index(answer.start), numbers.index(answer.end)
    value = {"start": str(start), "end": str(end), "startOffset": 0, "endOffset": len(turns[end]["text"])}
    return [
        {"from_name": "told", "to_name": "turns", "type": "paragraphlabels", "value": {**value, "paragraphlabels": ["told"]}}
    ]  # fmt: skip


def _read_annotation(
    data: Mapping[str, Any], annotation: Mapping[str, Any], dataset: str, annotator: str | None
) -> list[Judgement]:
    if data["dataset"] != dataset:
        raise SourceError(f"found a task of dataset {data['dataset']!r}, expected {dataset!r}")
    if annotation.get("was_cancelled"):
        return []
    answers = _read_result(annotation["result"], data["turns"])
    time = datetime.fromisoformat(str(annotation["created_at"]))  # Label Studio writes it with its offset
    seconds = annotation.get("lead_time")
    found = [
        Judgement(
            item=str(data["item"]),
            dataset=dataset,
            version=str(data["version"]),
            question=question,
            answer=answer,
            annotator=annotator or _name_annotator(annotation.get("completed_by")),
            at=time.isoformat(),
            seconds=seconds,
            unit=str(data["unit"]),
            digest=str(data["basis"]),
        )
        for question, answer in answers
    ]
    return [parse_judgement(write_judgements([each])) for each in found]  # as strict as the store


def _read_result(result: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """Return the answers of an annotation: a rejection counts before a span, since it says that there is no good one."""
    choices = {entry["from_name"]: entry["value"]["choices"] for entry in result if entry["type"] == "choices"}
    if choices.get("pair") == ["reject"]:
        return [("pair", False)]
    regions = [entry["value"] for entry in result if entry["type"] == "paragraphlabels"]
    if regions:
        places = [(int(region["start"]), int(region["end"])) for region in regions]
        start, end = min(start for start, _ in places), max(end for _, end in places)
        if not 0 <= start <= end < len(turns):
            raise SourceError(f"found a region of paragraphs {start} to {end}, expected some of the {len(turns)} turns")
        return [("span", TurnSpan(int(turns[start]["number"]), int(turns[end]["number"])))]
    if choices.get("nowhere"):
        return [("span", TurnSpan(None, None))]
    if choices.get("pair") == ["accept"]:
        return [("pair", True)]
    raise SourceError("found neither a region nor a choice, expected an answer")


def _name_annotator(user: Any) -> str:
    if isinstance(user, Mapping) and user.get("email"):
        return str(user["email"])
    return f"user-{user}" if isinstance(user, int) else "label-studio"
