"""A model behind an OpenAI-compatible endpoint (`POST …/chat/completions`). Address, model and key come from the environment."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any

import httpx

from core.errors import ConfigError, FabulaError

URL, MODEL, KEY, SECONDS = "FABULA_MODEL_URL", "FABULA_MODEL", "FABULA_MODEL_KEY", "FABULA_MODEL_SECONDS"
PATIENCE = 30.0
"""Seconds that the tries of one question may take together, unless the environment says otherwise."""
_BUSY = (408, 409, 429, 500, 502, 503, 504)
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
_MOST_BYTES = 2**20
MOST_SECONDS = 3600
MOST_WAIT = 120.0
"""Seconds that one try waits at most where a busy endpoint says when to come back (`Retry-After`)."""


class NoAnswerError(FabulaError):
    """The endpoint gave no answer to one question: it was too slow, busy, or refused. `billed` tries may have cost something.

    `refused`: it works, and will not answer this question (such as one that is too long for it); another may have an answer.
    """

    def __init__(self, message: str, billed: int = 1, refused: bool = False) -> None:
        """Keep how many tries may have been billed, and whether it was this question that got no answer."""
        super().__init__(message)
        self.billed, self.refused = billed, refused


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, the tokens that it counted (None: it does not say), and earlier tries that may have been billed."""

    text: str
    tokens: int | None
    billed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEndpoint:
    """An endpoint: `url` up to `/chat/completions`, the model's name, a key ("": none), patience in seconds and tries.

    The patience is that with one question: all its tries together take as long at most, besides the pauses between them.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    patience: float = PATIENCE
    tries: int = 3
    wait: Callable[[float], None] = time.sleep

    def ask(self, messages: Sequence[Mapping[str, str]], most_tokens: int, most_tries: int | None = None) -> Answer:
        """Return the answer of the model to a chat, as sure as it can be (temperature 0), after `most_tries` tries at most.

        Raises:
            ConfigError: the endpoint refuses the key, or does not know the model; the address or the key cannot be sent.
            NoAnswerError: no answer after all tries; the message says what came instead.
        """
        tries = self.tries if most_tries is None else max(1, min(self.tries, most_tries))
        body = {"model": self.model, "messages": list(messages), "max_tokens": most_tokens, "temperature": 0}
        said, billed, pause, left = "", 0, 0.0, self.patience
        for attempt in range(tries):
            if attempt:
                self.wait(max(2.0**attempt, pause))
            pause, started = 0.0, time.monotonic()
            try:
                answer = self._post(body, left)
            except httpx.HTTPError as error:
                left -= time.monotonic() - started
                said = f"{type(error).__name__} within {self.patience:g} s, which {SECONDS} sets"
                billed += not isinstance(error, _NOT_SENT)
                if left <= 0:
                    break
                continue
            except (httpx.InvalidURL, UnicodeError):
                raise ConfigError(f"{URL} or {KEY} cannot be sent: expected http://HOST/v1, and a key of ASCII letters") from None
            if answer.status in (401, 403, 404):
                raise ConfigError(f"{self.url} answered {answer.status}: check {URL}, {MODEL} and {KEY}")
            left = max(left - (time.monotonic() - started), 0.1)
            if answer.status in _BUSY:
                said = f"status {answer.status}"
                billed += answer.status != httpx.codes.TOO_MANY_REQUESTS
                pause = read_pause(answer.retry_after, datetime.now(UTC))
                if pause > MOST_WAIT:
                    raise NoAnswerError(f"{self.url} is busy ({said}): it asks to come back in {pause:,.0f} s", billed)
                continue
            try:
                return replace(_read(answer), billed=billed)
            except NoAnswerError as error:
                error.billed += billed
                raise
        raise NoAnswerError(f"{self.url}: no answer after {attempt + 1} tries ({said})", billed)

    def _post(self, body: Mapping[str, Any], seconds: float) -> "_Received":
        """Send a chat and return what came within some seconds: at most `_MOST_BYTES` and one byte.

        Raises:
            httpx.HTTPError: nothing came, or not all of it in time.
        """
        deadline = _Deadline(seconds)
        headers = {"accept-encoding": "identity"} | ({"authorization": f"Bearer {self.key}"} if self.key else {})
        address = f"{self.url.rstrip('/')}/chat/completions"
        extensions = {"trace": deadline.watch}
        with (
            deadline,
            httpx.Client(timeout=seconds) as client,
            client.stream("POST", address, json=body, headers=headers, extensions=extensions) as answer,
        ):
            content = bytearray()
            for block in answer.iter_raw():
                content += block
                if len(content) > _MOST_BYTES:
                    break
            return _Received(answer.status_code, bytes(content[: _MOST_BYTES + 1]), answer.headers.get("retry-after", ""))


class _Deadline:
    """Ends an exchange after some seconds, whatever the server sends until then; to connect, httpx takes as long at most.

    A server that sends a byte now and then, of headers or body, never lets a read time out: the connection is shut instead.
    """

    def __init__(self, seconds: float) -> None:
        """Choose the seconds; nothing starts yet."""
        self._timer = threading.Timer(seconds, self._shut)
        self._timer.daemon = True
        self._connection: socket.socket | None = None
        self._late = False

    def watch(self, event: str, found: Mapping[str, Any]) -> None:
        """Take hold of the connection when httpx tells through its extension `trace` that there is one."""
        if event == "connection.connect_tcp.complete" and self._connection is None:
            handle = found["return_value"].get_extra_info("socket").fileno()
            self._connection = socket.socket(fileno=os.dup(handle))  # TLS takes the first handle over
            if self._late:
                self._shut()

    def __enter__(self) -> None:
        """Start."""
        self._timer.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop; raise httpx.ReadTimeout where the time was over, since what came may have been cut."""
        self._timer.cancel()
        self._timer.join()
        if self._connection is None:
            return
        self._connection.close()
        if self._late and (error is None or isinstance(error, httpx.HTTPError)):
            raise httpx.ReadTimeout("the answer came too slowly") from error

    def _shut(self) -> None:
        self._late = True
        if self._connection is not None:
            with suppress(OSError):  # the other side may have hung up
                self._connection.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class _Received:
    """What an endpoint sent: status, body, and when it wants to be asked again ("": it does not say)."""

    status: int
    content: bytes
    retry_after: str


def read_pause(said: str, now: datetime) -> float:
    """Return the seconds that a header `Retry-After` asks for: a number, or a date; 0 where it says neither."""
    if said.strip().isascii() and said.strip().isdigit():
        return float(said.strip()[:9])
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def find_endpoint(environment: Mapping[str, str] | None = None) -> ChatEndpoint:
    """Return the endpoint that the environment names.

    Raises:
        ConfigError: it names none, the address is no URL, the key cannot be one, or the seconds are none.
    """
    given = os.environ if environment is None else environment
    url, model = given.get(URL, ""), given.get(MODEL, "")
    if not url or not model:
        raise ConfigError(
            f"a reader that is a model needs {URL} (such as http://127.0.0.1:8000/v1) and {MODEL} in the environment"
        )
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError):
        address = httpx.URL("")
    if address.scheme not in ("http", "https") or not address.host:
        raise ConfigError(f"{URL} is no address: expected http://HOST/v1 or https://HOST/v1")
    key = given.get(KEY, "")
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"{KEY} has letters that no key has: expected printable ASCII")
    seconds = given.get(SECONDS) or f"{PATIENCE:g}"
    if not (seconds.isascii() and seconds.isdigit() and 1 <= int(seconds[:9]) <= MOST_SECONDS):
        raise ConfigError(f"{SECONDS} is {seconds[:40]!r}: expected whole seconds from 1 to {MOST_SECONDS:,}")
    return ChatEndpoint(url=url, model=model, key=key, patience=float(seconds))


def _read(answer: _Received) -> Answer:
    """Return what an answer of the endpoint says; NoAnswerError where it is none."""
    if answer.status != httpx.codes.OK:
        refused = httpx.codes.is_client_error(answer.status)
        raise NoAnswerError(f"the endpoint answered with status {answer.status}", refused=refused)
    if len(answer.content) > _MOST_BYTES:
        raise NoAnswerError(f"the endpoint's answer has more than {_MOST_BYTES:,} bytes")
    try:
        said: Any = json.loads(answer.content)
        text = said["choices"][0]["message"]["content"]
        tokens = (said.get("usage") or {}).get("total_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise NoAnswerError(f"the endpoint's answer is no chat completion ({type(error).__name__})") from error
    if not isinstance(text, str):
        raise NoAnswerError("the endpoint's answer has no text: the model has refused", refused=True)
    return Answer(text, tokens if type(tokens) is int and tokens >= 0 else None)
