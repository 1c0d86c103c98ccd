"""Publishing: the pointer last, never backwards, and checksums that any tool can verify."""

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError, StoreError
from infra.store import releases
from infra.store.history import Publication, number_run, read_history
from infra.store.manifests import ReleaseFile, find_faults, read_release, release_key
from infra.store.objects import Store
from tests.tasks.in_process import on

EMPTY: tuple[Any, ...] = ([], {}, {"splits": {}})
"""What a release without rows has: tables, files, and a manifest."""


def publish(store: Store, version: str, started: str, parent: str | None = None) -> bool:
    stored = store.write(f"{release_key('show', version)}/data/pairs/train.parquet", f"rows of {version}".encode())
    tables = [ReleaseFile("data/pairs/train.parquet", stored.sha256, stored.size, 3)]
    return releases.publish_release(
        store, "show", version, tables, {"README.md": "# Show\n"}, {"splits": {}}, on(started, parent)
    )


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


def test_two_runs_that_make_the_same_version_write_the_same_bytes(store: Store) -> None:
    assert publish(store, "v1", "2026-01-02")
    before = {key: store.read(key) for key in store.list_keys("datasets/show/v1")}
    pointer = store.read("datasets/show/latest.json")
    assert publish(store, "v1", "2026-01-01")  # an older run that ends later: the pointer names what it has made
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


def test_an_older_run_never_replaces_a_newer_release(store: Store) -> None:
    publish(store, "v2", "2026-01-02")
    assert not publish(store, "v1", "2026-01-01")
    assert store.read_json("datasets/show/latest.json")["version"] == "v2"
    assert store.exists("datasets/show/v1/SHA256SUMS")


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


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x" * 101, "é"])
def test_names_that_are_no_folder_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="expected 1 to 100 letters"):
        releases.check_dataset_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "show/v1", "/etc"])
def test_paths_are_refused_where_a_dataset_or_a_version_is_named(store: Store, name: str) -> None:
    assert publish(store, "v1", "2026-01-01")
    with pytest.raises(ConfigError, match="that is a path"):
        releases.find_latest(store, name)
    with pytest.raises(ConfigError, match="that is a path"):
        releases.choose_release(store, name)
    with pytest.raises(ConfigError, match=r"version .* that is a path"):
        releases.choose_release(store, "show", name)


def test_a_dataset_or_a_release_that_is_not_there_is_told_with_those_that_are(store: Store) -> None:
    assert publish(store, "v1", "2026-01-01")
    with pytest.raises(ConfigError, match="has no dataset 'saga'; it has show"):
        releases.choose_release(store, "saga", "v1")
    with pytest.raises(ConfigError, match="has no whole release v2 of show; its releases: v1"):
        releases.choose_release(store, "show", "v2")


def test_going_back_to_an_earlier_release_moves_the_pointer_and_leaves_the_release_as_it_was(store: Store) -> None:
    releases.publish_release(store, "tales", "a", *EMPTY, on("2026-01-01"))
    releases.publish_release(store, "tales", "b", *EMPTY, on("2026-01-02", "a"))
    before = store.read("datasets/tales/a/manifest.json")
    assert releases.move_pointer(store, "tales", "a", on("2026-01-03", "b"), {}, {})
    assert store.read("datasets/tales/a/manifest.json") == before
    pointer = store.read_json("datasets/tales/latest.json")
    assert (pointer["version"], pointer["parent"]) == ("a", "b")


@pytest.mark.parametrize(
    "content", [b"", b'{"version": ', b"{}", b"[]", b"\xff", b'{"version": "v9", "path": "datasets/show/v9"}', None]
)
def test_a_damaged_pointer_is_derived_from_what_is_there(
    store: Store, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    publish(store, "v2", "2026-01-01")
    publish(store, "v1", "2026-01-02", parent="v2")
    store.delete("datasets/show/latest.json")
    if content is not None:
        store.write("datasets/show/latest.json", content)
    for _ in range(2):
        latest = releases.find_latest(store, "show")
        assert (latest.version, latest.parent, latest.sound) == ("v1", "v2", False)
    assert releases.read_manifest(store, "show").version == "v1"
    assert len(caplog.messages) == len(set(caplog.messages)) > 0
    assert releases.move_pointer(store, "show", "v1", on("2026-01-03", "v2"), {}, {})
    latest = releases.find_latest(store, "show")
    assert latest.sound


@pytest.mark.parametrize("damage", [b"", b"{}", b"half", None])
def test_of_a_damaged_manifest_the_pointer_still_tells_the_version(store: Store, damage: bytes | None) -> None:
    publish(store, "v1", "2026-01-01")
    publish(store, "v2", "2026-01-02", parent="v1")
    store.delete("datasets/show/v2/manifest.json")
    if damage is not None:
        store.write("datasets/show/v2/manifest.json", damage)
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
