"""An annotator's session without a browser: what is shown, what is stored, what the next release makes of it."""

import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError, StoreError
from core.review.decisions import settle
from core.review.judgements import Judgement, TurnSpan
from core.rooms.config import RoomsConfig
from flows.cli.main import app
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from infra.store.takedown import add_takedown, remove_takedown
from tasks.frame.review import tell_judged
from tasks.review.originals import show_text
from tasks.review.quality import describe_reviews, rate_release, record_ratings
from tasks.review.session import Session, SessionOptions, export_tasks, import_tasks
from tasks.review.session import open_session as open_review
from tasks.rooms.evaluation import record_quality
from tests.tasks.in_process import make_example, read_rows, release_folder

TABLES = {"threads": "dialogues", "subtitles": "subtitles"}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def open_session(store: Store, name: str, annotator: str = "anna", **options: Any) -> tuple[Session, Clock]:
    clock = Clock()
    return open_review(store, name, SessionOptions(annotator=annotator, **options), clock), clock


def answer(session: Session, clock: Clock, place: int, *answers: tuple[str, Any], seconds: float = 90.0) -> dict[str, Any]:
    shown = session.show({"place": str(place)})
    clock.now += seconds
    told = [{"question": question, "answer": given} for question, given in answers]
    session.decide({"place": place, "seconds": seconds, "answers": told})
    return shown


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(str(tmp_path_factory.mktemp("transcripts")))
    make_example(store, "transcripts")
    return store


@pytest.fixture(scope="module")
def dialogues(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(str(tmp_path_factory.mktemp("dialogues")))
    for name in TABLES:
        make_example(store, name)
    return store


def test_the_files_that_a_row_was_made_from_are_one_click_away(transcripts: Store) -> None:
    session, _ = open_session(transcripts, "transcripts", "fay")
    shown = session.show({"place": "0"})
    names = [file["name"] for file in shown["files"]]
    assert "; ".join(names) == shown["source"]
    texts = [session.read_file(file["url"].removeprefix("/")) for file in shown["files"]]
    source = Path(__file__).parents[3] / "examples/transcripts"
    assert texts == [(source / name).read_bytes() for name in names]
    for path in ("landed/0/99.txt", "landed/9999/0.txt", "landed/0/../0.txt", "index.txt", shown["files"][0]["url"]):
        assert session.read_file(path) is None


def test_no_file_of_a_unit_whose_people_have_pseudonyms_is_shown(dialogues: Store, tmp_path: Path) -> None:
    assert open_session(dialogues, "threads")[0].show({"place": "0"})["files"] == []
    store = Store(str(tmp_path))
    make_example(store, "transcripts", cleaning={"pseudonyms": True})
    session, _ = open_session(store, "transcripts")
    assert session.show({"place": "0"})["files"] == []
    assert session.read_file("landed/0/0.txt") is None


def test_no_file_of_a_unit_with_a_row_that_is_taken_down_is_shown(transcripts: Store, tmp_path: Path) -> None:
    store = Store(shutil.copytree(transcripts.url, tmp_path / "store").as_posix())
    session, _ = open_session(store, "transcripts")
    shown = session.show({"place": "0"})
    assert shown["files"]
    for listed in (shown["item"], shown["unit"]):
        add_takedown(store, "transcripts", [listed], "asked for", "2026-01-01")
        session, _ = open_session(store, "transcripts")
        assert session.show({"place": "0"})["files"] == []
        assert session.read_file("landed/0/0.txt") is None
        remove_takedown(store, "transcripts", [listed])


def test_a_file_in_another_encoding_is_shown_as_utf_8() -> None:
    for encoding in ("utf-8", "cp1252", "utf-16"):
        assert show_text("RENÉ: Où?".encode(encoding)).decode() == "RENÉ: Où?"


def test_who_is_unsure_decides_nothing_and_leaves_the_row_to_others_with_a_note(transcripts: Store) -> None:
    session, clock = open_session(transcripts, "transcripts", "uma")
    shown = session.show({"place": "0"})
    clock.now += 90
    session.decide({"place": 0, "seconds": 90, "answers": [{"question": "unsure", "answer": True, "note": "Two scenes?"}]})
    entry = next(each for each in read_reviews(transcripts, "transcripts").judgements if each.annotator == "uma")
    assert (entry.question, entry.answer, entry.note) == ("unsure", True, "Two scenes?")
    assert not [each for each in settle([entry]).decisions if each.item == entry.item]
    assert session.show({"place": "0"})["own"] == [{"question": "unsure", "answer": True, "note": "Two scenes?"}]
    assert session.describe({})["done"] == 1
    other, _ = open_session(transcripts, "transcripts", "vera")
    assert shown["item"] in {other.show({"place": str(place)})["item"] for place in range(other.describe({})["count"])}


def test_a_row_tells_why_it_is_there_and_what_stands_around_it(transcripts: Store) -> None:
    session, _ = open_session(transcripts, "transcripts", "wanda")
    shown = [session.show({"place": str(place)}) for place in range(session.describe({})["count"])]
    assert shown[0]["why"] == "a look here is worth most to the dataset"
    assert any(each["why"].startswith("left out: ") for each in shown)
    middle = next(each for each in shown if each["before"] and each["after"])
    assert len({middle["before"], middle["summary"], middle["after"]}) == 3
    assert all(each["source"].startswith("transcripts/") for each in shown)


def test_dialogues_of_two_datasets_are_compared_blind(dialogues: Store) -> None:
    session, clock = open_session(dialogues, "threads", task="compare", against="subtitles")
    shown = session.show({"place": "0"})
    assert "threads" not in str(shown["item"])
    answer(session, clock, 0, ("naturalness", 4))
    (entry,) = read_reviews(dialogues, "threads").judgements
    assert (entry.answer, entry.seconds) == (4, 90.0)
    assert entry.position in (1, 2)
    rows = (row for name, table in TABLES.items() for row in read_rows(dialogues, name, table))
    texts = {row["id"]: row["turns"] for row in rows}
    assert shown["sides"][entry.position - 1]["turns"] == texts[entry.item]
    assert shown["sides"][2 - entry.position]["turns"] == texts[str(entry.other)]


def test_an_answer_about_another_text_closes_no_row(transcripts: Store) -> None:
    session, _ = open_session(transcripts, "transcripts", "nils", order="random")
    shown = session.show({"place": "0"})
    count = session.describe({})["count"]
    stale = Judgement(
        item=shown["item"], dataset="transcripts", version="v", question="span", answer=TurnSpan(1, 2), annotator="former",
        at="2026-11-22T18:40:00+00:00", seconds=20.0, unit=shown["unit"], digest="another",
    )  # fmt: skip
    keys = add_judgements(transcripts, [stale, replace(stale, annotator="nils"), replace(stale, item="gone")])
    session, _ = open_session(transcripts, "transcripts", "nils", order="random")
    assert (session.describe({})["count"], session.describe({})["done"]) == (count, 0)
    assert session.show({"place": "0"})["own"] == []
    transcripts.delete_all(keys)
    keys = add_judgements(transcripts, [replace(stale, digest=shown["digest"])])
    assert open_session(transcripts, "transcripts", "nils")[0].describe({})["count"] == count - 1
    transcripts.delete_all(keys)


def test_a_rejected_row_leaves_the_next_release_of_threads_and_subtitles(dialogues: Store) -> None:
    for name, table in TABLES.items():
        session, clock = open_session(dialogues, name)
        item = answer(session, clock, 0, ("pair", False))["item"]
        assert item in {row["id"] for row in read_rows(dialogues, name, table)}
        assert make_example(dialogues, name).computed == ()
        assert item not in {row["id"] for row in read_rows(dialogues, name, table)}
        assert "reviewed" in {row["reason"] for row in read_rows(dialogues, name, "rejects")}


def test_two_annotators_are_blind_and_the_second_sees_what_the_first_decided_only_if_asked(transcripts: Store) -> None:
    first, clock = open_session(transcripts, "transcripts", "anna")
    shown = answer(first, clock, 0, ("span", {"start": 1, "end": 2}))
    fresh, _ = open_session(transcripts, "transcripts", "ben")
    assert shown["item"] not in {fresh.show({"place": str(place)})["item"] for place in range(5)}
    again, clock = open_session(transcripts, "transcripts", "ben", again=True)
    assert again.describe({})["count"] == 1
    seen = answer(again, clock, 0, ("span", {"start": 1, "end": 3}))
    assert (seen["item"], seen["own"], seen["found"]) == (shown["item"], [], shown["found"])
    found = describe_reviews(transcripts, "transcripts")
    (agreement,) = [each for each in found["agreement"] if each["question"] == "span"]
    assert (agreement["pairs"], agreement["exact"], agreement["rough"]) == (1, 0.0, 1.0)


def test_the_question_study_hides_the_turns_from_one_and_the_summary_from_the_other(transcripts: Store) -> None:
    writer, clock = open_session(transcripts, "transcripts", "w", task="write")
    choice = {"asked": "Who?", "right": "a", "choices": ["a", "b", "c", "d"]}
    shown = answer(writer, clock, 0, ("write-factoid", {"asked": "Where?", "right": "there"}), ("write-choice", choice))
    assert "turns" not in shown
    replier, clock = open_session(transcripts, "transcripts", "r", task="answer")
    for place in (0, 1):
        seen = replier.show({"place": str(place)})
        assert not {"summary", "right"} & seen.keys()
        assert seen["turns"]
        answer(replier, clock, place, (f"answer-{seen['study']}", "b" if seen["study"] == "choice" else None))
    grader, clock = open_session(transcripts, "transcripts", "w", task="grade")
    for place in (0, 1):
        seen = grader.show({"place": str(place)})
        assert seen["right"] in ("a", "there")
        answer(grader, clock, place, (f"grade-{seen['study']}", "alignment"))
    study = {row["kind"]: row for row in describe_reviews(transcripts, "transcripts")["study"]}
    assert (study["factoid"]["declined"], study["choice"]["wrong"], study["total"]["causes"]) == (1, 1, {"alignment": 2})
    with pytest.raises(ConfigError, match="nothing left"):
        open_session(transcripts, "transcripts", "w", task="answer")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"place": 0, "answers": []}, "1 to 4 answers"),
        ({"place": 99_999, "answers": [{}]}, "the queue has"),
        ({"place": "-1", "answers": [{}]}, "whole number"),
        ({"place": 0, "answers": [{"question": "pair", "answer": 3}]}, "true or false"),
        ({"place": 0, "answers": [{"question": "room", "answer": True}]}, "question 'room'"),
        ({"place": 0, "answers": [{"question": "sense", "answer": 3}]}, "question 'sense'"),
        ({"place": 0, "answers": [{"question": "span", "answer": {"start": 3, "end": 1}}]}, "'span'"),
        ({"place": 0, "seconds": 10**400, "answers": [{"question": "pair", "answer": True}]}, "seconds"),
        ({"place": 0, "seconds": float("nan"), "answers": [{"question": "pair", "answer": True}]}, "seconds"),
        ([], "object"),
    ],
)
def test_what_is_no_answer_is_refused_and_nothing_is_stored(transcripts: Store, said: Any, reason: str) -> None:
    before = len(read_reviews(transcripts, "transcripts").judgements)
    session, _ = open_session(transcripts, "transcripts", "clumsy")
    session.show({"place": "0"})
    with pytest.raises(ConfigError, match=reason):
        session.decide(said)
    assert len(read_reviews(transcripts, "transcripts").judgements) == before


def test_a_correction_counts_though_the_clock_was_ahead_when_the_first_answer_was_given(transcripts: Store) -> None:
    session, clock = open_session(transcripts, "transcripts", "marty", order="random")
    shown = answer(session, clock, 0, ("span", {"start": 1, "end": 2}))
    (early,) = [entry for entry in read_reviews(transcripts, "transcripts").judgements if entry.annotator == "marty"]
    transcripts.delete_all(transcripts.list_keys("reviews/transcripts/marty"))
    add_judgements(transcripts, [replace(early, at="2036-01-01T00:00:00+00:00")])
    session, clock = open_session(transcripts, "transcripts", "marty", order="random")
    answer(session, clock, 0, ("span", {"start": 3, "end": 4}))
    settled = settle([entry for entry in read_reviews(transcripts, "transcripts").judgements if entry.annotator == "marty"])
    assert [(each.item, each.start) for each in settled.decisions] == [(shown["item"], 3)]
    transcripts.delete_all(transcripts.list_keys("reviews/transcripts/marty"))


@pytest.mark.parametrize(
    ("writes", "error"), [(0, SystemExit), (1, SystemExit), (2, SystemExit), (3, SystemExit), (0, StoreError)]
)
def test_of_a_server_that_is_killed_or_cannot_store_all_answers_about_an_item_are_there_or_none(
    dialogues: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, error: type[BaseException]
) -> None:
    shutil.copytree(dialogues.url, tmp_path / "copy", ignore=shutil.ignore_patterns("reviews"))
    store = Store(str(tmp_path / "copy"))
    session, clock = open_session(store, "threads")
    done: list[str] = []
    write = Store.write

    def write_until_killed(self: Store, key: str, content: bytes) -> Any:
        if len(done) == writes:
            raise error("no space")
        done.append(key)
        return write(self, key, content)

    with monkeypatch.context() as killed, pytest.raises(error) if writes == 0 else contextlib.suppress(error):
        killed.setattr(Store, "write", write_until_killed)
        answer(session, clock, 0, ("interactions", [True]), ("sense", 4), ("pair", False))
    stored = [entry.question for entry in read_reviews(store, "threads").judgements]
    assert stored in ([], ["interactions", "sense", "pair"])
    assert session.describe({})["done"] == open_session(store, "threads")[0].describe({})["done"] == bool(stored)


def test_two_annotators_at_once_lose_nothing_a_newer_release_is_told_and_time_is_what_the_server_saw(store: Store) -> None:
    make_example(store, "transcripts")
    both = [open_session(store, "transcripts", name, order="random", seed="same") for name in ("anna", "ben")]
    shown = answer(*both[0], 0, ("span", {"start": 1, "end": 2}))
    place = next(n for n in range(400) if both[1][0].show({"place": str(n)})["item"] == shown["item"])
    answer(*both[1], place, ("span", {"start": 1, "end": 3}))
    assert len(read_reviews(store, "transcripts").judgements) == 2
    make_example(store, "transcripts")
    session, clock = both[0]
    session.show({"place": "1"})
    clock.now += 1.0
    span = {"question": "span", "answer": {"start": 1, "end": 2}}
    told = session.decide({"place": 1, "seconds": 500, "answers": [span]})
    assert (told["stored"], told["newer"]) == (1, True)
    assert open_session(store, "transcripts", "anna")[0].describe({})["done"] == 2, "the texts are the same, so it counts"
    assert min(entry.seconds for entry in read_reviews(store, "transcripts").judgements) == 1.0
    assert describe_reviews(store, "transcripts")["too_fast"] == 1


def test_rows_travel_to_label_studio_and_what_was_annotated_into_a_store(transcripts: Store, tmp_path: Path) -> None:
    tasks = json.loads(json.dumps(export_tasks(transcripts, "transcripts")))
    assert len(tasks) > 100
    assert not any(task["annotations"] for task in tasks)
    (result,) = tasks[0]["predictions"][0]["result"]
    annotation = {"completed_by": 3, "created_at": "2026-11-22T18:00:00Z", "lead_time": 9, "result": [result]}
    tasks[0]["annotations"] = [annotation, annotation | {"lead_time": -1}]
    other = Store(str(tmp_path / "other"))
    found = import_tasks(other, "transcripts", tasks)
    assert (len(found.judgements), len(found.refused)) == (1, 1)
    (entry,) = read_reviews(other, "transcripts").judgements
    shown = {place.item: place for place in open_session(transcripts, "transcripts", "traveller")[0]._source.rows}
    assert (entry.item in shown, entry.annotator, entry.seconds) == (True, "user-3", 9.0)
    for call in (
        lambda: import_tasks(other, "transcripts", tasks, "model@m"),
        lambda: open_session(transcripts, "transcripts", "model@m"),
    ):
        with pytest.raises(ConfigError, match="those of models"):
            call()
    (tmp_path / "tasks.json").write_text(json.dumps([{"data": {"item": "x"}, "annotations": [{"result": []}]}]))
    command = ["review", "transcripts", "--import", str(tmp_path / "tasks.json"), "--store", transcripts.url]
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == 1
    assert "refused  task 1, annotation 1: it is not as Label Studio writes it" in ended.output


def test_what_an_earlier_fabula_had_a_model_decide_counts_still_where_people_said_nothing(store: Store) -> None:
    make_example(store, "transcripts")
    session, clock = open_session(store, "transcripts", order="random")
    shown = [session.show({"place": str(place)}) for place in range(2)]
    model = Judgement(
        item=shown[0]["item"], dataset="transcripts", version="1", question="span", answer=TurnSpan(1, 2), annotator="model@m",
        at="2020-11-22T18:00:00+00:00", unit=shown[0]["unit"], digest=shown[0]["digest"],
    )  # fmt: skip
    add_judgements(store, [model, replace(model, item=shown[1]["item"], unit=shown[1]["unit"], digest=shown[1]["digest"])])
    answer(session, clock, 1, ("span", {"start": 3, "end": 4}))
    make_example(store, "transcripts")
    assert {row["decided_by"] for row in read_rows(store, "transcripts", "alignments")} == {"aligner", "people"}
    measured = replace(model, item="transcripts gold", question="measured-agreement", answer="believed", note="F1 .9")
    add_judgements(store, [measured])
    make_example(store, "transcripts")
    decided = {row["id"]: row["decided_by"] for row in read_rows(store, "transcripts", "alignments")}
    assert (decided[shown[0]["item"]], decided[shown[1]["item"]]) == ("model m", "people")
    assert describe_reviews(store, "transcripts")["models"] == {"model@m": "F1 .9"}
    assert "2020" not in tell_judged(store, "transcripts", {"span"})


def read_quality(store: Store, dataset: str) -> str:
    card = store.read(f"{release_folder(store, dataset)}/README.md").decode()
    return card.partition("## Quality on gold")[2].partition("\n## ")[0]


def test_the_share_of_rooms_counts_what_the_release_left_out_since_annotators_said_so(store: Store) -> None:
    make_example(store, "rooms")
    with pytest.raises(ConfigError, match="nobody has judged a row of rooms"):
        rate_release(store, "rooms")
    session, clock = open_session(store, "rooms", order="random")
    for place in range(8):
        answer(session, clock, place, ("room", place % 4 != 0))
    before = rate_release(store, "rooms")
    assert (before["accepted"]["rows"], before["accepted"]["mean"]["value"]) == (8, 0.75)
    make_example(store, "rooms")
    after = rate_release(store, "rooms")
    assert after["accepted"] == before["accepted"], "the rejected rows are gone from the release, and still count"
    record_ratings(store, "rooms", after)
    score = {"average_precision": 0.8, "low": 0.7, "high": 0.9}
    figures = {"score": score, "sentences": 100, "episodes": 5, "rooms": 40}
    record_quality(store, "rooms", figures, RoomsConfig(), "2026-11-02")
    assert make_example(store, "rooms").new_release
    told = read_quality(store, "rooms")
    assert "share of the rows read that readers accept | 0.750 |" in told
    assert "8 rows of" in told
    assert "average precision of the score | 0.800 | 0.700 to 0.900" in told
    stale = record_quality(store, "rooms", figures, RoomsConfig())
    assert not stale.holds({}, stale.settings, {**stale.versions, "parts": 99}), "sentences are scored in another way"


def test_dialogues_of_forums_are_rated_with_intervals_until_a_setting_changes(store: Store) -> None:
    make_example(store, "threads")
    session, clock = open_session(store, "threads", order="random")
    marks: list[bool] = []
    for place in range(3):
        turns = len(session.show({"place": str(place)})["turns"])
        marks = [number % 2 == 0 for number in range(turns - 1)]
        answer(session, clock, place, ("interactions", marks), ("sense", place + 2))
    found = rate_release(store, "threads")
    assert found["sense"]["mean"]["value"] == 3
    assert 1 <= found["interactions"]["mean"]["low"] <= found["interactions"]["mean"]["high"] <= 5
    assert found["accepted"] is None
    quality = record_ratings(store, "threads", found, "2026-11-20")
    artifacts = {unit: {"dialogues": sha} for unit, sha in quality.artifacts.items()}
    assert quality.holds(artifacts, quality.settings, quality.versions)
    assert not quality.holds(artifacts, quality.settings, {**quality.versions, "dialogues": 99})
    make_example(store, "threads")
    assert "Judged 2026-11-20" in read_quality(store, "threads")
