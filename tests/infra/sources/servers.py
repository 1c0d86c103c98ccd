"""Web servers on loopback for the tests of sources, and a small source that lies in every kind of place."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest

from infra.sources.folder import FolderSource

FILES = {"transcripts/C1E001 one.txt": b"first", "recaps/C1E001_é.md": b"second!"}


def read_contents(source: FolderSource) -> dict[str, bytes]:
    """Return what a source gives for each file that it lists, at most 100 bytes."""
    return {file.path: source.read(file, 100) for file in source.list_files()}


@contextmanager
def serving(handler: "type[BaseHTTPRequestHandler] | partial[BaseHTTPRequestHandler]") -> Iterator[str]:
    """Serve requests by `handler` and yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


class Handler(BaseHTTPRequestHandler, ABC):
    """Answers HEAD as GET, and writes no log lines."""

    def answer(self, body: bytes = b"", status: int = 200, **headers: str) -> None:
        """Send a whole answer; underscores in the names of headers are hyphens."""
        self.send_response(status)
        for name, value in ({"Content_Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    @abstractmethod
    def reply(self) -> None:
        """Answer a request; each server has its own way."""

    def do_GET(self) -> None:
        """Answer."""
        self.reply()

    def do_HEAD(self) -> None:
        """Answer without a body."""
        self.reply()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


class _Listing(SimpleHTTPRequestHandler):
    authorization: str | None = None

    def send_head(self) -> BytesIO | BinaryIO | None:
        if self.authorization is None or self.headers.get("Authorization") == self.authorization:
            return super().send_head()
        self.send_error(401)
        return None

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving_folder(folder: Path, authorization: str | None = None) -> Iterator[str]:
    """Serve a folder with Python's directory listings; with `authorization` only for requests that have this header."""
    kind = type("_Opened", (_Listing,), {"authorization": authorization})
    with serving(partial(kind, directory=str(folder))) as address:
        yield address


@contextmanager
def serving_s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Serve S3 from memory, and let the environment name the server and its keys."""
    server = pytest.importorskip("moto.server", reason="moto[server] is not installed").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in (("ACCESS_KEY_ID", "test"), ("SECRET_ACCESS_KEY", "test"), ("ENDPOINT_URL", f"http://{host}:{port}")):
        monkeypatch.setenv(f"AWS_{name}", value)
    yield
    server.stop()
