"""The thesis's tables of people's answers: real posts and dialogues of other corpora, compared in a session."""

import json
import shutil
from pathlib import Path

import pytest

from infra.store.objects import Store
from lab.papers.forums import (
    ForumDataset,
    draw_comparisons,
    group_comparisons,
    tabulate_comparisons,
    tabulate_scores,
)
from tasks.pipelines import THREADS
from tasks.review.session import SessionOptions, open_session
from tests.spoken_forms import write_all
from tests.tasks import in_process

DATASETS = [ForumDataset("threads", "default", "words"), ForumDataset("spoken", "spoken", "words")]


@pytest.fixture(scope="module")
def made(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    store = Store(str(folder / "store"))
    examples = repository / "examples" / "threads"
    in_process.run(THREADS, examples, store, "threads", config_file=examples / "settings.toml", scorer={"kind": "words"})
    in_process.run(THREADS, write_all(folder / "corpora"), store, "spoken", profile="spoken", scorer={"kind": "words"})
    return folder / "store"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Store:
    """A copy for each test: what one writes, no other reads."""
    return Store(str(shutil.copytree(made, tmp_path / "store")))


def test_every_turn_of_the_other_datasets_is_there(store: Store) -> None:
    rows = in_process.read_rows(store, "spoken", "dialogues")
    assert sorted(row["topic"] for row in rows) == sorted(
        ["DailyDialog", "DailyDialog", "Topical-Chat", "MultiWOZ", "MultiWOZ", "Multi-Session Chat", "Multi-Session Chat"]
    )
    [lamp] = [row for row in rows if "lamp" in row["dialogue"]]
    assert [turn["text"] for turn in lamp["turns"]] == ["Is the lamp out ?", "It is . Shall I light it ?", "Please do ."]
    assert in_process.read_rows(store, "spoken", "rejects") == []


def test_people_compare_with_them_and_the_tables_say_with_which(store: Store) -> None:
    options = SessionOptions(annotator="anna", task="compare", against="spoken")
    clock = iter(range(0, 100_000, 100))
    session = open_session(store, "threads", options, lambda: float(next(clock)))
    shown = session.show({"place": "0"})
    assert [bool(side["turns"]) for side in shown["sides"]] == [True, True]
    for place in range(int(session.describe({})["count"])):
        session.show({"place": str(place)})
        answers = [{"question": "naturalness", "answer": 4}]
        session.decide({"place": place, "seconds": 90, "answers": answers})
    groups, answers = group_comparisons(store, DATASETS)
    assert len(answers) == int(session.describe({})["count"]) > 0
    coarse, topics, others, agreement = tabulate_comparisons(groups, answers)
    assert coarse.rows[0][:2] == ("all", str(len(answers)))
    assert coarse.rows[0][-3:] == ("9.88%", "12.21%", "77.90%")
    assert [row[0] for row in topics.rows[:2]] == ["books", "movies"]
    assert [row[0] for row in others.rows] == ["DailyDialog", "MultiWOZ", "Topical-Chat", "spoken"]
    assert others.rows[-1][1] == str(len(answers))
    assert agreement.rows[0][2:] == ("0", "172 of 400")
    figures = draw_comparisons(groups)
    assert {"figure-4.6-all.svg", "figures-4.3-to-4.5-against-spoken.svg"} <= set(figures)
    assert f"{len(answers)} comparisons" in figures["figure-4.6-all.svg"]
    assert "more natural" in figures["figure-4.6-all.svg"]


def test_the_latest_answer_counts_in_the_row_of_the_other_dataset(store: Store) -> None:
    answer = {
        "item": in_process.read_rows(store, "threads", "dialogues")[0]["id"], "dataset": "threads", "version": "1",
        "question": "naturalness", "answer": 2, "reader": "berta", "at": "2026-11-22T18:40:00+00:00", "position": 1,
        "other": in_process.read_rows(store, "spoken", "dialogues")[0]["id"],
    }  # fmt: skip
    lines = ""
    for seconds, counted in ((61.0, {2}), (5.0, set())):  # the later answer counts, unless it took less than a minute
        lines += json.dumps(answer | {"seconds": seconds}) + "\n"
        store.write("reviews/threads/berta.jsonl", lines.encode())
        groups, _ = group_comparisons(store, DATASETS)
        found = [each.answer for group in groups["4.8 to 4.10"] if group.name == "spoken" for each in group.answers]
        assert {*found} == counted


def test_tables_of_scores_have_every_profile_of_the_thesis(store: Store) -> None:
    sense, speed, interactions = tabulate_scores(store, [*DATASETS, ForumDataset("spoken", "final", "words")])
    assert [len(table.rows) for table in (sense, speed, interactions)] == [10, 10, 13]
    final = {row[0]: row for row in interactions.rows}["final"]
    assert final[1:] == ("spoken", "words", "–", "–", "0", "4.26")
    assert {row[0]: row for row in speed.rows}["base"] == ("base", "–", "–", "–", "0", "0.71")
    assert float({row[0]: row for row in speed.rows}["default"][3]) > 0
