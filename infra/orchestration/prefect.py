"""Prefect on this machine: settings that make a run keep every record, and its folder, checked before it is used."""

import os
import tempfile
from pathlib import Path

from core.errors import ConfigError

EMBEDDED_SETTINGS = {
    # The embedded server ends with the process; records that wait for a larger batch would be lost (38 of 200 survived).
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    # What a server that is killed has not yet written is lost: at most this many seconds of it.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    # No call to the network, and no "database is locked" traceback from it.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # A unit's own log lines reach its task run without Prefect in core.
    "PREFECT_LOGGING_EXTRA_LOGGERS": "flows,tasks,core,infra",
}

_QUIET = {
    # Prefect's own lines stay off the terminal. The records still go to the server; only the console handler is turned down.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    # Prefect's client tells of each event that it cannot send; fabula says in one line that the server is gone.
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
}
JOB_ENVIRONMENT = {name: EMBEDDED_SETTINGS[name] for name in ("PREFECT_LOGGING_EXTRA_LOGGERS",)}
"""What a worker needs, and the processes of deployed runs by it; there the server is another process."""

NEEDED_BYTES = 16 << 20  # what a new database and its journal take; an old one grows by some kilobytes a unit
DATABASE = "prefect.db"


def prepare_prefect() -> None:
    """Set what an embedded run needs, leaving what the user has set.

    Call it before `prefect` is imported: Prefect reads its environment once.
    """
    for name, value in {**EMBEDDED_SETTINGS, **_QUIET}.items():
        os.environ.setdefault(name, value)


def find_home() -> Path:
    """Return the folder in which Prefect keeps its database: PREFECT_HOME, or `~/.prefect`."""
    return Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()


def check_home(home: Path, remedy: str) -> None:
    """Make the folder, and write to it for a moment as much as a new database takes; `remedy` is told where that fails."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        for name in ("", DATABASE, f"{DATABASE}-wal"):
            if (home / name).exists() and not os.access(home / name, os.W_OK):
                raise PermissionError(None, "it may not be written", str(home / name))
        with tempfile.TemporaryFile(dir=home) as probe:
            os.posix_fallocate(probe.fileno(), 0, NEEDED_BYTES)
    except OSError as error:
        expected = f"expected a folder that can be written, with {NEEDED_BYTES >> 20} MB of room. {remedy}"
        raise ConfigError(f"{home}: Prefect's server cannot keep its records there: {error.strerror}; {expected}") from error
