"""Looking into a store after a run: datasets, units as their pipelines show them, rows, and the last run's record."""

from pathlib import Path

import pytest

from core.dataset.units import is_shard
from core.errors import ConfigError
from infra.store.objects import Store
from tasks.pipelines import ROOMS
from tasks.store import inspect
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import run
from tests.tasks.toy import LETTERS, write_text


def show(example: Example, unit: str, diff: bool = False) -> list[str]:
    return list(inspect.describe_unit(example.store, unit, None, diff))


def test_an_episode_is_found_before_the_shards_of_other_datasets(episodes: Example, tmp_path: Path) -> None:
    store = episodes.copy(tmp_path).store
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "rooms.jsonl").write_text('{"id": "hall", "text": "The hall has a stone floor and four doors."}\n')
    run(ROOMS, tmp_path / "rooms", store)
    for diff in (False, True):
        found = inspect.describe_unit(store, "S01E01", None, diff)
        assert found == inspect.describe_unit(store, "S01E01", "transcripts", diff) != []
    assert inspect.describe_unit_speakers(store, "S01E01", None)
    with pytest.raises(ConfigError, match="has no unit or row 'nobody'"):
        inspect.describe_unit(store, "nobody", None, True)


def test_a_film_is_found_in_its_shard_and_has_no_labels(films: Example) -> None:
    head, summary, *turns = show(films, "the-tidy-ghost")
    assert head.startswith("the-tidy-ghost  The Tidy Ghost  (the-tidy-ghost/film.srt, ")
    assert summary.startswith("      = ")
    assert len(turns) > 10
    assert len(show(films, "shard-0000-of-0001")) > len(turns) + 2  # the shard's name shows every film in it
    for name, told in (
        ("the-tidy-ghost", "subtitles, which reads no speaker labels"),
        ("the-tidy-goats", "no unit or row 'the-tidy-goats'"),
    ):
        with pytest.raises(ConfigError, match=told):
            inspect.describe_unit_speakers(films.store, name, None)


def test_a_story_is_shown_scene_by_scene_with_its_sentences(stories: Example) -> None:
    lines = show(stories, "lost-property")
    scenes = [line for line in lines if not line.startswith("      ")]
    assert [int(line.split()[0]) for line in scenes] == list(range(len(scenes)))
    assert sum(line.startswith("      = ") for line in lines) == stories.references["lost-property"].counts["sentences"]


def test_a_kept_pair_is_shown_with_its_turns_and_what_cleaning_changed(episodes: Example) -> None:
    assert {"-speaker: TANSY", "+speaker: BRAM"} <= {*show(episodes, "S01E01", diff=True)}
    row = next(row for row in episodes.rows("train_on") if row["episode"] == "S01E01")  # it stands in two configs
    start, end = row["turn_start"], row["turn_end"]
    head, summary, *turns = inspect.describe_row(episodes.store, row["id"], None)
    assert head.startswith(f"{row['id']}  turns {start} to {end}, score ")
    assert head.endswith(", kept")
    assert summary == row["summary"]
    assert turns == show(episodes, row["episode"])[start : end + 1]


def test_datasets_are_listed_with_rows_by_table(episodes: Example) -> None:
    (described,) = inspect.list_datasets(episodes.store)
    assert described == inspect.describe_dataset(episodes.store, "transcripts")
    assert described["rows"]["dialogues"] == len(episodes.rows("dialogues"))
    kept = sum(count for table, count in described["rows"].items() if table.startswith("pairs"))
    assert described["rows"]["alignments"] == kept + described["rows"]["rejects"]
    assert Path(described["url"], "manifest.json").is_file()


def test_what_is_not_there_is_said_with_the_reason(episodes: Example, tmp_path: Path) -> None:
    store = episodes.store
    for call, told in (
        (
            lambda: inspect.describe_unit(store, "S01E09", None, False),
            f"store {store.url} has no unit .* 'S01E09': no run has found it",
        ),
        (lambda: inspect.describe_unit(store, "s01_e01", None, False), "near it are S01E01"),
        (lambda: inspect.describe_unit(store, "S01E01", "other", False), "store .* has no dataset 'other'; it has transcripts"),
        (lambda: inspect.describe_dataset(store, "other"), "has no dataset 'other'"),
        (lambda: inspect.describe_row(store, "S01E01_2_0_0003", "other"), "has no dataset 'other'"),
    ):
        with pytest.raises(ConfigError, match=told):
            list(call())
    assert inspect.describe_row(store, "S01E01_9_0_0000", None) is None
    assert inspect.describe_row(Store(str(tmp_path)), "S01E01_2_0_0003", None) is None


def test_a_unit_in_quarantine_is_told_with_its_reason_and_of_two_datasets_with_the_same_row_one_has_to_be_named(
    source: Path, store: Store
) -> None:
    write_text(source, "a", "This is bad.")
    run(LETTERS, source, store, "large")
    with pytest.raises(ConfigError, match=r"no unit or row 'a': it is in quarantine: a\.txt: the text of a is bad"):
        list(inspect.describe_unit(store, "a", None, False))
    write_text(source, "a")
    for dataset in ("large", "small"):
        run(LETTERS, source, store, dataset)
    with pytest.raises(ConfigError, match="the datasets large, small have a row 'a_0000'; name one: fabula show DATASET a_0000"):
        inspect.describe_row(store, "a_0000", None)
    assert inspect.describe_row(store, "a_0000", "small")


def test_the_last_record_of_each_dataset_is_found_among_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(70):
        dataset = "rare" if number == 3 else f"often-{number % 2}"
        store.write_json(f"runs/20261122T0000{number:02d}-000001.json", {"dataset": dataset, "number": number})
    found = inspect.read_last_runs(store, ["rare", "often-0", "often-1", "absent"])
    assert {name: record["number"] for name, record in found.items()} == {"rare": 3, "often-0": 68, "often-1": 69}
    assert inspect.read_last_run(store, "absent") is None
    read: list[int] = []
    read_all = Store.read_all
    monkeypatch.setattr(Store, "read_all", lambda self, keys: read.append(len(keys)) or read_all(self, keys))
    assert (inspect.read_last_run(store, "often-1") or {})["number"] == 69
    assert len(read) == 1


def test_a_record_of_a_clock_that_was_ahead_does_not_hide_later_ones(store: Store) -> None:
    for run_id in ("20990101T000000-000000", "20240101T000000-000000", "20240102T000000-000000"):
        store.write_json(f"runs/{run_id}.json", {"run_id": run_id, "dataset": "tales"})
    assert inspect.read_last_run(store, "tales")["run_id"] == "20240102T000000-000000"
    store.delete_all([key for key in store.list_keys("runs") if "2024" in key])
    assert inspect.read_last_run(store, "tales") is not None


def test_a_limit_leaves_documents_beside_shards_not_built(repository: Path, tmp_path: Path) -> None:
    source, store = repository / "examples" / "rooms", Store(str(tmp_path))
    alone = [unit for unit in in_process.plan(ROOMS, source, store).requests if not is_shard(unit)]

    def list_states(limit: int) -> dict[str, str]:
        in_process.run(ROOMS, source, store, config_file=source / "settings.toml", limit=limit)
        return {state.unit: state.state for state in inspect.list_units(store, "rooms", inspect.read_last_run(store, "rooms"))}

    states = list_states(1)
    assert [unit for unit in states if states[unit] == "landed"] == alone[:1]
    states = list_states(len(alone) + 1)
    assert {states[unit] for unit in alone} <= {"landed", "quarantined"}
    assert {"landed", "not built"} <= {states[unit] for unit in states.keys() - {*alone}}, "one of two shards is left out"
