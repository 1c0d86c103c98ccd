"""Web servers on loopback for the tests of sources: real sockets, ended with the block."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


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


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving_folder(folder: Path) -> Iterator[str]:
    """Serve a folder with Python's directory listings."""
    with serving(partial(_Quiet, directory=str(folder))) as address:
        yield address
