"""Columns that tables share: how a field is written, and the fields that all datasets have."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from core.people.pseudonyms import UNKNOWN_AUTHOR


def required(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that is never null."""
    return pa.field(name, kind, nullable=False)


def optional(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that may be null."""
    return pa.field(name, kind, nullable=True)


STRINGS = pa.list_(required("element", pa.string()))
TURN = pa.struct([required("number", pa.int32()), required("speakers", STRINGS), required("text", pa.string())])
TURNS = pa.list_(required("element", TURN))
NAMED = (required("id", pa.string()), required("unit", pa.string()), required("title", pa.string()))
"""The first columns of every default config: its id, its unit, and the title of the work (without one the unit's name)."""
SPOKEN = (required("turns", TURNS), required("dialogue", pa.string()))
"""A row's dialogue, as turns and as plain text (`core.dialogue.write_dialogue`), in every config whose rows have one."""
UNIT_COLUMNS = frozenset({"unit", "episode", "movie", "film", "story", "thread", "post", "document", "retells"})
"""Columns of a release's tables that name a unit; every table has one. They are compared with the takedown list."""
COMMENT_COLUMNS = frozenset({"pieces.source"})
"""Columns that name comments of the row's unit."""
PEOPLE_COLUMNS = frozenset({"authors", "pieces.author"})
"""Columns that name people, by their pseudonyms."""
NAMING_COLUMNS = frozenset({"id"}) | UNIT_COLUMNS | COMMENT_COLUMNS | PEOPLE_COLUMNS
PROVENANCE = (required("source", pa.string()), required("license", pa.string()), required("attribution", pa.string()))


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
