"""Ctrl-C reaches every process of a terminal's foreground group; only the one that runs the flow must act on it.

A Dask worker or an embedded Prefect server that dies of it first leaves tracebacks, and a flow that waits for it without end.
"""

import signal
from collections.abc import Callable
from multiprocessing import resource_tracker
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

Value = TypeVar("Value")


def start_shielded(start: Callable[[], Value]) -> Value:
    """Return what `start` returns; the processes that it starts, and those that they or its threads start, never see Ctrl-C.

    The wait for it can be interrupted.
    """
    ended: SimpleQueue[tuple[Value | None, BaseException | None]] = SimpleQueue()

    def call() -> None:
        # Signal masks are inherited by threads and processes. The tracker of multiprocessing unblocks SIGINT when it starts.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            ended.put((start(), None))
        except BaseException as error:
            ended.put((None, error))

    Thread(target=call, name="shielded start", daemon=True).start()
    value, error = ended.get()
    if error is not None:
        raise error
    return value  # type: ignore[return-value]  # None only where `start` returns it
