"""Values of a forum's records, checked: ids, texts, authors, and flags that exports write as numbers or texts."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from core.errors import SourceError
from core.text.decoding import mend_text


def read_identity(fields: Mapping[str, Any], name: str, prefix: str = "") -> str:
    """Return an id of 1 to 100 characters, which may be a number, without its prefix; SourceError where it is none."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or not 0 < len(str(value)) <= 100 or str(value) == prefix:
        shown = f"{len(str(value)):,} characters long" if isinstance(value, str) else type(value).__name__  # it may be a name
        raise SourceError(f"{name} is {shown}; expected an id of 1 to 100 characters")
    return mend_text(str(value)).removeprefix(prefix)


def find_text(fields: Mapping[str, Any]) -> Any:
    """Return the first value of the fields that a text stands in that is not empty, else the first of them."""
    found = [fields[name] for name in ("selftext", "text", "body") if name in fields]
    return next((value for value in found if value not in (None, "")), found[0] if found else None)


def read_comment_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a comment; SourceError where it has none, or one that is no text."""
    found = find_text(fields)
    if found is None and not {"text", "body"} & fields.keys():
        raise SourceError(f"no text; its fields are {name_fields(fields)}, expected text or body")
    return read_text({"text": found}, "text")


def is_flag(value: Any, name: str) -> bool:
    """Tell whether a value is true, or false, as `name` says: also as a number or a text, as some exports write it."""
    same = {"true": ("true", "1", "yes"), "false": ("false", "0", "no")}[name]
    return isinstance(value, bool | int | str) and str(value).strip().lower() in same


def read_text(fields: Mapping[str, Any], name: str) -> str:
    """Return a text, "" for none; SourceError where it is no text."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SourceError(f"{name} is {type(value).__name__}; expected a text")
    return mend_text(value)


def read_author(value: Any) -> str | None:
    """Return the name of an author, None for none and for marks of deleted accounts."""
    return mend_text(value) if isinstance(value, str) and value not in ("", "[deleted]", "[removed]") else None


def find_forum(link: Any) -> str | None:
    """Return the forum that a link names (`/r/books/comments/…`), `u_` and the owner for a profile (`/user/greta/comments/…`)."""
    parts = link.split("/") if isinstance(link, str) else []
    if "r" in parts[:-1]:
        return parts[parts.index("r") + 1]
    owner = next((after for part, after in pairwise(parts) if part in ("user", "u")), None)
    return f"u_{owner}" if owner else None


def name_fields(fields: Mapping[str, Any]) -> str:
    """Return the names of a record's first fields, for a message."""
    return ", ".join(sorted(map(str, fields))[:8])[:200] or "none"
