"""HTTP sessions that ask only the server that a user has named: its redirects to another are not followed.

A web server could otherwise let fabula read addresses that only this machine reaches, such as 127.0.0.1 or those of a cloud's
metadata, and put what is there into a dataset.
"""

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

logger = logging.getLogger(__name__)


STILL_SECONDS = 60.0
"""Longest time without a byte from a web server."""


async def open_session(most: float, **options: Any) -> "aiohttp.ClientSession":
    """Return a session for fsspec's HTTP filesystem; `options` are those of `aiohttp.ClientSession`.

    A request with its reply takes `most` seconds at the longest, unless the options have a `timeout`.
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

    tracing = aiohttp.TraceConfig()
    tracing.on_request_redirect.append(refuse_other_server)
    options.setdefault("timeout", aiohttp.ClientTimeout(total=most, sock_connect=STILL_SECONDS, sock_read=STILL_SECONDS))
    return aiohttp.ClientSession(**options, trace_configs=[tracing])


def _is_same_server(asked: "URL", target: "URL") -> bool:
    """Tell whether a redirect stays on its server: same host, and the same port, or HTTPS instead of HTTP by default ports."""
    if asked.host != target.host:
        return False
    upgraded = (asked.scheme, asked.port, target.scheme, target.port) == ("http", 80, "https", 443)
    return upgraded or (asked.scheme, asked.port) == (target.scheme, target.port)
