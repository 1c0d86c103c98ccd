"""What the fault tests share: a source, the command that is disturbed, and what a store must hold in the end."""

import hashlib
import json
import logging
import os
import shlex
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from tests.flows.calling import Ended, call_here
from tests.flows.stories import write_episode
from tests.integration.conftest import BIN

logger = logging.getLogger(__name__)

GOOD = tuple(f"S02E{number:02d}" for number in range(1, 13))
BAD = "S02E90"
MARK = "FAULTS_RUN"
"""A variable that every process of a run inherits, whatever session it is in; its value is the run's own."""
MARKS: dict[int, str] = {}
PRELOAD = {"DASK_DISTRIBUTED__WORKER__PRELOAD": str(Path(__file__).with_name("fault_preload.py"))}


def write_source(source: Path, bad: Collection[str] = (BAD,), good: Sequence[str] = GOOD) -> None:
    """Write good episodes and a bad one; the transcripts of bad ones are empty."""
    for number, unit in enumerate((*good, BAD)):
        write_episode(source, unit, f"lantern{number}")
    for unit in bad:
        (source / "transcripts" / f"{unit}.txt").write_text("")


@dataclass(frozen=True, slots=True)
class Command:
    """`fabula` on this machine, with an environment of its own."""

    environment: Mapping[str, str]
    cwd: Path
    started: list["subprocess.Popen[str]"] = field(default_factory=list)

    def start(self, source: str | Path, store: str | Path, *options: str, **variables: str) -> "subprocess.Popen[str]":
        """Start `fabula run transcripts` on two workers, at the head of a process group of its own, as a shell does."""
        words = ["run", "transcripts", "--source", str(source), "--store", str(store), "--json", *options]
        return self.call([str(BIN / "fabula"), *words, *([] if "--scheduler" in options else ["--workers", "2"])], **variables)

    def call(self, words: list[str], **variables: str) -> "subprocess.Popen[str]":
        mark = uuid4().hex
        process = subprocess.Popen(
            words,
            env={**self.environment, "PATH": f"{BIN}:{os.environ['PATH']}", MARK: mark, **variables},
            cwd=self.cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=hear_signals,
        )
        self.started.append(process)
        MARKS[process.pid] = mark
        return process

    def end(self) -> None:
        """End what a failed test has left."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()

    def run(self, source: str | Path, store: str | Path, *options: str, **variables: str) -> dict[str, Any]:
        """Run it to its end, which must be good; return what `--json` prints and, as `err`, what it said."""
        return finish(self.start(source, store, *options, **variables))

    def run_here(self, source: str | Path, store: str | Path) -> dict[str, Any]:
        """Do as `run`, in the test's own process: for what a run leaves or finds, whoever maps its units."""
        return self.resume_here(["fabula", "run", "transcripts", "--source", str(source), "--store", str(store), "--json"])

    def resume_here(self, words: Sequence[str]) -> dict[str, Any]:
        """Give the command that resumes a run, in the test's own process, without Prefect and Dask."""
        assert words[0] == "fabula"
        return read_end(call_here([*words[1:], "--in-process"], self.environment, self.cwd))


def hear_signals() -> None:
    """Take back what nohup, or a script's background job, has ignored for the tests: a command would keep it."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def finish(process: "subprocess.Popen[str]", timeout: float = 900) -> dict[str, Any]:
    """Wait for a run, whose end must be good; return what `--json` prints and, as `err`, what it said."""
    out, err = process.communicate(timeout=timeout)
    return read_end(Ended(process.returncode, out, err))


def read_end(ended: Ended) -> dict[str, Any]:
    """Return what `--json` has printed of a run that has ended well and, as `err`, what it said."""
    assert ended.status == 0, ended.err
    told = dict(ended.json)
    logger.info("%s in %.1f s", told["units"], told["seconds"])
    return told | {"err": ended.err}


def count_units(computed: int, reused: int, quarantined: int = 1) -> dict[str, int]:
    """Return the counts that `--json` must print of so many units."""
    counts = {"discovered": computed + reused + quarantined, "computed": computed, "reused": reused, "waiting": 0}
    return counts | {"quarantined": quarantined, "removed": 0}


def check_units(ended: Mapping[str, Any], landed: int, killed: int, quarantined: int = 1) -> None:
    """Check the counts of a run that began with an empty store and lost `killed` workers.

    A worker that dies between its last artifact and its answer leaves a unit that the next worker finds, and does not compute.
    """
    found = ended["units"]["reused"]
    assert 0 <= found <= killed
    assert ended["units"] == count_units(landed - found, found, quarantined)


@dataclass(frozen=True, slots=True)
class Landed:
    """What a store holds of the pipeline: checksums by key of landed files, artifacts, and the release that counts."""

    version: str
    landing: dict[str, str]
    artifacts: dict[str, str]
    release: dict[str, str]


def read_landed(store: Path) -> Landed:
    """Look at a store on a disk; the pointer, the checksums and the files of the release must agree with each other."""
    pointer = json.loads((store / "datasets" / "transcripts" / "latest.json").read_text())
    release = hash_files(store / pointer["path"])
    assert release["manifest.json"] == pointer["manifest_sha256"]
    sums = (line.split("  ") for line in (store / pointer["path"] / "SHA256SUMS").read_text().splitlines())
    assert {path: sha256 for sha256, path in sums} == {path: release[path] for path in release if path != "SHA256SUMS"}
    landing, artifacts = (hash_files(store / area / "transcripts") for area in ("landing", "artifacts"))
    return Landed(pointer["version"], landing, artifacts, release)


def check_calm(store: Path, calm: Landed) -> None:
    """Check that a store holds what a run leaves that nothing disturbs, with the bad episode alone in quarantine."""
    assert read_landed(store) == calm
    assert list_quarantined(store) == {BAD}


def hash_files(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder by its path in it; what a killed process was writing does not count."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".writing-"))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def list_quarantined(store: Path) -> set[str]:
    return {json.loads(path.read_text())["unit"] for path in (store / "quarantine" / "transcripts").glob("*.json")}


def read_record(store: Path, ended: Mapping[str, Any]) -> dict[str, Any]:
    return dict(json.loads((store / "runs" / f"{ended['run_id']}.json").read_text()))


def list_finished(store: Path) -> set[str]:
    """Return the units whose last stage is in a store on a disk."""
    figures = (store / "artifacts" / "transcripts" / "figures").glob("*/*")
    return {path.parent.name for path in figures if not path.name.startswith(".writing-")}


def read_times(store: Path, units: Collection[str]) -> dict[Path, int]:
    """Return when each artifact of some units was written, in nanoseconds."""
    files = (path for path in (store / "artifacts").rglob("*") if path.is_file() and path.parent.name in units)
    return {path: path.stat().st_mtime_ns for path in files}


def wait_until(condition: Callable[[], object], process: "subprocess.Popen[str] | None" = None, timeout: float = 900) -> None:
    """Wait for a condition while the process runs."""
    end = time.monotonic() + timeout
    while not condition():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"the run ended too early: {process.communicate()}")
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


@contextmanager
def started_cluster(command: Command, port: int, threads: int = 1) -> Iterator["subprocess.Popen[str]"]:
    """Start a Dask scheduler and a worker as processes of their own, as in production; yield the scheduler."""
    dask = [str(BIN / "dask")]
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = command.call([*dask, "scheduler", "--port", str(port), *local])
    worker = command.call([*dask, "worker", f"tcp://127.0.0.1:{port}", "--nthreads", str(threads), "--no-nanny", *local])
    try:
        wait_until(lambda: is_open(port), scheduler, timeout=120)
        yield scheduler
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.communicate(timeout=60)


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def list_workers(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Return the Dask workers of a run: the forks of the process that has imported what all of them need."""
    children = psutil.Process(process.pid).children(recursive=True)
    servers = [child.pid for child in children if "forkserver" in read_words(child)]
    return [child for child in children if "forkserver" in read_words(child) and child.ppid() in servers]


def find_server(process: "subprocess.Popen[str]") -> psutil.Process | None:
    """Return the Prefect server of a run, if it has started."""
    children = psutil.Process(process.pid).children()
    return next((child for child in children if "infra.orchestration.guarded_server" in read_words(child)), None)


def read_words(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def list_left(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Return the processes that a run has started and that still live, wherever they are."""
    found = []
    for other in psutil.process_iter():
        try:
            if other.environ().get(MARK) == MARKS[process.pid] and other.status() != psutil.STATUS_ZOMBIE:
                found.append(other)
        except psutil.Error:
            continue
    return found


def list_marks(store: Path) -> list[Path]:
    """Return the marks of runs in progress on a store on a disk."""
    return list((store / "running").glob("*"))


def expect_stopped(process: "subprocess.Popen[str]", store: Path, number: int) -> list[str]:
    """Wait for the end of a run that a signal has stopped, and of all its processes; return the command that goes on with it."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 128 + number, err
    assert out == ""
    assert "Traceback" not in err
    wait_until(lambda: not list_left(process), timeout=60)
    assert not list_marks(store)
    *_, last_but_one, last = err.splitlines()
    assert last_but_one.endswith("Go on with:")
    return shlex.split(last)


def read_state(command: Command) -> str:
    """Return the name of the state in which Prefect's database says that the command's last flow is."""
    with closing(sqlite3.connect(Path(command.environment["PREFECT_HOME"]) / "prefect.db")) as database:
        (name,) = database.execute("select state_name from flow_run order by created desc limit 1").fetchone()
    return str(name)


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill a run's own process, and nothing else of it."""
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=300)
