"""The whole flow: a release that `datasets` loads, reruns that compute only what changed, and test sets that stay."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infra.store.objects import Store
from infra.store.releases import read_manifest
from tests.flows.calling import Ended
from tests.flows.stories import write_episode


@pytest.fixture(scope="module")
def source(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, and made-up episodes enough for three splits."""
    source = tmp_path_factory.mktemp("source") / "examples"
    shutil.copytree(repository / "examples" / "transcripts", source)
    for number in range(1, 9):
        write_episode(source, f"S02E{number:02d}")
    return source


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def run(fabula: Callable[..., Ended], source: Path, store: Path) -> Callable[[], dict[str, Any]]:
    """Run the pipeline once more and return what `--json` prints."""

    def call() -> dict[str, Any]:
        ended = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
        assert ended.status == 0, ended.err
        return ended.json

    return call


@pytest.fixture(scope="module")
def first(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return run()


def splits(store: Path) -> dict[str, str]:
    manifest = read_manifest(Store(str(store)), "transcripts")
    assert manifest is not None
    return dict(manifest["splits"])


def test_the_object_on_standard_output_has_the_documented_keys(first: dict[str, Any]) -> None:
    counts = ["units", "rows", "rejects", "waiting", "quarantined", "stale", "notices", "empty"]
    assert list(first) == ["run_id", "pipeline", "dataset", "profile", *counts, "release", "latest", "seconds"]
    assert first["pipeline"] == "transcripts"
    assert first["units"] == {"discovered": 13, "computed": 12, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert first["seconds"] > 0


def test_the_release_loads_with_datasets_without_a_network(first: dict[str, Any], load_release: Callable[[str], Any]) -> None:
    loaded = load_release(first["release"])
    assert {"pairs", "train_on", "dialogues", "summaries"} <= set(loaded)
    manifest = Store(first["release"]).read_json("manifest.json")
    written = {file["path"]: file["rows"] for file in manifest["files"] if file["path"].startswith("data/")}
    assert "`train_on`: the pairs of `pairs` to train on" in (Path(first["release"]) / "README.md").read_text()
    for config, rows in loaded.items():
        assert set(rows) <= {"train", "validation", "test"}
        assert set(rows) == {"train", "validation", "test"} or config.startswith("pairs-")  # few recaps tell of a break
        expected = sum(count for path, count in written.items() if path.startswith(f"data/{config}/"))
        assert sum(map(len, rows.values())) == expected


def test_the_checksums_of_a_release_verify(first: dict[str, Any]) -> None:
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=first["release"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    folder = Path(first["release"])
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files - {"SHA256SUMS"} == {line.split(": ")[0] for line in checked.stdout.splitlines()}


def test_reruns_compute_only_what_changed_and_nothing_leaves_the_test_set(
    first: dict[str, Any], run: Callable[[], dict[str, Any]], source: Path, store: Path
) -> None:
    same = run()
    assert same["units"] == first["units"] | {"computed": 0, "reused": 12}
    assert same["release"] == first["release"]
    assert len([entry for entry in (store / "datasets" / "transcripts").iterdir() if entry.is_dir()]) == 1

    placed = splits(store)
    write_episode(source, "S02E03", word="candle")
    write_episode(source, "S01E00")  # sorts before every other
    grown = run()
    assert grown["units"] == first["units"] | {"discovered": 14, "computed": 2, "reused": 11}
    assert grown["release"] != first["release"]
    after = splits(store)
    assert {unit: after[unit] for unit in placed} == placed
    assert set(after) == {*placed, "S01E00"}
    pointer = Store(str(store)).read_json("datasets/transcripts/latest.json")
    assert pointer["path"] == f"datasets/transcripts/{pointer['version']}"
    assert first["release"].endswith(pointer["parent"])
    assert Path(first["release"], "manifest.json").is_file()
