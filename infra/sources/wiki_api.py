"""Calls MediaWiki's API: waits for busy servers, limits the load on them, and limits the size and time of replies.

Reference: https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Manual:Maxlag_parameter.
"""

import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import httpx

from core.credentials import hide_credentials
from core.errors import ConfigError, FabulaError, SourceError, StoreError
from infra.sources.deadline import ending_after
from infra.sources.politeness import taking_turns

CONTACT = "FABULA_CONTACT"
"""Environment variable with an address or page where a wiki's operators reach the user; part of the User-Agent."""

MAX_REPLY = 64 * 2**20
"""Largest reply of the API, in bytes."""

REPLY_SECONDS = 600.0
"""Longest time for one reply: a server that sends a byte per minute would otherwise hold the connection for years."""

MAX_BATCHES = 10_000
"""Most replies that may make up one list: five million pages."""

MAX_LAG = 5
"""Seconds that the wiki's replicated databases may lag behind; if they lag more, the wiki asks clients to wait."""

CONNECTING = 3
"""Attempts if nothing listens at the address: it may be wrong."""

_BUSY = frozenset({429, 500, 502, 503, 504})
_BUSY_CODES = ("maxlag", "ratelimited", "internal_api_error")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a busy wiki: `attempts` in all, with waits of `first_wait` seconds, doubled each time.

    A Retry-After header of the server overrides the wait, up to `longest_wait`.
    """

    attempts: int = 6
    first_wait: float = 2.0
    longest_wait: float = 120.0


class WikiError(FabulaError):
    """The API refused a request; `code` is its error code."""

    def __init__(self, url: str, code: str, info: str) -> None:
        """Keep the code."""
        super().__init__(f"{url}: the wiki refused: {code}: {info}")
        self.code = code


class _BusyError(Exception):
    """The server asks the client to come back later, after `wait` seconds if it says when."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class WikiApi:
    """Requests to one `api.php`."""

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        """Prepare requests to `url`; nothing is sent yet."""
        self.url = url
        self._patience = patience or Patience()
        contact = os.environ.get(CONTACT, "").strip() or f"dataset builder; contact not given, {CONTACT} is unset"
        self._agent = f"fabula/{version('fabula')} ({' '.join(contact.split())}) httpx/{httpx.__version__}"
        self._client = self._connect()

    def call(self, parameters: Mapping[str, str], limit: int = MAX_REPLY) -> dict[str, Any]:
        """Send a GET request and return the reply; wait while the server is busy.

        Raises:
            WikiError: the API refused.
            ConfigError: the address is not that of a MediaWiki API.
            SourceError: the reply has more than `limit` bytes.
            StoreError: the server did not answer, or stayed busy.
        """
        query = {**parameters, "format": "json", "formatversion": "2", "maxlag": str(MAX_LAG)}
        wait = self._patience.first_wait
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return self._ask(query, limit)
            except _BusyError as busy:
                pause = wait if busy.wait is None else busy.wait
                last = CONNECTING if isinstance(busy.__cause__, httpx.ConnectError) else self._patience.attempts
                if attempt >= last or pause > self._patience.longest_wait:
                    raise StoreError(
                        f"{self.url}: {busy} (attempt {attempt} of {last}, the next in {pause:.0f} s); run again later"
                    ) from busy
                logger.info("%s: %s; trying again in %.0f s", self.url, busy, pause)
                time.sleep(pause)
                wait = min(2 * wait, self._patience.longest_wait)
        raise AssertionError("unreachable")

    def query_pages(self, parameters: Mapping[str, str]) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Send `action=query` with all its continuations; return the complete pages and the redirects that were followed.

        Raises:
            WikiError, ConfigError, SourceError, StoreError: as `call` does.
        """
        pages: dict[str, dict[str, Any]] = {}
        redirects: dict[str, str] = {}
        following: dict[str, str] = {"continue": ""}
        asked = {frozenset(following.items())}
        while len(asked) <= MAX_BATCHES:
            reply = self.call({"action": "query", **parameters, **following})
            query = reply.get("query", {})
            found = query.get("pages", [])
            for page in found.values() if isinstance(found, dict) else found:
                _merge(pages.setdefault(str(page.get("title", page.get("pageid"))), {}), page)
            redirects |= {entry["from"]: entry["to"] for entry in query.get("redirects", [])}
            upcoming = _find_continuation(reply)
            if not upcoming:
                return list(pages.values()), redirects
            if frozenset(upcoming.items()) in asked:
                raise StoreError(f"{self.url}: the list of pages repeats from {upcoming}; run again later")
            following = upcoming
            asked.add(frozenset(upcoming.items()))
        raise StoreError(f"{self.url}: the list of pages has more than {MAX_BATCHES} replies; name smaller categories")

    def _connect(self) -> httpx.Client:
        # Redirects are not followed, so that only the host that the user named is read.
        timeout = httpx.Timeout(60, connect=15)
        return httpx.Client(headers={"User-Agent": self._agent}, timeout=timeout, follow_redirects=False)

    def _ask(self, query: Mapping[str, str], limit: int) -> dict[str, Any]:
        if self._client.is_closed:  # an earlier reply had no end
            self._client = self._connect()
        client = self._client
        try:
            with (
                taking_turns(urlsplit(self.url).netloc),
                ending_after(client, REPLY_SECONDS, f"read a reply of {self.url}"),
                client.stream("GET", self.url, params=dict(query)) as response,
            ):
                content = self._read(response, limit)
        except RuntimeError as closed:  # by another thread, whose reply had no end
            if not client.is_closed:
                raise
            raise _BusyError("another reply of this server had no end") from closed
        except (httpx.TransportError, httpx.DecodingError) as broken:
            raise _BusyError(f"{type(broken).__name__}: {broken}") from broken
        if response.is_redirect:
            target = hide_credentials(str(response.headers.get("location")))
            raise ConfigError(f"{self.url}: answers with a redirect to {target}; give that address")
        wait = _read_wait(response.headers.get("retry-after"))
        try:
            reply = json.loads(content)
            if b"\\ud" in content.lower():
                json.dumps(reply, ensure_ascii=False).encode()
        except RecursionError as deep:
            raise SourceError(
                f"{self.url}: a reply is JSON that is nested too deeply; expected MediaWiki's. Check the page"
            ) from deep
        except UnicodeEncodeError as half:
            raise SourceError(
                f"{self.url}: a reply has half of a surrogate pair: its text is damaged; correct the page"
            ) from half
        except ValueError:
            reply = None
        error = reply.get("error") if isinstance(reply, dict) else None
        if isinstance(error, dict) and str(error.get("code")).startswith(_BUSY_CODES):
            raise _BusyError(f"{error['code']}: {error.get('info', '')}", wait)
        if response.status_code in _BUSY:
            raise _BusyError(f"HTTP {response.status_code}", wait)
        if isinstance(error, dict):
            raise WikiError(self.url, str(error.get("code")), str(error.get("info", "")))
        if not isinstance(reply, dict) or response.status_code != httpx.codes.OK:
            raise ConfigError(
                f"{self.url}: no MediaWiki API here (HTTP {response.status_code}, {len(content)} bytes); give the address of the "
                "wiki's api.php, which its page Special:Version names"
            )
        for part, warning in reply.get("warnings", {}).items():
            logger.debug("%s: %s: %s", self.url, part, warning)
        return reply

    def _read(self, response: httpx.Response, limit: int) -> bytes:
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if len(content) > limit:
                raise SourceError(f"{self.url}: a reply of more than {limit / 2**20:.0f} MiB; expected less of one page")
        return bytes(content)


def _merge(page: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add the fields of a later batch to a page: lists are extended, other fields stay as they are."""
    for name, value in more.items():
        known = page.setdefault(name, value)
        if isinstance(known, list) and known is not value:
            page[name] = known + [entry for entry in value if entry not in known]


def _find_continuation(reply: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters for the next batch; MediaWiki before 1.26 may give them per module."""
    if "continue" in reply:
        return {name: str(value) for name, value in reply["continue"].items()}
    modules = reply.get("query-continue", {}).values()
    return {name: str(value) for module in modules for name, value in module.items()}


def _read_wait(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, given as a number or a date."""
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
