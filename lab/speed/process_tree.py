"""Measures process trees: the peak memory and processor time of each process, and of a command also its wall time."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any

import psutil

SAMPLE_SECONDS = 0.2
PROCESSES = {
    "owned_process": "Prefect's embedded server (API, SQLite)",
    "forkserver": "Dask worker, or the process that it is a fork of (numpy, scipy, numba, spaCy, pyarrow)",
    "spawn_main": "Dask worker (numpy, scipy, numba, spaCy, pyarrow; one unit or shard at a time)",
    "resource_tracker": "multiprocessing's resource tracker",
}
COMMAND_PROCESS = "fabula (command, flow, task threads, Dask scheduler and nannies)"


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """A process of a run: its description, its peak resident memory (bytes) and its processor time (seconds)."""

    process: str
    rss: int
    cpu: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured process: its wall time in seconds, the JSON object that it printed, and its process tree, largest first."""

    seconds: float
    output: dict[str, Any]
    processes: tuple[ProcessUse, ...]

    @property
    def cpu(self) -> float:
        """Processor seconds of the whole process tree, up to the last sample of each process."""
        return sum(process.cpu for process in self.processes)


class Sampler:
    """Samples processes and those below them until it is stopped.

    `roots` are processes by their ids. `name` says what a process below a root is; "": it is not counted.
    """

    def __init__(self, roots: Mapping[int, str], name: Callable[[psutil.Process, psutil.Process, str], str]) -> None:
        self._roots = {psutil.Process(pid): role for pid, role in roots.items()}
        self._name = name
        self._found: dict[tuple[int, str], ProcessUse] = {}
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> tuple[ProcessUse, ...]:
        """Return the processes that were there, the largest first."""
        self._ended.set()
        self._thread.join()
        return tuple(sorted((use for use in self._found.values() if use.process), key=lambda use: -use.rss))

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            for root, role in self._roots.items():
                for process in list_tree(root):
                    try:
                        name, times = self._name(process, root, role), process.cpu_times()
                        before = self._found.get((process.pid, name))
                        peak = max(_peak_rss(process), before.rss if before else 0)
                        self._found[process.pid, name] = ProcessUse(name, peak, times.user + times.system)
                    except psutil.Error:
                        continue  # the process ended meanwhile


def measure(command: Sequence[str], folder: Path) -> Measurement:
    """Run a command and measure it: wall time, memory of its process tree by sampling, and the JSON object that it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    environment["PREFECT_HOME"] = str(folder / "prefect")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = perf_counter()
        child = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        sampler = Sampler({child.pid: COMMAND_PROCESS}, _name_process)
        child.wait()
        seconds = perf_counter() - started
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}:\n{errors.read().decode()[-2000:]}")
        return Measurement(seconds, json.loads(output.read()), sampler.stop())


def list_tree(root: psutil.Process) -> list[psutil.Process]:
    """Return a process and those below it; none where it has ended."""
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _peak_rss(process: psutil.Process) -> int:
    """Return a process's peak memory, which Linux records, so that no peak falls between samples. Elsewhere: its memory now."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except OSError:
        return int(process.memory_info().rss)
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def _name_process(process: psutil.Process, root: psutil.Process, role: str) -> str:
    words = process.cmdline()
    if process == root:
        return role
    if not words or words == root.cmdline():
        return ""  # it ended, or was forked and is about to start another program
    return next((name for mark, name in PROCESSES.items() if mark in " ".join(words)), " ".join(words)[:80])
