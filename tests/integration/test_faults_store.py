"""Every kind of object in a store, damaged in every way: the doctor finds it, and a run says so and makes it anew."""

import io
import json
import logging
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import StoreError
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.doctor import Check
from infra.store.objects import Store, encode_json, seal_json
from infra.store.takedown import add_takedown
from tasks.frame.ledger import RunCall, RunSummary
from tasks.pipelines import TRANSCRIPTS
from tasks.store.health import examine_store
from tests.flows.stories import write_episode, write_recap

pytestmark = [pytest.mark.faults, pytest.mark.integration]

NOISE = random.Random(7).randbytes(64)


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def fit_another_schema(content: bytes) -> bytes:
    """Return a whole object of the same format that holds something else: a Parquet file, sealed JSON, or a text."""
    if content.startswith(b"PAR1"):
        buffer = io.BytesIO()
        pq.write_table(pa.table({"x": [1]}), buffer)
        return buffer.getvalue()
    return seal_json(encode_json({"version": 5, "x": [None]})) if content.startswith(b"{") else b"x\n"


DAMAGES: dict[str, Callable[[bytes], bytes] | None] = {
    "half": half,
    "emptied": lambda _: b"",
    "removed": None,
    "{}": lambda _: b"{}",
    "[]": lambda _: b"[]",
    "noise": lambda _: NOISE,
    "flipped": flip,
    "other schema": fit_another_schema,
}
ANOTHERS = "another's"
"""The damage that puts another object's content in the place of one, as a mistaken copy does."""

SAME = {
    "catalog pointer": "catalog/transcripts/latest.json",
    "catalog": "catalog/transcripts/*.parquet",
    "units": "catalog/transcripts/units.json",
    "release pointer": "datasets/transcripts/latest.json",
    "history": "datasets/transcripts/history.json",
    "manifest": "datasets/transcripts/*/manifest.json",
    "checksums": "datasets/transcripts/*/SHA256SUMS",
    "card": "datasets/transcripts/*/README.md",
    "rows": "datasets/transcripts/*/data/pairs/train-*.parquet",
    "quarantine": "quarantine/transcripts/*.json",
}
"""Objects that a run with nothing new looks at."""
CHANGED = {
    "dialogue": "artifacts/transcripts/dialogue/S01E02/*",
    "recap": "artifacts/transcripts/recap/S01E02/*",
    "alignments": "artifacts/transcripts/alignments/S01E02/*",
    "contributions": "artifacts/transcripts/contributions/S01E02/*",
    "figures": "artifacts/transcripts/figures/S01E02/*",
    "transcript": "landing/transcripts/S01E02/*.txt",
}
"""Objects that a run with other settings reads."""
GROWN = {
    "decisions": "artifacts/transcripts/decisions/S01E02/*",
    "dialogue of a release": "artifacts/transcripts/dialogue/S01E02/*",
    "figures of a release": "artifacts/transcripts/figures/S01E02/*",
}
"""Objects that the next release is made from."""
NEIGHBOURS = {
    "catalog/transcripts/latest.json": "datasets/transcripts/latest.json",
    "catalog/transcripts/*.parquet": "datasets/transcripts/*/data/pairs/train-*.parquet",
    "catalog/transcripts/units.json": "runs/*.json",
    "datasets/transcripts/latest.json": "catalog/transcripts/latest.json",
    "datasets/transcripts/history.json": "datasets/transcripts/latest.json",
    "datasets/transcripts/*/manifest.json": "datasets/transcripts/*/stats.json",
    "datasets/transcripts/*/SHA256SUMS": "datasets/transcripts/*/README.md",
    "datasets/transcripts/*/README.md": "datasets/transcripts/*/ATTRIBUTION.md",
    "datasets/transcripts/*/data/pairs/train-*.parquet": "catalog/transcripts/*.parquet",
    "quarantine/transcripts/*.json": "datasets/transcripts/history.json",
    # The contributions of the other episodes are the same numbers.
    "artifacts/transcripts/contributions/S01E02/*": "artifacts/transcripts/figures/S01E02/*",
}
"""Whose content takes the place of an object's; of a unit's, it is that of another unit."""
NOT_MISSED = {"units", "quarantine", "transcript"}
"""Objects that a run writes without a word where they are not there: it cannot tell that they ever were."""


@dataclass(frozen=True, slots=True)
class Calm:
    """A store after a run, its source, and the bytes of the releases that the next run leaves, by what it is asked."""

    folder: Path
    released: dict[str, dict[str, object]]


def run(folder: Path, how: str, store: Path) -> RunSummary:
    """Run once more: on the same five episodes, with another filter, or with the sixth episode too."""
    call = RunCall(
        source=(str(folder / "source"),),
        store=str(store),
        dataset="transcripts",
        settings={"filter": {"min_turns": 3}} if how == "changed" else {},
        limit=None if how == "grown" else 5,
        in_process=True,
    )
    return run_pipeline(TRANSCRIPTS, call, InProcessMapper(), Nobody())


def read_released(store: Path) -> dict[str, object]:
    """Return every file of the releases, and the pointer but for the number of the run that has written it."""
    files = (path for path in (store / "datasets").rglob("*") if path.is_file() and path.name != "history.json")
    found: dict[str, object] = {path.relative_to(store).as_posix(): path.read_bytes() for path in files}
    for key in [key for key in found if key.endswith("/latest.json")]:
        pointer = json.loads((store / key).read_bytes())
        found[key] = {name: value for name, value in pointer.items() if name not in ("run", "seal")}
    return found


def read_history(store: Path) -> dict[str, str]:
    history: dict[str, str] = Store(str(store)).read_json("datasets/transcripts/history.json")["splits"]
    return history


def examine(store: Path) -> list[Check]:
    """Return what the doctor finds, but for what is as it should be."""
    return [check for check in examine_store(str(store), deep=True) if check.remedy]


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Calm:
    folder = tmp_path_factory.mktemp("calm")
    for number in range(1, 6):
        write_episode(folder / "source", f"S01E{number:02d}", word=("lantern", "candle", "torch", "lamp")[number % 4])
    write_recap(folder / "source", "S01E00.md")
    (folder / "source" / "transcripts" / "S01E00.txt").write_text("")
    run(folder, "same", folder / "store")
    released = {}
    for how in ("same", "changed", "grown"):
        shutil.copytree(folder / "store", folder / how)
        run(folder, how, folder / how)
        released[how] = read_released(folder / how)
    assert examine(folder / "store") == []
    return Calm(folder, released) if len(released["grown"]) > len(released["same"]) else pytest.fail("nothing grew")


@pytest.fixture
def store(calm: Calm, tmp_path: Path) -> Path:
    shutil.copytree(calm.folder / "store", tmp_path / "store")
    return tmp_path / "store"


def damage(store: Path, pattern: str, how: str) -> str:
    """Damage the one object of a pattern, and return its key."""
    keys = [key for key in Store(str(store)).list_keys("") if fnmatch(key, pattern)]
    assert len(keys) == 1, keys
    if how == ANOTHERS:
        wanted = NEIGHBOURS.get(pattern, pattern.replace("S01E02", "S01E03"))
        (other, *_) = [key for key in Store(str(store)).list_keys("") if fnmatch(key, wanted)]
        (store / keys[0]).write_bytes((store / other).read_bytes())
        return keys[0]
    change, path = DAMAGES[how], store / keys[0]
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes()))
    return keys[0]


def list_cases() -> Iterator[tuple[str, str, str, str]]:
    for how, kinds in (("same", SAME), ("changed", CHANGED), ("grown", GROWN)):
        for kind, pattern in kinds.items():
            for name in (*DAMAGES, ANOTHERS):
                yield kind, pattern, name, how


@pytest.mark.parametrize(("kind", "pattern", "name", "how"), list(list_cases()))
def test_what_is_damaged_is_found_told_and_made_anew(
    calm: Calm, store: Path, caplog: pytest.LogCaptureFixture, kind: str, pattern: str, name: str, how: str
) -> None:
    key = damage(store, pattern, name)
    found = examine(store)
    silent = name == "removed" and kind in NOT_MISSED
    assert [check.finding for check in found if check.finding.startswith(key)] or (silent and kind != "transcript"), found
    if name == "flipped" and kind in ("rows", "card"):  # a run does not read the data of a release: the doctor says what to do
        (finding,) = found
        manifest = finding.remedy.split()[1].rstrip(",")
        key = manifest
        (store / manifest).unlink()
    if name == "flipped" and kind == "quarantine":
        assert found[0].remedy.startswith("remove it")
        (store / key).unlink()
        silent = True
    with caplog.at_level(logging.WARNING):
        summary = run(calm.folder, how, store)
    said = [record.getMessage() for record in caplog.records if key in record.getMessage()]
    assert silent or said, caplog.text
    assert summary.release is not None
    assert [failure.unit for failure in summary.quarantined] == ["S01E00"]
    assert read_released(store) == calm.released[how]
    assert read_history(store) == read_history(calm.folder / how)
    assert examine(store) == []
    if name != "half":  # the store is healed as after any other damage: once tells that nothing is left of it
        return
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        again = run(calm.folder, how, store)
    assert (again.computed, again.new_release, caplog.messages) == ((), False, [])


@pytest.mark.parametrize("name", DAMAGES)
def test_without_history_and_manifest_the_run_says_what_to_restore(calm: Calm, store: Path, name: str) -> None:
    damage(store, SAME["history"], name)
    damage(store, SAME["manifest"], "half")
    assert any(check.state == "problem" and "Restore the history" in check.remedy for check in examine(store))
    with pytest.raises(StoreError, match=r"history\.json is damaged or missing.*test set could move to training.*backup"):
        run(calm.folder, "same", store)


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "removed"])
def test_a_damaged_takedown_list_is_never_taken_for_an_empty_one(calm: Calm, store: Path, name: str) -> None:
    add_takedown(Store(str(store)), "transcripts", ["S01E01"], "asked for", "2026-01-01T00:00:00+00:00")
    key = damage(store, "takedown/transcripts/S01E01.json", name)
    assert any(check.state == "problem" and key in check.finding for check in examine(store))
    with pytest.raises(StoreError, match=r"takedown/transcripts/S01E01\.json is damaged"):
        run(calm.folder, "same", store)


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "removed"])
def test_marks_and_records_of_runs_stop_nothing(calm: Calm, store: Path, name: str) -> None:
    opened = Store(str(store))
    opened.write_json("running/1.json", {"run_id": "1", "pipeline": "transcripts", "host": "h", "process": 1, "began": 0.0})
    keys = {damage(store, "running/1.json", name), damage(store, "runs/*.json", name)}
    assert {check.finding.split(":")[0] for check in examine(store)} == keys
    assert run(calm.folder, "same", store).computed == ()
    assert read_released(store) == calm.released["same"]


def test_many_damaged_units_are_built_in_one_go(calm: Calm, store: Path, caplog: pytest.LogCaptureFixture) -> None:
    for unit in ("S01E01", "S01E02", "S01E03", "S01E04"):
        damage(store, f"artifacts/transcripts/dialogue/{unit}/*", "flipped")
        damage(store, f"artifacts/transcripts/figures/{unit}/*", "removed")
    with caplog.at_level(logging.WARNING):
        summary = run(calm.folder, "grown", store)
    assert len([message for message in caplog.messages if "the unit is built anew" in message]) == 8
    assert len(summary.computed) == 5
    assert read_released(store) == calm.released["grown"]
    assert examine(store) == []


def test_a_unit_whose_input_has_gone_bad_is_named(calm: Calm, store: Path) -> None:
    transcript = calm.folder / "source" / "transcripts" / "S01E02.txt"
    content = transcript.read_bytes()
    key = damage(store, GROWN["decisions"], "half")
    transcript.write_text("")
    try:
        with pytest.raises(StoreError, match=f"S01E02: {key} is missing or damaged.*restore it from a backup"):
            run(calm.folder, "grown", store)
    finally:
        transcript.write_bytes(content)


def test_the_history_of_another_dataset_is_not_taken_for_ones_own(
    calm: Calm, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = read_history(store)
    path = store / "datasets" / "transcripts" / "history.json"
    foreign = json.loads(path.read_text())
    del foreign["seal"]
    other = {"splits": {"S09E01": "test"}, "releases": {"0" * 16: next(iter(foreign["releases"].values()))}}
    Store(str(store)).write_json("datasets/transcripts/history.json", other)
    (found,) = examine(store)
    assert found.finding.startswith("datasets/transcripts/history.json: damaged: it does not know release ")
    with caplog.at_level(logging.WARNING):
        run(calm.folder, "same", store)
    assert "history.json is damaged (it does not know release " in caplog.text
    assert read_history(store) == own
    assert examine(store) == []
