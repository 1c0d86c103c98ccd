"""Filesystems behind URLs: opened with the patience that a network needs, and the errors that they end with.

Requests to S3 that fail, break off or stall are sent again; every wait has an end. A user's own settings win: fsspec reads
them from FSSPEC_S3 (JSON, for example {"config_kwargs": {"read_timeout": 60}}) or from its configuration files.
"""

from typing import Any

import fsspec
from fsspec import AbstractFileSystem

S3_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,  # seconds
    "read_timeout": 15,  # seconds without a byte
    # Waits of up to 1, 2, 4 … 20 s between attempts, 35 s together on average; s3fs starts over four times where no reply came.
    "retries": {"mode": "standard", "max_attempts": 8},
}
"""botocore's configuration of every S3 client. A server that stalls for ever ends a call within 15 minutes."""


def open_filesystem(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the filesystem of an fsspec URL and the path in it; listings are never taken from a cache.

    Raises:
        ImportError, ValueError: no filesystem is known for the URL's protocol.
    """
    settings = fsspec.config.conf.setdefault("s3", {})
    settings["config_kwargs"] = S3_PATIENCE | settings.get("config_kwargs", {})
    filesystem, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
    return filesystem, root


def backend_errors(filesystem: AbstractFileSystem) -> tuple[type[Exception], ...]:
    """Return what a filesystem's operations fail with: OSError, and what the clients of S3 and HTTP raise beside it."""
    if "http" in filesystem.protocol:
        from aiohttp import ClientError as WebError

        return (OSError, WebError)
    if "s3" not in filesystem.protocol:
        return (OSError,)
    from botocore.exceptions import BotoCoreError, ClientError

    return (OSError, BotoCoreError, ClientError)
