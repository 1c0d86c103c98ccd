"""The history of a dataset: what keeps units in their test set, and what it is derived from where it is lost."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.dataset.splits import SPLITS, Split
from core.errors import StoreError
from infra.store.history import read_history
from infra.store.objects import Store
from infra.store.releases import move_pointer, publish_release, read_placements
from tests.tasks.in_process import on

KEY = "datasets/tales/history.json"


def publish(store: Store, version: str, started: str, splits: Mapping[str, Split], parent: str | None = None) -> None:
    publish_release(store, "tales", version, [], {}, {"splits": dict(splits)}, on(started, parent))


def damage(store: Store, content: bytes | None) -> None:
    store.delete(KEY)
    if content is not None:
        store.write(KEY, content)


DAMAGES = [b"", b"{", b"{}", b"[]", b"\xff\x00", None]


def test_before_the_first_release_it_is_empty(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.write("datasets/tales/v1/data/pairs/train.parquet", b"a run that was killed")
    assert (read_history(store, "tales").splits, read_history(store, "tales").sound) == ({}, True)
    assert caplog.messages == []


@pytest.mark.parametrize("content", DAMAGES)
def test_units_that_left_are_remembered_by_older_manifests(
    store: Store, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    publish(store, "v1", "2026-01-01", {"a": "train", "left": "test"})
    publish(store, "v2", "2026-01-02", {"a": "train", "b": "validation"}, "v1")
    before = read_history(store, "tales")
    damage(store, content)
    for _ in range(2):
        derived = read_history(store, "tales")
        assert (derived.splits, derived.sound) == (before.splits, False)
        assert set(derived.releases) == set(before.releases)
        assert read_placements(store, "tales") == before.splits
    assert len([message for message in caplog.messages if "derived from the manifests" in message]) == 1


@settings(max_examples=25)
@given(
    runs=st.lists(st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(SPLITS)), min_size=1, max_size=5),
    content=st.sampled_from(DAMAGES),
)
def test_nothing_that_a_release_placed_is_lost(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[str, Split]], content: bytes | None
) -> None:
    store = Store(str(tmp_path_factory.mktemp("store")))
    placed: dict[str, Split] = {}
    for day, units in enumerate(runs):
        placed = {**units, **placed}  # what was placed stays
        told = {unit: placed[unit] for unit in units}  # the worst case: a manifest knows its own units only
        publish(store, f"v{day}", f"2026-01-{day + 1:02d}", told, f"v{day - 1}" if day else None)
    assert read_placements(store, "tales") == placed
    damage(store, content)
    assert read_placements(store, "tales") == placed


@pytest.mark.parametrize("content", DAMAGES)
def test_the_next_publication_writes_it_whole(store: Store, content: bytes | None) -> None:
    publish(store, "v1", "2026-01-01", {"left": "test"})
    damage(store, content)
    publish(store, "v2", "2999-01-02", {"a": "train"}, "v1")
    history = read_history(store, "tales")
    assert (history.splits, history.sound) == ({"left": "test", "a": "train"}, True)
    assert store.read_json("datasets/tales/latest.json")["version"] == "v2"
    assert move_pointer(store, "tales", "v1", on("2999-01-03", "v2"), {}, {})


@pytest.mark.parametrize("content", DAMAGES)
def test_where_a_manifest_is_lost_too_it_says_what_is_at_stake(store: Store, content: bytes | None) -> None:
    publish(store, "v1", "2026-01-01", {"a": "train"})
    publish(store, "v2", "2026-01-02", {"b": "test"}, "v1")
    store.write("datasets/tales/v2/manifest.json", b"{}")
    damage(store, content)
    expected = r"history\.json is damaged or missing, and so is datasets/tales/v2/manifest\.json.*could move to training.*backup"
    with pytest.raises(StoreError, match=expected):
        read_history(store, "tales")
    store.delete("datasets/tales/v2/manifest.json")
    with pytest.raises(StoreError, match=expected):  # the pointer names it
        read_history(store, "tales")
    store.delete("datasets/tales/v1/manifest.json")
    store.write("datasets/tales/latest.json", b"{}")
    with pytest.raises(StoreError, match=r"every manifest in datasets/tales.*remove datasets/tales as a whole"):
        read_history(store, "tales")


def test_a_changed_time_or_unit_is_seen(store: Store) -> None:
    publish(store, "v1", "2026-01-01", {"S01E01": "test"})
    content = store.read(KEY)
    for change in ((b"2026", b"3026"), (b"S01E01", b"S01E81"), (b'"test"', b'"train"')):
        store.write(KEY, content.replace(*change))
        assert read_history(store, "tales").splits == {"S01E01": "test"}
        assert not read_history(store, "tales").sound


def test_somebody_may_edit_it_who_removes_the_seal(store: Store) -> None:
    publish(store, "v1", "2026-01-01", {"S01E01": "test"})
    value = store.read_json(KEY)
    Path(store.url, KEY).write_text(json.dumps(value | {"splits": {"S01E01": "train"}}))
    assert read_history(store, "tales").splits == {"S01E01": "train"}
    assert read_history(store, "tales").sound
