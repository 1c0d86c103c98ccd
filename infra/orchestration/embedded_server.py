"""The Prefect server of one command: a process that this one owns, watches, starts again where it fails, and ends.

Prefect would start such a server too, but nobody would look after it: a call to one that was killed takes a minute to fail.
This process keeps the listening socket. A client that connects while the server starts again is served when the server is back.
"""

import logging
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

from filelock import FileLock, Timeout

from infra.orchestration.absent_server import AbsentServer
from infra.orchestration.interrupts import ENDING
from infra.orchestration.prefect_home import check_home, find_home
from infra.orchestration.processes import ServerError, end_session, is_answering, is_stopped

START_SECONDS = 180.0
"""How long the first start may take. It makes the database: 10 s on an idle machine."""
RESTART_SECONDS = 45.0
"""How long later starts may take together: Prefect's client tries a call for 62 s, so none fails before this is decided."""
STARTS = 3
"""Attempts to start again before the run goes on without records."""
RESTARTS = 5
"""Servers in a row that may fail in one command before the run goes on without records."""
CHECK_SECONDS = 1.0
"""Pause between two looks at the server."""
ANSWER_SECONDS = 2.0
"""How long the server may take to answer a look."""
SILENT_LOOKS = 5
"""Looks without an answer after which the server is killed: 15 s, since SQLite can hold a busy server for some seconds."""
HURRIED_LOOKS = 2
"""The same, once a signal has asked the command to end."""
DRAIN_SECONDS = 20.0
"""How long the last records may take to reach the server."""
HURRIED_SECONDS = 5.0
"""The same, and the server's own end, once a signal has asked the command to end."""
END_SECONDS = 10.0
"""How long the server may take to write the last records and to end, before it is killed."""

# Prefect starts its own temporary server by the same words: without UI, and with the services that record runs only.
_EPHEMERAL = {
    "PREFECT_UI_ENABLED": "0",
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT_SERVER_LOGGING_LEVEL": "ERROR",
    # No flow here uses a block. To write their types into a new database takes 5 s of processor time, to compare them 1 s.
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
}

_SERVER = ("infra.orchestration.owned_process", "infra.orchestration.guarded_server")
"""The modules of the server's program: the second, run by the first."""

logger = logging.getLogger(__name__)


class EmbeddedServer:
    """A server on a free port of the loopback, with the database of the user's PREFECT_HOME."""

    def __init__(self) -> None:
        """Take a port; no process is started yet."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._listener.setblocking(False)
        self._port: int = self._listener.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._absent: AbsentServer | None = None
        self._restarts = 0
        self._stop = Event()
        self._watch: Thread | None = None

    @property
    def url(self) -> str:
        """The address of the API, for as long as this process lives."""
        return f"http://127.0.0.1:{self._port}/api"

    @property
    def is_recording(self) -> bool:
        """Whether there is a server: False once the run goes on without records."""
        return self._process is not None and self._absent is None

    @property
    def pid(self) -> int | None:
        """The number of the server's process."""
        return self._process.pid if self._process is not None else None

    def launch(self) -> None:
        """Start the process, unless it runs already; return at once."""
        if self._absent is not None:
            self._absent.close()
            self._absent = None
        if self._process is not None:
            return
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- the process writes to it for as long as it lives
        self._process = subprocess.Popen(
            # -P: the user's folder hides no package
            [sys.executable, "-P", "-m", *_SERVER, "--fd", str(self._listener.fileno())],
            env={name: value for name, value in os.environ.items() if name != "PREFECT_API_URL"} | _EPHEMERAL,
            stdin=subprocess.PIPE,  # never written to: it ends when this process does
            stdout=self._log,
            stderr=self._log,
            pass_fds=[self._listener.fileno()],
            start_new_session=True,  # out of Ctrl-C's reach: the server takes the last records after the flow has ended
        )

    def start(self) -> None:
        """Start the process, wait until it answers, and watch it from then on.

        Raises:
            ServerError: it ended, or it does not answer; the message has the end of what it printed.
        """
        self._stop.clear()
        self.launch()
        self._await_answer(START_SECONDS)
        self._restarts = 0
        self._watch = Thread(target=self._supervise, name="Prefect server watch", daemon=True)
        self._watch.start()

    def close(self) -> None:
        """Let the last records reach the server, then end it; later calls of Prefect's client are refused at once."""
        try:
            if self._watch is not None:
                self._drain()
        finally:  # an interrupt of the wait breaks off only the wait
            self._stop.set()
            if self._watch is not None:
                self._watch.join(RESTART_SECONDS)
                self._watch = None
            self._end(HURRIED_SECONDS if ENDING.is_set() else END_SECONDS)
            self._stand_in()

    def _supervise(self) -> None:
        silent = 0
        while not self._stop.wait(CHECK_SECONDS):
            assert self._process is not None
            status = self._process.poll()
            if status is not None:
                self._replace(f"has ended with status {status}")
            elif is_stopped(self._process):
                self._replace("was stopped")
            elif is_answering("127.0.0.1", self._port, ANSWER_SECONDS):
                silent = 0
                continue
            elif (silent := silent + 1) >= (HURRIED_LOOKS if ENDING.is_set() else SILENT_LOOKS):
                self._replace("does not answer")
            else:
                continue
            silent = 0
            if self._absent is not None:
                return

    def _replace(self, failure: str) -> None:
        """Start the server again on its database; where that fails, go on without one. Either is told once."""
        # Prefect's client prints a line for each event that it cannot send. One line says it all, and is printed here.
        logging.getLogger("prefect._internal.concurrency").setLevel(logging.CRITICAL)
        self._end(0)
        self._restarts += 1
        if ENDING.is_set() or self._stop.is_set():  # the run ends: its last records are not worth a wait
            self._stand_in()
            return
        if self._restarts <= RESTARTS and self._restart():
            _tell(f"Prefect's server {failure}; it was started again, and the run's records go on")
            Thread(target=_send_again, name="send again", daemon=True).start()
            return
        self._stand_in()
        if not (ENDING.is_set() or self._stop.is_set()):
            _tell(f"Prefect's server {failure} and cannot be started again; the run goes on without records in Prefect")

    def _restart(self) -> bool:
        deadline = time.monotonic() + RESTART_SECONDS
        for _ in range(STARTS):
            try:
                self.launch()
                self._await_answer(deadline - time.monotonic())
            except (ServerError, OSError):
                self._end(0)
            else:
                return True
            if ENDING.is_set() or self._stop.is_set() or time.monotonic() > deadline:
                break
        return False

    def _await_answer(self, seconds: float) -> None:
        assert self._process is not None
        deadline = time.monotonic() + seconds
        # The listening socket is there already: a question waits in its queue until the server takes it.
        while not is_answering("127.0.0.1", self._port, 0.5):
            if (status := self._process.poll()) is not None:
                raise ServerError(f"Prefect's server has ended with status {status} while it started{self._read_log()}")
            if time.monotonic() > deadline:
                raise ServerError(f"Prefect's server does not answer within {seconds:.0f} s{self._read_log()}")
            if ENDING.is_set() or self._stop.is_set():
                raise ServerError("Prefect's server is not waited for any more: the run ends")

    def _read_log(self) -> str:
        assert self._log is not None
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()[-15:]
        return "\n".join([". The last lines that it printed:", *lines]) if lines else ""

    def _end(self, seconds: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if seconds == 0:
            process.kill()
        end_session(process, max(seconds, 1.0))
        assert process.stdin is not None
        process.stdin.close()
        if self._log is not None:
            self._log.close()

    def _stand_in(self) -> None:
        if self._absent is None:
            self._absent = AbsentServer(self._listener)

    def _drain(self) -> None:
        """Wait until Prefect's client has sent what it holds, as long as somebody takes it."""
        worker = sys.modules.get("prefect.events.worker")
        if worker is None:
            return
        # In a thread: the call itself waits for locks before it looks at its time-out. The services are those of logs too.
        drain = Thread(target=lambda: worker.EventsWorker.drain_all(timeout=DRAIN_SECONDS), name="drain", daemon=True)
        drain.start()
        end = time.monotonic() + DRAIN_SECONDS
        while drain.is_alive() and time.monotonic() < end:
            if ENDING.is_set():
                end = min(end, time.monotonic() + HURRIED_SECONDS)
            drain.join(0.1)


_server: EmbeddedServer | None = None
_entered = 0


@contextmanager
def embedded_server() -> Iterator[EmbeddedServer | None]:
    """Own a Prefect server inside the block, unless the user has configured one; blocks inside the block share it.

    Call `prepare_prefect` before. Prefect is imported while the server starts.

    Raises:
        ConfigError: the server cannot keep its records in PREFECT_HOME.
        ServerError: the server did not start.
    """
    global _server, _entered
    if _entered or (_server is None and _may_be_configured() and _is_configured()):
        yield _server
        return
    check_home(find_home(), "Name another by PREFECT_HOME=DIR, or compute without Prefect: --in-process")
    _server = _server if _server is not None else EmbeddedServer()
    try:
        _entered += 1
        with _starting_alone():
            _server.launch()
            _announce(_server.url)
            _server.start()
        yield _server
    finally:
        _entered -= 1
        _server.close()


@contextmanager
def _starting_alone() -> Iterator[None]:
    """Let servers of one folder start one after the other: two that make the same new database at once both fail at it."""
    lock = FileLock(find_home() / "start.lock")
    with suppress(Timeout):  # another hangs: this one tries
        lock.acquire(timeout=START_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _may_be_configured() -> bool:
    """Return whether the user may have named a server: only then is Prefect imported before the server is started."""
    if os.environ.get("PREFECT_API_URL"):
        return True
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH") or find_home() / "profiles.toml").expanduser()
    marks = {profiles: "", Path("prefect.toml"): "", Path("pyproject.toml"): "tool.prefect", Path(".env"): "PREFECT_API_URL"}
    for file, mark in marks.items():
        with suppress(OSError):
            if mark in file.read_text(encoding="utf-8", errors="replace"):
                return True
    return False


def _is_configured() -> bool:
    from prefect.settings import PREFECT_API_URL

    return bool(PREFECT_API_URL.value())


def _announce(url: str) -> None:
    """Let Prefect in this process find the server, whether or not it was imported already."""
    os.environ["PREFECT_API_URL"] = url
    from prefect.context import refresh_global_settings_context

    refresh_global_settings_context()


def _send_again() -> None:
    """Let Prefect's client connect again, by an event: it then sends again what a killed server may not have written."""
    if "prefect.events.worker" in sys.modules:
        from prefect.events import emit_event

        emit_event("fabula.server.restarted", resource={"prefect.resource.id": f"fabula.command.{os.getpid()}"})


def _tell(message: str) -> None:
    # Not to Prefect: this thread belongs to no run.
    logger.warning("%s", message, extra={"send_to_api": False})
