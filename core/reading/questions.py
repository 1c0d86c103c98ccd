"""Questions to a model that reads, known by their content, the port that answers them, and the lines in which both travel.

A question knows no model and no endpoint. The lines are those of OpenAI's batch interface, which vLLM reads and writes too.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from core.errors import FabulaError, SourceError

MOST_ANSWER_CHARACTERS = 100_000
"""What of an answer is kept and read."""
_CHARACTERS = 3.0  # for each token: SmolLM2 counts 2.8 to 3.2 in questions about five episodes, which have names and numbers
_PIECES = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")  # words, digits and marks
_WHOLE = 7  # letters of the longest word that is one piece; it has one more for each six letters more
_TOKENS = 1.05  # for each piece: SmolLM2 counts 1.00 to 1.09 in questions about 16 episodes
OVERHEAD = 16
"""Tokens of the roles and marks around two messages."""


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """Whose answers count as evidence (`docs/readers.md`).

    `model` is the name under which the store keeps the answers; "" means none. Their weight is measured, for each unit anew.
    """

    model: str = ""


NO_READER = ReaderConfig()


def describe_object(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with these fields and no others."""
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def describe_list(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a list of objects with these fields and no others."""
    return {"type": "array", "items": describe_object(**fields)}


@dataclass(frozen=True)
class Question:
    """What a model is asked: instructions, a text, and the JSON schema of the answer.

    `kind` and `version` name the prompt. `unit` is what the question is about, or ids with blanks between them; the answer goes
    when one of them is taken down. `most_tokens` is the longest answer. `about` are the texts of rows that it asks about (the
    sentences of a summary), to find it by a row. `doubt` is the number of places at which the pipeline expects to be wrong, of
    those that it asks about.
    """

    kind: str
    version: int
    unit: str
    instructions: str
    text: str
    schema: Mapping[str, Any]
    most_tokens: int
    about: tuple[str, ...] = ()
    doubt: float = 0.0

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the answer depends on, which `unit`, `about` and `doubt` are not."""
        asked = [self.kind, self.version, self.instructions, self.text, self.schema, self.most_tokens]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of a chat."""
        return [{"role": "system", "content": self.instructions}, {"role": "user", "content": self.text}]

    @property
    def tokens(self) -> int:
        """About how many tokens the question has, without its answer."""
        return round(_TOKENS * (_count_pieces(self.instructions) + _count_pieces(self.text))) + OVERHEAD

    @property
    def answer_tokens(self) -> int:
        """About how many tokens the answer has: two thirds of the longest one."""
        return 2 * self.most_tokens // 3

    @property
    def cost(self) -> int:
        """About how many tokens the question and its longest answer have."""
        return self.tokens + self.most_tokens

    @property
    def form(self) -> dict[str, Any]:
        """The `response_format` of a request."""
        return {"type": "json_schema", "json_schema": {"name": self.kind, "strict": True, "schema": self.schema}}

    def write_body(self, model: str) -> dict[str, Any]:
        """Return the body of a request for a chat completion that obeys the schema, as sure as the model can be."""
        return {
            "model": model,
            "messages": self.messages,
            "max_tokens": self.most_tokens,
            "temperature": 0,
            "response_format": self.form,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered to the question of a digest; how the server names the model; tokens of both (None: unknown).

    `billed` counts earlier tries that came to nothing, and may have cost something.
    """

    digest: str
    text: str
    model: str
    tokens: int | None = None
    billed: int = 0

    def __post_init__(self) -> None:
        """Put `?` in place of halves of characters, which a model may write and no file can hold."""
        for name in ("text", "model"):
            object.__setattr__(self, name, getattr(self, name).encode(errors="replace").decode())


class NoAnswerError(FabulaError):
    """A reader gave no answer to one question: it was too slow, busy, or refused. `billed` tries may have cost something.

    `refused`: it works, and will not answer this question (such as one that is too long for it); another may have an answer.
    """

    def __init__(self, message: str, billed: int = 1, refused: bool = False) -> None:
        """Keep how many tries may have been billed, and whether it was this question that got no answer."""
        super().__init__(message)
        self.billed, self.refused = billed, refused


class Reader(Protocol):
    """A model that reads, wherever it runs; answers in batch files need none (`read_batch`)."""

    @property
    def model(self) -> str:
        """The name under which the store keeps the answers."""

    @property
    def at_once(self) -> int:
        """How many questions it takes at the same time."""

    def answer(self, question: Question, most_tries: int, /) -> Answer:
        """Return the answer to a question, after at most so many tries that may cost something.

        Raises:
            NoAnswerError: there is none; the next question may have one.
            ConfigError: the reader cannot be asked at all.
        """


def name_model(model: str) -> str:
    """Return the name under which a store keeps what a model says; names that differ in odd characters alone may share it."""
    return "model@" + re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.")[:50].replace("..", ".")


def name_answers(model: str) -> str:
    """Return the folder of a store in which the answers of a model lie."""
    name = name_model(model)
    safe = name == f"model@{model}"
    return f"answers/{name}" if safe else f"answers/{name}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, by its length alone: what is asked together is planned so."""
    return round(len(text) / _CHARACTERS)


def _count_pieces(text: str) -> int:
    """Return how many words, parts of long words, digits and marks a text has: nearly its tokens."""
    return sum(1 + max(0, (len(piece) - _WHOLE + 5) // 6) for piece in _PIECES.findall(text))


def read_value(answer: str, name: str) -> Any:
    """Return the value `name` of the JSON object that stands in an answer, perhaps among other words.

    Raises:
        SourceError: there is no such object.
    """
    try:
        return json.loads(answer[answer.index("{") : answer.rindex("}") + 1])[name]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SourceError(
            f"the answer {answer[:60]!r} has no {name} ({type(error).__name__}); expected an object with {name}"
        ) from None


def write_batch(questions: Iterable[Question], model: str) -> Iterator[str]:
    """Yield the lines of a batch file, one a question; `custom_id` is its digest."""
    for question in questions:
        request = {"custom_id": question.digest, "method": "POST", "url": "/v1/chat/completions"}
        yield json.dumps(request | {"body": question.write_body(model)}) + "\n"


def read_batch(name: str, lines: Iterable[str]) -> Iterator[Answer | SourceError]:
    """Yield the answers of a batch file; in the place of a line that has none, a SourceError that names it.

    `name` is the file's, for messages.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _read_line(json.loads(line))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            said = f" ({str(error)[:80]})" if isinstance(error, ValueError) else ""  # the others say what Python lacks
            expected = "expected custom_id and response.body, as OpenAI's batch interface writes them"
            yield SourceError(f"{name}, line {number}: no answer{said}; {expected}")


def _read_line(said: Any) -> Answer:
    digest, response = said["custom_id"], said["response"]
    if response["status_code"] != 200:
        raise ValueError(f"status {response['status_code']}")
    body = response["body"]
    text, model = body["choices"][0]["message"]["content"], body["model"]
    tokens = (body.get("usage") or {}).get("total_tokens")
    if not all(isinstance(each, str) for each in (digest, text, model)):
        raise ValueError("custom_id, content or model is no text")
    return Answer(digest, text, model, tokens if type(tokens) is int and tokens >= 0 else None)
