"""Log records of a unit, carried from the worker that computed it to the task run that shows them.

Dask workers need no Prefect API; what they log would stay in their own process without this.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LOGGERS = ("core", "tasks", "infra")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record: `level` as in `logging`, the logger's name and the formatted message."""

    level: int
    logger: str
    message: str


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[LogLine] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(LogLine(record.levelno, record.name, record.getMessage()))


@contextmanager
def captured_logs() -> Iterator[list[LogLine]]:
    """Collect what fabula's loggers say inside the block; an error that leaves it carries the lines (see `lines_of`)."""
    collector = _Collector()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(collector)
        logger.setLevel(logging.INFO)
    try:
        yield collector.lines
    except Exception as error:
        error.__dict__["fabula_log"] = collector.lines  # pickled with the exception, so Dask brings it back
        raise
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(collector)
            logger.setLevel(level)


def lines_of(error: BaseException) -> list[LogLine]:
    """Return the log lines that an error brought from its worker."""
    lines: list[LogLine] = getattr(error, "fabula_log", [])
    return lines


def call_captured(function: Callable[[Any], Any], request: Any) -> tuple[Any, list[LogLine]]:
    """Call `function(request)` and return its result with what it logged: what a Dask worker runs for every unit."""
    with captured_logs() as lines:
        return function(request), lines
