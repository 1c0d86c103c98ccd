"""Prefect's server behind the guards: the program of every server that fabula starts, of compose's too.

    python -m infra.orchestration.guarded_server --host 127.0.0.1 --port 4200

It does what `prefect server start` does, with the same settings. Three things are different: `RequestGuard` and `ParameterGuard`
stand before it, no other origin may read its answers, and it listens beyond loopback only with a password.
"""

import argparse
import json
import os
import socket
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from core.credentials import refuse_credentials
from core.errors import ConfigError
from infra.orchestration import request_guard
from infra.orchestration.large_imports import importing

AUTH_STRING = "PREFECT_SERVER_API_AUTH_STRING"
"""Prefect's own setting for a password, `user:password`; its UI asks for it, its client takes it from PREFECT_API_AUTH_STRING."""

SHORTEST_PASSWORD = 12  # characters. Nothing limits how many passwords somebody tries.
GRACE_SECONDS = 5  # how long requests under way may take when the server is asked to end
WITH_PARAMETERS = ("/deployments", "/flow_runs", "/automations", "/variables")
"""Parts of the API that take parameters of flows, or what parameters are made of."""


def check_listening(host: str, environment: Mapping[str, str]) -> request_guard.AllowedHosts:
    """Refuse to listen where other machines reach the server, unless there is a password; return by which names it is reached."""
    hosts = request_guard.read_allowed_hosts(host, environment.get(request_guard.ALLOWED_HOSTS))
    user, colon, password = environment.get(AUTH_STRING, "").partition(":")
    if request_guard.is_loopback(host) and not user + password:
        return hosts
    if not user or not colon or len(password) < SHORTEST_PASSWORD:
        found = "it is not set" if not user + colon else "what is there is shorter, or has no colon"
        where = "" if request_guard.is_loopback(host) else f"to listen on {host}, where other machines reach it, "
        raise ConfigError(
            f"{where}Prefect's server needs a password of at least {SHORTEST_PASSWORD} characters: set {AUTH_STRING} to "
            f"user:password ({found}). Whoever reaches the server can run programs as you (docs/security.md)"
        )
    return hosts


class ParameterGuard:
    """Keeps credentials in URLs out of Prefect's database: parameters that carry one are refused, with status 422.

    `fabula` refuses them too, but a deployment's parameters also come from `prefect deploy`, from the UI and from other programs.
    It keeps a body in memory: `RequestGuard` stands before it and refuses long ones.
    """

    def __init__(self, app: request_guard.App) -> None:
        self._app = app

    async def __call__(self, scope: request_guard.Scope, receive: request_guard.Receive, send: request_guard.Send) -> None:
        """Read the body of a request that may bring parameters; refuse it, or hand it on as it came."""
        brings = scope["type"] == "http" and scope["method"] in ("POST", "PATCH", "PUT")
        if not (brings and any(part in scope["path"] for part in WITH_PARAMETERS)):
            await self._app(scope, receive, send)
            return
        messages: list[MutableMapping[str, Any]] = []
        while not messages or messages[-1].get("more_body"):
            messages.append(await receive())
            if messages[-1]["type"] == "http.disconnect":
                return
        try:
            refuse_credentials(_parse(b"".join(message.get("body", b"") for message in messages)), "parameters")
        except (ConfigError, RecursionError) as error:
            await request_guard.refuse(scope, send, 422, str(error))
            return
        kept = iter(messages)

        async def again() -> MutableMapping[str, Any]:
            message = next(kept, None)
            return message if message is not None else await receive()

        await self._app(scope, again, send)


def _parse(body: bytes) -> object:
    """Return what a body says; what is no JSON is nothing that the server stores."""
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until a signal ends it; exit status 3 where it has not started."""
    parser = argparse.ArgumentParser(prog="guarded_server")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=4200, help="port of the UI and the API")
    parser.add_argument(
        "--fd", type=int, help="instead of both: number of a socket of loopback that listens already, for the runs of one command"
    )
    options = parser.parse_args(arguments)
    try:
        hosts = check_listening(options.host, os.environ)
    except ConfigError as error:
        sys.exit(f"fabula: {error}")
    with importing():
        import uvicorn
        from prefect.server.api.server import create_app
        from prefect.settings import get_current_settings

        settings = get_current_settings().server
        # A server of one command: without UI, and with the services that record runs only.
        app = request_guard.RequestGuard(ParameterGuard(create_app(final=True, ephemeral=options.fd is not None)), hosts)
    config = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        timeout_keep_alive=settings.api.keepalive_timeout,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws_ping_interval=settings.api.websocket_ping_interval,
        ws_ping_timeout=settings.api.websocket_ping_timeout,
        log_level=settings.logging_level.lower(),
        lifespan="on",
    )
    server = uvicorn.Server(config)
    server.run(sockets=[socket.socket(fileno=options.fd)] if options.fd is not None else None)
    sys.exit(0 if server.started else 3)


if __name__ == "__main__":
    main()
