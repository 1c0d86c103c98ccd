"""Guards every Prefect server that fabula starts: a web page of another origin gets no answer from it.

A browser sends whatever a page asks for, also to 127.0.0.1. It marks such requests by headers that the page cannot set: Host (the
name that it was reached by, also where DNS has been pointed at 127.0.0.1 meanwhile), Origin and Sec-Fetch-Site. Whoever writes to
Prefect's API can run commands as the user of the server. Programs such as Prefect's own client send neither Origin nor
Sec-Fetch-Site; what keeps other people's programs out is the password (`docs/security.md`).
"""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from core.errors import ConfigError

ALLOWED_HOSTS = "FABULA_ALLOWED_HOSTS"
"""Environment variable with further names, separated by commas, by which the server is reached: `fabula.example.org`."""

MAX_BYTES = 4 << 20  # A request with a longer body is refused; Prefect's client sends logs in pieces of at most 4,000,000 bytes
_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}
_TOO_LONG = f"the request has more than {MAX_BYTES:,} bytes; send less at once"
_NAVIGATION = {b"sec-fetch-mode": b"navigate", b"sec-fetch-dest": b"document"}
_KEPT_IN = [
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'none'"),
]
"""Headers that keep other pages from framing the UI under what a visitor clicks on, and the UI from asking other hosts."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """By which names a server may be reached: those of loopback always, `names` beside them.

    `every_address`: by any address in digits too, for a server that listens on all of them. DNS cannot point those anywhere else.
    """

    names: frozenset[str] = frozenset()
    every_address: bool = False

    def __contains__(self, name: str) -> bool:
        """Tell whether a host's name, or its address in digits (an IPv6 one in brackets), is allowed."""
        name = name.lower()
        if is_loopback(name) or name in self.names:
            return True
        return self.every_address and _is_address(name)


def read_allowed_hosts(listened: str, named: str | None) -> AllowedHosts:
    """Return what may reach a server that listens on `listened`; `named` is the value of FABULA_ALLOWED_HOSTS."""
    names = {name.strip().lower() for name in (named or "").split(",") if name.strip()}
    for name in sorted(names):
        if not _NAME.fullmatch(name):
            raise ConfigError(f"{ALLOWED_HOSTS}: {name!r} is no host's name; expected names such as fabula.example.org,server")
    bare = listened.strip("[]").lower()
    every = bare == "" or (_is_address(bare) and ip_address(bare).is_unspecified)
    own = set() if every else {f"[{bare}]" if ":" in bare else bare}
    return AllowedHosts(frozenset(names | own), every)


def is_loopback(host: str) -> bool:
    """Tell whether a host's name or address reaches only the machine itself."""
    if host.lower() == "localhost":
        return True
    return _is_address(host) and ip_address(host.strip("[]")).is_loopback


class RequestGuard:
    """An ASGI application that hands on to another what it does not refuse.

    The status is 403 (a WebSocket is closed before its handshake), or 413 for a body of more than `MAX_BYTES`.
    """

    def __init__(self, app: App, hosts: AllowedHosts) -> None:
        """Guard `app`, which may be reached by `hosts`."""
        self._app = app
        self._hosts = hosts
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = find_fault(scope, self._hosts)
        if fault is not None:
            self._tell(fault)
            await refuse(scope, send, 403, fault)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif _read_length(scope) > MAX_BYTES:
            await refuse(scope, send, 413, _TOO_LONG)
        else:
            await _limited(self._app, scope, receive, _without_frames(send))

    def _tell(self, fault: str) -> None:
        """Log a kind of refusal once: a page could cause a thousand a second."""
        if fault not in self._told and len(self._told) < 100:
            self._told.add(fault)
            logger.warning("refused a request: %s", fault)


def find_fault(scope: Scope, hosts: AllowedHosts) -> str | None:
    """Return why a request or a WebSocket's handshake must be refused, None where nothing speaks against it."""
    headers = [(name.lower(), value) for name, value in scope["headers"]]
    given = [value.decode("latin-1") for name, value in headers if name == b"host"]
    if len(given) != 1:
        return f"expected one header Host, found {len(given)}"
    host, port = _split_host(given[0])
    if host is None or host not in hosts:
        return f"Host is {_shorten(given[0])}; this server is reached by names of loopback, or by those in {ALLOWED_HOSTS}"
    for value in (value.decode("latin-1") for name, value in headers if name == b"origin"):
        if not _is_own_origin(value, host, port, hosts):
            return f"Origin is {_shorten(value)}; only the pages of this server itself may ask it"
    sites = {value for name, value in headers if name == b"sec-fetch-site"}
    if sites - {b"same-origin", b"none"} and not _is_navigation(scope, headers):
        found = ", ".join(sorted(site.decode("latin-1") for site in sites))
        return f"Sec-Fetch-Site is {_shorten(found)}; only the pages of this server itself may ask it"
    return None


async def refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    """Answer with a status and a reason; a WebSocket is closed before its handshake, which its server answers with 403."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    body = json.dumps({"detail": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _limited(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Call an application; where a body of unknown length grows too long, tell it that the connection has ended."""
    size, started = 0, False

    async def receiving() -> MutableMapping[str, Any]:
        nonlocal size
        if size <= MAX_BYTES:
            message = await receive()
            size += len(message.get("body", b""))
        return message if size <= MAX_BYTES else {"type": "http.disconnect"}

    async def sending(message: MutableMapping[str, Any]) -> None:
        nonlocal started
        if started or size <= MAX_BYTES:
            started = True
            await send(message)

    try:
        await app(scope, receiving, sending)
    except Exception:
        if size <= MAX_BYTES:
            raise
    if not started and size > MAX_BYTES:
        await refuse(scope, send, 413, _TOO_LONG)


def _read_length(scope: Scope) -> int:
    """Return what a request says of the length of its body; 0 where it says nothing."""
    said = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"")
    return int(said) if said.isdigit() and len(said) < 20 else 0


def _is_own_origin(origin: str, host: str, port: int | None, hosts: AllowedHosts) -> bool:
    """Tell whether a page of `origin` is the server's: it has the Host's name and port, or a name that the settings allow."""
    try:
        parts = urlsplit(origin)
        name, stated = _split_host(parts.netloc)
    except ValueError:
        return False
    if name is None or parts.scheme not in _PORTS or parts.path or parts.query or parts.fragment:
        return False
    asked = stated or _PORTS[parts.scheme]
    if name.lower() == host.lower() and asked == (port or _PORTS[parts.scheme]):
        return True
    # A proxy that ends TLS may send the Host of the server behind it. Its users see a name that the settings list.
    return name.lower() in hosts.names and stated is None


def _is_navigation(scope: Scope, headers: Collection[tuple[bytes, bytes]]) -> bool:
    """Tell whether a user follows a link from another site to a page of the UI. That only shows the page, so it is allowed."""
    if scope["type"] != "http" or scope["method"] != "GET" or "/api" in scope["path"]:
        return False
    return all([value for name, value in headers if name == header] == [wanted] for header, wanted in _NAVIGATION.items())


def _without_frames(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            # Prefect's default lets pages of all origins (`*`) read an answer.
            kept = [pair for pair in message.get("headers", ()) if not pair[0].lower().startswith(b"access-control-")]
            message = {**message, "headers": [*kept, *_KEPT_IN]}
        await send(message)

    return sending


def _split_host(value: str) -> tuple[str | None, int | None]:
    """Return name and port of a Host header or of an origin; no name where it has another form."""
    name, colon, port = value.rpartition(":") if re.search(r":\d{1,5}$", value) else (value, "", "")
    if not _NAME.fullmatch(name):
        return None, None
    return name, int(port) if colon else None


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _shorten(value: str) -> str:
    return repr(value[:100])
