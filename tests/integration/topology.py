"""docker-compose.yml without an engine: its services as plain processes of this machine.

Command, environment, health check and order of start are read from the file. What differs, and nothing else:

- every host (a service's name, 0.0.0.0) is 127.0.0.1, and every port a free one, another for each copy of a service;
- `postgres` is Debian's, on a database that is made here as the image's entrypoint would make it (same user, password and name);
- SeaweedFS, which no package index has, is `rclone serve s3` with the same keys, port and a connection for its health check;
- temporary folders and Prefect's home lie in the test's own folder.
"""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import asyncpg

BIN = Path(sys.executable).parent
PATIENCE = 4
"""How many times the health checks' own time a service may take: a test's machine is busier than a server."""


class Topology:
    """Processes by service; `port` and `address` say where they listen."""

    def __init__(
        self, services: dict[str, dict[str, Any]], environment: dict[str, str], folder: Path, free_port: Callable[[], int]
    ) -> None:
        """Take the services as `tests.compose.read_services` gives them; nothing is started yet."""
        self.services = services
        self.folder = folder
        # As the image has it: the virtual environment before everything else.
        self._environment = environment | {"PATH": f"{BIN}:{environment['PATH']}"}
        self._free_port = free_port
        self._ports = {port: free_port() for port in _list_ports(services.values())}
        self._running: list[tuple[str, subprocess.Popen[bytes]]] = []
        self._database = _Database(services["database"]["environment"])

    def port(self, port: int) -> int:
        """Return the port of this machine that stands for one of the file."""
        return self._ports[port]

    def variables(self, service: str) -> dict[str, str]:
        """Return the environment of a service, as it is here."""
        given = self.services[service].get("environment", {})
        return {name: "127.0.0.1" if value in self.services else self._localise(str(value)) for name, value in given.items()}

    def up(self) -> None:
        """Start all services in the order of their conditions."""
        left = dict(self.services)
        while left:
            ready = [name for name, service in left.items() if not set(service.get("depends_on", {})) & set(left)]
            for name in ready:
                for other, rule in left.pop(name).get("depends_on", {}).items():
                    self._await(other, rule["condition"])
                for _ in range(self.services[name].get("scale", 1)):
                    self.start(name)
        for name in self.services:
            if "healthcheck" in self.services[name]:
                self._await(name, "service_healthy")

    def start(self, name: str) -> subprocess.Popen[bytes]:
        """Start one process of a service; its output goes to a file of the test's folder."""
        copy = sum(started == name for started, _ in self._running)
        if copy:  # a container has its ports to itself
            others = [service for other, service in self.services.items() if other != name]
            own = set(_list_ports([self.services[name]])) - {port for other in others for port in _list_ports([other])}
            self._ports |= {port: self._free_port() for port in own}
        home = self.folder / f"{name}-{copy}"
        (home / "tmp").mkdir(parents=True)
        environment = self._environment | self.variables(name) | {"PREFECT_HOME": str(home), "TMPDIR": str(home / "tmp")}
        options: dict[str, Any] = {"cwd": home}
        if name == "database":
            self._database.make()
            environment |= {"PGDATA": str(self._database.folder)}
            options = {"cwd": "/", **self._database.owner}
        with (self.folder / f"{name}-{copy}.log").open("wb") as log:
            process = subprocess.Popen(
                self._command(name), stdout=log, stderr=log, env=environment, start_new_session=True, **options
            )
        self._running.append((name, process))
        if name == "database":
            self._await(name, "service_healthy")
            asyncio.run(self._database.create(self.port(5432)))
        return process

    def down(self) -> None:
        """End every process and whatever it started; nothing may be left."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for _, process in reversed(self._running):
                _signal_group(process, number)
            deadline = time.monotonic() + 15
            while time.monotonic() < deadline and any(_is_alive(process) for _, process in self._running):
                time.sleep(0.1)
        shutil.rmtree(self._database.folder.parent, ignore_errors=True)
        assert [name for name, process in self._running if _is_alive(process)] == []

    def processes(self, service: str) -> list[subprocess.Popen[bytes]]:
        """Return the processes of a service that were started."""
        return [process for name, process in self._running if name == service]

    def log(self, name: str, copy: int = 0) -> str:
        """Return what a process has printed."""
        return (self.folder / f"{name}-{copy}.log").read_text(encoding="utf-8", errors="replace")

    def _command(self, name: str) -> list[str]:
        program, *arguments = (self._localise(str(part)) for part in self.services[name]["command"])
        if name == "object-store":
            keys = self.variables(name)
            pair = f"{keys['AWS_ACCESS_KEY_ID']},{keys['AWS_SECRET_ACCESS_KEY']}"
            (self.folder / "objects").mkdir()
            address = f"127.0.0.1:{self.port(8333)}"
            return [str(BIN / "rclone"), "serve", "s3", "--auth-key", pair, "--addr", address, str(self.folder / "objects")]
        arguments = [str(self.folder) if part == "/tmp" else part for part in arguments]
        return [_find_program(program), *arguments]

    def _localise(self, text: str) -> str:
        hosts = "|".join(map(re.escape, self.services))
        text = re.sub(rf"(?<=//)(?:{hosts})(?=:)|\b0\.0\.0\.0\b", "127.0.0.1", text)
        ports = "|".join(map(str, self._ports))
        return re.sub(rf"(?<![\d.])(?:{ports})(?!\d)", lambda found: str(self._ports[int(found[0])]), text)

    def _await(self, name: str, condition: str) -> None:
        """Wait for a condition of `depends_on`, as long as the file's own numbers allow, times `PATIENCE`."""
        if condition == "service_completed_successfully":
            (process,) = self.processes(name)
            assert process.wait(timeout=900) == 0, f"{name} failed:\n{self.log(name)}"
            return
        health = self.services[name]["healthcheck"]
        test = [self._localise(str(part)) for part in health["test"][1:]]
        interval, start = (int(health[key].rstrip("s")) for key in ("interval", "start_period"))
        deadline = time.monotonic() + PATIENCE * (start + interval * int(health["retries"]))
        while not self._passes(test):
            process = self.processes(name)[-1]
            assert process.poll() is None, f"{name} ended with {process.returncode}:\n{self.log(name)[-4000:]}"
            assert time.monotonic() < deadline, f"{name} is not healthy:\n{self.log(name)[-4000:]}"
            time.sleep(0.5)

    def _passes(self, test: list[str]) -> bool:
        if test[0] == "wget":
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port(8333))) == 0
        command = [_find_program(test[0]), *test[1:]]
        return subprocess.run(command, check=False, capture_output=True, timeout=30).returncode == 0


class _Database:
    """What the image's entrypoint does before it starts `postgres`: a cluster, its user, its database."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._user, self._password, self._name = (variables[f"POSTGRES_{key}"] for key in ("USER", "PASSWORD", "DB"))
        self.folder = Path(tempfile.mkdtemp(prefix="fabula-postgres-")) / "data"

        # PostgreSQL refuses to run as root.
        self.owner = {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}

    def make(self) -> None:
        """Make the cluster; its server is to be started as `owner`."""
        password = self.folder.parent / "password"
        password.write_text(self._password)
        if self.owner:
            shutil.chown(self.folder.parent, **self.owner)
            shutil.chown(password, **self.owner)
        initdb = [_find_program("initdb"), "-D", str(self.folder), "-U", self._user, "-A", "scram-sha-256", "-E", "UTF8"]
        initdb += ["--locale=C.UTF-8", f"--pwfile={password}"]
        made = subprocess.run(initdb, check=False, capture_output=True, text=True, cwd="/", **self.owner)
        assert made.returncode == 0, made.stderr
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.write("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n")

    async def create(self, port: int) -> None:
        """Create the database."""
        account = {"user": self._user, "password": self._password}
        connection = await asyncpg.connect(host="127.0.0.1", port=port, database="postgres", **account)
        await connection.execute(f'CREATE DATABASE "{self._name}"')
        await connection.close()


def find_postgres() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _find_program(name: str) -> str:
    debian = find_postgres()
    if debian and (debian / name).exists():
        return str(debian / name)
    return str(BIN / name)


def _list_ports(services: Iterable[dict[str, Any]]) -> list[int]:
    """Return the ports that the commands and health checks of some services name."""
    texts = [str(part) for service in services for part in [*service["command"], *service.get("healthcheck", {}).get("test", [])]]
    return sorted({int(port) for text in texts for port in re.findall(r"(?:^|:|=)(\d{4,5})\b", text)})


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        process.poll()


def _is_alive(process: subprocess.Popen[bytes]) -> bool:
    process.poll()
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True
