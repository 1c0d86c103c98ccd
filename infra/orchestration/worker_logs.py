"""Log records of a unit, carried from the worker that computed it to the task run that shows them.

Dask workers need no Prefect API; what they log would stay in their own process without this.
"""

import logging
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import format_exception, format_exception_only
from typing import Any, TypeAlias

from core.credentials import hide_credentials
from core.errors import FabulaError
from infra.orchestration.time_limit import time_limit

LOGGERS = ("core", "tasks", "infra")
LogLine: TypeAlias = tuple[int, str]
"""Level, as in `logging`, and message of a record."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker sends back for one request: a result or an error, and what was logged on the way."""

    result: Any
    error: Exception | None
    lines: tuple[LogLine, ...]


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[LogLine] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((record.levelno, hide_credentials(record.getMessage())))


def answer_request(function: Callable[[Any], Any], request: Any, seconds: float | None = None) -> Answer:
    """Call `function(request)` as a Dask worker does for every unit, for at most so many seconds.

    An error is an answer too: Dask would log it with a traceback on the worker's terminal, and lose the lines that led to it.
    """
    with _collected() as lines:
        try:
            with time_limit(seconds, ends_process=True):
                result, error = function(request), None
        except Exception as raised:
            # A known error says everything itself; of any other error, the place in the code helps.
            told = format_exception_only(raised) if isinstance(raised, FabulaError) else format_exception(raised)
            lines.append((logging.ERROR, hide_credentials("".join(told).strip())))
            result, error = None, _portable(raised)
    return Answer(result, error, tuple(lines))


def _portable(error: Exception) -> Exception:
    """Return the error without its traceback; where it cannot be pickled, one with the same words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(format_exception_only(error)).strip())
    return error.with_traceback(None)


@contextmanager
def _collected() -> Iterator[list[LogLine]]:
    collector = _Collector()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(collector)
        logger.setLevel(logging.INFO)
    try:
        yield collector.lines
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(collector)
            logger.setLevel(level)
