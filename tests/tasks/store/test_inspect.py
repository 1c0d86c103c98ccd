"""Looking into a store after a run: datasets, units as their pipelines show them, and rows."""

import shutil
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from tasks.pipelines import ROOMS
from tasks.store.inspect import describe_dataset, describe_row, describe_unit, describe_unit_speakers, list_datasets
from tests.tasks.conftest import Example
from tests.tasks.in_process import read_references, run
from tests.tasks.toy import LETTERS, write_text


def show(example: Example, unit: str, diff: bool = False) -> list[str]:
    return list(describe_unit(example.store.url, unit, None, diff))


def test_a_dialogue_is_shown_turn_by_turn(episodes: Example) -> None:
    lines = show(episodes, "S01E01")
    assert lines[1] == "    1 BRAM: It was not on last week."
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))


def test_what_cleaning_changed_is_shown(episodes: Example) -> None:
    lines = show(episodes, "S01E01", diff=True)
    assert "-speaker: TANSY" in lines
    assert "+speaker: BRAM" in lines


def test_an_episode_is_found_before_the_shards_of_other_datasets(episodes: Example, tmp_path: Path) -> None:
    store = Store(shutil.copytree(episodes.store.url, tmp_path / "store").as_posix())
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "rooms.jsonl").write_text('{"id": "hall", "text": "The hall has a stone floor and four doors."}\n')
    run(ROOMS, tmp_path / "rooms", store)
    for diff in (False, True):
        found = describe_unit(store.url, "S01E01", None, diff)
        assert found == describe_unit(store.url, "S01E01", "transcripts", diff) != []
    assert describe_unit_speakers(store.url, "S01E01", None)
    with pytest.raises(ConfigError, match="has no unit or row 'nobody'"):
        describe_unit(store.url, "nobody", None, True)


def test_the_speakers_of_an_episode_are_counted(episodes: Example) -> None:
    lines = describe_unit_speakers(episodes.store.url, "S01E01", None)
    counts = {line.split()[1]: int(line.split()[0]) for line in lines if not line.startswith("#") and line[:1] == " "}
    assert counts["BRAM"] > 1
    assert sum(counts.values()) >= len(show(episodes, "S01E01")) - 1


def test_a_unit_without_labels_says_so(stories: Example) -> None:
    with pytest.raises(ConfigError, match="scripts, which reads no speaker labels"):
        describe_unit_speakers(stories.store.url, "lost-property", None)


def test_a_film_in_a_shard_has_no_labels_and_says_so(films: Example) -> None:
    with pytest.raises(ConfigError, match="subtitles, which reads no speaker labels"):
        describe_unit_speakers(films.store.url, "the-tidy-ghost", None)
    with pytest.raises(ConfigError, match="has no unit or row 'the-tidy-goats'"):
        describe_unit_speakers(films.store.url, "the-tidy-goats", None)


def test_a_unit_of_the_same_name_in_another_dataset_hides_no_speakers(episodes: Example, tmp_path: Path) -> None:
    store = Store(shutil.copytree(episodes.store.url, tmp_path / "store").as_posix())
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "S01E01.txt").write_text("The hall has a stone floor and four doors. A lamp stands on the table.\n")
    run(ROOMS, tmp_path / "rooms", store)
    assert describe_unit_speakers(store.url, "S01E01", None) == describe_unit_speakers(store.url, "S01E01", "transcripts")


def test_a_story_is_shown_scene_by_scene_with_its_sentences(stories: Example) -> None:
    lines = show(stories, "lost-property")
    scenes = [line for line in lines if not line.startswith("      ")]
    assert [int(line.split()[0]) for line in scenes] == list(range(len(scenes)))
    assert sum(line.startswith("      = ") for line in lines) == stories.references["lost-property"].counts["sentences"]


def test_a_film_is_found_in_its_shard(films: Example) -> None:
    head, summary, *turns = show(films, "the-tidy-ghost")
    assert head.startswith("the-tidy-ghost  The Tidy Ghost  (the-tidy-ghost/film.srt, ")
    assert summary.startswith("      = ")
    assert len(turns) > 10
    assert len(show(films, "shard-0000-of-0001")) > len(turns) + 2  # the shard's name shows every film in it


def test_a_kept_pair_is_shown_with_its_turns(episodes: Example) -> None:
    row = next(row for row in episodes.rows("train_on") if row["episode"] == "S01E01")  # it stands in two configs
    start, end = row["turn_start"], row["turn_end"]
    lines = describe_row(episodes.store.url, row["id"], None)
    assert lines is not None
    head, summary, *turns = lines
    assert head.startswith(f"{row['id']}  turns {start} to {end}, score ")
    assert head.endswith(", kept")
    assert summary == row["summary"]
    assert turns == show(episodes, row["episode"])[start : end + 1]


def test_a_dropped_pair_is_shown_with_its_reason(episodes: Example) -> None:
    row = episodes.rows("rejects")[0]
    lines = describe_row(episodes.store.url, row["id"], "transcripts")
    assert lines is not None
    assert lines[0].startswith(f"{row['id']}  turns {row['turn_start']} to {row['turn_end']}, score ")
    assert lines[0].endswith(f", {row['reason']}")
    assert lines[1:] == [row["summary"]]


def test_a_row_of_another_table_is_shown_with_its_columns(stories: Example) -> None:
    row = stories.rows("scripts")[0]
    lines = describe_row(stories.store.url, row["id"], None)
    assert lines is not None
    assert lines[0] == row["id"]
    assert f"  title            {row['title']}" in lines
    assert row["summary"] in lines
    assert len(lines) > len(row["turns"])


def test_datasets_are_listed_with_rows_by_table(episodes: Example) -> None:
    (described,) = list_datasets(episodes.store.url)
    assert described == describe_dataset(episodes.store.url, "transcripts")
    assert described["rows"]["dialogues"] == len(episodes.rows("dialogues"))
    kept = sum(count for table, count in described["rows"].items() if table.startswith("pairs"))
    assert described["rows"]["alignments"] == kept + described["rows"]["rejects"]
    assert Path(described["url"], "manifest.json").is_file()


def test_what_is_not_there_is_said_with_the_reason(episodes: Example, tmp_path: Path) -> None:
    url = episodes.store.url
    with pytest.raises(ConfigError, match=f"store {url} has no unit or row 'S01E09': no run has found it"):
        list(describe_unit(url, "S01E09", None, False))
    with pytest.raises(ConfigError, match=r"store .* has no dataset 'other'; it has transcripts"):
        list(describe_unit(url, "S01E01", "other", False))
    assert describe_row(url, "S01E01_9_0_0000", None) is None
    assert describe_row(str(tmp_path), "S01E01_2_0_0003", None) is None
    with pytest.raises(ConfigError, match="has no dataset 'other'"):
        describe_dataset(url, "other")
    with pytest.raises(ConfigError, match="has no dataset 'other'"):
        describe_row(url, "S01E01_2_0_0003", "other")


def test_a_unit_in_quarantine_is_told_with_its_reason(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_text(tmp_path / "source", "a", "This is bad.")
    run(LETTERS, tmp_path / "source", store)
    with pytest.raises(ConfigError, match=r"no unit or row 'a': it is in quarantine: a\.txt: the text of a is bad"):
        list(describe_unit(store.url, "a", None, False))


def test_of_two_datasets_with_the_same_row_one_has_to_be_named(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_text(tmp_path / "source", "a")
    for dataset in ("large", "small"):
        run(LETTERS, tmp_path / "source", store, dataset)
    with pytest.raises(ConfigError, match="the datasets large, small have a row 'a_0000'; name one: fabula show DATASET a_0000"):
        describe_row(store.url, "a_0000", None)
    assert describe_row(store.url, "a_0000", "small")
    assert set(read_references(store, "small")) == {"a"}
