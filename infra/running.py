"""Which runs are in progress: each says so in the store, so that housekeeping leaves alone what it may be about to use."""

import atexit
import os
import socket
import time
from contextlib import suppress
from dataclasses import asdict, dataclass

from core.errors import FabulaError
from infra.store import Store

_FORGOTTEN_SECONDS = 7 * 24 * 3600
"""A mark this old was left by a run that was killed on a machine that is not asked."""


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A run in progress: its id and pipeline, and the machine and process that it runs in."""

    run_id: str
    pipeline: str
    host: str
    process: int


def mark_run(store: Store, pipeline: str, run_id: str) -> None:
    """Write down that this process has begun a run; however the process ends (but for a kill), the mark goes with it."""
    store.write_json(_key(run_id), asdict(RunningRun(run_id, pipeline, socket.gethostname(), os.getpid())))
    atexit.register(_forget, store, run_id, os.getpid())


def unmark_run(store: Store, run_id: str) -> None:
    """Remove the mark of a run that has ended."""
    store.delete(_key(run_id))


def list_running(store: Store) -> list[RunningRun]:
    """Return the runs in progress, by id. A mark whose process is gone from this machine, or a week old, says nothing."""
    now = time.time()
    marks = (entry for entry in store.list_objects("running") if now - entry.modified < _FORGOTTEN_SECONDS)
    found = (store.read_json_if_there(entry.key) for entry in marks)
    return [run for value in found if value is not None and _is_alive(run := RunningRun(**value))]


def _is_alive(run: RunningRun) -> bool:
    if run.host != socket.gethostname():
        return True  # nobody here can tell
    try:
        os.kill(run.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _forget(store: Store, run_id: str, process: int) -> None:
    if os.getpid() == process:  # not in a fork
        with suppress(FabulaError, RuntimeError):  # the event loop of a remote store may have ended already
            store.delete(_key(run_id))


def _key(run_id: str) -> str:
    return f"running/{run_id}.json"
