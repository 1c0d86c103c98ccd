"""A golden test a stage: the same fingerprint has the same result as when it was recorded (`tests/tasks/golden.py` says how)."""

import json
from dataclasses import replace

import pytest

from core.reading.questions import ReaderConfig
from core.references import UnitReference
from infra.store.answers import keep_answer
from tasks.frame.asking import LIST_QUESTIONS
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import PIPELINES, ROOMS, SCRIPTS, SUBTITLES, THREADS, TRANSCRIPTS
from tests.tasks.conftest import Example
from tests.tasks.golden import HEAD, PATH, Golden, check_result, describe_result, read_history

EXAMPLES = {
    TRANSCRIPTS.name: ("episodes", "S01E01"),
    SCRIPTS.name: ("stories", "lost-property"),
    SUBTITLES.name: ("films", None),
    THREADS.name: ("threads", None),
    ROOMS.name: ("descriptions", "shard-0000-of-0002"),
}
DIGITS = {SCRIPTS.name: 6}
STAGES = [(pipeline, stage) for pipeline in PIPELINES for stage in pipeline.load(INGESTION).stage_versions]


@pytest.mark.parametrize(("pipeline", "stage"), STAGES, ids=[f"{pipeline.name}-{stage}" for pipeline, stage in STAGES])
def test_results_change_only_with_the_stages_version(pipeline: Pipeline, stage: str, request: pytest.FixtureRequest) -> None:
    fixture, unit = EXAMPLES[pipeline.name]
    example: Example = request.getfixturevalue(fixture)
    reference = example.references[unit] if unit else next(iter(example.references.values()))
    if stage == "reading":
        reference = _read(pipeline, example, reference)
    version = pipeline.load(INGESTION).stage_versions[stage]
    found = describe_result(pipeline.name, version, reference.artifacts[stage], example.store, DIGITS.get(pipeline.name, 9))
    check_result(PATH.read_text(), found)


def _read(pipeline: Pipeline, example: Example, reference: UnitReference) -> UnitReference:
    """Return a unit as it is built with a reader who says the same of everything that a question numbers."""
    config = replace(example.config, reader=ReaderConfig("first-turns"))
    for question in pipeline.load(LIST_QUESTIONS)(example.store, reference, config):
        keep_answer(example.store, "first-turns", question, json.dumps(ANSWERS[pipeline.name](question.text)))
    return example.build(reference.unit, config)


def _answer_spans(text: str) -> dict[str, object]:
    """Put every sentence of a recap into the first turns."""
    told, said = text.split("\n\nTurns:\n[")
    numbers = [int(line[1 : line.index(">")]) for line in told.splitlines()[1:]]
    first = int(said[: said.index("]")])
    return {"spans": [{"sentence": number, "start": first, "end": first + place} for place, number in enumerate(numbers)]}


def _answer_marks(text: str) -> dict[str, object]:
    """Stumble over the second sentence of every dialogue."""
    entry = {"stumbles": [{"sentence": 2, "why": "torn"}], "rest": "good"}
    return {"dialogues": [{"dialogue": number} | entry for number in range(1, text.count(": [1] ") + 1)]}


def _answer_places(text: str) -> dict[str, object]:
    """Take every sentence for the description of a place."""
    numbers = {int(line[1 : line.index("]")]) for line in text.splitlines() if line}
    return {"sentences": [{"sentence": number, "place": "yes"} for number in sorted(numbers)]}


def _answer_scenes(text: str) -> dict[str, object]:
    """Put every sentence of a synopsis into the first scene; half of them are told whole there."""
    numbers = [int(line[1 : line.index(">")]) for line in text.splitlines() if line.startswith("<")]
    first = int(text.split(":\n[")[1].split("]")[0])
    return {"sentences": [{"sentence": number, "scenes": [first], "whole": number % 2 == 0} for number in numbers]}


ANSWERS = {
    TRANSCRIPTS.name: _answer_spans,
    SCRIPTS.name: _answer_scenes,
    SUBTITLES.name: lambda _: {"same": "yes"},
    THREADS.name: _answer_marks,
    ROOMS.name: _answer_places,
}


def test_every_stage_of_every_pipeline_has_a_recorded_result() -> None:
    history, _ = read_history(PATH.read_text())
    recorded = {(entry.pipeline, entry.stage): entry.version for entry in history}
    assert recorded == {(pipeline.name, stage): pipeline.load(INGESTION).stage_versions[stage] for pipeline, stage in STAGES}


FIRST = Golden("toys", "text", 1, "f1", "r1")
SECOND = Golden("toys", "size", 1, "f2", "r2")


def write_history(*entries: Golden) -> str:
    lines, last = ["\t".join(HEAD)], ""
    for entry in entries:
        last = entry.chain(last)
        lines.append(f"{entry}\t{last}")
    return "\n".join(lines) + "\n"


HISTORY = write_history(FIRST, SECOND)


def test_a_changed_result_passes_only_as_a_new_line_of_a_higher_version() -> None:
    check_result(HISTORY, FIRST)
    check_result(HISTORY, SECOND)
    with pytest.raises(ValueError, match="raise its number in STAGE_VERSIONS"):
        check_result(HISTORY, replace(FIRST, result="r9"))
    newer = replace(FIRST, version=2, fingerprint="f9", result="r9")
    with pytest.raises(ValueError, match="append this line") as caught:
        check_result(HISTORY, newer)
    check_result(f"{HISTORY}{str(caught.value).splitlines()[-1]}\n", newer)


LINES = HISTORY.splitlines()


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (HISTORY.replace("r1", "r9"), "line 2 is not what was recorded"),
        ("\n".join((LINES[0], LINES[2])), "line 2 is not what was recorded"),
        ("\n".join((LINES[0], LINES[2], LINES[1])), "line 2 is not what was recorded"),
        (write_history(FIRST, SECOND, replace(FIRST, result="r9")), "line 4 has a fingerprint that stands in a line before"),
        (write_history(FIRST, SECOND, replace(FIRST, version=0, fingerprint="f0")), "line 4 has a lower version"),
    ],
    ids=["updated in place", "taken out", "another order", "the same version", "a lower version"],
)
def test_a_history_that_was_rewritten_is_refused(history: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_history(history)
