"""Which runs are in progress: each says so in the store, so that housekeeping leaves alone what it may be about to use."""

import atexit
import os
import socket
import time
from contextlib import suppress
from dataclasses import asdict, dataclass

import psutil
from pydantic import TypeAdapter

from core.errors import FabulaError
from infra.store.objects import Store

_FORGOTTEN_SECONDS = 7 * 24 * 3600
"""A mark this old was left by a run that was killed on a machine that is not asked, or whose process's number another has now."""

_CLOCK_SECONDS = 60.0
"""By so much the machine's clock may be set while a run is in progress: it is what a process's beginning is counted from."""

_marked: dict[str, tuple[Store, int]] = {}
"""The marks of this process, by run: their store, and the process's number."""


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A run in progress: its id and pipeline, the machine and process that it runs in, and when that process began.

    `began` is in seconds since 1970 (0: not known); a process of the same number that began at another time is another one.
    `number` orders runs (`infra.store.history.number_run`).
    """

    run_id: str
    pipeline: str
    host: str
    process: int
    began: float = 0.0
    number: int = 0


MARK = TypeAdapter(RunningRun)
UNREADABLE = "?"
"""The pipeline of a run whose mark is damaged: it may be any."""


def mark_run(store: Store, pipeline: str, run_id: str, number: int = 0) -> None:
    """Write down that this process has begun a run; however the process ends (but for a kill), the mark goes with it."""
    began = psutil.Process().create_time()
    _marked[run_id] = (store, os.getpid())
    store.write_json(_key(run_id), asdict(RunningRun(run_id, pipeline, socket.gethostname(), os.getpid(), began, number)))


def unmark_run(store: Store, run_id: str) -> None:
    """Remove the mark of a run that has ended."""
    store.delete(_key(run_id))
    _marked.pop(run_id, None)


@atexit.register
def unmark_all() -> None:
    """Remove the marks of this process's runs: it ends, or a signal has ended them."""
    for run_id, (store, process) in list(_marked.items()):
        if os.getpid() == process:  # not in a fork
            with suppress(FabulaError, RuntimeError):  # the event loop of a remote store may have ended already
                unmark_run(store, run_id)


def list_running(store: Store) -> list[RunningRun]:
    """Return the runs in progress, by id.

    A mark whose process is gone from this machine says nothing, nor one that is a week old, unless just that process lives here.
    A damaged mark counts, until it is a week old, as a run of the pipeline `UNREADABLE` on another machine.
    """
    now = time.time()
    found: list[RunningRun] = []
    for entry in store.list_objects("running"):
        run = store.read_derived(entry.key, MARK)
        if run is None and not store.exists(entry.key):
            continue  # the run has ended just now
        if run is None:
            run = RunningRun(entry.key.rsplit("/", 1)[-1].removesuffix(".json"), UNREADABLE, "", 0)
        if _is_alive(run, now - entry.modified):
            found.append(run)
    return found


def list_numbers(store: Store) -> list[int]:
    """Return the numbers of the runs that are marked, dead ones too."""
    marks = (store.read_derived(key, MARK) for key in store.list_keys("running"))
    return [mark.number for mark in marks if mark is not None]


def _is_alive(run: RunningRun, age: float) -> bool:
    if run.host != socket.gethostname():
        return age < _FORGOTTEN_SECONDS  # nobody here can tell
    try:
        os.kill(run.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return age < _FORGOTTEN_SECONDS or _is_same(run)


def _is_same(run: RunningRun) -> bool:
    """Tell whether a run's process is the one that has its number now."""
    try:
        return abs(psutil.Process(run.process).create_time() - run.began) < _CLOCK_SECONDS
    except psutil.Error:
        return False


def _key(run_id: str) -> str:
    return f"running/{run_id}.json"
