"""A time limit around one call; and how long this process has run.

Python code is broken off by an exception in its own thread. Code that gives the interpreter no chance to raise it (a regular
expression that backtracks without end, a library that hangs) ends with its process, where that is a worker of its own.
"""

import ctypes
import faulthandler
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock, Timer, get_ident

from core.errors import TimeLimitError

UNIT_SECONDS = 1800.0  # how long one unit may take: the longest of the corpora takes under two minutes
_IMPORTED = time.monotonic()

GRACE_SECONDS = 60.0  # how long code that was broken off may take to come back, before its worker is ended


class _BrokenOff(BaseException):
    """Raised in the thread of a call that is over its limit; it is no `Exception`, so that no handler on the way catches it."""


@contextmanager
def time_limit(seconds: float | None, ends_process: bool = False) -> Iterator[None]:
    """Break the block off after `seconds`, with a TimeLimitError; without a number there is no limit.

    `ends_process`: where the block cannot be broken off, this process is ended `GRACE_SECONDS` after the limit.
    """
    if seconds is None:
        yield
        return
    thread, lock, state = get_ident(), Lock(), {"inside": True}

    def break_off() -> None:
        with lock:
            if state["inside"]:
                _raise_in(thread, _BrokenOff)

    timer = Timer(seconds, break_off)
    timer.daemon = True
    try:
        timer.start()
        if ends_process:
            # Its thread is not Python's: it ends a process whose interpreter is stuck too.
            faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True, file=_open_nowhere())
        try:
            yield
        finally:
            with lock:
                state["inside"] = False
            _raise_in(thread, None)  # an exception still on its way would arrive in the next unit
            timer.cancel()
            if ends_process:
                faulthandler.cancel_dump_traceback_later()
    except _BrokenOff:
        told = f"broken off: it took longer than the {seconds:g} s that a unit may take"
        raise TimeLimitError(f"{told}. Look at its input, divide it, or give it more time (--unit-seconds)") from None


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise `error` at its next step; None takes back what it has not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error))


@cache
def _open_nowhere() -> int:
    """Return a file descriptor that takes a traceback and shows it to nobody; the process keeps one."""
    return os.open(os.devnull, os.O_WRONLY)


def count_seconds() -> float:
    """Return the seconds since this process began, start-up and imports included. Setting the clock does not change them.

    On systems without /proc they count from the import of this module.
    """
    try:
        # Field 22 of /proc/PID/stat (man 5 proc), in clock ticks since the start of the system; the name before may have spaces.
        ticks = int(Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return time.monotonic() - _IMPORTED
