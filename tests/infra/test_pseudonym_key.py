"""The store's own key: made once, by whoever comes first; the environment's wins; nothing weak or damaged passes in silence."""

import threading
from pathlib import Path

import pytest

from core.errors import ConfigError, StoreError
from infra import pseudonym_key
from infra.pseudonym_key import FOLDER, KEY, find_pseudonym_keys, find_weakness, identify_key, read_pseudonym_key
from infra.store.objects import Store
from infra.store.takedown import add_takedown


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.delenv(KEY)
    monkeypatch.setattr(pseudonym_key, "_SETTLE", 0.0)
    return Store(str(tmp_path))


def test_a_key_is_made_once_and_is_nobody_elses(store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert find_pseudonym_keys(store) == []
    key = read_pseudonym_key(store)
    assert len(key) == 64
    assert read_pseudonym_key(store) == read_pseudonym_key(Store(store.url), identify_key(key)) == key
    assert read_pseudonym_key(Store(str(tmp_path / "other"))) != key
    assert caplog.text.count("a key of the pseudonyms was made: private/pseudonyms/") == 2


def test_runs_that_make_it_at_once_end_with_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudonym_key, "_SETTLE", 0.3)
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(read_pseudonym_key(Store(store.url)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert set(found) == {read_pseudonym_key(store)}
    assert len(store.list_keys(FOLDER)) == 1


def test_a_worker_finds_the_key_of_its_run_though_another_is_first_now(store: Store) -> None:
    store.write(f"{FOLDER}/b.key", b"1" * 64)
    store.write(f"{FOLDER}/a.key", b"0" * 64)
    assert read_pseudonym_key(store) == b"1" * 64
    assert read_pseudonym_key(store, identify_key(b"0" * 64)) == b"0" * 64


def test_the_environments_key_wins_and_a_worker_with_another_stops(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    own = read_pseudonym_key(store)
    monkeypatch.setenv(KEY, "one")
    assert read_pseudonym_key(store) == b"one"
    assert "3 characters" in find_weakness()
    with pytest.raises(ConfigError, match="to one value everywhere"):
        read_pseudonym_key(store, identify_key(own))


def test_a_damaged_key_is_no_reason_for_another(store: Store) -> None:
    store.write(f"{FOLDER}/0.key", b"")
    with pytest.raises(StoreError, match=r"private/pseudonyms/0\.key is damaged"):
        read_pseudonym_key(store)


def test_a_takedown_of_earlier_pseudonyms_is_not_made_void(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add_takedown(store, "threads", ["author-27b9f7c67bd9417a"], "asked", "2026-11-22T18:00:00+00:00")
    with pytest.raises(ConfigError, match="1 authors by their pseudonyms"):
        read_pseudonym_key(store)
    monkeypatch.setenv(KEY, "fabula")
    assert read_pseudonym_key(store) == b"fabula"


def test_an_author_who_is_out_does_not_come_back_by_another_key(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    key = read_pseudonym_key(store)
    author = "author-27b9f7c67bd9417a"
    add_takedown(store, "threads", [author], "asked", "2026-11-22T18:00:00+00:00", {author: [identify_key(key)]})
    assert read_pseudonym_key(store) == key
    monkeypatch.setenv(KEY, "another key of 20 letters")
    with pytest.raises(ConfigError, match=f"1 authors by their pseudonyms .{author}.* restore private/pseudonyms/"):
        read_pseudonym_key(store)
    monkeypatch.delenv(KEY)
    store.write(store.list_keys(FOLDER)[0], b"ab" * 32)  # the key of another store, copied over this one's
    with pytest.raises(ConfigError, match="the key that made these is not here"):
        read_pseudonym_key(store)
    assert read_pseudonym_key(store, identify_key(b"ab" * 32)) == b"ab" * 32  # whoever plans a run has looked at the list


def test_a_store_of_the_public_key_is_told_that_it_is_computed_anew(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.write("artifacts/threads/dialogues/shard/x.parquet", b"x")
    read_pseudonym_key(store)
    assert "all threads are computed anew" in caplog.text
