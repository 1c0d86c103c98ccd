"""What people say of rows stands on the card of the next release, for pipelines without spans or links."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.review.agreement import measure_questions
from core.rooms.config import RoomsConfig
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.review.quality import rate_release, record_ratings
from tasks.rooms.evaluation import record_quality
from tests.tasks.in_process import release_folder
from tests.tasks.review.test_session import answer, make, open_session


def read_quality(store: Store, dataset: str) -> str:
    card = store.read(f"{release_folder(store, dataset)}/README.md").decode()
    return card.partition("## Quality on gold")[2].partition("\n## ")[0]


def test_the_share_of_rooms_counts_what_the_release_left_out_since_readers_said_so(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    make(store, "rooms")
    with pytest.raises(ConfigError, match="nobody has judged a row of rooms"):
        rate_release(store.url, "rooms")
    session, clock = open_session(store, "rooms", order="random")
    for place in range(8):
        answer(session, clock, place, ("room", place % 4 != 0))
    before = rate_release(store.url, "rooms")
    assert (before["accepted"]["rows"], before["accepted"]["mean"]["value"]) == (8, 0.75)
    make(store, "rooms")
    after = rate_release(store.url, "rooms")
    assert after["accepted"] == before["accepted"], "the rejected rows are gone from the release, and still count"
    record_ratings(store.url, "rooms", after)
    assert make(store, "rooms").new_release
    told = read_quality(store, "rooms")
    assert "share of the rows read that readers accept | 0.750 |" in told
    assert "8 rows of" in told


@pytest.mark.parametrize("former", ["0" * 16, "f" * 16])
def test_verdicts_about_a_former_text_of_a_row_that_was_left_out_do_not_count(tmp_path: Path, former: str) -> None:
    store = Store(str(tmp_path))
    make(store, "rooms")
    session, clock = open_session(store, "rooms", order="random")
    for place in range(4):
        answer(session, clock, place, ("room", place != 0))
    make(store, "rooms")
    before = rate_release(store.url, "rooms")["accepted"]
    (bad,) = (entry for entry in read_reviews(store, "rooms").judgements if entry.answer is False)
    add_judgements(store, [replace(bad, answer=True, basis=former, reader="ben", at="2020-01-01T00:00:00+00:00")])
    assert rate_release(store.url, "rooms")["accepted"] == before


def test_the_last_answer_counts_by_its_moment_whatever_the_offset(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    make(store, "threads")
    session, clock = open_session(store, "threads", order="random")
    answer(session, clock, 0, ("sense", 5))
    (entry,) = read_reviews(store, "threads").judgements
    store.delete_all(store.list_keys("reviews"))
    last = replace(entry, at="2026-11-22T23:30:00+00:00", answer=1)
    add_judgements(store, [last, replace(entry, at="2026-11-23T00:30:00+02:00", answer=5)])
    found = rate_release(store.url, "threads")
    assert found["sense"]["mean"]["value"] == 1
    assert (
        measure_questions([last, replace(entry, reader="ben", answer=1), *read_reviews(store, "threads").judgements])[0].exact
        == 1
    )


def test_dialogues_of_forums_are_rated_with_intervals_until_a_setting_changes(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    make(store, "threads")
    session, clock = open_session(store, "threads", order="random")
    marks: list[bool] = []
    for place in range(3):
        turns = len(session.show({"place": str(place)})["turns"])
        marks = [number % 2 == 0 for number in range(turns - 1)]
        answer(session, clock, place, ("interactions", marks), ("sense", place + 2))
    found = rate_release(store.url, "threads")
    assert found["sense"]["mean"]["value"] == 3
    assert 1 <= found["interactions"]["mean"]["low"] <= found["interactions"]["mean"]["high"] <= 5
    assert found["accepted"] is None
    quality = record_ratings(store.url, "threads", found, "2026-11-20")
    artifacts = {unit: {"dialogues": sha} for unit, sha in quality.artifacts.items()}
    assert quality.holds(artifacts, quality.settings, quality.versions)
    assert not quality.holds(artifacts, quality.settings, {**quality.versions, "dialogues": 99})
    make(store, "threads")
    assert "Judged 2026-11-20" in read_quality(store, "threads")


def test_the_quality_of_the_score_holds_while_sentences_are_scored_in_the_same_way(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    make(store, "rooms")
    score = {"average_precision": 0.8, "low": 0.7, "high": 0.9}
    figures = {"score": score, "sentences": 100, "episodes": 5, "rooms": 40}
    record_quality(store.url, "rooms", figures, RoomsConfig(), "2026-11-02")
    make(store, "rooms")
    assert "average precision of the score | 0.800 | 0.700 to 0.900" in read_quality(store, "rooms")
    stale = record_quality(store.url, "rooms", figures, RoomsConfig())
    assert not stale.holds({}, stale.settings, {**stale.versions, "parts": 99})
