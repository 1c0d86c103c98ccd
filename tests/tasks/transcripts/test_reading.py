"""A run with a reader who is believed: rows name him where he moves them, and statistics, card and report tell of him."""

import json

import pytest

from core.transcripts.aligning import locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.reading import list_questions
from infra.prompts import read_prompt
from infra.store.answers import keep_answer
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from tasks.pipelines import TRANSCRIPTS
from tasks.transcripts.evaluation import fit_stored
from tests.tasks import in_process
from tests.tasks.conftest import Example

MODEL = "some/model"


def answer_alike(store: Store, config: TranscriptsConfig, unit: str) -> int:
    """Answer the questions about a unit nearly as the aligner does: each span begins two turns earlier; return their number."""
    artifacts = in_process.read_references(store, "transcripts")[unit].artifacts
    turns = DIALOGUE.decode(store.read(artifacts["dialogue"].key))
    recap = RECAP.decode(store.read(artifacts["recap"].key))
    located = locate_recap(turns, recap, config.alignment)
    spans = located.cover_each()
    asked = list_questions(unit, turns, recap.sentences, located, read_prompt("transcript-spans", 1))
    for window, question in asked:
        told = []
        for sentence in window.sentences:
            start, end = spans[sentence].start, spans[sentence].end
            if start is None or end is None or end not in window.turns:
                start, end = None, None
            first = None if start is None else max(start - 2, window.turns.start)
            told.append({"sentence": sentence, "start": first, "end": end})
        keep_answer(store, MODEL, question, json.dumps({"spans": told}), "model-2026", 100)
    return len(asked)


Read = tuple[Example, int, list[dict[str, object]]]


@pytest.fixture(scope="module")
def read(episodes: Example, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The example after a run with the reader, how many questions he has answered, and the alignments of the run before."""
    example = episodes.copy(tmp_path_factory.mktemp("read"))
    before = example.rows("alignments")
    answered = sum(answer_alike(example.store, example.config, unit) for unit in example.references)
    settings = {"config_file": example.source / "settings.toml", "filter": {"max_turns": 30}}
    in_process.run(TRANSCRIPTS, example.source, example.store, **settings, reader={"model": MODEL})
    return example, answered, before


def test_rows_that_the_reader_has_moved_name_him(read: Read) -> None:
    example, _, before = read
    moved = {}
    for row in example.rows("alignments"):
        (old,) = (each for each in before if each["id"] == row["id"])
        is_moved = (row["turn_start"], row["turn_end"]) != (old["turn_start"], old["turn_end"])
        assert row["decided_by"] == ("model some-model" if is_moved else "aligner"), row["id"]
        assert row["found_start"] is None, "reviews are shown the span that the row has"
        moved[row["id"]] = is_moved
    assert 0 < sum(moved.values()) < len(moved)
    assert {row["decided_by"] for row in example.rows("pairs") if moved[row["id"]]} == {"model some-model"}


def test_statistics_card_and_report_tell_of_the_reader(read: Read) -> None:
    example, answered, _ = read
    told = example.store.read_json(f"{example.folder}/stats.json")["reading"]
    assert (told["model"], told["questions"], told["answers"], told["unreadable"]) == (MODEL, answered, answered, 0)
    assert 1 <= told["heard"] <= told["units"] == len(example.references)
    assert 0.5 < told["weight"] < 1
    card = example.store.read(f"{example.folder}/README.md").decode()
    assert "| reader | some/model |" in card
    assert f"{answered:,} about {told['units']} units; {answered:,} have an answer" in card
    report = example.store.read(f"{example.folder}/report/index.html").decode()
    assert "questions to the reader" in report


def test_without_a_reader_nothing_tells_of_one(episodes: Example) -> None:
    assert "reading" not in episodes.store.read_json(f"{episodes.folder}/stats.json")
    assert {row["decided_by"] for row in episodes.rows("alignments")} == {"aligner"}
    assert not {"reading", "found"} & {name for each in episodes.references.values() for name in each.artifacts}


def test_what_a_reader_says_fits_the_aligners_own_curve(read: Read) -> None:
    example, _, _ = read
    found = fit_stored(example.store, None)
    fitted = found.curves["alignment.windows.curve"]
    assert found.given == {"gold": 0, "reader": fitted.rows, "people": 0}
    assert fitted.rows >= 50
    assert fitted.units == len(example.references)
