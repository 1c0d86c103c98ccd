"""Answers in the place of a Prefect server that is gone for good: agrees to a run's states, and refuses everything else at once.

Without it Prefect's client tries each call again for a minute, and a flow whose last state nobody takes ends with an error
although its data is in the store.
"""

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

MAX_BYTES = 1 << 20
"""A request with a longer body is refused without reading it; a state has some hundred bytes."""


class AbsentServer:
    """Answers Prefect's client on a socket that listens already, in threads of this process, and keeps nothing."""

    def __init__(self, listener: socket.socket) -> None:
        """Start to answer on a copy of `listener`."""
        self._server = _Server(listener.getsockname(), _Handler, bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listener.dup()
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="absent Prefect server", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop to answer; `listener` stays open."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing on the terminal of a client that has left."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # a client that says nothing does not keep its thread

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if 0 <= length <= MAX_BYTES else b""
        if self.path.endswith("/set_state"):
            # What Prefect calls an OrchestrationResult. Its client fills in the state's id and time.
            state = json.loads(body)["state"]
            proposed = {"type": state["type"], "name": state.get("name"), "message": state.get("message")}
            self._answer(201, {"status": "ACCEPT", "details": {"type": "accept_details"}, "state": proposed})
        elif self.path.rstrip("/").endswith("/logs"):
            self._answer(201, None)
        else:
            self.do_GET()

    def do_GET(self) -> None:
        # 410, gone: a status that Prefect's client does not try again. To 404 it says: then without such tokens.
        status = 404 if "/csrf-token" in self.path else 410
        self._answer(status, {"detail": "Prefect's server is gone; the run goes on without records"})

    def do_PATCH(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def _answer(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing on the terminal."""
