"""Releases are read whole and compared with their checksums, and copied to other stores the same way."""

import json
from pathlib import Path

import pytest

from core.errors import ConfigError, StoreError
from infra.store.manifests import MANIFEST, SUMS
from infra.store.objects import Store
from infra.store.releases import find_latest, read_placements
from tasks.store.health import list_versions, verify_release
from tasks.store.publish import publish_copy
from tests.tasks.in_process import find_version, run
from tests.tasks.toy import LETTERS, write_texts


@pytest.fixture
def store(source: Path, store: Store) -> Store:
    run(LETTERS, write_texts(source, "abc"), store)
    return store


@pytest.fixture
def version(store: Store) -> str:
    return find_version(store, "letters")


def find_file(store: Store, version: str, end: str) -> Path:
    return next(Path(store.url, f"datasets/letters/{version}").rglob(f"*{end}"))


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_whole_release_has_no_faults_and_a_flipped_bit_is_found_though_the_size_is_right(store: Store, version: str) -> None:
    verdict = verify_release(store, "letters", version)
    files = json.loads(store.read(f"datasets/letters/{version}/{MANIFEST}"))["files"]
    assert (verdict.faults, verdict.foreign, verdict.files) == ({}, (), len(files))
    assert verdict.bytes == sum(file["size"] for file in files)
    names = ("README.md", "stats.json", ".parquet")
    for name in names:
        flip(find_file(store, version, name))
    found = verify_release(store, "letters", version).faults
    assert {path.endswith(names) for path in found} == {True}
    assert [*found.values()] == ["damaged: its SHA-256 is not that of the manifest"] * 3


@pytest.mark.parametrize(("content", "told"), [(None, "missing"), (b"{}", "damaged"), (b"\xff", "damaged")])
def test_what_is_missing_cut_off_or_foreign_is_named(store: Store, version: str, content: bytes | None, told: str) -> None:
    find_file(store, version, "README.md").unlink()
    find_file(store, version, "stats.json").write_bytes(b"{")
    Path(store.url, f"datasets/letters/{version}/data/stray.parquet").write_bytes(b"")
    verdict = verify_release(store, "letters", version)
    assert verdict.faults["README.md"] == "missing"
    assert verdict.faults["stats.json"].startswith("1 bytes and not ")
    assert verdict.foreign == ("data/stray.parquet",)
    path = find_file(store, version, MANIFEST)
    path.unlink() if content is None else path.write_bytes(content)
    ((dataset, found),) = list_versions(store, (), None)
    assert verify_release(store, dataset, found).faults[MANIFEST].startswith(told)


def test_every_release_of_every_dataset_is_listed(store: Store, version: str, tmp_path: Path) -> None:
    run(LETTERS, tmp_path / "source", store, "others")
    run(LETTERS, tmp_path / "source", store, upper=True)
    listed = list_versions(store, (), None)
    assert [name for name, _ in listed] == ["letters", "letters", "others"]
    assert list_versions(store, ["letters"], version) == [("letters", version)]
    with pytest.raises(ConfigError, match="has no dataset 'nosuch'; it has letters, others"):
        list_versions(store, ["nosuch"], None)
    with pytest.raises(ConfigError, match="has no release v9 of letters"):
        list_versions(store, ["letters"], "v9")


def test_a_copy_is_the_release_byte_for_byte_splits_stay_and_an_older_one_takes_no_newer_ones_place(
    source: Path, store: Store, version: str, tmp_path: Path
) -> None:
    target = Store(str(tmp_path / "target"))
    copy = publish_copy(store, "letters", None, target)
    folder = f"datasets/letters/{version}"
    keys = store.list_keys(folder)
    assert target.list_keys(folder) == keys
    assert all(target.read(key) == store.read(key) for key in keys)
    assert (copy.version, copy.copied, copy.kept, copy.latest) == (version, len(keys) - 2, 0, True)
    latest = find_latest(target, "letters")
    assert (latest.version, latest.sound) == (version, True)
    assert read_placements(target, "letters") == read_placements(store, "letters")
    again = publish_copy(store, "letters", None, target)
    assert (again.copied, again.kept) == (0, copy.copied)
    run(LETTERS, source, store, upper=True)
    newer = publish_copy(store, "letters", None, target)
    assert (newer.latest, publish_copy(store, "letters", version, target).latest) == (True, False)
    assert find_version(target, "letters") == newer.version


def test_a_copy_that_was_broken_off_goes_on_and_mends_what_is_wrong(store: Store, version: str, tmp_path: Path) -> None:
    target = Store(str(tmp_path / "target"))

    def stop(path: str) -> None:
        if path == "stats.json":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish_copy(store, "letters", None, target, stop)
    folder = f"datasets/letters/{version}"
    assert find_latest(target, "letters") is None
    assert not target.exists(f"{folder}/{MANIFEST}")
    copied = target.list_keys(folder)
    assert copied
    flip(Path(target.url, copied[0]))
    told: list[str] = []
    publish_copy(store, "letters", None, target, told.append)
    assert not verify_release(target, "letters", version).faults
    assert f"{folder}/{told[0]}" == copied[0]
    assert len(told) == len(store.list_keys(folder)) - 2 - (len(copied) - 1)


def test_what_is_damaged_is_not_published(store: Store, version: str, tmp_path: Path) -> None:
    target = Store(str(tmp_path / "target"))
    flip(find_file(store, version, "stats.json"))
    with pytest.raises(StoreError, match=r"stats\.json is damaged"):
        publish_copy(store, "letters", None, target)
    assert not [key for key in target.list_keys("datasets") if key.endswith(("stats.json", MANIFEST, SUMS))]
    with pytest.raises(ConfigError, match="is the store that the release is in"):
        publish_copy(store, "letters", None, store)
    with pytest.raises(ConfigError, match=f"no whole release v9 of letters; its releases: {version}"):
        publish_copy(store, "letters", "v9", target)
