"""Calls MediaWiki's API: waits for busy servers, limits the load on them, and limits the size and time of replies.

Reference: https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Manual:Maxlag_parameter.
"""

import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from filelock import FileLock

from core.credentials import hide_credentials
from core.errors import ConfigError, FabulaError, SourceError, StoreError
from infra.web_requests import BusyError, Patience, read_reply, read_retry_after

CONTACT = "FABULA_CONTACT"
"""Environment variable with an address or page where a wiki's operators reach the user; part of the User-Agent."""

MAX_REPLY = 64 * 2**20  # largest reply of the API, in bytes
REPLY_SECONDS = 600.0
"""Longest time for one reply: a server that sends a byte per minute would otherwise hold the connection for years."""

MAX_BATCHES = 10_000  # most replies that may make up one list: five million pages
MAX_LAG = 5  # seconds that the wiki's replicated databases may lag behind; if they lag more, the wiki asks clients to wait
SLOTS = 2  # parallel requests from one machine to a wiki, over all its processes
CONNECTING = 3  # attempts if nothing listens at the address: it may be wrong
_BUSY = frozenset({429, 500, 502, 503, 504})
_BUSY_CODES = ("maxlag", "ratelimited", "internal_api_error")


class WikiError(FabulaError):
    """The API refused a request; `code` is its error code."""

    def __init__(self, url: str, code: str, info: str) -> None:
        super().__init__(f"{url}: the wiki refused: {code}: {info}")
        self.code = code


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
        """Send a GET request and return the reply, of at most `limit` bytes; wait while the server is busy."""
        query = {**parameters, "format": "json", "formatversion": "2", "maxlag": str(MAX_LAG)}
        try:
            return self._patience.ask(lambda: self._ask(query, limit), self.url)
        except BusyError as busy:
            told = f"{busy} (after {busy.attempts} attempts, the next in {busy.wait:.0f} s)"
            raise StoreError(f"{self.url}: {told}; run again later") from busy

    def query_pages(self, parameters: Mapping[str, str]) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Send `action=query` with all its continuations; return the complete pages and the redirects that were followed."""
        pages: dict[str, dict[str, Any]] = {}
        redirects: dict[str, str] = {}
        following: dict[str, str] = {"continue": ""}
        asked = {frozenset(following.items())}
        while len(asked) <= MAX_BATCHES:
            reply = self.call({"action": "query", **parameters, **following})
            query = reply.get("query", {})
            for page in query.get("pages", []):
                _merge(pages.setdefault(str(page.get("title", page.get("pageid"))), {}), page)
            redirects |= {entry["from"]: entry["to"] for entry in query.get("redirects", [])}
            if "query-continue" in reply:
                raise ConfigError(f"{self.url}: the wiki is older than MediaWiki 1.26 (2015), whose lists are not followed")
            upcoming = {name: str(value) for name, value in reply.get("continue", {}).items()}
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
            with _taking_turns(urlsplit(self.url).netloc):
                what = f"read a reply of {self.url}"
                response, content = read_reply(client, self.url, limit, REPLY_SECONDS, what, params=dict(query))
        except RuntimeError as closed:  # by another thread, whose reply had no end
            if not client.is_closed:
                raise
            raise BusyError("another reply of this server had no end") from closed
        except (httpx.TransportError, httpx.DecodingError) as broken:
            most = CONNECTING if isinstance(broken, httpx.ConnectError) else sys.maxsize
            raise BusyError(f"{type(broken).__name__}: {broken}", most=most) from broken
        if len(content) > limit:
            raise SourceError(f"{self.url}: a reply of more than {limit / 2**20:.0f} MiB; expected less of one page")
        if response.is_redirect:
            target = hide_credentials(str(response.headers.get("location")))
            raise ConfigError(f"{self.url}: answers with a redirect to {target}; give that address")
        wait = read_retry_after(response.headers.get("retry-after"))
        try:
            reply = json.loads(content)
            if b"\\ud" in content.lower():
                json.dumps(reply, ensure_ascii=False).encode()
        except RecursionError as deep:
            raise SourceError(f"{self.url}: a reply is JSON that is nested too deeply; check the page") from deep
        except UnicodeEncodeError as half:
            raise SourceError(f"{self.url}: a reply has half of a surrogate pair; correct the page") from half
        except ValueError:
            reply = None
        error = reply.get("error") if isinstance(reply, dict) else None
        if isinstance(error, dict) and str(error.get("code")).startswith(_BUSY_CODES):
            raise BusyError(f"{error['code']}: {error.get('info', '')}", wait)
        if response.status_code in _BUSY:
            raise BusyError(f"HTTP {response.status_code}", wait)
        if isinstance(error, dict):
            raise WikiError(self.url, str(error.get("code")), str(error.get("info", "")))
        if not isinstance(reply, dict) or response.status_code != httpx.codes.OK:
            found = f"HTTP {response.status_code}, {len(content)} bytes"
            raise ConfigError(f"{self.url}: no MediaWiki API here ({found}); the wiki's page Special:Version names its address")
        return reply


def _merge(page: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add the fields of a later batch to a page: lists are extended, other fields stay as they are."""
    for name, value in more.items():
        known = page.setdefault(name, value)
        if isinstance(known, list) and known is not value:
            page[name] = known + [entry for entry in value if entry not in known]


@contextmanager
def _taking_turns(host: str) -> Iterator[None]:
    """Hold one of the machine's slots for a server inside the block; wait if the slot is taken."""
    folder = Path(tempfile.gettempdir()) / f"fabula-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9.-]", "_", host)
    with FileLock(folder / f"{name}.{random.randrange(SLOTS)}", mode=0o600):  # the system releases it when the process dies
        yield
