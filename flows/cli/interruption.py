"""Ctrl-C, SIGTERM and SIGHUP end a run the same way: in order, within a time, and at once when Ctrl-C comes twice."""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType

from infra.orchestration.interrupts import ENDING
from infra.orchestration.processes import kill_descendants
from infra.store.running import unmark_all

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENDING_SECONDS = 60.0
"""How long an end in order may take; then it ends at once. A remote store or a busy machine may take half of it."""
UNMARK_SECONDS = 1.0
"""How long an end at once may take to remove the marks; one that is left names a process that is gone, and counts for nothing."""
SHOW_CURSOR = "\x1b[?25h"
"""What a progress bar, cut off, owes to the terminal."""


@contextmanager
def ending_on_signals(resume: str) -> Iterator[None]:
    """Let a signal end the block, and then the command.

    The marks of this process's runs are removed, the command that resumes is printed, and the exit status is 128 plus the
    signal's number. A second Ctrl-C, or `ENDING_SECONDS` without an end, kills what this process has started and ends it.
    A signal that is ignored (nohup) stays ignored.
    """
    ending = _Ending(resume)
    try:
        with ending.listening():
            yield
            ending.check()
    except BaseException as error:  # once a signal has come, any error may come of it
        if ending.number is None and not isinstance(error, KeyboardInterrupt):
            raise
        unmark_all()
        ending.say("interrupted; nothing that was finished is lost")
        raise SystemExit(128 + (ending.number or signal.SIGINT)) from None


class _Ending:
    def __init__(self, resume: str) -> None:
        self.number: int | None = None
        self._resume = resume
        self._raised = False
        self._said = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle the signals inside the block, and from the first one on until the process ends."""
        handled = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._interrupt) for number in handled}
        # Python's handlers wait until the main thread comes back from whatever it does. The bytes that arrive here do not wait,
        # and they also arrive while Prefect has replaced our handler for SIGTERM with its own.
        reader, writer = socket.socketpair()
        writer.setblocking(False)
        descriptor = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        Thread(target=self._watch, args=(reader,), name="signals", daemon=True).start()
        try:
            yield
        finally:
            if self.number is None:
                signal.set_wakeup_fd(descriptor)
                for number, handler in before.items():
                    signal.signal(number, handler)
                writer.close()  # ends the thread
            else:
                self._kept = writer  # a second Ctrl-C must be heard until the end

    def check(self) -> None:
        """Raise the interrupt once more: somebody caught it, who had just finished."""
        if self.number is not None:
            raise KeyboardInterrupt

    def say(self, message: str) -> None:
        """Print how to go on, once, as the last line."""
        if not self._said:
            self._said = True
            with suppress(OSError):
                os.write(2, f"{message}. Go on with:\n{self._resume}\n".encode())

    def _interrupt(self, number: int, _: FrameType | None) -> None:
        self._begin(number)
        if not self._raised:  # signals that come after the first do not break off the end in order
            self._raised = True
            raise KeyboardInterrupt

    def _begin(self, number: int) -> None:
        if self.number is None:
            self.number = number
        ENDING.set()

    def _watch(self, reader: socket.socket) -> None:
        deadline: float | None = None
        while True:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([reader], [], [], wait)[0]:
                self._end_at_once(f"stopped after {ENDING_SECONDS:.0f} s of trying to end in order")
            received = reader.recv(64)
            if not received:
                return
            for number in (number for number in received if number in SIGNALS):
                if deadline is not None and number == signal.SIGINT:
                    self._end_at_once("stopped at once; nothing that was finished is lost")
                if deadline is None:
                    deadline = time.monotonic() + ENDING_SECONDS
                    self._begin(number)

    def _end_at_once(self, message: str) -> None:
        if sys.stderr.isatty():
            with suppress(OSError):
                os.write(2, SHOW_CURSOR.encode())
        self.say(message)
        with suppress(OSError):  # the line that resumes stays the last, whatever the threads that lose their processes say
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        unmark = Thread(target=unmark_all, name="unmark", daemon=True)
        unmark.start()
        unmark.join(UNMARK_SECONDS)
        with suppress(Exception):
            kill_descendants()
        os._exit(128 + (self.number or signal.SIGINT))
