"""Shields child processes from Ctrl-C and SIGHUP: a terminal sends them to its whole group, and only the flow may act.

A Dask worker that dies of it first leaves tracebacks, and a flow that waits for it without end.
"""

import signal
from collections.abc import Callable
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

Value = TypeVar("Value")

START_SECONDS = 180.0  # how long a shielded start may take; a Dask cluster takes 3 s on an idle machine


class Flag:
    """A flag that signal handlers may set. With an `Event`, the handler of a second signal would wait for its lock for ever."""

    _set = False

    def set(self) -> None:
        """Set the flag; there is no way back."""
        self._set = True

    def is_set(self) -> bool:
        """Tell whether it was set."""
        return self._set


ENDING = Flag()
"""Set once a signal has asked this process to end: from then on nothing is started again, and nothing is waited for at length."""


def start_shielded(start: Callable[[], Value]) -> Value:
    """Return what `start` returns; the processes that it starts, and those that they or its threads start, never see Ctrl-C.

    The wait for it can be interrupted, and ends with a TimeoutError after `START_SECONDS`.
    """
    ended: SimpleQueue[tuple[Value | None, BaseException | None]] = SimpleQueue()

    def call() -> None:
        # Signal masks are inherited by threads and processes. Starting the tracker of multiprocessing unblocks SIGINT here.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            ended.put((start(), None))
        except BaseException as error:
            ended.put((None, error))

    Thread(target=call, name="shielded start", daemon=True).start()
    try:
        value, error = ended.get(timeout=START_SECONDS)
    except Empty:
        raise TimeoutError(f"it has not started within {START_SECONDS:.0f} s") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]  # None only where `start` returns it
