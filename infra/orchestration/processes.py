"""Processes that fabula starts and owns: whether a server answers, and how a process ends with all that it has started."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil

from core.errors import FabulaError

END_SECONDS = 15.0  # how long a process may take to end when it is asked to, before it is killed


class ServerError(FabulaError):
    """A server or a worker did not start, or has ended by itself."""


class OwnedProcess:
    """A program of this Python in a session of its own, which ends with this process, however that ends.

    Ctrl-C, which goes to all of a terminal's foreground group, does not reach it, and whatever it starts can be found.
    """

    def __init__(
        self, name: str, command: Sequence[str], environment: Mapping[str, str], log: Path | None = None, fds: Sequence[int] = ()
    ) -> None:
        """Start `python -m` with the `command`, a module and its arguments; it keeps the files `fds` open.

        What it prints goes to `log`, which is begun anew; without one, to a file that goes with this object.
        """
        self._name = name
        self._place = "" if log is None else f"; {log} ends with"
        self._log = tempfile.TemporaryFile() if log is None else log.open("w+b")  # noqa: SIM115 -- as long as the process lives
        self._process = subprocess.Popen(
            # -P: the folder that the command was called in hides no package
            [sys.executable, "-P", "-m", "infra.orchestration.owned_process", *command],
            env=dict(environment),
            stdin=subprocess.PIPE,  # never written to: it ends when this process does
            stdout=self._log,
            stderr=self._log,
            pass_fds=fds,
            start_new_session=True,
        )

    def find_fault(self) -> str:
        """Return why it cannot answer, "" where nothing is known to be wrong with it."""
        if (status := self._process.poll()) is not None:
            return f"has ended with status {status}"
        return "was stopped" if is_stopped(self._process) else ""

    def check(self, doing: str = "") -> None:
        """Raise ServerError, with the end of what it printed, where it has ended by itself."""
        if self._process.poll() is not None:
            raise self._make_error(f"{self.find_fault()}{doing}")

    def await_answer(self, host: str, port: int, seconds: float, is_given_up: Callable[[], bool] = lambda: False) -> None:
        """Return when Prefect's server, which this process is, answers at an address."""
        end = time.monotonic() + seconds
        while not is_answering(host, port, 2.0):
            self.check(" while it started")
            if is_given_up():
                raise ServerError(f"{self._name} is not waited for any more: the run ends")
            if time.monotonic() > end:
                raise self._make_error(f"does not answer within {seconds:.0f} s")
            time.sleep(0.05)  # a port that nobody listens on refuses at once

    def end(self, seconds: float = END_SECONDS) -> None:
        """End it and all others of its session, as `end_session` does; 0 seconds: at once."""
        if seconds == 0:
            self._process.kill()
        end_session(self._process, max(seconds, 1.0))
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._log.close()

    def _make_error(self, fault: str) -> ServerError:
        size = os.fstat(self._log.fileno()).st_size
        # Not by the stream: the process writes where this would have left the file's position.
        printed = os.pread(self._log.fileno(), 2**16, max(0, size - 2**16)).decode(errors="replace").splitlines()[-15:]
        place = self._place or ". The last lines that it printed:"
        return ServerError("\n".join([f"{self._name} {fault}{place}", *printed] if printed else [f"{self._name} {fault}"]))


def is_answering(host: str, port: int, seconds: float) -> bool:
    """Return whether a Prefect server answers at this address within some seconds."""
    # Not by urllib or httpx: a proxy that the environment names cannot reach this machine's loopback.
    with closing(HTTPConnection(host, port, timeout=seconds)) as connection:
        try:
            connection.request("GET", "/api/health")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False


def is_stopped(process: subprocess.Popen[bytes]) -> bool:
    """Return whether SIGSTOP holds a process."""
    try:
        return bool(psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
    except psutil.NoSuchProcess:
        return False


def end_session(leader: subprocess.Popen[bytes], seconds: float = END_SECONDS) -> None:
    """End a process and all others of the session that it leads: ask them first, and kill them after some seconds each."""
    if is_stopped(leader):
        leader.kill()  # a process that SIGSTOP holds never hears the request
    leader.terminate()
    with suppress(subprocess.TimeoutExpired):
        leader.wait(seconds)
    end_members(leader.pid, seconds)
    with suppress(subprocess.TimeoutExpired):  # only a process that waits for a broken disk outlives a kill
        leader.wait(seconds)


def end_members(leader: int, seconds: float) -> None:
    """End every process of a session but this one: ask them first, and kill them after some seconds."""
    for send in (psutil.Process.terminate, psutil.Process.kill, psutil.Process.kill):
        left = [process for process in _list_session(leader) if process.pid != os.getpid()]
        for process in left:
            with suppress(psutil.NoSuchProcess):
                send(process)
        psutil.wait_procs(left, timeout=seconds)


def kill_descendants() -> None:
    """Kill every process that this one has started, and those that they have started, at once."""
    for _ in range(3):  # one that was just starting appears in the second look
        children = psutil.Process().children(recursive=True)
        if not children:
            return
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, timeout=0.5)


def _list_session(leader: int) -> list[psutil.Process]:
    """Return the living processes of a session; a parent that has ended takes none of them out of it."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, ProcessLookupError, PermissionError):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found
