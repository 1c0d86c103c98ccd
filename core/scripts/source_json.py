"""JSON that came from outside: parsed with every failure named."""

import json
import re
from typing import cast

from core.errors import SourceError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of half a character, which is in order only beside the other half


def parse_json(name: str, text: str, expected: str) -> object:
    """Parse the JSON text of the file `name`; `expected` says what should be in it, for messages.

    Raises:
        SourceError: it is no JSON, nested or sized beyond reason, or has half a character in a text.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise SourceError(f"{name}: JSON nested too deeply; expected {expected}. Is this the right file?") from error
    except ValueError as error:  # JSONDecodeError, and integers with thousands of digits
        raise SourceError(f"{name}: no JSON ({error}); expected {expected}. Correct the file or export it again") from error
    if _SURROGATE.search(text) is not None:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = rf"\u{ord(error.object[error.start]):04x}"
            raise SourceError(f"{name}: {half} is half a character; the text is damaged. Export the file again") from error
    return cast(object, value)


def text_field(row: dict[str, object], key: str) -> str:
    """Return a text field of an object on one line; "" where it is missing or no text (numbers count as text)."""
    value = row.get(key)
    if isinstance(value, str):
        return " ".join(value.split())
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
