"""A proxy in front of an S3 server that lets one request in five go wrong."""

import random
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

SHARE = 0.2
ERRORS = ((500, "InternalError"), (503, "SlowDown"))
BODY = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code><Message>Please try again.</Message></Error>'


class FaultyProxy(ThreadingHTTPServer):
    """Passes requests on to `port` of this machine; `fault` is what one in five meets.

    `errors`: S3's 500 InternalError and 503 SlowDown, in turn, without the request being passed on. `cut` and `stall`: the
    connection is closed, or nothing more is said, in turn before the request is passed on, after that, and in the middle of the
    reply.
    """

    daemon_threads = True

    def __init__(self, port: int, fault: str) -> None:
        self.upstream = port
        self.fault = fault
        self.counts: Counter[str] = Counter()
        self.ended = Event()
        self._random = random.Random(20)
        self._lock = Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def draw(self) -> int | None:
        """Return the number of the fault that this request meets, None for none."""
        with self._lock:
            self.counts["requests"] += 1
            if self._random.random() >= SHARE:
                return None
            self.counts["faults"] += 1
            return self.counts["faults"]

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that give up are the point."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultyProxy

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = self.server.draw()
        if fault is not None and self.server.fault == "errors":
            self._refuse(*ERRORS[fault % 2])
            return
        place = None if fault is None else fault % 3
        if place == 0:
            self._break()
            return
        connection = HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        connection.request(self.command, self.path, body, dict(self.headers))
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if place == 1:
            self._break()
            return
        self._copy_head(response, content)
        self.wfile.write(content if place is None else content[: len(content) // 2])
        if place == 2:
            self._break()

    def _copy_head(self, response: HTTPResponse, content: bytes) -> None:
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        if self.command == "HEAD":
            self.send_header("Content-Length", response.getheader("Content-Length") or "0")
        else:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()

    def _refuse(self, status: int, code: str) -> None:
        content = BODY.format(code=code).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _break(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        if self.server.fault == "stall":
            self.server.ended.wait(60)
        self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _pass_on  # noqa: N815 -- the names that http.server calls

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def faulty_proxy(port: int, fault: str) -> Iterator[FaultyProxy]:
    """Run a proxy in front of `port` while the block runs."""
    with FaultyProxy(port, fault) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield proxy
        finally:
            proxy.ended.set()
            proxy.shutdown()
