"""A Prefect server with its UI, and a worker, on this machine. Both end with the process that started them, the server last."""

import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import ConfigError
from infra.orchestration.guarded_server import AUTH_STRING, check_listening
from infra.orchestration.prefect import EMBEDDED_SETTINGS, JOB_ENVIRONMENT, check_home
from infra.orchestration.processes import OwnedProcess

SERVER_SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": EMBEDDED_SETTINGS["PREFECT_SERVER_ANALYTICS_ENABLED"],
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # Relative: whichever name or proxy a browser has reached the UI by, the API is beside it.
    "PREFECT_SERVER_UI_API_URL": "/api",
    # In memory the leases are lost with the server, and a deployment whose run was killed would stay busy for ever.
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
    # The default keeps flow runs for ever; these go 90 days after their end (PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD).
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
}

START_SECONDS = 120  # how long a server may take to answer; a fresh database takes about 10 s on an idle machine


class LocalPrefect:
    """A server and a worker, with the server's database and the logs of both under one folder."""

    def __init__(self, home: Path, host: str, port: int) -> None:
        """Describe the processes; nothing is started yet."""
        self._home = home
        self._host = host
        self._port = port
        self._server: OwnedProcess | None = None
        self._worker: OwnedProcess | None = None
        self._lock = FileLock(home / "serve.lock", thread_local=False)
        self._reached = "127.0.0.1" if host in {"0.0.0.0", "::", ""} else host
        self.url = f"http://{f'[{self._reached}]' if ':' in self._reached else self._reached}:{port}"

    @property
    def environment(self) -> dict[str, str]:
        """The settings with which Prefect in this or another process finds this server; they win over the user's."""
        password = os.environ.get(AUTH_STRING)
        found = {"PREFECT_HOME": str(self._home), "PREFECT_API_URL": f"{self.url}/api"}
        return found | ({"PREFECT_API_AUTH_STRING": password} if password else {})

    def start_server(self) -> None:
        """Start the server and return when it answers."""
        check_listening(self._host, os.environ)
        self._check_port()
        self._take_folder()
        place = ["--host", self._host, "--port", str(self._port)]
        self._server = self._start("server", ["infra.orchestration.guarded_server", *place], SERVER_SETTINGS)
        self._server.await_answer(self._reached, self._port, START_SECONDS)

    def start_worker(self, pool: str) -> None:
        """Start a worker that runs flows as processes of this machine."""
        command = ["prefect", "worker", "start", "--pool", pool, "--type", "process", "--name", "fabula serve"]
        self._worker = self._start("worker", command, JOB_ENVIRONMENT)

    @property
    def is_serving(self) -> bool:
        """Whether the server was started and has not ended."""
        return self._server is not None and not self._server.find_fault()

    def check(self) -> None:
        """Raise ServerError, with the end of its log, where a process has ended by itself."""
        for process in (self._server, self._worker):
            if process is not None:
                process.check()

    def stop_worker(self) -> bool:
        """End the worker and every process of the runs that it had started; tell whether there was one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        return worker is not None

    def stop_server(self) -> None:
        """End the server, and let go of the folder."""
        if self._server is not None:
            self._server.end()
        self._server = None
        self._lock.release()

    def _start(self, name: str, command: Sequence[str], settings: Mapping[str, str]) -> OwnedProcess:
        log = self._home / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        return OwnedProcess(f"the {name}", command, dict(settings) | dict(os.environ) | self.environment, log)

    def _take_folder(self) -> None:
        check_home(self._home, "Give another with --home DIR")
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise ConfigError(f"{self._home}: another `fabula serve` uses this folder; stop it, or name another") from error
        except OSError as error:
            raise ConfigError(f"{self._home}: {error.strerror}; give a folder that can be written with --home DIR") from error

    def _check_port(self) -> None:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
            try:
                probe.bind((self._host, self._port))
            except (OSError, OverflowError) as error:
                other = f"stop what listens there, or choose another: fabula serve --port {self._port + 1}"
                raise ConfigError(f"cannot listen on {self._host}, port {self._port}: {error}; {other}") from error
