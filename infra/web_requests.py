"""Requests to web servers that may be busy or slow: when to ask again, and an end to every request.

httpx limits only the time without a byte: a request to a server that sends one now and then would never end.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from typing import Any, TypeVar

import httpx

from infra.store.filesystems import telling

Value = TypeVar("Value")
logger = logging.getLogger(__name__)


class BusyError(Exception):
    """A server gave no answer, or asks to come back after `wait` seconds; after `most` attempts there is no use in another."""

    def __init__(self, why: str, wait: float = 0.0, most: int = sys.maxsize) -> None:
        """Keep what the server asks for; `attempts` counts how often it was asked."""
        super().__init__(why)
        self.wait, self.most, self.attempts = wait, most, 0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a busy server is asked: `attempts` in all, with waits of `first_wait` seconds, doubled each time.

    A server's Retry-After makes a wait longer, but one of more than `longest_wait` is not waited for.
    """

    attempts: int = 6
    first_wait: float = 2.0
    longest_wait: float = 120.0
    sleep: Callable[[float], None] = time.sleep

    def ask(self, question: Callable[[], Value], what: str) -> Value:
        """Return what `question` returns; call it again where it raises BusyError. `what` is asked is told in the log.

        The last BusyError is passed on, with the number of `attempts` and the `wait` before the next.
        """
        pause = self.first_wait
        for attempt in count(1):
            try:
                return question()
            except BusyError as busy:
                busy.attempts, busy.wait = attempt, max(pause, busy.wait)
                if attempt >= min(self.attempts, busy.most) or busy.wait > self.longest_wait:
                    raise
                logger.info("%s: %s; trying again in %.0f s", what, busy, busy.wait)
                self.sleep(busy.wait)
                pause = min(2 * pause, self.longest_wait)
        raise AssertionError("unreachable")


def read_retry_after(header: str | None) -> float:
    """Return the seconds that a header Retry-After asks for, as a number or a date; 0 where it asks for nothing."""
    said = (header or "").strip()
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def read_reply(
    client: httpx.Client, address: str, most: int, seconds: float, what: str, method: str = "GET", **options: Any
) -> tuple[httpx.Response, bytes]:
    """Send a request, and return the reply with its body, of which no more than `most` bytes and one piece are ever read.

    Where it takes longer than `seconds` in all, the client is closed and httpx.ReadTimeout raised: what has come may be cut.
    What is waited for is told meanwhile. Where the server falls silent just then, the client's own limit for the time without
    a byte comes on top. `options` are those of `httpx.Client.stream`.
    """
    content, ended = bytearray(), threading.Event()

    def end() -> None:
        ended.set()
        client.close()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    cause: Exception | None = None
    try:
        with telling(what, seconds), client.stream(method, address, **options) as reply:
            for piece in reply.iter_bytes():
                content += piece
                if len(content) > most:
                    break
    except (httpx.TransportError, RuntimeError) as error:  # RuntimeError: what is closed is asked for more
        if not ended.is_set():
            raise
        cause = error
    finally:
        timer.cancel()
    if ended.is_set():
        raise httpx.ReadTimeout(f"the reply had no end after {seconds:.0f} s") from cause
    return reply, bytes(content)
