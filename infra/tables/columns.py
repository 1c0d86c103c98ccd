"""Columns that tables share: how a field is written, and the fields that all datasets have."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from core.people.pseudonyms import UNKNOWN_AUTHOR

_MEANING = b"meaning"


def required(name: str, kind: pa.DataType, meaning: str = "") -> pa.Field:
    """Return a column that is never null; `meaning` is what a card says of it.

    A name means the same in each table of a release, and is explained once.
    """
    return pa.field(name, kind, nullable=False, metadata={_MEANING: meaning} if meaning else None)


def optional(name: str, kind: pa.DataType, meaning: str = "") -> pa.Field:
    """Return a column that may be null."""
    return required(name, kind, meaning).with_nullable(True)


def list_meanings(schemas: Iterable[pa.Schema]) -> dict[str, str]:
    """Return what the columns of a release's tables mean, by name: where several tables have one, what the first says of it."""
    told: dict[str, str] = {}
    for column in (column for schema in schemas for column in schema):
        if meaning := (column.metadata or {}).get(_MEANING):
            told.setdefault(column.name, meaning.decode())
    return told


def leave_meanings_out(schema: pa.Schema) -> pa.Schema:
    """Return a schema as files have it: what the columns mean stands on the card."""
    return pa.schema([field.remove_metadata() for field in schema])


STRINGS = pa.list_(required("element", pa.string()))
TURN = pa.struct([required("number", pa.int32()), required("speakers", STRINGS), required("text", pa.string())])
TURNS = pa.list_(required("element", TURN))
ID = required("id", pa.string(), "identifies the row; it stays the same in later releases while the settings do")
UNIT = required(
    "unit", pa.string(), "the episode, film, post or document that the row is from; a takedown and a split concern it as a whole"
)
NAMED = (ID, UNIT, required("title", pa.string(), "title of the work; the unit's name where the source has no title"))
"""The first columns of every default config: its id, its unit, and the title of the work."""
SUMMARY = required("summary", pa.string(), "what the dialogue is summed up as")
SENTENCES = required("sentences", STRINGS, "the sentences of the summary")
SPEAKERS = required("speakers", STRINGS, "who speaks")
YEAR = optional("year", pa.string(), "year of the work, where it is known")
REASON = required("reason", pa.string(), "why the row was left out")
SPOKEN = (
    required("turns", TURNS, "the dialogue: turn number (from 0), speakers, text"),
    required(
        "dialogue",
        pa.string(),
        "the turns as plain text, a line a turn: `SPEAKER: text`; commas separate joint speakers, a turn without a known speaker "
        "is its text alone",
    ),
)
"""A row's dialogue, as turns and as plain text (`core.dialogue.write_dialogue`), in every config whose rows have one."""
UNIT_COLUMNS = frozenset({"unit", "episode", "movie", "film", "story", "thread", "post", "document", "retells"})
"""Columns of a release's tables that name a unit; every table has one. They are compared with the takedown list."""
COMMENT_COLUMNS = frozenset({"pieces.source"})
"""Columns that name comments of the row's unit."""
PEOPLE_COLUMNS = frozenset({"authors", "pieces.author"})
"""Columns that name people, by their pseudonyms."""
NAMING_COLUMNS = frozenset({"id"}) | UNIT_COLUMNS | COMMENT_COLUMNS | PEOPLE_COLUMNS
PROVENANCE = (
    required("source", pa.string(), "where the text comes from"),
    required("license", pa.string(), "the licence that was stated for the text"),
    required("attribution", pa.string(), "whom to credit"),
)


@dataclass(frozen=True, slots=True)
class NamedInRow:
    """What a row of a release names that may be taken down: itself ("" without an id), its units, people, comments of these."""

    id: str
    units: frozenset[str]
    people: frozenset[str]
    comments: frozenset[str]


def list_named(row: Mapping[str, Any]) -> NamedInRow:
    """Return what a row names; it may lack columns."""

    def read(columns: Collection[str]) -> frozenset[str]:
        return frozenset(name for column in columns for name in _read_names(row, *column.split(".")) if name)

    return NamedInRow(
        next(iter(read(("id",))), ""), read(UNIT_COLUMNS), read(PEOPLE_COLUMNS) - {UNKNOWN_AUTHOR}, read(COMMENT_COLUMNS)
    )


def _read_names(row: Mapping[str, Any], column: str, *inner: str) -> Iterator[str]:
    for value in found if isinstance(found := row.get(column), list) else (found,):
        if isinstance(value, dict):
            yield from _read_names(value, *inner)
        elif isinstance(value, str):
            yield value
