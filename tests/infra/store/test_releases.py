"""Publishing: the pointer last, never backwards, checksums for any tool, and a history that keeps units in their test set."""

import hashlib
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.dataset.splits import SPLITS, Split
from core.errors import ConfigError, StoreError
from infra.store import releases
from infra.store.history import Publication, number_run, read_history
from infra.store.manifests import ReleaseFile, find_faults, read_release, release_key
from infra.store.objects import Store
from infra.store.releases import read_placements
from tests.tasks.in_process import on

EMPTY: tuple[Any, ...] = ([], {}, {"splits": {}})
"""What a release without rows has: tables, files, and a manifest."""


def publish(
    store: Store, version: str, started: str, splits: Mapping[str, Split] | None = None, parent: str | None = None
) -> bool:
    stored = store.write(f"{release_key('show', version)}/data/pairs/train.parquet", f"rows of {version}".encode())
    tables = [ReleaseFile("data/pairs/train.parquet", stored.sha256, stored.size, 3)]
    manifest = {"splits": dict(splits or {})}
    return releases.publish_release(store, "show", version, tables, {"README.md": "# Show\n"}, manifest, on(started, parent))


def test_the_pointer_names_the_release_and_the_hash_of_its_manifest(store: Store) -> None:
    assert releases.read_manifest(store, "show") is None
    assert publish(store, "v1", "2026-01-01")
    pointer = store.read_json("datasets/show/latest.json")
    manifest = store.read("datasets/show/v1/manifest.json")
    assert pointer == {
        "version": "v1",
        "path": "datasets/show/v1",
        "manifest_sha256": hashlib.sha256(manifest).hexdigest(),
        "parent": None,
        "run": 20260101,
        "gone": {},
        "limited": False,
    }
    described = releases.read_manifest(store, "show")
    assert [(file.path, file.rows) for file in described.files] == [("README.md", 0), ("data/pairs/train.parquet", 3)]


def test_two_runs_that_make_the_same_version_write_the_same_bytes_and_an_older_one_replaces_no_newer_release(
    store: Store,
) -> None:
    assert publish(store, "v1", "2026-01-03")
    before = {key: store.read(key) for key in store.list_keys("datasets/show/v1")}
    pointer = store.read("datasets/show/latest.json")
    assert publish(store, "v1", "2026-01-01")  # an older run that ends later: the pointer names what it has made
    assert not publish(store, "v0", "2026-01-02")
    assert store.exists("datasets/show/v0/SHA256SUMS")
    assert {key: store.read(key) for key in store.list_keys("datasets/show/v1")} == before
    assert store.read("datasets/show/latest.json") == pointer


def test_the_checksums_verify_with_an_ordinary_tool_and_cover_every_file(store: Store, tmp_path: Path) -> None:
    publish(store, "v1", "2026-01-01")
    folder = tmp_path / "datasets" / "show" / "v1"
    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    assert {line.split(": ")[0] for line in checked.stdout.splitlines()} == files
    (folder / "README.md").write_text("changed")
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1


def test_a_clock_that_was_once_ahead_freezes_nothing(store: Store) -> None:
    """Runs are ordered by their numbers: the later run has the higher one, whatever its clock says."""
    for version, started in (("v1", "2999-01-01"), ("v2", "2026-01-01"), ("v3", "2026-01-01")):
        number = number_run(store, "show", [])
        assert releases.publish_release(store, "show", version, *EMPTY, Publication(run=number, started=started))
        assert store.read_json("datasets/show/latest.json")["version"] == version
    assert number_run(store, "show", [7]) == 8


@pytest.mark.parametrize("lost", ["history.json", "latest.json"])
def test_a_number_is_known_from_the_pointer_and_from_the_history(store: Store, lost: str) -> None:
    releases.publish_release(store, "show", "v1", *EMPTY, Publication(run=41, started="2999-01-01"))
    store.write(f"datasets/show/{lost}", b"{}")
    assert number_run(store, "show", []) == 42
    assert releases.publish_release(store, "show", "v2", *EMPTY, Publication(run=42, started="2026-01-01"))
    assert read_history(store, "show").releases["v2"].run == 42


def test_a_run_with_a_limit_leaves_the_pointer_to_a_run_without(store: Store) -> None:
    assert releases.publish_release(store, "show", "v1", *EMPTY, on("2026-01-01", limited=True))
    assert releases.publish_release(store, "show", "v2", *EMPTY, on("2026-01-02", limited=True))
    assert releases.publish_release(store, "show", "v3", *EMPTY, on("2026-01-03"))
    assert not releases.publish_release(store, "show", "v4", *EMPTY, on("2026-01-04", limited=True))
    assert not releases.publish_release(store, "show", "v2", *EMPTY, on("2026-01-05", limited=True))
    assert store.read_json("datasets/show/latest.json")["version"] == "v3"
    store.delete("datasets/show/latest.json")  # what takes its place is the same
    assert releases.find_latest(store, "show").version == "v3"
    assert releases.publish_release(store, "show", "v5", *EMPTY, on("2026-01-04"))  # the limited run does not count


def test_the_pointer_does_not_move_where_publishing_fails(store: Store, tmp_path: Path) -> None:
    publish(store, "v1", "2026-01-01")
    folder = tmp_path / "datasets" / "show" / "v2"
    (folder / "SHA256SUMS").mkdir(parents=True)  # the last file before the pointer cannot be written
    with pytest.raises(StoreError, match="SHA256SUMS"):
        publish(store, "v2", "2026-01-02")
    assert store.read_json("datasets/show/latest.json")["version"] == "v1"


def test_a_version_depends_on_contents_their_order_and_settings() -> None:
    versions = {
        releases.digest_contents(contents, configuration)
        for contents in (["a", "b"], ["b", "a"], ["ab"], [])
        for configuration in ({"x": 1}, {"x": 2})
    }
    assert len(versions) == 8
    assert releases.digest_contents(["a"], {"x": 1, "y": 2}) == releases.digest_contents(["a"], {"y": 2, "x": 1})
    assert all(len(version) == 16 for version in versions)


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "show/v1", "/etc"])
def test_paths_are_refused_where_a_dataset_or_a_version_is_named(store: Store, name: str) -> None:
    assert publish(store, "v1", "2026-01-01")
    for find in (releases.find_latest, releases.choose_release, lambda store, name: releases.choose_release(store, "show", name)):
        with pytest.raises(ConfigError, match="that is a path"):
            find(store, name)


def test_a_dataset_or_a_release_that_is_not_there_is_told_with_those_that_are(store: Store) -> None:
    assert publish(store, "v1", "2026-01-01")
    for name, version, told in (
        ("saga", "v1", "dataset 'saga'; it has show"),
        ("show", "v2", "whole release v2 of show; .*: v1"),
    ):
        with pytest.raises(ConfigError, match=f"has no {told}"):
            releases.choose_release(store, name, version)


def test_going_back_to_an_earlier_release_moves_the_pointer_and_leaves_the_release_as_it_was(store: Store) -> None:
    publish(store, "v1", "2026-01-01")
    publish(store, "v2", "2026-01-02", parent="v1")
    before = store.read("datasets/show/v1/manifest.json")
    assert releases.move_pointer(store, "show", "v1", on("2026-01-03", "v2"), {}, {})
    assert store.read("datasets/show/v1/manifest.json") == before
    pointer = store.read_json("datasets/show/latest.json")
    assert (pointer["version"], pointer["parent"]) == ("v1", "v2")


@pytest.mark.parametrize(
    "content", [b"", b'{"version": ', b"{}", b"[]", b"\xff", b'{"version": "v9", "path": "datasets/show/v9"}', None]
)
def test_a_damaged_pointer_is_derived_from_what_is_there(
    store: Store, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    publish(store, "v2", "2026-01-01")
    publish(store, "v1", "2026-01-02", parent="v2")
    damage(store, "datasets/show/latest.json", content)
    for _ in range(2):
        latest = releases.find_latest(store, "show")
        assert (latest.version, latest.parent, latest.sound) == ("v1", "v2", False)
    assert releases.read_manifest(store, "show").version == "v1"
    assert len(caplog.messages) == len(set(caplog.messages)) > 0
    assert releases.move_pointer(store, "show", "v1", on("2026-01-03", "v2"), {}, {})
    latest = releases.find_latest(store, "show")
    assert latest.sound


@pytest.mark.parametrize("content", [b"", b"{}", b"half", None])
def test_of_a_damaged_manifest_the_pointer_still_tells_the_version(store: Store, content: bytes | None) -> None:
    publish(store, "v1", "2026-01-01")
    publish(store, "v2", "2026-01-02", parent="v1")
    damage(store, "datasets/show/v2/manifest.json", content)
    latest = releases.find_latest(store, "show")
    assert (latest.version, latest.parent, latest.manifest, latest.sound) == ("v2", "v1", None, False)
    assert releases.read_manifest(store, "show").version == "v1"


def test_a_manifest_counts_as_it_was_published(store: Store) -> None:
    publish(store, "v1", "2026-01-01")
    content = store.read("datasets/show/v1/manifest.json")
    store.write("datasets/show/v1/manifest.json", content.replace(b'"rows": 3', b'"rows": 2'))
    assert read_release(store, "show", "v1") is None


def test_faults_of_a_release_are_named(store: Store) -> None:
    publish(store, "v1", "2026-01-01")
    manifest = read_release(store, "show", "v1")
    assert manifest is not None
    assert find_faults(store, "show", manifest) == {}
    store.write("datasets/show/v1/README.md", b"")
    store.delete("datasets/show/v1/data/pairs/train.parquet")
    store.write("datasets/show/v1/SHA256SUMS", b"")
    assert find_faults(store, "show", manifest) == {
        "README.md": "0 bytes and not 7",
        "data/pairs/train.parquet": "missing",
        "SHA256SUMS": "not what the manifest says",
    }


KEY = "datasets/show/history.json"


def damage(store: Store, key: str, content: bytes | None) -> None:
    store.delete(key)
    if content is not None:
        store.write(key, content)


NO_TIME = b'{"splits": {}, "releases": {"v1": {"run": 1, "started": "yesterday"}, "v2": {"run": 2, "started": "x"}}}'
DAMAGES = [b"", b"{", b"{}", b"[]", b"\xff\x00", NO_TIME, None]


def test_before_the_first_release_it_is_empty(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.write("datasets/show/v1/data/pairs/train.parquet", b"a run that was killed")
    assert (read_history(store, "show").splits, read_history(store, "show").sound) == ({}, True)
    assert caplog.messages == []


@pytest.mark.parametrize("content", DAMAGES)
def test_units_that_left_are_remembered_by_older_manifests_and_the_next_publication_writes_it_whole(
    store: Store, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    publish(store, "v1", "2026-01-01", {"a": "train", "left": "test"})
    publish(store, "v2", "2026-01-02", {"a": "train", "b": "validation"}, "v1")
    before = read_history(store, "show")
    damage(store, KEY, content)
    for _ in range(2):
        derived = read_history(store, "show")
        assert (derived.splits, derived.sound) == (before.splits, False)
        assert set(derived.releases) == set(before.releases)
        assert read_placements(store, "show") == before.splits
    assert len([message for message in caplog.messages if "derived from the manifests" in message]) == 1
    publish(store, "v3", "2999-01-02", {"c": "train"}, "v2")
    history = read_history(store, "show")
    assert (history.splits, history.sound) == ({**before.splits, "c": "train"}, True)
    assert store.read_json("datasets/show/latest.json")["version"] == "v3"
    assert releases.move_pointer(store, "show", "v1", on("2999-01-03", "v3"), {}, {})


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
    assert read_placements(store, "show") == placed
    damage(store, KEY, content)
    assert read_placements(store, "show") == placed


@pytest.mark.parametrize("content", DAMAGES)
def test_where_a_manifest_is_lost_too_it_says_what_is_at_stake(store: Store, content: bytes | None) -> None:
    publish(store, "v1", "2026-01-01", {"a": "train"})
    publish(store, "v2", "2026-01-02", {"b": "test"}, "v1")
    store.write("datasets/show/v2/manifest.json", b"{}")
    damage(store, KEY, content)
    expected = r"history\.json is damaged or missing, and so is datasets/show/v2/manifest\.json.*could move to training.*backup"
    with pytest.raises(StoreError, match=expected):
        read_history(store, "show")
    store.delete("datasets/show/v2/manifest.json")
    with pytest.raises(StoreError, match=expected):  # the pointer names it
        read_history(store, "show")
    store.delete("datasets/show/v1/manifest.json")
    store.write("datasets/show/latest.json", b"{}")
    with pytest.raises(StoreError, match=r"every manifest in datasets/show.*remove datasets/show as a whole"):
        read_history(store, "show")


def test_a_changed_time_or_unit_is_seen_and_somebody_may_edit_it_who_removes_the_seal(store: Store) -> None:
    publish(store, "v1", "2026-01-01", {"S01E01": "test"})
    content, value = store.read(KEY), store.read_json(KEY)
    for change in ((b"2026", b"3026"), (b"S01E01", b"S01E81"), (b'"test"', b'"train"')):
        store.write(KEY, content.replace(*change))
        assert read_history(store, "show").splits == {"S01E01": "test"}
        assert not read_history(store, "show").sound
    Path(store.url, KEY).write_text(json.dumps(value | {"splits": {"S01E01": "train"}}))
    assert read_history(store, "show").splits == {"S01E01": "train"}
    assert read_history(store, "show").sound
