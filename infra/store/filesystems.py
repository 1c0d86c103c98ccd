"""Filesystems behind URLs: opened with the patience that a network needs, and the errors that they end with.

Requests to S3 that fail, break off or stall are sent again; every wait has an end. A user's own settings win: fsspec reads
them from FSSPEC_S3 (JSON, for example {"config_kwargs": {"read_timeout": 60}}) or from its configuration files.
"""

import logging
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import fsspec
from fsspec import AbstractFileSystem

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

S3_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,  # seconds
    "read_timeout": 15,  # seconds without a byte
    # Waits of up to 1, 2, 4 … 20 s between attempts, 35 s together on average; s3fs starts over four times where no reply came.
    "retries": {"mode": "standard", "max_attempts": 8},
}
"""botocore's configuration of every S3 client. A server that stalls for ever ends a call within 15 minutes."""


MOST_SECONDS = 900.0
"""Longest time for one read, listing or request, and for one piece of a stream: a server that dribbles has an end, too."""
STILL_SECONDS = 60.0  # longest time without a byte from a web server
TELL_SECONDS = 30.0  # a request that takes longer is told, and again after each such time

_VERSIONS = ("ETag", "etag", "sha", "blob_id", "CRC", "mtime", "LastModified", "last_modified", "Last-Modified", "created")
"""Names under which backends report the version of a file, the most reliable first."""

logger = logging.getLogger(__name__)
_waiting: dict[int, tuple[float, str, float]] = {}
_watching = threading.Lock()


def find_version(info: dict[str, Any]) -> str:
    """Return a file's version as its filesystem describes it; "" where that tells none."""
    return next((str(info[name]) for name in _VERSIONS if info.get(name) is not None), "")


def bound_wait(filesystem: AbstractFileSystem) -> dict[str, float]:
    """Return the argument that ends a call of a filesystem after `MOST_SECONDS` with an OSError; disks need none."""
    return {"timeout": MOST_SECONDS} if filesystem.async_impl else {}


@contextmanager
def telling(what: str, most: float | None = None) -> Iterator[None]:
    """Log what the block waits for, each time that `TELL_SECONDS` have passed; one thread watches all blocks.

    `most`: after how many seconds the block is given up by those who wait, `MOST_SECONDS` where none is said.
    """
    mark = object()
    _waiting[id(mark)] = (time.monotonic(), what, most or MOST_SECONDS)
    if _watching.acquire(blocking=False):
        threading.Thread(target=_watch, name="fabula-waiting", daemon=True).start()
    try:
        yield
    finally:
        del _waiting[id(mark)]


def _watch() -> None:
    """Tell what is waited for until nothing has been for a while."""
    told: dict[int, float] = {}
    idle = 0
    try:
        while idle < 10:
            time.sleep(min(1.0, TELL_SECONDS))
            now = time.monotonic()
            current = dict(_waiting)
            idle = 0 if current else idle + 1
            for number, (since, what, most) in current.items():
                if now - max(since, told.get(number, 0.0)) >= TELL_SECONDS:
                    told[number] = now
                    logger.warning("still waiting to %s (%.0f s; it is given up after %.0f s)", what, now - since, most)
            told = {number: moment for number, moment in told.items() if number in current}
    finally:  # else no other thread would ever watch
        _watching.release()


def open_filesystem(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the filesystem of an fsspec URL and the path in it; listings are never taken from a cache.

    ImportError or ValueError: no filesystem is known for the URL's protocol, or the URL ends with it.
    """
    if re.fullmatch(r"(?!file:|memory:)[\w+]+:/*", url):
        raise ValueError("it names no bucket or host (is a variable empty that it was to come from?)")
    fsspec.config.conf.setdefault("http", {}).setdefault("get_client", _open_web_session)
    if re.search(r"\bs3a?://", url):
        from infra.store.s3 import PatientS3

        PatientS3.most_seconds = MOST_SECONDS
        for protocol in ("s3", "s3a"):
            fsspec.register_implementation(protocol, PatientS3, clobber=True)
    settings = fsspec.config.conf.setdefault("s3", {})
    settings["config_kwargs"] = deepcopy(S3_PATIENCE) | settings.get("config_kwargs", {})  # botocore changes the retries in place
    filesystem, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
    return filesystem, root


def backend_errors(filesystem: AbstractFileSystem) -> tuple[type[Exception], ...]:
    """Return what a filesystem's operations fail with: OSError, and what the clients of S3, HTTP and the Hub raise beside it."""
    if "hf" in filesystem.protocol:
        from huggingface_hub.errors import HfUriError, HFValidationError

        return (OSError, HfUriError, HFValidationError, NotImplementedError)  # the last: an address that names no repository
    if "http" in filesystem.protocol:
        from aiohttp import ClientError as WebError

        return (OSError, WebError)
    if "s3" not in filesystem.protocol:
        return (OSError,)
    from botocore.exceptions import BotoCoreError, ClientError

    return (OSError, BotoCoreError, ClientError)


def explain(error: Exception) -> str:
    """Return what an error of a filesystem says; a wait that was given up says nothing by itself."""
    if isinstance(error, TimeoutError) and not str(error):
        return f"the reply had no end after {MOST_SECONDS:.0f} s"
    return str(error) or type(error).__name__


def is_bucket_missing(error: BaseException) -> bool:
    """Tell whether a server answered that there is no such bucket."""
    cause = error.__cause__ or error.__context__
    response = getattr(cause, "response", None)
    return isinstance(response, dict) and response.get("Error", {}).get("Code") == "NoSuchBucket"


async def _open_web_session(**options: Any) -> "aiohttp.ClientSession":
    """Return a session for fsspec's HTTP filesystem that asks only the server that a user has named.

    Redirects to another are not followed: a web server could otherwise let fabula read addresses that only this machine reaches,
    such as 127.0.0.1 or those of a cloud's metadata, and put what is there into a dataset. `options` are those of
    `aiohttp.ClientSession`.
    """
    import aiohttp
    from yarl import URL

    async def refuse_other_server(_: Any, __: Any, redirect: aiohttp.TraceRequestRedirectParams) -> None:
        headers = redirect.response.headers
        target = redirect.url.join(URL(headers.get("Location") or headers.get("URI") or ""))
        if not _is_same_server(redirect.url, target):
            logger.warning("%s: its redirect to %s, another server, is not followed", redirect.url.host, target.host)
            raise aiohttp.ClientError(
                f"redirects to {target.host}, another server; name that address as the source if you trust it"
            )

    # A packed reply would be unpacked whole, whatever it becomes: a megabyte stands for a gigabyte.
    options |= {"auto_decompress": False, "headers": {"Accept-Encoding": "identity", **(options.get("headers") or {})}}
    tracing = aiohttp.TraceConfig()
    tracing.on_request_redirect.append(refuse_other_server)
    options.setdefault("timeout", aiohttp.ClientTimeout(total=MOST_SECONDS, sock_connect=STILL_SECONDS, sock_read=STILL_SECONDS))
    return aiohttp.ClientSession(**options, trace_configs=[tracing])


def _is_same_server(asked: "URL", target: "URL") -> bool:
    """Tell whether a redirect stays on its server: same host, and the same port, or HTTPS instead of HTTP by default ports."""
    if asked.host != target.host:
        return False
    upgraded = (asked.scheme, asked.port, target.scheme, target.port) == ("http", 80, "https", 443)
    return upgraded or (asked.scheme, asked.port) == (target.scheme, target.port)
