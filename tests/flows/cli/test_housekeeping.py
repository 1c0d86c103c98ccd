"""`fabula doctor`, `prune` and `takedown` as a user calls them."""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from tests.flows.calling import Fabula
from tests.flows.stories import write_episode


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source")
    for number in range(1, 5):
        write_episode(source, f"S01E{number:02d}")
    return source


@pytest.fixture(scope="module")
def store(fabula: Fabula, source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that has seen a run, a takedown and another run, all a month ago."""
    store = tmp_path_factory.mktemp("store")
    call = ("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
    assert fabula(*call).status == 0
    pair = pq.read_table(next((store / "datasets/transcripts").glob("*/data/pairs/train-*.parquet")))["id"][0].as_py()
    for name in ("S01E02", pair):
        added = fabula("takedown", "add", name, "--pipeline", "transcripts", "--reason", "asked for", "--store", store)
        assert (added.status, "added: 1, already on the list: 0" in added.out) == (0, True)
    second = fabula(*call)
    assert second.json["units"] == {"discovered": 3, "computed": 0, "reused": 3, "waiting": 0, "quarantined": 0, "removed": 0}
    for path in store.rglob("*"):
        os.utime(path, (time.time() - 30 * 86400,) * 2)
    return store


def test_the_release_after_a_takedown_is_without_it_and_says_so(store: Path) -> None:
    pointer = json.loads((store / "datasets/transcripts/latest.json").read_text())
    manifest = json.loads((store / pointer["path"] / "manifest.json").read_text())
    assert manifest["takedown"] == {
        "units": {"asked for": 1},
        "rows": {"pairs": {"asked for": 1}, "alignments": {"asked for": 1}},
    }
    ids = {name for path in (store / pointer["path"]).rglob("*.parquet") for name in map(str, pq.read_table(path).to_pylist())}
    assert not any("S01E02" in row for row in ids)
    assert list(store.glob("running/*")) == [], "a run leaves no mark"


def test_what_the_takedown_changed_is_told(fabula: Fabula, store: Path) -> None:
    shown = fabula("diff", "transcripts", "--store", store)
    assert shown.status == 0
    assert re.search(r"^removed +takedown +\d+$", shown.out, flags=re.MULTILINE)
    assert "units that are gone: S01E02" in shown.out
    found = fabula("diff", "transcripts", "--store", store, "--json").json
    assert {"change": "removed", "why": "takedown"}.items() <= found["counts"][0].items()
    assert found["units"] == {"added": [], "removed": ["S01E02"]}
    wrong = fabula("diff", "transcripts", "a", "b", "c", "--store", store)
    assert (wrong.status, "3 versions; expected an old one and a new one at most" in wrong.err) == (2, True)


def test_the_list_is_shown_and_wrong_calls_are_told(fabula: Fabula, store: Path) -> None:
    listed = fabula("takedown", "list", "--pipeline", "transcripts", "--store", store, "--json")
    assert [entry["reason"] for entry in listed.json] == ["asked for"] * 2
    shown = fabula("takedown", "list", "--pipeline", "transcripts", "--store", store)
    assert [line.split()[0] for line in shown.out.splitlines()] == ["id", *(entry["id"] for entry in listed.json)]
    unknown = fabula("takedown", "remove", "S09E09", "--pipeline", "transcripts", "--store", store)
    assert (unknown.status, "is not on the takedown list" in unknown.err) == (2, True)
    call = ("takedown", "add", "S01E12", "--pipeline", "transcripts", "--reason", "asked for", "--store", store)
    refused = fabula(*call)
    assert (refused.status, "no unit or row 'S01E12' (did you mean S01E0" in refused.err) == (2, True)
    assert fabula(*call, "--force").status == 0
    assert fabula("takedown", "remove", "s01e12", "--pipeline", "transcripts", "--store", store).status == 0
    typo = fabula("takedown", "list", "--pipeline", "transcript", "--store", store)
    assert (typo.status, "the pipelines are" in typo.err) == (2, True)


def test_prune_shows_then_removes_then_has_nothing_to_do_and_a_run_computes_nothing(
    fabula: Fabula, store: Path, source: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copytree(store, tmp_path / "store"))
    call = ("prune", "--store", store, "--keep-releases", "1", "--json")
    before = sorted(store.rglob("*"))
    shown = fabula(*call)
    assert (shown.status, shown.json["removed"]) == (0, False)
    assert shown.json["bytes"] == sum(part["bytes"] for part in shown.json["parts"]) > 0
    table = fabula(*call[:-1])
    assert table.out.startswith("would remove ")
    assert "Nothing was removed." in table.out
    assert sorted(store.rglob("*")) == before
    assert fabula(*call, "--yes").json["parts"] == shown.json["parts"]
    assert fabula(*call, "--yes").json["parts"] == []
    assert list(store.rglob("S01E02*")) == [store / "takedown/transcripts/S01E02.json"]
    again = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
    assert again.json["units"] == {"discovered": 3, "computed": 0, "reused": 3, "waiting": 0, "quarantined": 0, "removed": 0}


def test_doctor_says_ok_and_what_is_missing(fabula: Fabula, tmp_path: Path) -> None:
    with temporary_settings({PREFECT_API_URL: None}):  # as in a process that has none
        well = fabula("doctor", "--store", tmp_path, "--json")
    assert well.status == 0, well.out
    assert {check["name"]: check["state"] for check in well.json["checks"]}.items() >= {
        "packages": "ok", "store": "ok", "Prefect": "ok",
    }.items()  # fmt: skip
    (tmp_path / "taken").write_text("a file")
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
        ill = fabula("doctor", "--store", tmp_path / "taken")
    assert ill.status == 1
    rows = [line.split() for line in ill.out.splitlines()]
    assert rows[0] == ["state", "check", "finding"]
    assert ["problem", "store"] in [row[:2] for row in rows]
    assert "do: start it with `fabula serve`" in ill.out


def test_a_damaged_release_ends_verify_with_status_1_and_is_not_published(fabula: Fabula, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    done = fabula("publish", "transcripts", copy, "--store", store)
    assert (done.status, "0 were there already" in done.out) == (0, True)
    assert fabula("verify", "--store", copy).status == 0
    path = next(copy.rglob("stats.json"))
    path.write_bytes(path.read_bytes().replace(b"{", b"[", 1))
    told = fabula("verify", "--store", copy)
    assert (told.status, "stats.json" in told.out) == (1, True)
    refused = fabula("publish", "transcripts", tmp_path / "second", "--store", copy)
    assert (refused.status, "stats.json is damaged" in refused.err) == (1, True)
