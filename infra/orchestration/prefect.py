"""Prefect: settings that make an embedded run keep every record, applied before Prefect is first imported."""

import atexit
import os
import subprocess
import sys

from infra.orchestration.interrupts import start_shielded

EMBEDDED_SETTINGS = {
    # The embedded server ends with the process; records that wait for a larger batch would be lost (38 of 200 survived).
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    # No call to the network, and no "database is locked" traceback from it.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # Seconds for its first start, which makes the database; Prefect's own 20 are too few for a busy machine.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    # A unit's own log lines reach its task run without Prefect in core.
    "PREFECT_LOGGING_EXTRA_LOGGERS": "flows,tasks,core,infra",
}

JOB_ENVIRONMENT = {name: EMBEDDED_SETTINGS[name] for name in ("PREFECT_LOGGING_EXTRA_LOGGERS",)}
"""What the process of a deployed run needs; there the server is another process."""

_WATCHER = """
import contextlib, os, signal, sys
process = os.pidfd_open(int(sys.argv[1]))
sys.stdin.buffer.read()
with contextlib.suppress(ProcessLookupError):
    signal.pidfd_send_signal(process, signal.SIGTERM)
"""


def prepare_prefect(quiet: bool) -> None:
    """Set what an embedded run needs, leaving what the user has set; `quiet` keeps Prefect's own lines off the terminal.

    Call it before `prefect` is imported: Prefect reads its environment once.
    """
    for name, value in EMBEDDED_SETTINGS.items():
        os.environ.setdefault(name, value)
    if quiet:
        # The records still go to the server; only the console handler is turned down.
        os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")


def start_embedded_server() -> None:
    """Start Prefect's server in a process of its own, unless a server is configured, and out of Ctrl-C's reach.

    The flow would start it too; but then it dies of Ctrl-C before the flow, which waits for it to take the last records.
    """
    start_shielded(_start)


def _start() -> None:
    from prefect.client.orchestration import get_client

    get_client(sync_client=True)
    if (module := sys.modules.get("prefect.server.api.server")) and (server := module.SubprocessASGIServer().server_process):
        _end_with_this_process(server.pid)


def _end_with_this_process(pid: int) -> None:
    """Let a process end when this one does, even where it is killed: it would run on, and hold its memory, for ever."""
    if hasattr(os, "pidfd_open"):  # Linux; elsewhere only a killed flow leaves its server behind
        # Held open by this process alone; it ends, however it ends, and the watcher reads the end of the file.
        watcher = subprocess.Popen([sys.executable, "-I", "-S", "-c", _WATCHER, str(pid)], stdin=subprocess.PIPE)
        atexit.register(watcher.communicate)
