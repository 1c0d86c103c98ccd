"""Prefect's server behind the guards: the program of every server that fabula starts, of compose's too.

    python -m infra.orchestration.guarded_server --host 127.0.0.1 --port 4200

It does what `prefect server start` does, with the same settings. Three things are different: `RequestGuard` and `ParameterGuard`
stand before it, no other origin may read its answers, and it listens beyond loopback only with a password.
"""

import argparse
import gc
import os
import socket
import sys
from collections.abc import Mapping, Sequence

from core.errors import ConfigError
from infra.orchestration.request_guard import ALLOWED_HOSTS, is_loopback, read_allowed_hosts

AUTH_STRING = "PREFECT_SERVER_API_AUTH_STRING"
"""Prefect's own setting for a password, `user:password`; its UI asks for it, its client takes it from PREFECT_API_AUTH_STRING."""

SHORTEST_PASSWORD = 12
"""Characters. Nothing limits how many passwords somebody tries."""

GRACE_SECONDS = 5
"""How long requests under way may take when the server is asked to end."""


def check_listening(host: str, environment: Mapping[str, str]) -> None:
    """Refuse to listen where other machines reach the server, unless there is a password.

    Raises:
        ConfigError: the password is missing or short, or FABULA_ALLOWED_HOSTS is wrong.
    """
    read_allowed_hosts(host, environment.get(ALLOWED_HOSTS))
    user, colon, password = environment.get(AUTH_STRING, "").partition(":")
    if is_loopback(host) and not user + password:
        return
    if not user or not colon or len(password) < SHORTEST_PASSWORD:
        found = "it is not set" if not user + colon else "what is there is shorter, or has no colon"
        where = "" if is_loopback(host) else f"to listen on {host}, where other machines reach it, "
        raise ConfigError(
            f"{where}Prefect's server needs a password of at least {SHORTEST_PASSWORD} characters: set {AUTH_STRING} to "
            f"user:password ({found}). Whoever reaches the server can run programs as you (docs/security.md)"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until a signal ends it; exit status 3 where it has not started."""
    parser = argparse.ArgumentParser(prog="guarded_server")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=4200, help="port of the UI and the API")
    parser.add_argument("--fd", type=int, help="instead of both: number of a socket of loopback that listens already")
    options = parser.parse_args(arguments)
    try:
        check_listening(options.host, os.environ)
        hosts = read_allowed_hosts(options.host, os.environ.get(ALLOWED_HOSTS))
    except ConfigError as error:
        sys.exit(f"fabula: {error}")
    gc.disable()  # what is imported stays: to look for garbage among it takes a tenth of the start
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.settings import get_current_settings

    from infra.orchestration.parameter_guard import ParameterGuard
    from infra.orchestration.request_guard import RequestGuard

    settings = get_current_settings().server
    app = RequestGuard(ParameterGuard(create_app(final=True)), hosts)
    gc.freeze()
    gc.enable()
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
