"""A local stand-in of an OpenAI-compatible endpoint, which answers as a test chooses."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any

from infra.models.chat_endpoint import ChatEndpoint


class StandIn(ThreadingHTTPServer):
    """An endpoint whose answers a test chooses: a text, a status, or a function of the request's body.

    `pause` are seconds before each byte of an answer, `cut` is how many bytes are missing at its end.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Callable[[dict[str, Any]], tuple[int, bytes]] = lambda _: (500, b"")
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.headers: dict[str, str] = {}
        self.pause = 0.0
        self.cut = 0

    def say(self, text: str | None, tokens: int | None = 50, model: str = "") -> None:
        said = {"choices": [{"message": {"content": text}}], "usage": {"total_tokens": tokens}, "model": model}
        self.answer = lambda _: (200, json.dumps(said).encode())

    @property
    def endpoint(self) -> ChatEndpoint:
        return ChatEndpoint(
            url=f"http://127.0.0.1:{self.server_port}/v1",
            model="stand/in 1",
            key="secret",
            patience=0.5,
            tries=2,
            wait=lambda _: None,
        )


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers.get("authorization"))
        status, content = self.server.answer(body)
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        content = content[: len(content) - self.server.cut]  # the connection ends before what its header has promised
        with suppress(OSError):  # the client may have hung up
            if not self.server.pause:
                self.wfile.write(content)
                return
            for byte in content:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                sleep(self.server.pause)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """Yield an endpoint that answers while the block runs."""
    server = StandIn()
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
