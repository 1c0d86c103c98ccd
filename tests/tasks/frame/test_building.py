"""Planning and building a unit: what is computed, reused and not tried again, what lands, and an artifact that is damaged."""

import json
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.dataset.units import SourceFile
from core.errors import DamagedArtifactError, SourceError
from core.references import Artifact, CatalogEntry, UnitFailure
from infra.sources.opening import OpenedSources, list_sources
from infra.store.objects import Store
from infra.tables.codecs import Codec, json_codec
from tasks.frame.build import UnitRequest, UnitWork, build_unit, join_checksums, run_stage, safe_name
from tasks.frame.model import INGESTION, LandedFile, SizeLimit, Unit
from tasks.frame.plan import RunPlan
from tasks.pipelines import TRANSCRIPTS
from tests.flows.stories import write_episode
from tests.tasks import in_process
from tests.tasks.in_process import as_landed, make_reference, name_version, read_references, read_rows, run
from tests.tasks.toy import LETTERS, ToyConfig, build_letter, make_pipeline, write_text, write_texts

NUMBER = json_codec(int)


@dataclass
class Counter:
    """A computation that counts how often it is made."""

    value: int = 7
    made: int = 0

    def __call__(self) -> int:
        self.made += 1
        return self.value


def run_number(
    store: Store, compute: Counter, key: str = "f" * 64, earlier: Artifact | None = None
) -> tuple[Artifact, bool, int]:
    known = {earlier.key: earlier.sha256} if earlier is not None else {}
    result = run_stage(store, "letters", "number", "a", key, NUMBER, compute, known)
    return result.artifact, result.computed, result.load()


def test_a_result_is_computed_once_for_a_fingerprint(store: Store) -> None:
    compute = Counter()
    first, computed, value = run_number(store, compute)
    assert (computed, value) == (True, 7)
    assert first.key == f"artifacts/letters/number/a/{'f' * 64}.json"
    assert store.read_if_there(first.key) == (b"7", first.sha256)
    assert run_number(store, compute) == (first, False, 7)
    assert compute.made == 1
    assert run_number(store, compute, "e" * 64)[1]
    assert compute.made == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'"a text"', b"8"])
def test_an_artifact_that_is_another_than_it_was_is_computed_again(
    store: Store, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    first, _, _ = run_number(store, Counter())
    store.write(first.key, damage)
    with caplog.at_level(logging.WARNING):
        assert run_number(store, Counter(), earlier=first if damage == b"8" else None) == (first, True, 7)
    assert f"a: the artifact {first.key} is damaged" in caplog.text
    assert store.read(first.key) == b"7"
    other = replace(first, key="artifacts/letters/number/a/other.json", sha256="0" * 64)
    assert run_number(store, Counter(), earlier=other)[1] is False


def test_a_unit_names_its_artifacts_inputs_and_counts(source: Path, store: Store) -> None:
    path = write_text(source, "a", "One.", "Two.")
    reference = in_process.build(LETTERS, source, store)["a"]
    assert (reference.unit, reference.computed, reference.sources) == ("a", ("text", "size"), ("a.txt",))
    assert list(reference.artifacts) == ["text", "size"]
    assert store.read(reference.inputs[0]) == path.read_bytes()
    assert reference.counts == {"characters": 9}
    assert set(reference.seconds) == {"land", "text", "size"}
    assert json.loads(store.read(reference.artifacts["size"].key)) == 2


def test_a_changed_setting_or_version_computes_what_depends_on_it(source: Path, store: Store) -> None:
    write_text(source, "a")
    old = in_process.build(LETTERS, source, store)["a"]
    assert in_process.build(LETTERS, source, store)["a"].computed == ()
    assert in_process.build(LETTERS, source, store, ToyConfig(upper=True))["a"].computed == ("text", "size")
    assert in_process.build(LETTERS, source, store, ToyConfig(shards=9))["a"].computed == ()
    newer = make_pipeline("letters", LETTERS.load(INGESTION).plan, build_letter, {"text": 1, "size": 2})
    (asked,) = in_process.plan(newer, source, store).requests.values()
    assert build_unit(replace(asked, pipeline=LETTERS)).artifacts == old.artifacts  # a worker with older code
    built = build_unit(asked)
    assert built.computed == ("size",)
    assert built.artifacts != old.artifacts


def test_a_run_repairs_what_a_release_finds_damaged_and_counts_each_unit_once(source: Path, store: Store) -> None:
    write_texts(source, ("a", "b"))
    first = run(LETTERS, source, store)
    before = read_references(store, "letters")
    text, other = (before[unit].artifacts["text"] for unit in ("a", "b"))
    store.write(text.key, store.read(other.key))  # it still reads as an artifact
    store.delete(f"datasets/letters/{name_version(first)}/manifest.json")  # so that the release is written again
    assert name_version(run(LETTERS, source, store)) == name_version(first)
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "b"}
    store.write(text.key, store.read(text.key)[:-1])
    write_text(source, "c")
    write_text(source, "d", "This is bad.")
    summary = run(LETTERS, source, store)
    assert (summary.computed, summary.reused) == (("a", "c"), ("b",))
    assert [failure.unit for failure in summary.quarantined] == ["d"]
    assert len(read_rows(store, "letters", "texts")) == 6
    assert read_references(store, "letters")["a"].artifacts == before["a"].artifacts


def test_a_unit_that_is_damaged_and_cannot_be_built_again_is_named_with_what_to_restore(source: Path, store: Store) -> None:
    write_texts(source, ("a", "b"))
    run(LETTERS, source, store)
    store.delete(read_references(store, "letters")["a"].artifacts["text"].key)
    write_text(source, "a", "This is bad.")
    assert not run(LETTERS, source, store).new_release  # what is published holds the last good state of the unit
    write_text(source, "c")
    for _ in range(2):
        with pytest.raises(DamagedArtifactError, match=r"a: artifacts/letters/text/a/.* restore it from a backup"):
            run(LETTERS, source, store)
    write_text(source, "a")
    assert run(LETTERS, source, store).new_release
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "b", "c"}


@pytest.mark.parametrize("codec", [Codec(".txt", str.encode, bytes.decode), json_codec(str)], ids=["text", "json"])
@pytest.mark.parametrize(("compute", "reason"), [(lambda: "\ud800", "surrogate"), (lambda: nest(), "nested too deeply")])
def test_what_cannot_be_stored_as_text_is_bad_input(
    store: Store, codec: Codec[str], compute: Callable[[], str], reason: str
) -> None:
    with pytest.raises(SourceError, match=f"S01E01: .*{reason}"):
        run_stage(store, "letters", "text", "S01E01", "0" * 64, codec, compute)
    assert store.list_keys("") == []


def nest() -> str:
    return nest()


LIMIT = SizeLimit(2**20, "a transcript", "Divide it into parts")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("transcripts/S01E01.txt", "S01E01.txt"),
        ("transcripts/épisode one.txt", "_pisode_one.txt"),
        ("transcripts/.hidden", "hidden"),
        ("transcripts/...", "_"),
        ("transcripts/a\nb$(x).txt", "a_b__x_.txt"),
        ("transcripts/" + "x" * 300 + ".txt", "x" * 96 + ".txt"),
    ],
)
def test_names_are_made_safe(path: str, name: str) -> None:
    assert safe_name(path) == name


def land(store: Store, file: SourceFile) -> LandedFile:
    unit = Unit(id="S01E01", files=(file,))
    request = UnitRequest(pipeline=LETTERS, unit=unit, sources=OpenedSources(()), store=store.url, config=ToyConfig())
    return UnitWork(request, {}).land(file, LIMIT)


def test_a_file_lands_once_under_its_checksum(tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_bytes(b"\xff\x00 raw")
    store = Store(str(tmp_path / "store"))
    (file,) = list_sources([str(tmp_path)])
    first = land(store, file)
    assert first.key == f"landing/letters/S01E01/{first.sha256}/a_b.txt"
    assert store.read(first.key) == b"\xff\x00 raw"
    time = (tmp_path / "store" / first.key).stat().st_mtime_ns
    assert land(store, file) == first
    assert (tmp_path / "store" / first.key).stat().st_mtime_ns == time


@pytest.mark.parametrize("listed_size", [10, LIMIT.bytes + 1], ids=["grew since it was listed", "listed as too large"])
def test_a_file_that_is_too_large_never_lands(tmp_path: Path, listed_size: int) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(LIMIT.bytes + 1)
    store = Store(str(tmp_path / "store"))
    message = r"a\.txt: 1 MiB; expected a transcript of at most 1 MiB\. Divide it into parts|a\.txt: too large; at most 1,048,576"
    with pytest.raises(SourceError, match=message):
        land(store, SourceFile("a.txt", listed_size, "", str(tmp_path)))
    assert store.list_keys("") == []


def test_the_type_of_a_file_counts_beside_its_content(tmp_path: Path) -> None:
    for name in ("a.txt", "a.SRT"):
        (tmp_path / name).write_bytes(b"same")
    landed = [land(Store("memory://types"), file) for file in list_sources([str(tmp_path)])]
    assert [entry[64:] for entry in join_checksums(landed)] == [".srt", ".txt"]


def plan(source: Path, store: Store, catalog: dict[str, CatalogEntry], config: Any = None, **asked: Any) -> RunPlan:
    return in_process.plan(LETTERS, source, store, config, catalog=catalog, **asked)


def test_what_is_unchanged_is_reused_and_a_changed_file_or_setting_is_looked_at(source: Path, store: Store) -> None:
    write_texts(source, "abc")
    first = plan(source, store, {})
    assert (list(first.to_build), first.list_paths("b")) == (["a", "b", "c"], ("b.txt",))
    catalog = as_landed(first)
    second = plan(source, store, catalog)
    assert (second.to_build, list(second.reused), second.signatures) == ((), ["a", "b", "c"], first.signatures)
    assert len(plan(source, store, catalog, ToyConfig(upper=True)).to_build) == 3
    os.utime(source / "b.txt", (1, 1))
    changed = plan(source, store, catalog)
    assert (list(changed.to_build), list(changed.reused)) == (["b"], ["a", "c"])


def test_a_table_of_aliases_looks_at_every_unit(source: Path, store: Store) -> None:
    write_episode(source, "S01E01")
    catalog = as_landed(in_process.plan(TRANSCRIPTS, source, store))
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    planned = in_process.plan(TRANSCRIPTS, source, store, catalog=catalog)
    assert planned.to_build == ("S01E01",)
    assert planned.requests["S01E01"].shared.tables == ("ANNA\tANNA SMITH\n",)


def test_input_that_failed_is_not_tried_again_until_it_changes(source: Path, store: Store) -> None:
    write_texts(source, "ab")
    first = plan(source, store, {})
    failure = UnitFailure("b", first.list_paths("b"), "build", "it is empty", "SourceError", True)
    catalog = as_landed(first)
    catalog["b"] = replace(catalog["b"], reference=None, failure=failure)
    same = plan(source, store, catalog)
    assert (same.to_build, same.failures) == ((), (failure,))
    os.utime(source / "b.txt", (1, 1))
    changed = plan(source, store, catalog)
    assert (list(changed.to_build), changed.failures) == (["b"], ())


def test_the_last_good_state_of_a_unit_is_kept_where_it_fails_or_is_beyond_the_limit(source: Path, store: Store) -> None:
    write_texts(source, "abc")
    first = plan(source, store, {})
    catalog = as_landed(first)
    assert plan(source, store, catalog, ToyConfig(upper=True), limit=1).earlier == {}, "other settings made it"
    bad = UnitFailure("a", (), "build", "it is empty", "SourceError", True)
    catalog["a"] = replace(catalog["a"], failure=bad)
    again = plan(source, store, catalog, limit=1)
    assert (again.to_build, again.reused, again.failures) == ((), {}, (bad,))
    assert again.earlier == {unit: make_reference(unit) for unit in first.to_build}
