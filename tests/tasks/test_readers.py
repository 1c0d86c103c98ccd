"""Models that read between two runs: what is asked of them, and what a release makes of their answers."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.metrics.fitting import move_probability
from core.reading.questions import Question
from infra.store.answers import keep_answer
from infra.store.objects import Store
from infra.store.takedown import add_takedown
from tasks.pipelines import find_pipeline
from tasks.rooms.evaluation import fit_stored
from tasks.store.read import list_asked
from tasks.store.void import VoidObjects
from tests.record_files import write_lines
from tests.tasks import in_process
from tests.tasks.threads.test_build import reply, submission

MODEL = "reader"
Reader = Callable[..., Any]
Rows = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class World:
    """A made-up source; its truth can be told from the text of a question alone.

    `answer` makes the answer to a question from its text and what a reader says of each part; `truth` is a reader who reads.
    """

    table: str
    settings: dict[str, Any]
    write: Callable[[Path], None]
    answer: Callable[[str, Reader], object]
    truth: Reader


THINGS = ("lantern", "kettle", "ladder", "violin", "drum", "anchor", "carpet", "mirror", "bucket", "saddle", "hammer", "bell")


def write_forum(folder: Path) -> None:
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
    write_lines(folder / "forum.jsonl", *records)


def mark_dialogues(text: str, stumbles: Reader) -> object:
    entries = []
    for number, dialogue in enumerate(re.split(r"(?m)^Dialogue \d+\n", text)[1:], 1):
        lines = dialogue.strip().splitlines()
        turns = [re.sub(r"\[\d+\] ", "", line.split(": ", 1)[1]) for line in lines]
        numbers = [
            int(each)
            for turn in range(1, len(turns), 2)
            if stumbles(turns, turn)
            for each in re.findall(r"\[(\d+)\]", lines[turn])
        ]
        marks = [{"sentence": each, "why": "beside"} for each in numbers]
        entries.append({"dialogue": number, "stumbles": marks, "rest": "good" if stumbles is is_strange else "bad"})
    return {"dialogues": entries}


def is_strange(turns: list[str], turn: int) -> bool:
    """Tell the truth: a reader stumbles over what is strange, or about another thing than the post."""
    return "strange" in turns[turn].lower() or turns[0].removeprefix("A ").split()[0].rstrip(".") not in turns[turn]


KINDS = ("oak", "brick", "chalk", "slate", "marble", "clay", "cedar", "granite")


def write_rooms(folder: Path) -> None:
    """Write texts in which every second sentence that the score keeps describes a room, and the others ask about one."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(6):
        lines = []
        for kind in KINDS:
            lines.append(f"The chamber number {number} has a floor of {kind}, four doors and a vaulted ceiling.")
            lines.append(f"You say that the door of the room {number} was {kind} and nobody has walked to the wall.")
            lines.append("Fine.")
        (folder / f"text{number}.txt").write_text(" ".join(lines))
    bought = "The chamber number {} has a floor of jade and four doors and a vaulted ceiling.,{}\n"
    (folder / "mixed.csv").write_text("text,redistributable\n" + bought.format(1, "no") + bought.format(2, "yes"))


def mark_sentences(text: str, reader: Reader) -> object:
    lines = re.findall(r"(?m)^\[(\d+)\] (?!\()(.*)$", text)
    return {"sentences": [{"sentence": int(number), "place": reader(said)} for number, said in lines]}


def is_place(sentence: str) -> str:
    """Tell the truth, of the texts and of the packaged sentences."""
    talk = r"\?|\b(You say|I|We|He|She|him|us|use your|told|knock|pull|key|mother|saving|best|follow|allowed|roll|cover)\b"
    return "no" if re.search(talk, sentence) else "yes"


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


def is_of_the_film(text: str) -> str:
    told, lines = text.split("\n\nLines:\n")
    (name,) = re.findall(r"Ada\d+x", told)
    return "yes" if name in lines else "no"


BY_WORDS = {"scorer": {"kind": "words"}, "search": {"method": "insert"}, "shards": 2}
BY_SCORE = {"selection": {"by": "score"}}
WORLDS = {
    "threads": World("dialogues", BY_WORDS, write_forum, mark_dialogues, is_strange),
    "rooms": World("rooms", BY_SCORE, write_rooms, mark_sentences, is_place),
    "subtitles": World(
        "subtitles",
        {"shards": 2, "splitter": "regex", "exclude_datasets": []},
        write_films,
        lambda text, reader: {"same": reader(text)},
        is_of_the_film,
    ),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A store after a run without a reader, which a test may change."""

    name: str
    source: Path
    store: Store

    @property
    def world(self) -> World:
        return WORLDS[self.name]

    def run(self, model: str = MODEL, **settings: Any) -> Rows:
        """Run on files that are written anew, and return the rows by id."""
        self.world.write(self.source)
        named = {"reader": {"model": model}} if model else {}
        in_process.run(find_pipeline(self.name), self.source, self.store, **(self.world.settings | settings), **named)
        return self.rows()

    def rows(self, table: str = "") -> Rows:
        return {row["id"]: row for row in in_process.read_rows(self.store, self.name, table or self.world.table)}

    @property
    def told(self) -> dict[str, Any]:
        """What the statistics of the latest release tell of the reader."""
        figures: dict[str, Any] = self.store.read_json(f"{in_process.release_folder(self.store, self.name)}/stats.json")
        return figures.get("reading", {})

    @property
    def notices(self) -> set[str]:
        references = in_process.read_references(self.store, self.name).values()
        return {notice.what for reference in references for notice in reference.notices}

    def ask(self) -> list[Question]:
        return [question for unit in list_asked(self.store, self.name, MODEL) for question in unit.left]

    def answer(self, reader: Reader) -> list[Question]:
        """Answer all open questions, and return them."""
        asked = self.ask()
        for question in asked:
            keep_answer(self.store, MODEL, question, json.dumps(self.world.answer(question.text, reader)))
        return asked


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Reading]:
    made: dict[str, Reading] = {}

    def run(name: str) -> Reading:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            made[name] = Reading(name, folder / "source", Store(str(folder / "store")))
            made[name].run("")
            assert not made[name].told
        return made[name]

    return run


@pytest.fixture
def begin(first: Callable[[str], Reading], tmp_path: Path) -> Callable[[str], Reading]:
    def copy(name: str) -> Reading:
        made = first(name)
        return Reading(name, made.source, Store(str(shutil.copytree(made.store.url, tmp_path / "store"))))

    return copy


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("threads", lambda *_: False),
        ("threads", lambda *_: True),
        ("threads", lambda _, turn: turn == 1),
        ("threads", lambda turns, turn: "strange" in turns[turn].lower()),  # it obeys a word
        *(("rooms", lambda _, said=said: said) for said in ("yes", "no", "part")),
        ("rooms", lambda text: "yes" if len(text) % 2 else "no"),
        *(("subtitles", lambda _, said=said: said) for said in ("yes", "no", "unsure")),
    ],
)
def test_a_reader_who_does_not_read_changes_no_row(begin: Callable[[str], Reading], name: str, reader: Reader) -> None:
    reading = begin(name)
    before = reading.rows()
    reading.answer(reader)
    assert reading.run() == before
    assert reading.told["weight"] == 0.0


@pytest.mark.parametrize("name", WORLDS)
def test_a_silent_reader_changes_no_row_and_the_run_says_so(begin: Callable[[str], Reading], name: str) -> None:
    reading = begin(name)
    before = reading.rows()
    assert reading.run() == before
    assert (reading.told["answers"], reading.told["weight"]) == (0, None)
    assert reading.notices == {"question(s) without an answer"}


@pytest.mark.parametrize("name", WORLDS)
def test_a_believed_reader_is_heard_once_and_computed_no_more(begin: Callable[[str], Reading], name: str) -> None:
    reading = begin(name)
    before = reading.rows()
    asked = reading.answer(reading.world.truth)
    after = reading.run()
    told = reading.told
    assert (told["model"], told["answers"], told["unreadable"]) == (MODEL, len(asked), 0)
    assert told["weight"] > 0.7
    assert after != before
    reading.world.write(reading.source)
    settings = reading.world.settings | {"reader": {"model": MODEL}}
    assert not in_process.run(find_pipeline(name), reading.source, reading.store, **settings).computed


def test_a_believed_reader_mends_dialogues_and_the_others_stay(begin: Callable[[str], Reading]) -> None:
    reading = begin("threads")
    before = reading.rows()
    assert any("Strange" in row["dialogue"] for row in before.values())
    asked = reading.answer(is_strange)
    once = reading.run()
    mended = {name for name, row in once.items() if row != before[name]}
    assert mended
    again = reading.ask()
    for question in again:  # what was mended is read once more
        last = mark_dialogues(question.text, lambda turns, turn: turn == len(turns) - 1)
        keep_answer(reading.store, MODEL, question, json.dumps(last).replace('"bad"', '"good"'))
    after = reading.run()
    assert reading.told["questions"] == reading.told["answers"] == len(asked) + len(again) > len(asked)
    assert {name for name, row in once.items() if name not in after or row != after[name]} == mended
    assert not any("Strange" in row["dialogue"] for row in after.values())
    drops = {name for name, row in reading.rows("rejects").items() if row["reason"] == "a reader stumbles"}
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
    plain = {name for name, row in before.items() if "Strange" not in row["dialogue"]}
    assert {name: after[name] for name in plain} == {name: before[name] for name in plain}


def test_nothing_is_sent_that_a_release_would_not_show(source: Path, store: Store) -> None:
    said = (f"Dry the lantern {number} times, Mumblethorpe says, and call 212-555-0123." for number in range(4))
    records = [submission("one"), *(reply(f"c{n}", "one", text, author="Mumblethorpe") for n, text in enumerate(said))]
    write_lines(source / "forum.jsonl", *records)
    in_process.run(find_pipeline("threads"), source, store, **BY_WORDS)
    text = " ".join(question.text for question in Reading("threads", source, store).ask())
    assert "Dry the lantern" in text
    assert "Mumblethorpe" not in text
    assert "555" not in text


def test_answers_about_a_post_that_is_taken_down_are_found_for_removal(begin: Callable[[str], Reading]) -> None:
    reading = begin("threads")
    questions = reading.answer(is_strange)
    about = [question for question in questions if "t3_p7_0" in question.unit.split()]
    assert 0 < len(about) < len(questions)
    add_takedown(reading.store, "threads", ["t3_p7"], "asked for", "2026-11-24T00:00:00+00:00")
    found = [entry.key for kind, entry in VoidObjects(reading.store).find_records() if kind == "answers"]
    assert {Path(key).stem for key in found} == {question.digest for question in about}


def test_a_believed_reader_leaves_descriptions_alone(begin: Callable[[str], Reading]) -> None:
    reading = begin("rooms")
    before = reading.rows()
    assert {row["decided_by"] for row in before.values()} == {"score"}
    texts = [question.text for question in reading.answer(is_place)]
    assert not any("number 1 has a floor of jade" in text for text in texts), "what may not be released goes to no model"
    assert any("number 2 has a floor of jade" in text for text in texts)
    after = reading.run()
    assert {row["text"] for row in after.values()} == {row["text"] for row in before.values() if is_place(row["text"]) == "yes"}
    assert {row["decided_by"] for row in after.values()} == {f"model {MODEL}"}
    rejects = [row for row in reading.rows("rejects").values() if row["reason"] == "describes no place"]
    assert len(rejects) == len(before) - len(after)


def test_what_a_reader_says_of_rooms_fits_the_curve_of_a_release_without_one(begin: Callable[[str], Reading]) -> None:
    reading = begin("rooms")
    reading.answer(is_place)
    reading.run()
    fitted = fit_stored(reading.store)
    curve = fitted.curves["selection.curve"]
    assert fitted.given == {"reader": curve.rows, "people": 0}
    assert curve.rows > 90
    assert curve.after.calibration_error < curve.before.calibration_error

    def list_probabilities(selection: dict[str, object]) -> list[float]:
        reading.run("", selection={"min_probability": 0.0, **selection})
        return [row["probability"] for row in in_process.read_rows(reading.store, "rooms", "sentences")]

    plain, moved = list_probabilities({}), list_probabilities({"curve": list(curve.curve)})
    assert moved == pytest.approx([move_probability(each, curve.curve) for each in plain], abs=0.01)
    assert moved != plain


def test_what_a_reader_says_of_rooms_counts_before_the_probability(begin: Callable[[str], Reading]) -> None:
    reading, none = begin("rooms"), {"min_probability": 1.0}
    assert reading.run("", selection=none, allow_empty=True) == {}
    reading.answer(is_place)
    kept = reading.run(selection=none).values()
    assert kept
    assert all(is_place(row["text"]) == "yes" and row["decided_by"] == f"model {MODEL}" for row in kept)


def test_what_has_a_row_on_the_takedown_list_is_in_no_question(begin: Callable[[str], Reading]) -> None:
    reading = begin("rooms")
    assert "text5" in {name for question in reading.ask() for name in question.unit.split()}
    add_takedown(reading.store, "rooms", ["text5_00006"], "asked for", "2026-11-26T00:00:00+00:00")
    reading.run("")
    asked = reading.ask()
    assert asked
    assert not [each for each in asked if "text5" in each.unit.split() or "number 5" in each.text]


def test_a_believed_reader_takes_films_out_whose_summary_is_of_another(begin: Callable[[str], Reading]) -> None:
    reading = begin("subtitles")
    before = reading.rows()
    assert len(before) == 40
    reading.answer(is_of_the_film)
    assert reading.run() == {name: row for name, row in before.items() if row["film"] not in WRONG}
    rejects = {row["film"]: row["reason"] for row in in_process.read_rows(reading.store, "subtitles", "rejects")}
    assert rejects == dict.fromkeys(WRONG, "the summary is of another film")
