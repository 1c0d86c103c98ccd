"""Hostile documents and records for rooms."""

import csv
import io
import json
from collections.abc import Callable

from core.rooms.sentences import Rights, read_document, read_record
from lab.hostile.case import SAID, Hostile, list_cases

MIT = Rights("MIT", "us")


def _table(n: int) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([["text", "license"], *[[SAID, "MIT"]] * n])
    return text.getvalue().encode()


def _rooms(name: str) -> Callable[[bytes], object]:
    return lambda content: read_document(name, content, "u", MIT)


ROOMS = (
    *list_cases(
        "rooms",
        _rooms("a.txt"),
        ("paragraphs", lambda n: (SAID + "\n\n").encode() * n),
        ("blank lines", lambda n: SAID.encode() + b"\n \n" * n + b"a"),
        ("spaces", lambda n: SAID.encode() + b"\n" + b" " * n + b"a"),
    ),
    *list_cases(
        "rooms",
        _rooms("a.csv"),
        ("a table", _table),
        ("columns of a table", lambda n: b"text" + b",a" * n + b"\n" + b"a" + b",b" * n + b"\n"),
        ("an open quote of a table", lambda n: b'text\n"' + b"a\n" * n),
    ),
    Hostile(
        "rooms", "turns", _rooms("a.json"), lambda n: json.dumps({"TURNS": [{"NAMES": ["A"], "UTTERANCES": [SAID]}] * n}).encode()
    ),
    Hostile("rooms", "a record", lambda line: read_record("r", line, MIT), lambda n: json.dumps({"text": SAID * n}).encode()),
)
