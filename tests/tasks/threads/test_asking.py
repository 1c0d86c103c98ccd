"""A reader of threads: its questions, what a release does with its answers, and readers who change no row."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infra.store.answers import keep_answer
from infra.store.objects import Store
from infra.store.takedown import add_takedown
from tasks.pipelines import THREADS
from tasks.store.read import list_asked
from tasks.store.void import VoidObjects
from tests.tasks import in_process
from tests.tasks.threads.test_build import reply, submission, write

THINGS = [
    "lantern",
    "kettle",
    "ladder",
    "violin",
    "pumpkin",
    "anchor",
    "carpet",
    "mirror",
    "bucket",
    "saddle",
    "hammer",
    "curtain",
]
SETTINGS = {"scorer": {"kind": "words"}, "search": {"method": "insert"}, "shards": 2}
MODEL = "reader"
Reader = Callable[[list[str], int], bool]
"""Tells whether it stumbles over a turn of a dialogue."""


def make_forum(folder: Path) -> None:
    """Write a forum in which every post is about things of its own, and has a strange comment in two of three."""
    records: list[object] = []
    for number in range(36):
        thing, post = f"{'xyz'[number // 12]}{THINGS[number % 12]}", f"p{number}"
        own = [f"{start}{thing}" for start in ("sp", "cr", "bl", "tr", "gl")]
        text = (
            f"The {thing} was under the {own[0]} and {own[1]}. Now it has {own[2]} and {own[3]}. Is that {own[4]} of the {thing}?"
        )
        said = [f"My {thing} was in {own[place]} and {own[place - 1]} of the {own[place - 2]}." for place in range(4)]
        if number % 3:
            said[number % 4] = said[number % 4].replace("My", "Strange")
        records.append(submission(post, thing) | {"selftext": text})
        records += [reply(f"{post}c{place}", post, text) for place, text in enumerate(said)]
    write(folder / "forum.jsonl", *records)


def stumbles(turns: list[str], turn: int) -> bool:
    """Tell the truth: a reader stumbles over what is strange, or about another thing than the post."""
    return "strange" in turns[turn].lower() or turns[0].removeprefix("A ").split()[0].rstrip(".") not in turns[turn]


def answer_all(store: Store, reader: Reader, rest: str = "good") -> int:
    """Answer all open questions; the text of a question is all that the reader sees."""
    questions = [question for unit in list_asked(store, "threads", MODEL) for question in unit.left]
    for question in questions:
        entries = []
        for number, dialogue in enumerate(re.split(r"(?m)^Dialogue \d+\n", question.text)[1:], 1):
            lines = dialogue.strip().splitlines()
            turns = [re.sub(r"\[\d+\] ", "", line.split(": ", 1)[1]) for line in lines]
            wrong = [turn for turn in range(1, len(turns), 2) if reader(turns, turn)]
            numbers = [number for turn in wrong for number in re.findall(r"\[(\d+)\]", lines[turn])]
            marks = [{"sentence": int(each), "why": "beside"} for each in numbers]
            entries.append({"dialogue": number, "stumbles": marks, "rest": rest})
        keep_answer(store, MODEL, question, json.dumps({"dialogues": entries}))
    return len(questions)


def run(source: Path, store: Store, model: str = "") -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Run, and return the dialogues by id, and the statistics."""
    make_forum(source)
    in_process.run(THREADS, source, store, **SETTINGS, **({"reader": {"model": model}} if model else {}))
    rows = in_process.read_rows(store, "threads", "dialogues")
    return {row["id"]: row for row in rows}, store.read_json(f"{in_process.release_folder(store, 'threads')}/stats.json")


def test_a_believed_reader_mends_dialogues_and_the_others_stay(source: Path, store: Store) -> None:
    before, plain = run(source, store)
    assert "reading" not in plain
    assert any("Strange" in row["dialogue"] for row in before.values())
    asked = answer_all(store, stumbles)
    once, told = run(source, store, MODEL)
    assert [told["reading"][name] for name in ("model", "answers", "unreadable")] == [MODEL, asked, 0]
    mended = {name for name, row in once.items() if row != before[name]}
    assert mended
    assert answer_all(store, lambda turns, turn: turn == len(turns) - 1) > 0, "what was mended is read once more"
    after, told = run(source, store, MODEL)
    assert told["reading"]["questions"] == told["reading"]["answers"] > asked
    assert {name for name, row in once.items() if name not in after or row != after[name]} == mended
    assert told["reading"]["weight"] > 0.7
    assert not any("Strange" in row["dialogue"] for row in after.values())
    drops = {row["id"] for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "a reader stumbles"}
    assert after.keys() | drops == before.keys()
    for name, row in after.items():
        texts = [turn["text"] for turn in row["turns"]]
        assert len(texts) >= 4
        assert len(texts) % 2 == 0
        said = [" ".join(turn["text"] for turn in one["turns"][0::2]) for one in (row, before[name])]
        assert said[1].startswith(said[0]), "the post loses nothing but its end"
        assert len(row["scores"]) == len(texts) - 1
        assert [message["content"] for message in row["messages"]] == texts
        assert row["dialogue"].count("\n") == len(texts) - 1
        for place, text in enumerate(texts):
            assert " ".join(s for piece in row["pieces"] if piece["turn"] == place for s in piece["sentences"]) == text
    assert {name: row for name, row in after.items() if "Strange" not in before[name]["dialogue"]} == {
        name: row for name, row in before.items() if "Strange" not in row["dialogue"]
    }
    make_forum(source)
    assert not in_process.run(THREADS, source, store, **SETTINGS, reader={"model": MODEL}).computed


@pytest.mark.parametrize(
    "reader",
    [lambda *_: False, lambda *_: True, lambda _, turn: turn == 1, lambda turns, turn: "strange" in turns[turn].lower()],
    ids=["always-good", "always-bad", "always-first", "obeys-a-word"],
)
def test_a_reader_who_does_not_read_changes_no_row(source: Path, store: Store, reader: Reader) -> None:
    before, _ = run(source, store)
    answer_all(store, reader, "bad")
    after, told = run(source, store, MODEL)
    assert after == before
    assert told["reading"]["weight"] == 0.0


def test_a_silent_reader_changes_no_row_and_the_run_says_so(source: Path, store: Store) -> None:
    before, _ = run(source, store)
    after, told = run(source, store, MODEL)
    assert after == before
    assert (told["reading"]["answers"], told["reading"]["weight"]) == (0, None)
    notices = [notice.what for each in in_process.read_references(store, "threads").values() for notice in each.notices]
    assert {*notices} == {"question(s) without an answer"}


def test_nothing_is_sent_that_a_release_would_not_show(source: Path, store: Store) -> None:
    said = (f"Dry the lantern {number} times, Mumblethorpe says, and call 212-555-0123." for number in range(4))
    records = [submission("one"), *(reply(f"c{n}", "one", text, author="Mumblethorpe") for n, text in enumerate(said))]
    write(source / "forum.jsonl", *records)
    in_process.run(THREADS, source, store, **SETTINGS)
    text = " ".join(question.text for unit in list_asked(store, "threads", MODEL) for question in unit.questions)
    assert "Dry the lantern" in text
    assert "Mumblethorpe" not in text
    assert "555" not in text


def test_answers_about_a_post_that_is_taken_down_are_found_for_removal(source: Path, store: Store) -> None:
    run(source, store)
    answer_all(store, stumbles)
    questions = [question for unit in list_asked(store, "threads", MODEL) for question in unit.questions]
    about = [question for question in questions if "t3_p7_0" in question.unit.split()]
    assert 0 < len(about) < len(questions)
    add_takedown(store, "threads", ["t3_p7"], "asked for", "2026-11-24T00:00:00+00:00")
    found = [entry.key for kind, entry in VoidObjects(store).find_records() if kind == "answers"]
    assert {Path(key).stem for key in found} == {question.digest for question in about}
