"""A disk that becomes full below the store."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.store.running import unmark_all
from tests.flows.calling import Ended, Fabula
from tests.integration.fault_runs import BAD, GOOD, Command, Landed, check_calm, hash_files, list_finished

pytestmark = [pytest.mark.integration, pytest.mark.faults]


def mount(folder: Path, options: str) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount one (root): {mounted.stderr.strip()}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 384 KiB: enough for some of the episodes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount(folder, "size=384k")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk(command: Command, prefect_server: dict[str, str], stories: Path, calm: Landed, disk: Path) -> None:
    process = command.start(stories, disk / "store", **prefect_server)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "No space left on device" in err
    finished = list_finished(disk / "store")
    assert 0 < len(finished) < len(GOOD)
    for unit in {*GOOD, BAD} - finished:
        assert unit in err
    assert not list(disk.rglob(".writing-*"))
    assert not (disk / "store" / "datasets" / "transcripts" / "latest.json").exists()

    mount(disk, "remount,size=64m")
    ended = command.resume_here(shlex.split(err.splitlines()[-1]))
    assert ended["units"]["computed"] == 12 - len(finished)
    check_calm(disk / "store", calm)


@pytest.mark.parametrize("name", ["threads", "rooms"])
def test_a_full_disk_under_shards_and_rooms(name: str, fabula: Fabula, repository: Path, disk: Path, tmp_path: Path) -> None:
    source = repository / "examples" / name

    def run(store: Path) -> Ended:
        words = ("run", name, "--source", source, "--config", source / "settings.toml", "--in-process", "--store", store)
        return fabula(*words, FABULA_PSEUDONYM_KEY="k" * 64)  # else each store makes a key of its own

    assert run(tmp_path / "calm").status == 0
    mount(disk, "remount,size=128k")
    ended = run(disk / "store")
    unmark_all()  # what the end of a process does
    assert (ended.status, "Traceback" in ended.err) == (1, False)
    assert "No space left on device" in ended.err
    assert not [*disk.rglob(".writing-*"), *disk.glob("store/running/*"), *disk.glob("store/datasets/*/latest.json")]

    mount(disk, "remount,size=64m")
    assert run(disk / "store").status == 0
    releases = [
        {path: sha256 for path, sha256 in hash_files(store / "datasets" / name).items() if path.count("/")}
        for store in (disk / "store", tmp_path / "calm")
    ]
    assert releases[0] == releases[1]
