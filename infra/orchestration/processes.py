"""Processes that fabula starts and owns: whether a server answers, and how a process ends with all that it has started."""

import os
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException

import psutil

from core.errors import FabulaError

END_SECONDS = 15.0
"""How long a process may take to end when it is asked to, before it is killed."""


class ServerError(FabulaError):
    """A server or a worker did not start, or has ended by itself."""


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
    """End a process and all others of its session: ask them first, and kill them after some seconds.

    Args:
        leader: the process that was started with a session of its own.
        seconds: how long the leader may take, and then how long the others may.
    """
    if is_stopped(leader):
        leader.kill()  # a process that SIGSTOP holds never hears the request
    leader.terminate()
    with suppress(subprocess.TimeoutExpired):
        leader.wait(seconds)
    left = _list_session(leader.pid)
    for process in left:
        _signal(process.terminate)
    _, alive = psutil.wait_procs(left, timeout=seconds)
    for process in [*alive, *_list_session(leader.pid)]:
        _signal(process.kill)
    with suppress(subprocess.TimeoutExpired):  # only a process that waits for a broken disk outlives a kill
        leader.wait(seconds)


def end_others(seconds: float) -> None:
    """End every other process of this one's session: ask them first, and kill them after some seconds."""
    own = os.getpid()
    for send in (psutil.Process.terminate, psutil.Process.kill, psutil.Process.kill):
        left = [process for process in _list_session(os.getsid(0)) if process.pid != own]
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
            _signal(child.kill)
        psutil.wait_procs(children, timeout=0.5)


def _signal(send: Callable[[], None]) -> None:
    with suppress(psutil.NoSuchProcess):
        send()


def _list_session(leader: int) -> list[psutil.Process]:
    """Return the living processes of a session; a parent that has ended takes none of them out of it."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, ProcessLookupError, PermissionError):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found
