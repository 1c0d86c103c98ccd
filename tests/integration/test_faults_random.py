"""A random killer: a run of 48 units is disturbed at a random moment in a random way; a plain rerun ends as a calm run does.

Where the scheduler is to be killed, the run uses a Dask scheduler and a worker that are processes of their own, as in production.
FAULTS_ROUNDS: how many rounds (30). FAULTS_SEED: what they are drawn from; it is printed, so that a round can be had again.
"""

import logging
import os
import random
import signal
import subprocess
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from infra.store.objects import Store
from tasks.store.health import examine_store
from tests.flows.stories import write_episode
from tests.integration.fault_runs import (
    Command,
    find_server,
    finish,
    hash_files,
    list_left,
    list_workers,
    started_cluster,
    wait_until,
)
from tests.integration.test_faults_store import DAMAGES

pytestmark = [pytest.mark.integration, pytest.mark.faults]

logger = logging.getLogger(__name__)

UNITS = 48
ROUNDS = int(os.environ.get("FAULTS_ROUNDS", "30"))
SEED = os.environ.get("FAULTS_SEED") or str(random.SystemRandom().randrange(10**6))
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
KINDS = ("signal", "signal", "worker", "server", "scheduler", "store")
EXPECTED = {"signal": {0, -signal.SIGKILL, *(128 + sent for sent in SIGNALS)}, "scheduler": {0, 1, 2}}
"""Exit statuses of a run that was disturbed, 0 alone where none is said: it has to go on without what was killed."""
WORDS = ("lantern", "candle", "torch", "lamp", "mirror", "compass")


@dataclass(frozen=True, slots=True)
class Calm:
    """The source, and what a run that nothing disturbs leaves of it: SHA-256 by key."""

    source: Path
    store: Path
    files: dict[str, str]


def read_lasting(store: Path) -> dict[str, str]:
    """Return the SHA-256 by key of landed files, artifacts and releases; pointers and records name times of runs."""
    found = {}
    for area in ("landing", "artifacts", "datasets"):
        found |= {f"{area}/{path}": sha256 for path, sha256 in hash_files(store / area).items()}
    passing = ("datasets/transcripts/history.json", "datasets/transcripts/latest.json")
    return {key: sha256 for key, sha256 in found.items() if key not in passing}


@pytest.fixture(scope="module")
def calm(command: Command, tmp_path_factory: pytest.TempPathFactory) -> Calm:
    folder = tmp_path_factory.mktemp("random")
    for number in range(UNITS):
        write_episode(folder / "source", f"S{number // 12 + 1:02d}E{number % 12 + 1:02d}", f"{WORDS[number % 6]} {number}")
    command.run_here(folder / "source", folder / "store")
    return Calm(folder / "source", folder / "store", read_lasting(folder / "store"))


def count_files(store: Path) -> int:
    return sum(path.is_file() for path in store.rglob("*"))


def wait_for_moment(process: "subprocess.Popen[str]", store: Path, files: int) -> None:
    """Wait until a run has written so many files, or has ended."""
    wait_until(lambda: process.poll() is not None or count_files(store) >= files, timeout=600)


def end_one(found: list[psutil.Process], draw: random.Random) -> str:
    """Kill one of some processes, if any is there."""
    if not found:
        return "none there"
    victim = draw.choice(found)
    try:
        victim.kill()
    except psutil.NoSuchProcess:
        return "gone"
    return "killed"


def damage_one(store: Path, draw: random.Random) -> tuple[str, str]:
    """Damage one object of a store; return its key and how."""
    keys = [key for key in Store(str(store)).list_keys("") if not key.startswith("runs/")]
    key, how = draw.choice(keys), draw.choice(sorted(DAMAGES))
    change, path = DAMAGES[how], store / key
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes()))
    return key, how


def disturb(kind: str, process: "subprocess.Popen[str]", draw: random.Random, scheduler: "subprocess.Popen[str] | None") -> str:
    """Disturb a run in progress; return what was done."""
    if process.poll() is not None:
        return f"{kind}: the run had ended"
    if kind == "signal":
        sent = draw.choice(SIGNALS)
        os.kill(process.pid, sent)
        return sent.name
    if scheduler is not None:
        scheduler.kill()
        return "scheduler: killed"
    server = find_server(process)
    return f"{kind}: {end_one(list_workers(process) if kind == 'worker' else [server] if server is not None else [], draw)}"


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_run_that_is_disturbed_at_random_ends_as_a_calm_one(
    number: int, command: Command, calm: Calm, free_port: Callable[[], int], tmp_path: Path
) -> None:
    draw = random.Random(f"{SEED} {number}")
    kind = draw.choice(KINDS)
    store, moment, port = tmp_path / "store", draw.randrange(count_files(calm.store)), free_port()
    damaged = ""
    with started_cluster(command, port) if kind == "scheduler" else nullcontext() as scheduler:
        process = command.start(calm.source, store, *(("--scheduler", f"tcp://127.0.0.1:{port}") if scheduler else ()))
        if kind == "store":  # what no catalog knows yet cannot be told from what is whole: docs/reliability.md
            finish(process)
            damaged, how = damage_one(store, draw)
            told = f"store: {how}: {damaged}"
        else:
            wait_for_moment(process, store, moment)
            told = f"{disturb(kind, process, draw, scheduler)} after {moment} files"
            _, err = process.communicate(timeout=600)
            expected = EXPECTED.get(kind, {0})
            assert process.returncode in expected, (told, err)
            assert "Traceback" not in err, (told, err)
            told += f", status {process.returncode}"
    wait_until(lambda: not list_left(process), timeout=120)
    again = command.start(calm.source, store, *draw.choice([(), ("--in-process",)]))
    ended = finish(again)
    logger.info("seed %s, round %d: %s; %s", SEED, number, told, ended["units"])
    print(f"FAULTS_SEED={SEED} round {number}: {told}")
    wait_until(lambda: not list_left(again), timeout=120)
    assert (store / "datasets" / "transcripts" / "latest.json").is_file(), told
    files = read_lasting(store)  # the version of the release is in its keys
    other = {key for key in calm.files.keys() | files.keys() if calm.files.get(key) != files.get(key)}
    assert other <= {damaged}, told
    if other:  # no run had to read it: the doctor names it
        assert any(check.finding.startswith(damaged) for check in examine_store(str(store), deep=True)), told
