"""What the workers of `test_units` do: small functions that a worker can import, with a file per call as the witness."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from core.errors import SourceError, StoreError

logger = logging.getLogger("tasks.behaviour")


class UnportableError(Exception):
    """An error that holds on to what cannot be pickled, as errors of some libraries do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lock = Lock()


def count_calls(folder: Path, unit: str) -> int:
    """Return how many calls of `behave` for a unit have begun."""
    return len(list(folder.glob(f"{unit}.*")))


def behave(request: tuple[str, str]) -> str:
    """Behave as the first part of the unit's name says."""
    folder, unit = Path(request[0]), request[1]
    attempt = count_calls(folder, unit) + 1
    (folder / f"{unit}.{attempt}.{os.getpid()}").touch()
    logger.info("%s: attempt %d", unit, attempt)
    match unit.split("-")[0]:
        case "flaky" if attempt < 3:
            raise StoreError(f"{unit}: the store does not answer")
        case "broken":
            raise SourceError(f"{unit}: the file is empty")
        case "strange":
            raise UnportableError("this and that")
        case "endless":
            while True:
                time.sleep(0.01)
        case "deadly":
            # Dask may run siblings again when a worker dies with their results; those whose calls are counted come first.
            _wait_for(lambda: min(count_calls(folder, "flaky-1"), count_calls(folder, "strange-1")) == 3)
            os._exit(1)
    return f"{unit} done"


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
