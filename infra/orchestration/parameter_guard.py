"""Keeps credentials in URLs out of Prefect's database: parameters that carry one are refused before the server stores them.

`fabula` refuses them too, but a deployment's parameters also come from `prefect deploy`, from the UI and from other programs.
"""

import json
from collections.abc import MutableMapping
from typing import Any

from core.credentials import refuse_credentials
from core.errors import ConfigError
from infra.orchestration.request_guard import App, Receive, Scope, Send, refuse

WITH_PARAMETERS = ("/deployments", "/flow_runs", "/automations", "/variables")
"""Parts of the API that take parameters of flows, or what parameters are made of."""


class ParameterGuard:
    """An ASGI application that hands on to another what carries no credential; status 422 for what does.

    It keeps a body in memory: `RequestGuard` stands before it and refuses long ones.
    """

    def __init__(self, app: App) -> None:
        """Guard `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body of a request that may bring parameters; refuse it, or hand it on as it came."""
        if not _may_bring_parameters(scope):
            await self._app(scope, receive, send)
            return
        messages: list[MutableMapping[str, Any]] = []
        while not messages or messages[-1].get("more_body"):
            messages.append(await receive())
            if messages[-1]["type"] == "http.disconnect":
                return
        try:
            refuse_credentials(_read(b"".join(message.get("body", b"") for message in messages)), "parameters")
        except (ConfigError, RecursionError) as error:
            await refuse(scope, send, 422, str(error))
            return
        kept = iter(messages)

        async def again() -> MutableMapping[str, Any]:
            message = next(kept, None)
            return message if message is not None else await receive()

        await self._app(scope, again, send)


def _may_bring_parameters(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("POST", "PATCH", "PUT"):
        return False
    return any(part in scope["path"] for part in WITH_PARAMETERS)


def _read(body: bytes) -> object:
    """Return what a body says; what is no JSON is nothing that the server stores."""
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None
