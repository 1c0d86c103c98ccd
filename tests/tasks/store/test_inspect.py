"""Looking into a store after a small run of stages and a release by hand."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.references import UnitFailure
from core.transcripts.config import FilterConfig, TranscriptsConfig
from infra.store.catalog import CatalogEntry, write_catalog
from infra.store.objects import Store
from tasks.frame.release import plan_release, publish_tables, write_shard
from tasks.store.inspect import (
    describe_dataset,
    describe_dialogue,
    describe_differences,
    describe_pair,
    is_pair_id,
    list_datasets,
)
from tasks.transcripts.build import build_episode
from tasks.transcripts.plan import plan_transcripts
from tasks.transcripts.statistics import summarise_release
from tasks.transcripts.tables import list_tables, list_units


@pytest.fixture(scope="module")
def store(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with the examples' first episode, released, and another in quarantine."""
    store = Store(str(tmp_path_factory.mktemp("store")))
    config = TranscriptsConfig(filter=FilterConfig(max_turns=30))  # so that some are dropped
    plan = plan_transcripts([str(repository / "examples" / "transcripts")], store.url, config, "default", {}, None, 1)
    references = {unit: build_episode(request) for unit, request in plan.requests.items()}
    failure = UnitFailure("S01E02", ("transcripts/S01E02.txt",), "build", "it is empty", "SourceError", True)
    entries = [CatalogEntry(unit, "settings", "s", reference, None) for unit, reference in references.items()]
    write_catalog(store, "transcripts", "run-1", [*entries, CatalogEntry("S01E02", "settings", "s", None, failure)])
    units = list_units(references, plan.discovered, config)
    release = plan_release(store, "show", units, list_tables(config), config.split, canonicalise(config))
    shards = [write_shard(request) for request in release.requests.values()]
    publish_tables(store, release, shards, summarise_release(store, references, shards, config.statistics), "2026-01-01")
    return store.url


def test_a_dialogue_is_shown_turn_by_turn(store: str) -> None:
    lines = list(describe_dialogue(store, "S01E01"))
    assert lines[1] == "    1 BRAM: It was not on last week."
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))


def test_what_cleaning_changed_is_shown(store: str) -> None:
    lines = list(describe_differences(store, "S01E01"))
    assert "-speaker: TANSY" in lines
    assert "+speaker: BRAM" in lines


def test_a_kept_pair_is_shown_with_its_turns(store: str) -> None:
    head, summary, *turns = describe_pair(store, "S01E01_2_0_0003", None)
    assert head.startswith("S01E01_2_0_0003  turns 16 to 19, score ")
    assert head.endswith(", kept")
    assert "Long Library" in summary
    dialogue = list(describe_dialogue(store, "S01E01"))
    assert turns == dialogue[16:20]


def test_a_dropped_pair_is_shown_with_its_reason(store: str) -> None:
    (rejects,) = Path(describe_dataset(store, "show")["url"]).glob("rejects/*.parquet")
    row = pq.read_table(rejects).to_pylist()[0]
    lines = list(describe_pair(store, row["id"], "show"))
    assert lines[0].startswith(f"{row['id']}  turns {row['turn_start']} to {row['turn_end']}, score ")
    assert lines[0].endswith(f", {row['reason']}")
    assert lines[1:] == [row["summary"]]


def test_datasets_are_listed_with_rows_by_table(store: str) -> None:
    (described,) = list_datasets(store)
    assert described == describe_dataset(store, "show")
    assert described["rows"]["dialogues"] == len(list(describe_dialogue(store, "S01E01")))
    assert described["rows"]["alignments"] == described["rows"]["pairs"] + described["rows"]["rejects"]
    assert Path(described["url"], "manifest.json").is_file()


def test_what_is_not_there_is_said_with_the_reason(store: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no episode 'S01E02': it is in quarantine: it is empty"):
        list(describe_dialogue(store, "S01E02"))
    with pytest.raises(ConfigError, match="no episode 'S01E03': it has not landed"):
        list(describe_dialogue(store, "S01E03"))
    with pytest.raises(ConfigError, match="dataset show has no pair 'S01E01_9_0_0000'; ids look like"):
        list(describe_pair(store, "S01E01_9_0_0000", None))
    with pytest.raises(ConfigError, match="has no dataset 'other'"):
        describe_dataset(store, "other")
    with pytest.raises(ConfigError, match=r"has 0 datasets with pairs"):
        list(describe_pair(str(tmp_path), "S01E01_2_0_0003", None))


@pytest.mark.parametrize(
    ("name", "is_pair"),
    [("C1E001_2_0_0017", True), ("my_show_ep_1_2_0_0017", True), ("C1E001", False), ("my_show_episode_1", False)],
)
def test_pairs_are_told_from_episodes(name: str, is_pair: bool) -> None:
    assert is_pair_id(name) is is_pair
