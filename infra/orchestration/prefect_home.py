"""Prefect's folder, checked before its server starts: without the check one that is full costs minutes of silence."""

import os
import tempfile
from pathlib import Path

from core.errors import ConfigError

NEEDED_BYTES = 16 << 20
"""What a new database and its journal take; an old one grows by some kilobytes a unit."""

DATABASE = "prefect.db"


def find_home() -> Path:
    """Return the folder in which Prefect keeps its database: PREFECT_HOME, or `~/.prefect`."""
    return Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()


def check_home(home: Path, remedy: str) -> None:
    """Make the folder, and write to it for a moment as much as a new database takes.

    Args:
        home: the folder.
        remedy: what to do instead, for the message.

    Raises:
        ConfigError: it cannot be made, cannot be written, or has too little room.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        for name in ("", DATABASE, f"{DATABASE}-wal"):
            if (home / name).exists() and not os.access(home / name, os.W_OK):
                raise PermissionError(None, "it may not be written", str(home / name))
        with tempfile.TemporaryFile(dir=home) as probe:
            os.posix_fallocate(probe.fileno(), 0, NEEDED_BYTES)
    except OSError as error:
        raise ConfigError(
            f"{home}: Prefect's server cannot keep its records there: {error.strerror}; expected a folder that can be written, "
            f"with {NEEDED_BYTES >> 20} MB of room. {remedy}"
        ) from error
