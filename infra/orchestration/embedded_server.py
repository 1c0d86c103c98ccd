"""The Prefect server of one command: a process that this one owns, watches, starts again where it fails, and ends.

Prefect's own ways to such a server are not enough: the temporary one that its client starts is watched by nobody, and loses
records when it ends; `prefect server start` opens its port itself, and answers every web page. Here the application that both of
them serve runs on a socket that this process keeps open. A client that connects during a restart waits until the server is back.
"""

import json
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

from filelock import FileLock, Timeout

from infra.orchestration.interrupts import ENDING
from infra.orchestration.prefect import check_home, find_home
from infra.orchestration.processes import OwnedProcess, ServerError, is_answering

START_SECONDS = 180.0  # how long the first start may take. It makes the database: 10 s on an idle machine.
RESTART_SECONDS = 45.0
"""How long later starts may take together: Prefect's client tries a call for 62 s, so none fails before this is decided."""
STARTS = 3  # attempts to start again before the run goes on without records
RESTARTS = 5  # servers in a row that may fail in one command before the run goes on without records
CHECK_SECONDS = 1.0  # pause between two looks at the server
ANSWER_SECONDS = 2.0  # how long the server may take to answer a look
SILENT_LOOKS = 5
"""Looks without an answer after which the server is killed: 15 s, since SQLite can hold a busy server for some seconds."""
HURRIED_LOOKS = 2  # the same, once a signal has asked the command to end
DRAIN_SECONDS = 20.0  # how long the last records may take to reach the server
HURRIED_SECONDS = 5.0  # the same, and the server's own end, once a signal has asked the command to end
END_SECONDS = 10.0  # how long the server may take to write the last records and to end, before it is killed
_SETTINGS = {
    "PREFECT_SERVER_LOGGING_LEVEL": "ERROR",
    # No flow here uses a block. To write their types into a new database takes 5 s of processor time, to compare them 1 s.
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
}

_SERVER = "infra.orchestration.guarded_server"

logger = logging.getLogger(__name__)


class EmbeddedServer:
    """A server on a free port of the loopback, with the database of the user's PREFECT_HOME."""

    def __init__(self) -> None:
        """Take a port; no process is started yet."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._listener.setblocking(False)
        self._port: int = self._listener.getsockname()[1]
        self._process: OwnedProcess | None = None
        self._absent: _AbsentServer | None = None
        self._restarts = 0
        self._stop = Event()
        self._watch: Thread | None = None

    @property
    def url(self) -> str:
        """The address of the API, for as long as this process lives."""
        return f"http://127.0.0.1:{self._port}/api"

    def launch(self) -> None:
        """Start the process, unless it runs already; return at once."""
        if self._absent is not None:
            self._absent.close()
            self._absent = None
        if self._process is None:
            environment = {name: value for name, value in os.environ.items() if name != "PREFECT_API_URL"} | _SETTINGS
            listener = self._listener.fileno()
            self._process = OwnedProcess("Prefect's server", [_SERVER, "--fd", str(listener)], environment, fds=[listener])

    def start(self) -> None:
        """Start the process, wait until it answers, and watch it from then on."""
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
                _drain()
        finally:  # an interrupt of the wait breaks off only the wait
            self._stop.set()
            if self._watch is not None:
                self._watch.join(RESTART_SECONDS)
                self._watch = None
            self._end(HURRIED_SECONDS if ENDING.is_set() else END_SECONDS)
            self._stand_in()

    def _supervise(self) -> None:
        silent = 0
        while self._absent is None and not self._stop.wait(CHECK_SECONDS):
            assert self._process is not None
            fault = self._process.find_fault()
            if not fault and is_answering("127.0.0.1", self._port, ANSWER_SECONDS):
                silent = 0
            elif fault or (silent := silent + 1) >= (HURRIED_LOOKS if ENDING.is_set() else SILENT_LOOKS):
                self._replace(fault or "does not answer")
                silent = 0

    def _replace(self, fault: str) -> None:
        """Start the server again on its database; where that fails, go on without one. Either is told once."""
        self._end(0)
        self._restarts += 1
        # The run is ending: its last records are not worth a wait.
        if not self._is_ending() and self._restarts <= RESTARTS and self._restart():
            _tell(f"Prefect's server {fault}; it was started again, and the run's records go on")
            Thread(target=_send_again, name="send again", daemon=True).start()
            return
        self._stand_in()
        if not self._is_ending():
            _tell(f"Prefect's server {fault} and cannot be started again; the run goes on without records in Prefect")

    def _restart(self) -> bool:
        end = time.monotonic() + RESTART_SECONDS
        for _ in range(STARTS):
            try:
                self.launch()
                self._await_answer(end - time.monotonic())
            except (ServerError, OSError):
                self._end(0)
            else:
                return True
            if self._is_ending() or time.monotonic() > end:
                break
        return False

    def _await_answer(self, seconds: float) -> None:
        assert self._process is not None
        self._process.await_answer("127.0.0.1", self._port, seconds, self._is_ending)

    def _is_ending(self) -> bool:
        return ENDING.is_set() or self._stop.is_set()

    def _end(self, seconds: float) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end(seconds)

    def _stand_in(self) -> None:
        if self._absent is None:
            self._absent = _AbsentServer(self._listener)


class _AbsentServer(ThreadingHTTPServer):
    """Stands in for a server that is gone for good: it accepts a run's states and refuses everything else at once.

    Without it Prefect's client tries each call again for a minute, and a flow whose last state nobody takes ends with an error
    although its data is in the store.
    """

    def __init__(self, listener: socket.socket) -> None:
        """Start to answer, in threads, on a copy of a socket that listens already."""
        super().__init__(listener.getsockname(), _Refusal, bind_and_activate=False)
        self.socket.close()
        self.socket = listener.dup()
        Thread(target=self.serve_forever, args=(0.1,), name="absent Prefect server", daemon=True).start()

    def close(self) -> None:
        """Stop to answer; the socket of the caller stays open."""
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing on the terminal of a client that has left."""


class _Refusal(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # a client that says nothing does not keep its thread

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if 0 <= length <= 2**20 else b""  # a state has some hundred bytes
        if self.path.endswith("/set_state"):
            # What Prefect calls an OrchestrationResult. Its client fills in the state's id and time.
            state = json.loads(body)["state"]
            proposed = {"type": state["type"], "name": state.get("name"), "message": state.get("message")}
            self._answer(201, {"status": "ACCEPT", "details": {"type": "accept_details"}, "state": proposed})
        elif self.path.rstrip("/").endswith("/logs"):
            self._answer(201, None)
        else:
            self.do_GET()

    def do_GET(self) -> None:
        # 410, gone: a status that Prefect's client does not try again. To 404 it says: then without such tokens.
        status = 404 if "/csrf-token" in self.path else 410
        self._answer(status, {"detail": "Prefect's server is gone; the run goes on without records"})

    do_PATCH = do_DELETE = do_GET  # noqa: N815 -- names that http.server asks for

    def _answer(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing on the terminal."""


_server: EmbeddedServer | None = None
_entered = 0


@contextmanager
def embedded_server() -> Iterator[EmbeddedServer | None]:
    """Own a Prefect server inside the block, unless the user has configured one; blocks inside the block share it.

    Call `prepare_prefect` before. Prefect is imported while the server starts.
    """
    global _server, _entered
    if _entered or (_server is None and _is_configured()):
        yield _server
        return
    check_home(find_home(), "Name another by PREFECT_HOME=DIR, or compute without Prefect: --in-process")
    _server = _server if _server is not None else EmbeddedServer()
    try:
        _entered += 1
        # Two servers that create the same database at the same time both fail, so they start one after the other.
        lock = FileLock(find_home() / "start.lock")
        with suppress(Timeout):  # another hangs: this one tries
            lock.acquire(timeout=START_SECONDS)
        try:
            _server.launch()
            _announce(_server.url)
            _server.start()
        finally:
            lock.release()
        yield _server
    finally:
        _entered -= 1
        _server.close()


def _is_configured() -> bool:
    """Return whether the user has named a server. Prefect takes seconds to import, so it is asked only if a name is possible."""
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH") or find_home() / "profiles.toml").expanduser()
    marks = {profiles: "", Path("prefect.toml"): "", Path("pyproject.toml"): "tool.prefect", Path(".env"): "PREFECT_API_URL"}
    found = bool(os.environ.get("PREFECT_API_URL"))
    for file, mark in marks.items():
        with suppress(OSError):
            found = found or mark in file.read_text(encoding="utf-8", errors="replace")
    if not found:
        return False
    from prefect.settings import PREFECT_API_URL

    return bool(PREFECT_API_URL.value())


def _announce(url: str) -> None:
    """Let Prefect in this process find the server, whether or not it was imported already."""
    os.environ["PREFECT_API_URL"] = url
    from prefect.context import refresh_global_settings_context

    refresh_global_settings_context()


def _send_again() -> None:
    """Emit an event, so that Prefect's client connects again and resends what a killed server may not have written."""
    from prefect.events import emit_event

    emit_event("fabula.server.restarted", resource={"prefect.resource.id": f"fabula.command.{os.getpid()}"})


def _drain() -> None:
    """Wait until Prefect's client has sent the events and logs that it holds, as long as somebody takes them."""
    from prefect.events.worker import EventsWorker

    # In a thread: the call itself waits for locks before it looks at its time-out.
    drain = Thread(target=lambda: EventsWorker.drain_all(timeout=DRAIN_SECONDS), name="drain", daemon=True)
    drain.start()
    end = time.monotonic() + DRAIN_SECONDS
    while drain.is_alive() and time.monotonic() < end:
        if ENDING.is_set():
            end = min(end, time.monotonic() + HURRIED_SECONDS)
        drain.join(0.1)


def _tell(message: str) -> None:
    # Not to Prefect: this thread belongs to no run.
    logger.warning("%s", message, extra={"send_to_api": False})
