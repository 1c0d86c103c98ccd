"""The tables of a release of scripts over the example, and the form in which SumTitles' readers take it."""

import json
from pathlib import Path

from infra.store.objects import Store
from infra.tables.scripts import STORY
from tasks.pipelines import SCRIPTS
from tasks.scripts.export import SETTINGS
from tasks.store.export import export_release
from tests.tasks import in_process
from tests.tasks.conftest import Example

UNITS = ["kettle_s1_e01", "lost-property", "the-clock-that-ran-errands", "the-weather-clerk"]


def test_stories_with_gold_are_for_evaluation_only(stories: Example) -> None:
    assert list(stories.references) == UNITS
    assert {row["movie"] for row in stories.rows("scripts")} == {*UNITS} - {"the-weather-clerk"}
    assert {row["movie"] for row in stories.rows("gold")} == {"the-weather-clerk"}
    files = [key.removeprefix(stories.folder) for key in stories.store.list_keys(stories.folder) if "/data/gold/" in key]
    assert files == ["/data/gold/test-00000-of-00001.parquet"]
    assert {row["movie"] for row in stories.rows("alignments")} == {*UNITS}


def test_every_sentence_is_in_one_row_and_no_scene_in_two(stories: Example) -> None:
    rows, rejects = stories.rows("scripts"), stories.rows("rejects")
    assert {row["reason"] for row in rejects} <= {"low-probability", "incomplete", "too-few-turns", "shorter-than-summary"}
    assert rejects
    for unit in {*UNITS} - {"the-weather-clerk"}:
        story = STORY.decode(stories.store.read(stories.references[unit].artifacts["story"].key))
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


def test_gold_rows_are_what_people_linked(stories: Example) -> None:
    lines = (stories.source / "gold" / "the-weather-clerk.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    rows = stories.rows("gold")
    columns = ("summary", "strict_scenes", "gold_source", "sentence_index")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        (answer["sent"], sorted(answer["scene_idx"]), answer["source"], answer["sent_idx"]) for answer in answers
    ]
    story = STORY.decode(stories.store.read(stories.references["the-weather-clerk"].artifacts["story"].key))
    for row in rows:
        scenes = [scene for scene in story.scenes if scene.strict_index in row["strict_scenes"]]
        assert [turn["number"] for turn in row["turns"]] == [turn.number for scene in scenes for turn in scene.turns]


def test_statistics_count_stories_by_kind_and_grade_the_links(stories: Example) -> None:
    figures = stories.store.read_json(f"{stories.folder}/stats.json")
    assert {kind: counts["stories"] for kind, counts in figures["stories"].items()} == {"movie": 2, "book": 1, "episode": 1}
    assert figures["without_cast"] == 1
    assert figures["rows"]["alignments"] == len(stories.rows("alignments"))
    agreement = figures["agreement"]
    assert {unit: found["rates"]["links"] for unit, found in agreement["by_story"].items()} == {
        "kettle_s1_e01": 6, "the-weather-clerk": 13,
    }  # fmt: skip
    assert agreement["all"]["unmatched"] == 0
    assert agreement["all"]["rates"]["hit_rate"]["value"] >= 0.9


def test_the_papers_profile_has_every_scene_in_a_row_and_drops_nothing(stories: Example, store: Store) -> None:
    weights = {"sim_max": 0.0, "sim_mean": 0.0}
    in_process.run(SCRIPTS, stories.source, store, "papers-sumtitles", profile="sumtitles", alignment={"weights": weights})
    told: dict[str, list[int]] = {}
    for row in in_process.read_rows(store, "papers-sumtitles", "scripts"):
        assert (row["scene_start"], row["scene_end"]) == (row["scenes"][0], row["scenes"][-1])
        told.setdefault(row["movie"], []).extend(row["scenes"])
    assert {unit: scenes == list(range(len(scenes))) for unit, scenes in told.items()} == dict.fromkeys(UNITS[:3], True)
    assert in_process.read_rows(store, "papers-sumtitles", "rejects") == []


def test_each_setting_of_the_paper_has_parallel_texts(stories: Example, tmp_path: Path) -> None:
    export_release(stories.store, "scripts", "sumtitles", Store(str(tmp_path)))
    for config, part in (("scripts", "Scripts"), ("gold", "Gold")):
        rows, told = {row["id"]: row for row in stories.rows(config)}, set()
        for path in sorted((tmp_path / part).glob("*.jsonl")):
            entries = [json.loads(line) for line in path.read_text().splitlines()]
            told |= {entry["id"] for entry in entries}
            expected = [rows[entry["id"]] for entry in entries]
            assert [(entry["document"], entry["summary"]) for entry in entries] == [
                (row["plain"], row["summary"]) for row in expected
            ]
            for setting, column in SETTINGS.items():
                for end, name in (("source", column), ("target", "summary")):
                    lines = (tmp_path / setting / f"{part}-{path.stem}.{end}").read_text().split("\n")[:-1]
                    assert lines == [" ".join(row[name].split()) for row in expected]
        assert told == set(rows)
    seps = (tmp_path / "with-speakers-and-separators" / "Gold-test.source").read_text()
    assert seps.startswith("[START] ")
    assert " [SEP] " in seps
    assert "Gold/test" in (tmp_path / "README.txt").read_text()
