"""The same version, the same bytes: in every store, whatever changed before, and only then."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from infra.store.objects import Store
from infra.store.takedown import add_takedown, remove_takedown
from tasks.pipelines import SCRIPTS
from tests.tasks.films import WORDS, write_film
from tests.tasks.in_process import name_version, read_rows, read_splits, release_folder, run
from tests.tasks.toy import LETTERS, write_text, write_texts

WEIGHTS = dict.fromkeys(("story_max", "clause_max", "story_masked", "clause_masked"), 0.0) | {
    "bm25": WORDS.bm25,
    "roles": WORDS.roles,
}
SETTINGS: tuple[dict[str, Any], ...] = ({}, {"split": {"shares": (0.5, 0.25, 0.25)}}, {"provenance": {"license": "CC0-1.0"}})
FILMS = ("fox", "goose", "heron")


def link(film: str, scene: int, source: str = "me") -> str:
    """Return a line of gold."""
    sentence = "Jack looks for a lantern in the kitchen."
    return json.dumps({"movie_id": film, "sent_idx": 0, "sent": sentence, "scene_idx": [scene], "source": source})


def write_gold(source: Path, *lines: str) -> None:
    (source / "gold").mkdir(exist_ok=True)
    (source / "gold" / "gold.jsonl").write_text("\n".join(lines))


def read_release(store: Store, dataset: str, version: str) -> dict[str, bytes]:
    """Return the bytes of a release's files by path."""
    folder = f"datasets/{dataset}/{version}"
    return {key.removeprefix(folder): store.read(key) for key in store.list_keys(folder)}


def digest(files: dict[str, bytes]) -> str:
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()


def drop_version(files: dict[str, bytes], version: str) -> str:
    """Return what tells releases apart beside their version: a checksum of the files in which it does not stand."""
    said = {path: content.replace(version.encode(), b"") for path, content in files.items() if not path.endswith("SHA256SUMS")}
    manifest = json.loads(said.pop("/manifest.json"))
    manifest["files"] = [file for file in manifest["files"] if file["path"] != "README.md"]
    return digest({**said, "/manifest.json": json.dumps(manifest).encode()})


class Worlds:
    """Random states of a source, its gold, its settings and a takedown list, each released in some store."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        self.folder = folder
        self.stores = [Store(str(folder / f"store-{number}")) for number in range(3)]
        self.releases: dict[str, str] = {}
        self.contents: dict[str, str] = {}

    def release_films(self, number: int) -> None:
        """Release a few films with gold or without, in a store that may know others."""
        draw = self.random
        source = self.folder / f"films-{number}"
        write_film(source, "fox")
        write_film(source, "goose", cast=draw.random() < 0.8)
        lines = draw.choice(([], [link("fox", 0)], [link("fox", 1)], [link("fox", 1, "you")], [link("heron", 0)]))
        if lines:
            write_gold(source, *lines)
        store = draw.choice(self.stores)
        summary = run(SCRIPTS, source, store, alignment={"weights": WEIGHTS}, **draw.choice((SETTINGS[0], *SETTINGS)))
        self._compare(store, "scripts", name_version(summary))

    def release_letters(self, number: int) -> None:
        """Release a few letters, of which some are taken down, under one of two names."""
        draw = self.random
        source = self.folder / f"letters-{number}"
        for letter in sorted(draw.sample("abcd", draw.choice((2, 3)))):
            write_text(source, letter, *(["one", "two"] if draw.random() < 0.7 else ["three"]))
        store, dataset = draw.choice(self.stores), draw.choice(("letters", "other"))
        out = draw.choice(([], ["a"], ["a_0000"], ["b"]))
        if out:
            add_takedown(store, "letters", out, draw.choice(("asked for", "a name")), "2026-01-01")
        try:
            summary = run(LETTERS, source, store, dataset, upper=draw.random() < 0.3)
        finally:
            if out:
                remove_takedown(store, "letters", out)
        if summary.release is not None:
            self._compare(store, dataset, name_version(summary))

    def _compare(self, store: Store, dataset: str, version: str) -> None:
        files = read_release(store, dataset, version)
        assert self.releases.setdefault(version, digest(files)) == digest(files), f"{version} has two states"
        said = drop_version(files, version)
        assert self.contents.setdefault(said, version) == version, f"{version} and {self.contents[said]} have the same content"


def test_the_same_version_has_the_same_bytes_and_another_has_others(tmp_path: Path) -> None:
    worlds = Worlds(tmp_path, 2)
    for number in range(20):
        worlds.release_letters(number)
    for number in range(7):
        worlds.release_films(number)
    assert 8 < len(worlds.releases) < 27  # many states came twice, in another store or after others


def test_gold_that_arrives_later_takes_the_film_out_of_training(source: Path, store: Store) -> None:
    for film in FILMS:
        write_film(source, film)
    fitted = {"min_probability": 0.8, "min_completeness": 0.6}  # with other weights
    settings = {"alignment": {"weights": WEIGHTS}, "filter": fitted}
    first = run(SCRIPTS, source, store, **settings)
    before = read_splits(store, "scripts")
    assert before["fox"] == "train"
    assert read_rows(store, "scripts", "gold") == []
    write_gold(source, link("fox", 3))
    second = run(SCRIPTS, source, store, **settings)
    assert second.computed == ()
    assert second.new_release
    assert name_version(second) != name_version(first)
    assert read_splits(store, "scripts") == before | {"fox": "test"}
    assert {row["movie"] for row in read_rows(store, "scripts", "scripts")} == {"goose", "heron"}
    assert [(row["movie"], row["strict_scenes"]) for row in read_rows(store, "scripts", "gold")] == [("fox", [3])]
    folder = release_folder(store, "scripts")
    assert list(store.read_json(f"{folder}/stats.json")["agreement"]["by_story"]) == ["fox"]
    write_gold(source, link("fox", 4))
    assert run(SCRIPTS, source, store, **settings).new_release
    (source / "gold" / "gold.jsonl").unlink()
    run(SCRIPTS, source, store, **settings)
    assert read_splits(store, "scripts")["fox"] == "test"  # what was once judged by is never trained on


def test_a_run_with_a_limit_leaves_the_pointer_and_says_so(
    source: Path, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_texts(source, "abc")
    whole = run(LETTERS, source, store)
    limited = run(LETTERS, source, store, limit=1, upper=True)
    assert (limited.new_release, limited.latest, limited.limited, limited.overtaken) == (True, False, True, False)
    assert limited.as_json()["latest"] is False
    assert f"had a limit and left units out: latest.json of letters still names {name_version(whole)}" in caplog.text
    assert store.read_json("datasets/letters/latest.json")["version"] == name_version(whole)
    assert len(read_rows(store, "letters", "texts", f"datasets/letters/{name_version(limited)}")) == 2
    assert run(LETTERS, source, store, limit=3, upper=True).latest  # the limit leaves nothing out
    assert run(LETTERS, source, Store(str(tmp_path / "new")), limit=1).latest  # there is nothing to keep


def test_what_the_pointer_tells_of_units_that_left_outlives_the_history(source: Path, store: Store) -> None:
    write_texts(source, (f"t{number}" for number in range(10)))
    first = run(LETTERS, source, store)
    (gone,) = (unit for unit, split in read_splits(store, "letters").items() if split == "test")
    (source / f"{gone}.txt").unlink()
    run(LETTERS, source, store)
    assert gone not in read_splits(store, "letters")
    for key in (*store.list_keys(f"datasets/letters/{name_version(first)}"), "datasets/letters/history.json"):
        store.delete(key)
    write_text(source, gone)
    run(LETTERS, source, store)
    assert read_splits(store, "letters")[gone] == "test"
