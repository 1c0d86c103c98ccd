"""JSON nested deeper than Python's own reader can go: a thread of 10,000 replies nests 20,000 objects."""

import hashlib
import json
import re
from typing import Any

from core.errors import SourceError

_LEVELS = 200
"""Levels that are read at a time."""
_PLACES = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}]', re.DOTALL)
"""Texts, and the brackets outside of them."""


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text in UTF-8, however deep it is nested."""
    try:
        try:
            return json.loads(content)
        except RecursionError:
            return _read_deep(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SourceError(f"no JSON: no UTF-8 ({error}); save the file as UTF-8") from error
    except ValueError as error:
        raise SourceError(f"no JSON ({error}); expected one object a line") from error
    except RecursionError as error:
        raise SourceError("no JSON: a bracket is opened and not closed; expected one object a line") from error


def _read_deep(text: str) -> Any:
    """Read the innermost levels first: `_LEVELS` of them become a value, and an object that names it stands in their place.

    Such an object has one key, the digest of the whole text: no text holds its own.
    """
    name = hashlib.sha256(text.encode()).hexdigest()
    values: list[Any] = []

    def read(part: str) -> Any:
        return json.loads(part, object_hook=lambda found: values[found[name]] if name in found else found)

    done: list[str] = []
    opened: list[tuple[int, int]] = []  # of each open bracket: where it stands in `done`, and the levels inside so far
    place = 0
    for match in _PLACES.finditer(text):
        bracket = match.group()
        if bracket in ("{", "["):
            done.append(text[place : match.start()])
            place = match.start()
            opened.append((len(done), 0))
        elif bracket in ("}", "]") and opened:
            done.append(text[place : match.end()])
            place = match.end()
            start, levels = opened.pop()
            if levels == _LEVELS:
                values.append(read("".join(done[start:])))
                done[start:] = [f'{{"{name}": {len(values) - 1}}}']
                levels = 0
            if opened:
                outer, known = opened[-1]
                opened[-1] = outer, max(known, levels + 1)
    return read("".join(done) + text[place:])
