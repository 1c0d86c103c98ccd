"""Parses JSON of untrusted origin, with a clear error for every failure."""

import json
import re
from typing import cast

from core.errors import SourceError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of a surrogate, which is valid only in a pair


def parse_json(name: str, text: str, expected: str) -> object:
    """Parse the JSON text of the file `name`; `expected` describes the right content, for messages.

    Raises:
        SourceError: the text is not valid JSON, is nested too deeply, has too large a number, or has a lone surrogate.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise SourceError(f"{name}: JSON nested too deeply; expected {expected}. Is this the right file?") from error
    except ValueError as error:  # JSONDecodeError, and integers with thousands of digits
        raise SourceError(f"{name}: not valid JSON ({error}); expected {expected}. Correct it or export it again") from error
    if _SURROGATE.search(text) is not None:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = rf"\u{ord(error.object[error.start]):04x}"
            raise SourceError(f"{name}: found the lone surrogate {half}; the text is damaged. Export the file again") from error
    return cast(object, value)


def text_field(row: dict[str, object], key: str) -> str:
    """Return a field of an object as text on one line; "" if it is missing or neither a text nor a number."""
    value = row.get(key)
    if isinstance(value, str):
        return " ".join(value.split())
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
