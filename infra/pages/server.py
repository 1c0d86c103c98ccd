"""A small server for pages on this machine: loopback only, no page of another origin gets an answer, no foreign script runs."""

import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from core.errors import ConfigError, FabulaError
from infra.orchestration.request_guard import AllowedHosts, RequestGuard
from infra.pages import read_asset

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)
"""What a page may load: files of its own server. Nothing inline runs, so text that was taken for HTML could not run either."""

_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store"}

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".gz": "application/gzip",  # of chunks: the page unpacks them itself, as it must where no server says how they are packed
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""Media type by the end of a file's name."""

Answer = Callable[[Mapping[str, str]], Any]
"""Takes the parameters of a query and returns a JSON value; ConfigError says what is wrong with them."""
Accept = Callable[[Any], Any]  # takes the JSON value that a page sends and returns one; ConfigError says what is wrong with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What a server serves.

    `home` is the path of the first page. `assets` are files of this package by path. `read` returns the bytes of any other path,
    None where there is none. `answers` are called for GET, `accepts` for POST. `styled` are pages with a style sheet inside them:
    it may hold, scripts still may not.
    """

    home: str
    assets: Mapping[str, str] = field(default_factory=dict)
    read: Callable[[str], bytes | None] = lambda _: None
    answers: Mapping[str, Answer] = field(default_factory=dict)
    accepts: Mapping[str, Accept] = field(default_factory=dict)
    styled: frozenset[str] = frozenset()


def make_app(site: Site) -> RequestGuard:
    """Return the ASGI application of a site. Names of loopback are the only ones by which it can be reached.

    What reads the store is called outside the loop: by Starlette, where a function is not `async`.
    """

    def answering(answer: Answer) -> Callable[[Request], Response]:
        return lambda request: JSONResponse(answer(dict(request.query_params)))

    def accepting(accept: Accept) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return JSONResponse({"detail": "expected content-type application/json"}, 415)
            try:
                said = await request.json()
            except (ValueError, RecursionError):
                return JSONResponse({"detail": "the body is no JSON, or is nested too deeply"}, 400)
            return JSONResponse(await run_in_threadpool(accept, said))

        return respond

    def read(request: Request) -> Response:
        path = request.path_params["path"]
        if not path:
            return RedirectResponse(f"/{site.home}")
        content = read_asset(site.assets[path]) if path in site.assets else site.read(path)
        if content is None:
            return JSONResponse({"detail": f"there is no file {path[:200]}"}, 404)
        media_type = _MEDIA_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
        return Response(content, headers={"content-type": media_type})

    async def add_headers(request: Request, respond: RequestResponseEndpoint) -> Response:
        inside = request.scope["path"].removeprefix("/") in site.styled
        policy = CONTENT_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'") if inside else CONTENT_POLICY
        response = await respond(request)
        response.headers.update({**_HEADERS, "content-security-policy": policy})
        return response

    routes = [
        *(Route(f"/{path}", answering(answer), methods=["GET"]) for path, answer in site.answers.items()),
        *(Route(f"/{path}", accepting(accept), methods=["POST"]) for path, accept in site.accepts.items()),
        Route("/{path:path}", read, methods=["GET", "HEAD"]),
    ]
    app = Starlette(routes=routes, exception_handlers={ConfigError: partial(_explain, 400), FabulaError: partial(_explain, 502)})
    packed = GZipMiddleware(app, minimum_size=1_000)
    return RequestGuard(BaseHTTPMiddleware(packed, dispatch=add_headers), AllowedHosts())


def _explain(status: int, _: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status)


def open_socket(port: int = 0) -> socket.socket:
    """Return a socket that listens on a port of loopback; 0: any that is free."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(("127.0.0.1", port))
    except OSError as error:
        opened.close()
        raise ConfigError(f"port {port} of 127.0.0.1: {error.strerror}; choose another with --port, or 0 for any") from error
    return opened


def serve_site(site: Site, listening: socket.socket) -> None:
    """Serve a site on a socket until a signal ends it."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(make_app(site), log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
    with suppress(KeyboardInterrupt):  # Ctrl-C is how a person ends it; uvicorn has ended by then, and raises it again
        uvicorn.Server(config).run(sockets=[listening])
