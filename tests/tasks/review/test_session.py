"""A reader's session without a browser, for every pipeline: what is shown, what is stored, what the next release makes of it."""

import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError, StoreError
from core.review.decisions import settle
from core.review.judgements import Judgement, TurnSpan
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.pipelines import find_pipeline
from tasks.review.exchange import export_tasks, import_tasks
from tasks.review.quality import describe_reviews
from tasks.review.session import ReviewSession, SessionOptions
from tests.tasks.in_process import read_rows, run

EXAMPLES = Path(__file__).parents[3] / "examples"


TABLES = {"threads": "dialogues", "subtitles": "subtitles"}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def make(store: Store, name: str) -> Any:
    settings = EXAMPLES / name / "settings.toml"
    return run(find_pipeline(name), EXAMPLES / name, store, config_file=settings if settings.is_file() else None)


def open_session(store: Store, name: str, reader: str = "anna", **options: Any) -> tuple[ReviewSession, Clock]:
    clock = Clock()
    return ReviewSession(store, name, SessionOptions(reader=reader, **options), clock), clock


def answer(session: ReviewSession, clock: Clock, place: int, *answers: tuple[str, Any], seconds: float = 90.0) -> dict[str, Any]:
    shown = session.show({"place": str(place)})
    clock.now += seconds
    told = [{"question": question, "answer": given} for question, given in answers]
    session.decide({"place": place, "seconds": seconds, "answers": told})
    return shown


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(str(tmp_path_factory.mktemp("transcripts")))
    make(store, "transcripts")
    return store


@pytest.fixture(scope="module")
def dialogues(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(str(tmp_path_factory.mktemp("dialogues")))
    for name in TABLES:
        make(store, name)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


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


def test_two_readers_compare_the_same_pairs_in_their_own_order(dialogues: Store) -> None:
    sessions = [open_session(dialogues, "threads", name, task="compare", against="subtitles")[0] for name in ("anna", "ben")]
    places = [[(place.item, place.other) for place in session._places] for session in sessions]
    assert places[0] != places[1]
    assert sorted(map(str, places[0])) == sorted(map(str, places[1]))


def test_an_answer_about_another_text_closes_no_row(transcripts: Store) -> None:
    session, _ = open_session(transcripts, "transcripts", "nils", order="random")
    shown = session.show({"place": "0"})
    count = session.describe({})["count"]
    stale = Judgement(
        item=shown["item"], dataset="transcripts", version="v", question="span", answer=TurnSpan(1, 2), reader="former",
        at="2026-11-22T18:40:00+00:00", seconds=20.0, unit=shown["unit"], basis="another",
    )  # fmt: skip
    keys = add_judgements(transcripts, [stale, replace(stale, reader="nils"), replace(stale, item="gone")])
    session, _ = open_session(transcripts, "transcripts", "nils", order="random")
    assert (session.describe({})["count"], session.describe({})["done"]) == (count, 0)
    assert session.show({"place": "0"})["own"] == []
    transcripts.delete_all(keys)
    keys = add_judgements(transcripts, [replace(stale, basis=shown["basis"])])
    assert open_session(transcripts, "transcripts", "nils")[0].describe({})["count"] == count - 1
    transcripts.delete_all(keys)


def test_scripts_are_studied_and_compared_by_their_pairs(store: Store) -> None:
    make(store, "scripts")
    assert "scenes" in open_session(store, "scripts")[0].show({"place": "0"})
    writer, clock = open_session(store, "scripts", "w", task="write")
    answer(writer, clock, 0, ("write-factoid", {"asked": "Where?", "right": "there"}))
    reader, clock = open_session(store, "scripts", "r", task="answer")
    assert answer(reader, clock, 0, ("answer-factoid", "here"))["turns"]
    grader, clock = open_session(store, "scripts", "w", task="grade")
    assert answer(grader, clock, 0, ("grade-factoid", "misread"))["given"] == "here"
    session, clock = open_session(store, "scripts", task="compare", against="scripts")
    shown = answer(session, clock, 0, ("naturalness", 3))
    assert all(side["turns"] for side in shown["sides"])


def test_a_comparison_shows_the_turns_of_the_pair_alone(transcripts: Store) -> None:
    session, _ = open_session(transcripts, "transcripts", task="compare", against="transcripts")
    rows = {row["id"]: row for row in read_rows(transcripts, "transcripts", "alignments")}
    place = session._places[0]
    row = rows[place.item]
    turns = session.show({"place": "0"})["sides"][(place.side or 1) - 1]["turns"]
    numbers = [turn["number"] for turn in turns]
    assert numbers == ([] if row["turn_start"] is None else list(range(row["turn_start"], row["turn_end"] + 1)))


def test_a_rejection_by_mistake_is_withdrawn_with_the_marks(dialogues: Store) -> None:
    session, clock = open_session(dialogues, "threads", "hasty", order="random")
    item = answer(session, clock, 0, ("pair", False))["item"]
    (own,) = session.show({"place": "0"})["own"]
    assert (own["question"], own["answer"]) == ("pair", False), "by this the page knows that it has to say that the row is good"
    answer(session, clock, 0, ("interactions", [True]), ("sense", 4), ("pair", True))
    judgements = read_reviews(dialogues, "threads").judgements
    assert next(each for each in settle(judgements).decisions if each.item == item).verdict == "accept"
    dialogues.delete_all(dialogues.list_keys("reviews/threads/hasty"))


def test_a_rejected_row_leaves_the_next_release_of_threads_and_subtitles(dialogues: Store) -> None:
    for name, table in TABLES.items():
        session, clock = open_session(dialogues, name)
        item = answer(session, clock, 0, ("pair", False))["item"]
        assert item in {row["id"] for row in read_rows(dialogues, name, table)}
        assert make(dialogues, name).computed == ()
        assert item not in {row["id"] for row in read_rows(dialogues, name, table)}
        assert "reviewed" in {row["reason"] for row in read_rows(dialogues, name, "rejects")}


def test_a_sentence_that_is_no_room_leaves_the_next_release(store: Store) -> None:
    make(store, "rooms")
    session, clock = open_session(store, "rooms")
    wrong, right = (answer(session, clock, place, ("room", place == 1))["item"] for place in (0, 1))
    make(store, "rooms")
    rows = {row["id"]: row["decided_by"] for row in read_rows(store, "rooms", "rooms")}
    assert wrong not in rows
    assert rows.pop(right) == "people"
    assert set(rows.values()) == {"score"}
    assert {row["id"]: row["reason"] for row in read_rows(store, "rooms", "rejects")}[wrong] == "reviewed"


def test_two_readers_are_blind_and_the_second_sees_what_the_first_decided_only_if_asked(transcripts: Store) -> None:
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
    reader, clock = open_session(transcripts, "transcripts", "r", task="answer")
    for place in (0, 1):
        seen = reader.show({"place": str(place)})
        assert not {"summary", "right"} & seen.keys()
        assert seen["turns"]
        answer(reader, clock, place, (f"answer-{seen['study']}", "b" if seen["study"] == "choice" else None))
    grader, clock = open_session(transcripts, "transcripts", "w", task="grade")
    for place in (0, 1):
        seen = grader.show({"place": str(place)})
        assert seen["right"] in ("a", "there")
        answer(grader, clock, place, (f"grade-{seen['study']}", "alignment"))
    study = {row["kind"]: row for row in describe_reviews(transcripts, "transcripts")["study"]}
    assert (study["factoid"]["declined"], study["choice"]["wrong"], study["total"]["causes"]) == (1, 1, {"alignment": 2})
    with pytest.raises(ConfigError, match="nothing left"):
        open_session(transcripts, "transcripts", "w", task="answer")


def test_who_grades_sees_his_own_question_where_two_have_asked(dialogues: Store) -> None:
    for name in ("w1", "w2"):
        writer, clock = open_session(dialogues, "threads", name, task="write", seed="two", order="random")
        item = writer.show({"place": "0"})["item"]
        for place in range(len(writer._places)):
            answer(writer, clock, place, ("write-factoid", {"asked": f"Asked by {name}?", "right": f"right {name}"}))
    reader, clock = open_session(dialogues, "threads", "r", task="answer")
    for place in range(len(reader._places)):
        asked = reader.show({"place": str(place)})["asked"]
        answer(reader, clock, place, ("answer-factoid", f"to {asked}"))
    for name in ("w1", "w2"):
        grader, _ = open_session(dialogues, "threads", name, task="grade")
        shown = [grader.show({"place": str(place)}) for place in range(len(grader._places))]
        assert item in {each["item"] for each in shown}
        assert {(each["asked"], each["right"], each["given"]) for each in shown} == {
            (f"Asked by {name}?", f"right {name}", f"to Asked by {name}?")
        }


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
    (early,) = [entry for entry in read_reviews(transcripts, "transcripts").judgements if entry.reader == "marty"]
    transcripts.delete_all(transcripts.list_keys("reviews/transcripts/marty"))
    add_judgements(transcripts, [replace(early, at="2036-01-01T00:00:00+00:00")])
    session, clock = open_session(transcripts, "transcripts", "marty", order="random")
    answer(session, clock, 0, ("span", {"start": 3, "end": 4}))
    settled = settle(entry for entry in read_reviews(transcripts, "transcripts").judgements if entry.reader == "marty")
    assert [(each.item, each.start) for each in settled.decisions] == [(shown["item"], 3)]
    transcripts.delete_all(transcripts.list_keys("reviews/transcripts/marty"))


def test_a_store_that_cannot_be_written_to_acknowledges_nothing(transcripts: Store, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(transcripts.url, copy, ignore=shutil.ignore_patterns("reviews"))
    session, clock = open_session(Store(str(copy)), "transcripts")
    (copy / "reviews").write_text("a file stands where the folder should be")
    with pytest.raises(StoreError, match="reviews"):
        answer(session, clock, 0, ("span", {"start": 1, "end": 2}))
    assert session.describe({})["done"] == 0


@pytest.mark.parametrize("writes", [0, 1, 2, 3])
def test_a_server_that_is_killed_while_it_stores_leaves_all_answers_about_an_item_or_none(
    dialogues: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    shutil.copytree(dialogues.url, tmp_path / "copy", ignore=shutil.ignore_patterns("reviews"))
    store = Store(str(tmp_path / "copy"))
    session, clock = open_session(store, "threads")
    done: list[str] = []
    write = Store.write

    def write_until_killed(self: Store, key: str, content: bytes) -> Any:
        if len(done) == writes:
            raise SystemExit
        done.append(key)
        return write(self, key, content)

    with monkeypatch.context() as killed, contextlib.suppress(SystemExit):
        killed.setattr(Store, "write", write_until_killed)
        answer(session, clock, 0, ("interactions", [True]), ("sense", 4), ("pair", False))
    stored = [entry.question for entry in read_reviews(store, "threads").judgements]
    assert stored in ([], ["interactions", "sense", "pair"])
    assert open_session(store, "threads")[0].describe({})["done"] == bool(stored)


def test_two_readers_at_once_lose_nothing_and_a_newer_release_is_told(store: Store) -> None:
    make(store, "transcripts")
    both = [open_session(store, "transcripts", name, order="random", seed="same") for name in ("anna", "ben")]
    shown = answer(*both[0], 0, ("span", {"start": 1, "end": 2}))
    place = next(n for n in range(400) if both[1][0].show({"place": str(n)})["item"] == shown["item"])
    answer(*both[1], place, ("span", {"start": 1, "end": 3}))
    assert len(read_reviews(store, "transcripts").judgements) == 2
    make(store, "transcripts")
    session, clock = both[0]
    session.show({"place": "1"})
    clock.now += 20
    told = session.decide({"place": 1, "answers": [{"question": "span", "answer": {"start": 1, "end": 2}}]})
    assert (told["stored"], told["newer"]) == (1, True)
    assert open_session(store, "transcripts", "anna")[0].describe({})["done"] == 2, "the texts are the same, so it counts"


def test_time_is_what_the_server_saw_at_most(transcripts: Store) -> None:
    session, clock = open_session(transcripts, "transcripts", "quick")
    session.show({"place": "0"})
    clock.now += 1.0
    session.decide({"place": 0, "seconds": 500, "answers": [{"question": "pair", "answer": False}]})
    entry = next(each for each in read_reviews(transcripts, "transcripts").judgements if each.reader == "quick")
    assert entry.seconds == 1.0
    assert describe_reviews(transcripts, "transcripts")["too_fast"] >= 1


def test_rows_travel_to_label_studio_and_what_was_annotated_into_a_store(transcripts: Store, tmp_path: Path) -> None:
    tasks = json.loads(json.dumps(export_tasks(transcripts, "transcripts")))
    assert len(tasks) > 100
    assert not any(task["annotations"] for task in tasks)
    (result,) = tasks[0]["predictions"][0]["result"]
    annotation = {"completed_by": 3, "created_at": "2026-11-22T18:00:00Z", "lead_time": 9, "result": [result]}
    tasks[0]["annotations"] = [annotation, annotation | {"lead_time": -1}]
    other = Store(str(tmp_path))
    found = import_tasks(other, "transcripts", tasks)
    assert (found.stored, len(found.refused)) == (1, 1)
    (entry,) = read_reviews(other, "transcripts").judgements
    shown = {place.item: place for place in open_session(transcripts, "transcripts", "traveller")[0]._source.rows}
    assert (entry.item in shown, entry.reader, entry.seconds) == (True, "user-3", 9.0)


def test_nobody_reads_under_the_name_of_a_model(transcripts: Store) -> None:
    with pytest.raises(ConfigError, match="those of models"):
        open_session(transcripts, "transcripts", "model@m")
    tasks = export_tasks(transcripts, "transcripts", limit=1)
    result = {"from_name": "pair", "type": "choices", "value": {"choices": ["accept"]}}
    tasks[0]["annotations"] = [{"created_at": "2026-11-22T18:00:00Z", "result": [result]}]
    with pytest.raises(ConfigError, match="those of models"):
        import_tasks(transcripts, "transcripts", tasks, "model@m")
