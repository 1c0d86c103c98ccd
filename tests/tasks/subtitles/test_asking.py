"""A reader of subtitles: what a release does with its answers, and readers who change no row."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.reading.questions import Question
from infra.store.answers import keep_answer
from infra.store.objects import Store
from tasks.pipelines import SUBTITLES
from tasks.store.read import list_asked
from tests.tasks import in_process

MODEL = "reader"
SETTINGS = {"shards": 2, "splitter": "regex", "exclude_datasets": []}
WRONG = {"film3", "film17", "film28"}


def write_films(folder: Path) -> None:
    """Write films about people of their own; three have the summary of another one."""
    for number in range(40):
        film, other = f"film{number}", number + 50 if f"film{number}" in WRONG else number
        (folder / film).mkdir(parents=True, exist_ok=True)
        said = f"You know that Miss Ada{number}x was at the house on the day"
        captions = [f"{place}\n00:{place:02d}:01,000 --> 00:{place:02d}:03,000\n{said} {place}.\n" for place in range(1, 50)]
        (folder / film / f"{film}.en.srt").write_text("\n".join(captions))
        (folder / film / "synopsis.txt").write_text(f"This is the story of Ada{other}x, who has a house.")


def tell(question: Question) -> str:
    told, lines = question.text.split("\n\nLines:\n")
    (name,) = re.findall(r"Ada\d+x", told)
    return "yes" if name in lines else "no"


def run(source: Path, store: Store, model: str = "") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    write_films(source)
    made = in_process.run(SUBTITLES, source, store, **SETTINGS, **({"reader": {"model": model}} if model else {}))
    assert not made.quarantined
    told = store.read_json(f"{in_process.release_folder(store, 'subtitles')}/stats.json")
    return in_process.read_rows(store, "subtitles", "subtitles"), told


def answer_all(store: Store, reader: Callable[[Question], str]) -> None:
    for unit in list_asked(store, "subtitles", MODEL):
        for question in unit.left:
            keep_answer(store, MODEL, question, json.dumps({"same": reader(question)}))


def test_a_believed_reader_takes_films_out_whose_summary_is_of_another(source: Path, store: Store) -> None:
    before, plain = run(source, store)
    assert "reading" not in plain
    assert len(before) == 40
    answer_all(store, tell)
    after, told = run(source, store, MODEL)
    assert told["reading"]["weight"] > 0.7
    assert after == [row for row in before if row["film"] not in WRONG]
    rejects = {row["film"]: row["reason"] for row in in_process.read_rows(store, "subtitles", "rejects")}
    assert rejects == dict.fromkeys(WRONG, "the summary is of another film")
    write_films(source)
    assert not in_process.run(SUBTITLES, source, store, **SETTINGS, reader={"model": MODEL}).computed


@pytest.mark.parametrize("said", ["yes", "no", "unsure", None])
def test_a_reader_who_does_not_read_changes_no_row(source: Path, store: Store, said: str | None) -> None:
    before, _ = run(source, store)
    if said:
        answer_all(store, lambda _: said)
    after, told = run(source, store, MODEL)
    assert after == before
    assert told["reading"]["weight"] == (0.0 if said else None)
    notices = {notice.what for each in in_process.read_references(store, "subtitles").values() for notice in each.notices}
    assert ("question(s) without an answer" in notices) == (said is None)
