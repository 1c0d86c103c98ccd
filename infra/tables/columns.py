"""Columns that tables share: how a field is written, and the fields that all datasets have."""

import pyarrow as pa


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
UNIT_COLUMNS = frozenset({"unit", "episode", "movie", "film", "story", "thread", "retells"})
"""Columns of a release's tables that name a unit; before a release is published, they are compared with the takedown list."""
PROVENANCE = (required("source", pa.string()), required("license", pa.string()), required("attribution", pa.string()))
