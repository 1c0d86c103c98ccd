"""JSON nested deeper than Python's own reader can go: a thread of 10,000 replies nests 20,000 objects."""

import json
import json.decoder
import re
from typing import Any

from core.errors import SourceError

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r"-?\d{1,400}(?:\.\d{1,400})?(?:[eE][-+]?\d{1,9})?|true|false|null|NaN|-?Infinity")


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text in UTF-8, however deep it is nested.

    Raises:
        SourceError: the text is no JSON, or no UTF-8.
    """
    try:
        return json.loads(content)
    except RecursionError:
        return _read_deep(_decode(content))
    except UnicodeDecodeError as error:
        raise SourceError(f"no JSON: no UTF-8 ({error}); save the file as UTF-8") from error
    except ValueError as error:
        raise SourceError(f"no JSON ({error}); expected one object a line") from error


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"no JSON: no UTF-8 ({error}); save the file as UTF-8") from error


def _read_deep(text: str) -> Any:
    """Read with a stack of open lists and objects; `key` is the name that an object's next value has."""
    stack: list[tuple[Any, str]] = []
    key, place = "", 0
    while True:
        place = _skip(text, place)
        letter = text[place : place + 1]
        value: Any
        if letter in ("{", "["):
            opened: Any = {} if letter == "{" else []
            place = _skip(text, place + 1)
            if text[place : place + 1] != ("}" if letter == "{" else "]"):
                stack.append((opened, key))
                if letter == "{":
                    key, place = _read_key(text, place)
                continue
            value, place = opened, place + 1
        elif letter == '"':
            value, place = _read_string(text, place + 1)
        elif match := _PLAIN.match(text, place):
            value, place = json.loads(match.group()), match.end()
        else:
            raise _bad(text, place)
        while stack:  # the value belongs to the innermost open list or object
            holder, own_key = stack[-1]
            if isinstance(holder, dict):
                holder[key] = value
            else:
                holder.append(value)
            place = _skip(text, place)
            after = text[place : place + 1]
            if after == ",":
                place += 1
                if isinstance(holder, dict):
                    key, place = _read_key(text, place)
                break
            if after != ("}" if isinstance(holder, dict) else "]"):
                raise _bad(text, place)
            value, key, place = holder, own_key, place + 1
            stack.pop()
        else:
            if _skip(text, place) != len(text):
                raise _bad(text, place)
            return value


def _read_key(text: str, place: int) -> tuple[str, int]:
    place = _skip(text, place)
    if text[place : place + 1] != '"':
        raise _bad(text, place)
    key, place = _read_string(text, place + 1)
    place = _skip(text, place)
    if text[place : place + 1] != ":":
        raise _bad(text, place)
    return key, place + 1


def _read_string(text: str, place: int) -> tuple[str, int]:
    try:
        found: tuple[str, int] = json.decoder.scanstring(text, place, True)  # type: ignore[attr-defined]  # not in its stubs
    except ValueError as error:
        raise SourceError(f"no JSON ({error}); expected one object a line") from error
    return found


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _bad(text: str, place: int) -> SourceError:
    return SourceError(f"no JSON: found {text[place : place + 10]!r} at character {place}; expected one object a line")
