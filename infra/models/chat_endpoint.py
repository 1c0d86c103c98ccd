"""A model behind an OpenAI-compatible endpoint (`POST …/chat/completions`). Address, model and key come from the environment.

docs/dependencies.md says why the client of OpenAI is not used.
"""

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx

from core.errors import ConfigError
from core.reading.questions import Answer, NoAnswerError, Question
from infra.web_requests import BusyError, Patience, read_reply, read_retry_after

URL, MODEL, KEY, SECONDS = "FABULA_MODEL_URL", "FABULA_MODEL", "FABULA_MODEL_KEY", "FABULA_MODEL_SECONDS"
PATIENCE = 30.0  # seconds that the tries of one question may take together, unless the environment says otherwise
_BUSY = (408, 409, 429, 500, 502, 503, 504)
_REFUSED = (400, 422)
_NOT_THIS = (400, 413, 422)  # another question may have an answer
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
_MOST_BYTES = 2**20
MOST_SECONDS = 3600


_FORM = re.compile(rb"response.?format|json.?schema|grammar|structured", re.IGNORECASE)
"""Words of a refusal that is about the form of the answer."""


class _FormRefusedError(NoAnswerError):
    """The endpoint does not take the form that the answer is asked in."""


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
    at_once: int = 8
    _formless: Event = field(default_factory=Event, init=False, repr=False, compare=False)  # it has refused the form of answers

    def answer(self, question: Question, most_tries: int, /) -> Answer:
        """Return the answer to a question, in the form of its schema where the server can; NoAnswerError where there is none.

        A server that refuses the form is asked once more without, and not again with it: the instructions ask for JSON anyway.
        """
        try:
            return self._ask(question, most_tries, None if self._formless.is_set() else question.form)
        except _FormRefusedError:
            answer = self._ask(question, most_tries, None)
            self._formless.set()
            return answer

    def _ask(self, question: Question, most_tries: int, form: Mapping[str, Any] | None) -> Answer:
        """Return the answer (temperature 0); NoAnswerError after `most_tries` without one. `form` is its `response_format`."""
        tries = max(1, min(self.tries, most_tries))
        body: dict[str, Any] = {"model": self.model, "messages": question.messages, "max_tokens": question.most_tokens}
        body |= {"temperature": 0} if form is None else {"temperature": 0, "response_format": form}
        billed, left = 0, self.patience

        def ask_once() -> tuple[str, str, int | None]:
            nonlocal billed, left
            started = time.monotonic()
            try:
                status, content, wait = self._post(body, left)
            except httpx.HTTPError as error:
                left -= time.monotonic() - started
                billed += not isinstance(error, _NOT_SENT)
                told = f"{type(error).__name__} within {self.patience:g} s, which {SECONDS} sets"
                raise BusyError(told, most=tries if left > 0 else 0) from error
            except (httpx.InvalidURL, UnicodeError):
                raise ConfigError(f"{URL} or {KEY} cannot be sent: expected http://HOST/v1, and a key of ASCII letters") from None
            if status in (401, 403, 404):
                raise ConfigError(f"{self.url} answered {status}: check {URL}, {MODEL} and {KEY}")
            left = max(left - (time.monotonic() - started), 0.1)
            if status in _BUSY:
                billed += status != httpx.codes.TOO_MANY_REQUESTS
                raise BusyError(f"status {status}", wait)
            return _read(status, content, form is not None)

        patience = Patience(attempts=tries, sleep=self.wait)
        try:
            text, model, tokens = patience.ask(ask_once, self.url)
            return Answer(question.digest, text, model, tokens, billed)
        except NoAnswerError as error:
            error.billed += billed
            raise
        except BusyError as busy:
            later = f"; it asks to come back in {busy.wait:,.0f} s" if busy.wait > patience.longest_wait else ""
            raise NoAnswerError(f"{self.url}: no answer after {busy.attempts} tries ({busy}){later}", billed) from busy

    def _post(self, body: Mapping[str, Any], seconds: float) -> tuple[int, bytes, float]:
        """Send a chat; return status, body (cut off behind `_MOST_BYTES`), and the seconds that Retry-After asks for."""
        headers = {"accept-encoding": "identity"} | ({"authorization": f"Bearer {self.key}"} if self.key else {})
        address, what = f"{self.url.rstrip('/')}/chat/completions", f"get an answer of {self.url}"
        with httpx.Client(timeout=seconds) as client:
            answer, content = read_reply(client, address, _MOST_BYTES, seconds, what, "POST", json=body, headers=headers)
        return answer.status_code, content, read_retry_after(answer.headers.get("retry-after"))


def find_endpoint(environment: Mapping[str, str] | None = None) -> ChatEndpoint:
    """Return the endpoint that the environment names."""
    given = os.environ if environment is None else environment
    url, model = given.get(URL, ""), given.get(MODEL, "")
    if not url or not model:
        raise ConfigError(f"a reader that is a model needs {URL} (such as http://127.0.0.1:8000/v1) and {MODEL}")
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


def _read(status: int, content: bytes, formed: bool) -> tuple[str, str, int | None]:
    """Return text, name of the model ("": none) and tokens (None: not told) of a reply, `formed` by a schema or not."""
    if formed and status in _REFUSED and _FORM.search(content):
        raise _FormRefusedError(f"the endpoint refuses the form of the answer with status {status}", refused=True)
    if status != httpx.codes.OK:
        billed = int(not httpx.codes.is_client_error(status))
        raise NoAnswerError(f"the endpoint answered with status {status}", billed, refused=status in _NOT_THIS)
    if len(content) > _MOST_BYTES:
        raise NoAnswerError(f"the endpoint's answer has more than {_MOST_BYTES:,} bytes")
    try:
        said: Any = json.loads(content)
        text = said["choices"][0]["message"]["content"]
        tokens = (said.get("usage") or {}).get("total_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise NoAnswerError(f"the endpoint's answer is no chat completion ({type(error).__name__})") from error
    if not isinstance(text, str):
        raise NoAnswerError("the endpoint's answer has no text: the model has refused", refused=True)
    named = said.get("model")
    known = tokens if type(tokens) is int and tokens >= 0 else None
    return text, named[:200] if isinstance(named, str) else "", known
