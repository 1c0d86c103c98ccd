"""Turns in the store: the dialogue artifact, the same in every pipeline."""

from collections.abc import Sequence

import pyarrow as pa

from core.dialogue import Turn
from infra.tables.codecs import Codec, decode_table, encode_table
from infra.tables.columns import STRINGS, optional, required

DIALOGUE_ARTIFACT = pa.schema(
    [
        required("number", pa.int32()),
        required("speakers", STRINGS),
        required("utterances", STRINGS),
        required("text", pa.string()),
        optional("start", pa.float64()),
        optional("end", pa.float64()),
        required("raw_label", pa.string()),
        required("raw_text", pa.string()),
    ]
)


def tabulate_turns(turns: Sequence[Turn]) -> pa.Table:
    """Return turns as a table of `DIALOGUE_ARTIFACT`, one row a turn."""
    names = DIALOGUE_ARTIFACT.names
    return pa.Table.from_pylist([{name: getattr(turn, name) for name in names} for turn in turns], DIALOGUE_ARTIFACT)


def read_turns(table: pa.Table) -> list[Turn]:
    """Return the turns of a `DIALOGUE_ARTIFACT` table."""
    rows = table.drop_columns(["text"]).to_pylist()
    return [Turn(**row | {"speakers": tuple(row["speakers"]), "utterances": tuple(row["utterances"])}) for row in rows]


DIALOGUE: Codec[Sequence[Turn]] = Codec(
    ".parquet", lambda turns: encode_table(tabulate_turns(turns)), lambda content: read_turns(decode_table(content))
)
