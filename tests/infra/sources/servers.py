"""Web servers on loopback for the tests of sources: real sockets, ended with the block."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO


@contextmanager
def serving(handler: "type[BaseHTTPRequestHandler] | partial[BaseHTTPRequestHandler]") -> Iterator[str]:
    """Serve requests by `handler` and yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


class Quiet:
    """Put before a handler in its bases: it writes no log lines."""

    def log_message(self, *_: object) -> None:
        """Write nothing."""


class _Listing(Quiet, SimpleHTTPRequestHandler):
    pass


class _Closed(_Listing):
    authorization = ""

    def send_head(self) -> BytesIO | BinaryIO | None:
        if self.headers.get("Authorization") == self.authorization:
            return super().send_head()
        self.send_error(401)
        return None


@contextmanager
def serving_folder(folder: Path, authorization: str | None = None) -> Iterator[str]:
    """Serve a folder with Python's directory listings; with `authorization` only for requests that have this header."""
    kind = _Listing if authorization is None else type("_Opened", (_Closed,), {"authorization": authorization})
    with serving(partial(kind, directory=str(folder))) as address:
        yield address
