"""An end to a web request: httpx limits the time without a byte, and a server that sends one now and then never ends."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from infra.store.filesystems import telling


@contextmanager
def ending_after(client: httpx.Client, seconds: float, what: str) -> Iterator[None]:
    """Close the client where the block takes longer; what is waited for is told meanwhile. Such a client is of no use afterwards.

    Raises:
        httpx.ReadTimeout: the block was ended.
    """
    ended = threading.Event()

    def end() -> None:
        ended.set()
        client.close()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        with telling(what, seconds):
            yield
    except httpx.TransportError as error:
        if ended.is_set():
            raise httpx.ReadTimeout(f"the reply had no end after {seconds:.0f} s") from error
        raise
    finally:
        timer.cancel()
