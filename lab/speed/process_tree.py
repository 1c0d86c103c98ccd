"""Runs a command and measures its process tree: wall time, and the peak memory and processor time of each process."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import psutil

SAMPLE_SECONDS = 0.1
PROCESSES = {
    "uvicorn": "Prefect's embedded server (API, SQLite)",
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


def measure(command: Sequence[str], folder: Path) -> Measurement:
    """Run a command and measure it: wall time, memory of its process tree by sampling, and the JSON object that it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    environment["PREFECT_HOME"] = str(folder / "prefect")
    found: dict[tuple[int, str], ProcessUse] = {}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = perf_counter()
        child = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        root = psutil.Process(child.pid)
        while child.poll() is None:
            for process in list_tree(root):
                try:
                    name, times = _name(process, root), process.cpu_times()
                    before = found.get((process.pid, name))
                    peak = max(_peak_rss(process), before.rss if before else 0)
                    found[process.pid, name] = ProcessUse(name, peak, times.user + times.system)
                except psutil.Error:
                    continue  # the process ended meanwhile
            sleep(SAMPLE_SECONDS)
        seconds = perf_counter() - started
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}:\n{errors.read().decode()[-2000:]}")
        processes = sorted((use for (_, name), use in found.items() if name), key=lambda use: -use.rss)
        return Measurement(seconds, json.loads(output.read()), tuple(processes))


def list_tree(root: psutil.Process) -> list[psutil.Process]:
    """Return a process and those below it; none where it has ended."""
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _peak_rss(process: Any) -> int:
    """Return a process's peak memory, which Linux records, so that no peak falls between samples. Elsewhere: its memory now."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except OSError:
        return int(process.memory_info().rss)
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def _name(process: Any, root: Any) -> str:
    words = process.cmdline()
    if process == root:
        return COMMAND_PROCESS
    if not words or words == root.cmdline():
        return ""  # it ended, or was forked and is about to start another program
    return next((name for mark, name in PROCESSES.items() if mark in " ".join(words)), " ".join(words)[:80])
