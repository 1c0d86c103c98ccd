"""Web servers that list folders: what their robots.txt lets a reader read, and the files below an address.

Reference: RFC 9309; the line `Crawl-delay` is a common extension of it.
"""

import threading
import time
from functools import lru_cache
from typing import IO
from urllib.parse import unquote, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx
from fsspec import AbstractFileSystem

from core.errors import ConfigError, StoreError
from infra.web_requests import read_reply

AGENT = "fabula"  # the name that a server's rules know us by; rules for `*` count where there are none for it
MOST_BYTES = 512_000  # longer files are read so far: RFC 9309 asks for at least 500 KiB
LONGEST_DELAY = 60.0  # seconds: a server that asks for more is not crawled at all
REPLY_SECONDS = 120.0  # longest time for the whole reply, however slowly its bytes come
_SECONDS = 15.0
MAX_DEPTH = 32
"""Depth of nested folders. A server that answers every address with the same page would otherwise be followed for ever."""


class Robots:
    """The rules of one server."""

    def __init__(self, host: str, text: str) -> None:
        """Read the rules that `host` gives as the text of its robots.txt; an empty one allows everything."""
        self.host = host
        self._rules = RobotFileParser()
        self._rules.parse(text.splitlines())
        given = self._rules.crawl_delay(AGENT)
        self.delay = float(given) if given is not None else 0.0
        if self.delay > LONGEST_DELAY:
            raise ConfigError(f"source on {host}: robots.txt asks for {self.delay:.0f} s between requests; ask for a copy")
        self._lock = threading.Lock()
        self._next = 0.0

    def allows(self, address: str) -> bool:
        """Tell whether an address may be read."""
        return self._rules.can_fetch(AGENT, address)

    def wait(self) -> None:
        """Wait until the server's delay has passed since the last request of this process."""
        if not self.delay:
            return
        with self._lock:
            pause = self._next - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            self._next = time.monotonic() + self.delay


@lru_cache(maxsize=64)
def read_robots(origin: str) -> Robots:
    """Return the rules of a server (`https://example.org`); they are asked for once a process.

    A server without the file (status 4xx) allows everything. One that fails (5xx, no answer) allows nothing.
    """
    host = urlsplit(origin).netloc
    told = f"source on {host}: its robots.txt could not be read"
    try:
        with httpx.Client(timeout=_SECONDS, headers={"User-Agent": AGENT}) as client:
            address = f"{origin}/robots.txt"
            reply, content = read_reply(client, address, MOST_BYTES, REPLY_SECONDS, f"read {address}")
    except httpx.HTTPError as error:
        raise StoreError(f"{told} ({error}); run again later") from error
    if reply.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise StoreError(f"{told} (HTTP {reply.status_code}); run again later")
    return Robots(host, content.decode("utf-8", "replace") if reply.status_code == httpx.codes.OK else "")


def list_below(filesystem: AbstractFileSystem, root: str, robots: Robots) -> list[str]:
    """Return the addresses of all files below `root`, sorted.

    Links with a query, links out of `root`, and what the server's robots.txt forbids are left out.
    """
    files: set[str] = set()
    seen = {f"{root}/"}
    waiting = [f"{root}/"]
    while waiting:
        folder = waiting.pop()
        robots.wait()
        for link in filesystem.ls(folder, detail=False):
            address = _resolve(link, root)
            if address is None or address in seen or not robots.allows(address):
                continue
            if not address.endswith("/"):
                files.add(address)
                continue
            if address.count("/", len(root)) > MAX_DEPTH:
                raise OSError(f"{address}: folders are nested more than {MAX_DEPTH} deep; does every address show one page?")
            seen.add(address)
            waiting.append(address)
    return sorted(files)


def _resolve(link: str, root: str) -> str | None:
    """Return a link without `.` and `..`, with the scheme of `root`; None if it leads out of `root` or has a query."""
    if {"?", "#"} & set(link):
        return None
    address = urljoin(f"{root}/", urlsplit(link).path)
    # A server would treat an encoded `..` as `..`.
    outside = not address.startswith(f"{root}/") or ".." in unquote(address).split("/")
    return None if outside else address


def read_bytes(stream: IO[bytes], most: int) -> bytes:
    """Return up to `most` bytes of a stream. Without a known length, each `read` gives only what has come so far."""
    pieces = []
    while most > 0 and (piece := stream.read(most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
