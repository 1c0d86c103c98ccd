"""The tables of a `scripts` release over the example: which stories they hold, and what their rows have."""

import hashlib
import json
from pathlib import Path

import pytest

from core.scripts.story import GoldLink
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.store.objects import Store
from infra.tables.scripts import STORY
from tasks.frame.ledger import RunCall
from tasks.frame.mapper import InProcessMapper
from tasks.pipelines import SCRIPTS
from tasks.scripts.statistics import grade_stories
from tests.tasks import in_process
from tests.tasks.conftest import Example

UNITS = ["kettle_s1_e01", "lost-property", "the-clock-that-ran-errands", "the-weather-clerk"]


@pytest.fixture(scope="module")
def release(stories: Example) -> Example:
    return stories


def test_stories_with_gold_are_for_evaluation_only(release: Example) -> None:
    assert list(release.references) == UNITS
    assert {row["movie"] for row in release.rows("scripts")} == {*UNITS} - {"the-weather-clerk"}
    assert {row["movie"] for row in release.rows("gold")} == {"the-weather-clerk"}
    files = [key.removeprefix(release.folder) for key in release.store.list_keys(release.folder) if "/data/gold/" in key]
    assert files == ["/data/gold/test-00000-of-00001.parquet"]
    assert {row["movie"] for row in release.rows("alignments")} == {*UNITS}


def test_every_sentence_is_in_one_row_and_no_scene_in_two(release: Example) -> None:
    rows, rejects = release.rows("scripts"), release.rows("rejects")
    assert {row["reason"] for row in rejects} <= {"low-probability", "incomplete", "too-few-turns", "shorter-than-summary"}
    assert rejects
    for unit in {*UNITS} - {"the-weather-clerk"}:
        story = STORY.decode(release.store.read(release.references[unit].artifacts["story"].key))
        own = [row for row in rows if row["movie"] == unit]
        told = [index for row in [*own, *rejects] if row["movie"] == unit for index in row["sentence_indices"]]
        assert sorted(told) == list(range(len(story.sentences)))
        scenes = [scene for row in own for scene in row["scenes"]]
        assert len(scenes) == len(set(scenes))
        for row in own:
            members = [story.scenes[place] for place in row["scenes"]]
            assert [turn["number"] for turn in row["turns"]] == [turn.number for scene in members for turn in scene.turns]
            told_parts = [part["text"] for part in row["script"] if part["kind"] == "action"]
            assert sorted(told_parts) == sorted(row["narration"])
            assert row["turns"]
            assert row["probability"] >= 0.5
            assert len(row["plain"].split()) >= len(row["summary"].split())


def test_statistics_count_what_was_dropped_and_what_repeats_another_split(release: Example) -> None:
    figures = release.store.read_json(f"{release.folder}/stats.json")
    assert figures["outcomes"]["kept"] == len(release.rows("scripts"))
    assert sum(figures["outcomes"].values()) == len(release.rows("scripts")) + len(release.rows("rejects"))
    assert figures["between_splits"]["exact_copies"]["all"] == 0
    assert figures["between_splits"]["compared"] == len(release.rows("scripts"))


def test_gold_rows_are_what_people_linked(release: Example) -> None:
    lines = (release.source / "gold" / "the-weather-clerk.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    rows = release.rows("gold")
    assert [(row["summary"], row["strict_scenes"], row["gold_source"]) for row in rows] == [
        (answer["sent"], sorted(answer["scene_idx"]), answer["source"]) for answer in answers
    ]
    assert [row["sentence_index"] for row in rows] == [answer["sent_idx"] for answer in answers]
    story = STORY.decode(release.store.read(release.references["the-weather-clerk"].artifacts["story"].key))
    for row in rows:
        scenes = [scene for scene in story.scenes if scene.strict_index in row["strict_scenes"]]
        assert [turn["number"] for turn in row["turns"]] == [turn.number for scene in scenes for turn in scene.turns]


def test_statistics_count_stories_by_kind_and_grade_the_links(release: Example) -> None:
    figures = release.store.read_json(f"{release.folder}/stats.json")
    assert {kind: counts["stories"] for kind, counts in figures["stories"].items()} == {"movie": 2, "book": 1, "episode": 1}
    assert figures["without_cast"] == 1
    assert figures["rows"]["alignments"] == len(release.rows("alignments"))
    agreement = figures["agreement"]
    assert {unit: found["rates"]["links"] for unit, found in agreement["by_story"].items()} == {
        "kettle_s1_e01": 6, "the-weather-clerk": 13,
    }  # fmt: skip
    assert agreement["all"]["unmatched"] == 0
    assert agreement["all"]["rates"]["hit_rate"]["value"] >= 0.9


def test_gold_files_come_before_a_series_own_plots(release: Example) -> None:
    sentence = "Mr. Abel comes in with the toaster , and Wim loses his bet ."
    (graded,) = grade_stories(release.store, release.references, [GoldLink("kettle_s1_e01", 5, sentence, (0,), source="me")])[:1]
    assert (graded.unit, graded.source, len(graded.links)) == ("kettle_s1_e01", "me", 1)
    assert not graded.links[0].hit


PUBLISHED = {
    "alignments": "23fce13aecc20798",
    "gold": "20e3a0305fe2bad6",
    "scripts": "44b818ace9a11686",
}
"""Checksums of the rows that the profile `sumtitles` had before rows were filtered; only similarities without vectors."""


def test_rows_of_the_papers_profile_are_as_they_were_published(repository: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    call = RunCall(
        source=(str(repository / "examples" / "scripts"),),
        store=store.url,
        dataset="papers-sumtitles",
        profile="sumtitles",
        settings={"alignment": {"weights": {"sim_max": 0.0, "sim_mean": 0.0}}},
    )
    run_pipeline(SCRIPTS, call, InProcessMapper(), Nobody())
    found = {}
    for table in PUBLISHED:
        rows = json.dumps(in_process.read_rows(store, "papers-sumtitles", table), sort_keys=True, default=str)
        found[table] = hashlib.sha256(rows.encode()).hexdigest()[:16]
    assert found == PUBLISHED
    assert in_process.read_rows(store, "papers-sumtitles", "rejects") == []
