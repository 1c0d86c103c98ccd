"""Marks of runs in progress. Each run writes one to the store, so that housekeeping removes nothing that the run may use.

A mark also names the splits in which the run will place units that no release has yet, so that another run places them alike.
"""

import atexit
import os
import random
import socket
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace

import psutil
from pydantic import TypeAdapter

from core.dataset.splits import Split
from core.errors import FabulaError, StoreError
from infra.store.objects import Store

_FORGOTTEN_SECONDS = 7 * 24 * 3600
"""A mark this old is stale: its run was killed on another host, or its process number was reused."""

_CLOCK_SECONDS = 60.0
"""How far the machine's clock may be moved during a run: the start time of a process is counted from it."""

LONGEST_WAIT = 120.0  # seconds that a process waits for another one's decision, which takes a few requests to the store
_marked: dict[str, tuple[Store, "RunningRun"]] = {}  # the marks of this process, by run, with their store


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A run in progress: its id and pipeline, the machine and process that it runs in, and when that process began.

    `began` is in seconds since 1970 (0: not known). `number` orders runs (`infra.store.history.number_run`). `splits` are of
    units of `dataset` that it is about to release and no release has yet.
    """

    run_id: str
    pipeline: str
    host: str
    process: int
    began: float = 0.0
    number: int = 0
    dataset: str = ""
    splits: Mapping[str, Split] = field(default_factory=dict)


MARK = TypeAdapter(RunningRun)
UNREADABLE = "?"  # the pipeline of a run whose mark is damaged: it may be any


def mark_run(store: Store, pipeline: str, run_id: str, number: int = 0) -> None:
    """Write the mark of a run that this process has begun. It is removed when the process ends, except by a kill."""
    _write_mark(store, replace(_describe_process(run_id), pipeline=pipeline, number=number))


def claim_splits(store: Store, run_id: str, dataset: str, splits: Mapping[str, Split]) -> None:
    """Add to a run's mark the splits in which it will place new units of a dataset."""
    mark = _marked[run_id][1]
    _write_mark(store, replace(mark, dataset=dataset, splits={**mark.splits, **splits}))


def read_claims(store: Store, dataset: str) -> dict[str, Split]:
    """Return the splits in which runs in progress are about to place units of a dataset."""
    return {unit: split for run in list_running(store) if run.dataset == dataset for unit, split in run.splits.items()}


@contextmanager
def alone(store: Store, subject: str, longest_wait: float | None = None) -> Iterator[None]:
    """Run the block while no other process runs one on the same subject in this store.

    The store only has to list what was written before. A process writes a ticket, and enters when a listing shows no other one.
    Of two that see each other's tickets, the one with the greater name removes its own and tries again. After
    `longest_wait` seconds of waiting (None: `LONGEST_WAIT`) a StoreError is raised.
    """
    longest_wait = LONGEST_WAIT if longest_wait is None else longest_wait
    folder, own = f"deciding/{subject}", uuid.uuid4().hex
    ticket, end = f"{folder}/{own}.json", time.monotonic() + longest_wait
    try:
        while others := _enter(store, folder, ticket, own):
            if time.monotonic() > end:
                who = others[0]
                found = f"process {who.process} on {who.host or 'an unknown machine'} has been changing {subject}"
                remedy = f"run again once it has ended; if it is gone, remove {folder}/{who.run_id}.json first"
                raise StoreError(f"store {store.url}: {found} for {longest_wait:.0f} s; {remedy}")
            if min(who.run_id for who in others) < own:
                store.delete(ticket)
            time.sleep(random.uniform(0.02, 0.2))
        yield
    finally:
        store.delete(ticket)


def _enter(store: Store, folder: str, ticket: str, own: str) -> list[RunningRun]:
    """Put down a ticket, and return those of others; what dead processes have left is removed."""
    if not store.exists(ticket):
        store.write_json(ticket, asdict(_describe_process(own)))
    alive, dead = _list_marks(store, folder)
    store.delete_all(dead)
    return [run for run in alive if run.run_id != own]


def _describe_process(run_id: str) -> RunningRun:
    return RunningRun(run_id, "", socket.gethostname(), os.getpid(), psutil.Process().create_time())


def _write_mark(store: Store, mark: RunningRun) -> None:
    store.write_json(f"running/{mark.run_id}.json", asdict(mark))
    _marked[mark.run_id] = (store, mark)


def unmark_run(store: Store, run_id: str) -> None:
    """Remove the mark of a run that has ended; nothing happens where it is gone already."""
    if _marked.pop(run_id, None) is not None:
        store.delete(f"running/{run_id}.json")


@atexit.register
def unmark_all() -> None:
    """Remove the marks of this process's runs: it ends, or a signal has ended them."""
    for run_id, (store, mark) in list(_marked.items()):
        if os.getpid() == mark.process:  # not in a fork
            with suppress(FabulaError, RuntimeError):  # the event loop of a remote store may have ended already
                unmark_run(store, run_id)


def list_running(store: Store) -> list[RunningRun]:
    """Return the runs in progress, by id.

    A mark is ignored if its process has ended on this machine, or if it is a week old and that very process does not run here.
    A damaged mark that is younger counts as a run of the pipeline `UNREADABLE` on another machine.
    """
    return _list_marks(store, "running")[0]


def _list_marks(store: Store, folder: str) -> tuple[list[RunningRun], list[str]]:
    """Return the marks of living processes by id, and the keys of stale ones."""
    now = time.time()
    alive: list[RunningRun] = []
    stale: list[str] = []
    for entry in store.list_objects(folder):
        run = store.read_derived(entry.key, MARK)
        if run is None and not store.exists(entry.key):
            continue  # the run has ended just now
        if run is None:
            run = RunningRun(entry.key.rsplit("/", 1)[-1].removesuffix(".json"), UNREADABLE, "", 0)
        if _is_alive(run, now - entry.modified):
            alive.append(run)
        else:
            stale.append(entry.key)
    return alive, stale


def list_numbers(store: Store) -> list[int]:
    """Return the numbers of the runs that are marked, dead ones too."""
    marks = (store.read_derived(key, MARK) for key in store.list_keys("running"))
    return [mark.number for mark in marks if mark is not None]


def _is_alive(run: RunningRun, age: float) -> bool:
    if run.host != socket.gethostname():
        return age < _FORGOTTEN_SECONDS  # nobody here can tell
    try:
        os.kill(run.process, 0)
    except (ProcessLookupError, OverflowError):  # no process has a number that is too large for the system
        return False
    except PermissionError:
        pass
    if age < _FORGOTTEN_SECONDS:
        return True
    try:  # an old mark counts only if its own process still lives, not another one with the same number
        return abs(psutil.Process(run.process).create_time() - run.began) < _CLOCK_SECONDS
    except psutil.Error:
        return False
