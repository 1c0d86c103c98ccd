"""A reader of rooms: what a release does with its answers, and readers who change no row."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.metrics.fitting import move_probability
from infra.store.answers import keep_answer
from infra.store.objects import Store
from infra.store.takedown import add_takedown
from tasks.pipelines import ROOMS
from tasks.rooms.evaluation import fit_stored
from tasks.store.read import list_asked
from tests.tasks import in_process

MODEL = "reader"
KINDS = ("oak", "brick", "chalk", "slate", "marble", "clay", "cedar", "granite")


def write_text(folder: Path) -> None:
    """Write texts in which every second sentence that the score keeps describes a room, and the others ask about one."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(6):
        lines = []
        for kind in KINDS:
            lines.append(f"The chamber number {number} has a floor of {kind}, four doors and a vaulted ceiling.")
            lines.append(f"You say that the door of the room {number} was {kind} and nobody has walked to the wall.")
            lines.append("Fine.")
        (folder / f"text{number}.txt").write_text(" ".join(lines))
    bought = "The chamber number {} has a floor of jade, four doors and a vaulted ceiling.,{}\n"
    mixed = "text,redistributable\n" + bought.format(1, "no") + bought.format(2, "yes")
    (folder / "mixed.csv").write_text(mixed.replace("jade, four", "jade and four"))


def tell(sentence: str) -> str:
    """Tell the truth, of the texts and of the packaged sentences."""
    talk = r"\?|\b(You say|I|We|He|She|him|us|use your|told|knock|pull|key|mother|saving|best|follow|allowed|roll|cover)\b"
    return "no" if re.search(talk, sentence) else "yes"


def answer_all(store: Store, reader: Callable[[str], str]) -> list[str]:
    """Answer all open questions, and return their texts."""
    questions = [question for unit in list_asked(store, "rooms", MODEL) for question in unit.left]
    for question in questions:
        lines = re.findall(r"(?m)^\[(\d+)\] (?!\()(.*)$", question.text)
        said = [{"sentence": int(number), "place": reader(text)} for number, text in lines]
        keep_answer(store, MODEL, question, json.dumps({"sentences": said}))
    return [question.text for question in questions]


def run(source: Path, store: Store, model: str = "") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Run, and return the rooms, and the statistics."""
    write_text(source)
    by_score = {"selection": {"by": "score"}}
    in_process.run(ROOMS, source, store, **by_score, **({"reader": {"model": model}} if model else {}))
    return in_process.read_rows(store, "rooms", "rooms"), store.read_json(
        f"{in_process.release_folder(store, 'rooms')}/stats.json"
    )


def test_a_believed_reader_leaves_descriptions_alone(source: Path, store: Store) -> None:
    before, plain = run(source, store)
    assert "reading" not in plain
    assert {row["decided_by"] for row in before} == {"score"}
    texts = answer_all(store, tell)
    assert not any("number 1 has a floor of jade" in text for text in texts), "what may not be released goes to no model"
    assert any("number 2 has a floor of jade" in text for text in texts)
    after, told = run(source, store, MODEL)
    assert told["reading"]["weight"] > 0.7
    assert told["reading"]["answers"] == len(texts)
    assert {row["text"] for row in after} == {row["text"] for row in before if tell(row["text"]) == "yes"}
    assert 0 < len(after) < len(before)
    assert {row["decided_by"] for row in after} == {f"model {MODEL}"}
    rejects = [row for row in in_process.read_rows(store, "rooms", "rejects") if row["reason"] == "describes no place"]
    assert len(rejects) == len(before) - len(after)
    write_text(source)
    assert not in_process.run(ROOMS, source, store, selection={"by": "score"}, reader={"model": MODEL}).computed


def test_what_a_reader_says_fits_the_curve_of_a_release_without_one(source: Path, store: Store) -> None:
    run(source, store)
    answer_all(store, tell)
    run(source, store, MODEL)
    fitted = fit_stored(store)
    curve = fitted.curves["selection.curve"]
    assert fitted.given == {"reader": curve.rows, "people": 0}
    assert curve.rows > 90
    assert curve.after.calibration_error < curve.before.calibration_error

    def list_probabilities(selection: dict[str, object]) -> list[float]:
        in_process.run(ROOMS, source, store, selection={"min_probability": 0.0, **selection})
        return [row["probability"] for row in in_process.read_rows(store, "rooms", "sentences")]

    plain, moved = list_probabilities({}), list_probabilities({"curve": list(curve.curve)})
    assert moved == pytest.approx([move_probability(each, curve.curve) for each in plain], abs=0.01)
    assert moved != plain


def test_what_a_reader_says_counts_before_the_probability(source: Path, store: Store) -> None:
    write_text(source)
    in_process.run(ROOMS, source, store, selection={"min_probability": 1.0})
    assert in_process.read_rows(store, "rooms", "rooms") == []
    answer_all(store, tell)
    in_process.run(ROOMS, source, store, selection={"min_probability": 1.0}, reader={"model": MODEL})
    kept = in_process.read_rows(store, "rooms", "rooms")
    assert kept
    assert all(tell(row["text"]) == "yes" and row["decided_by"] == f"model {MODEL}" for row in kept)


@pytest.mark.parametrize(
    "reader",
    [lambda _: "yes", lambda _: "no", lambda _: "part", lambda text: "yes" if len(text) % 2 else "no"],
    ids=["always-yes", "always-no", "always-part", "by-length"],
)
def test_a_reader_who_does_not_read_changes_no_row(source: Path, store: Store, reader: Callable[[str], str]) -> None:
    before, _ = run(source, store)
    answer_all(store, reader)
    after, told = run(source, store, MODEL)
    assert after == before
    assert told["reading"]["weight"] == 0.0


def test_a_silent_reader_changes_no_row_and_the_run_says_so(source: Path, store: Store) -> None:
    before, _ = run(source, store)
    after, told = run(source, store, MODEL)
    assert after == before
    assert told["reading"]["answers"] == 0
    notices = {notice.what for each in in_process.read_references(store, "rooms").values() for notice in each.notices}
    assert notices == {"question(s) without an answer"}


def test_what_has_a_row_on_the_takedown_list_is_in_no_question(tmp_path: Path) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    run(source, store)
    assert "text5" in {name for unit in list_asked(store, "rooms", MODEL) for each in unit.left for name in each.unit.split()}
    add_takedown(store, "rooms", ["text5_00006"], "asked for", "2026-11-26T00:00:00+00:00")
    run(source, store)
    asked = [each for unit in list_asked(store, "rooms", MODEL) for each in unit.left]
    assert asked
    assert not [each for each in asked if "text5" in each.unit.split() or "number 5" in each.text]
