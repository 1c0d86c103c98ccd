"""Tables of a benchmark's run: a row's measures, and the summaries that were measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from infra.tables.codecs import decode_table, encode_table
from infra.tables.columns import STRINGS, optional, required


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of some rows: ids and units (n_rows), and a column for each measure (n_rows; NaN: not defined)."""

    ids: Sequence[str]
    units: Sequence[str]
    columns: Mapping[str, NDArray[np.float64]]


def encode_scores(scores: Scores) -> bytes:
    """Return scores as Parquet bytes."""
    names = [required("id", pa.string()), required("unit", pa.string())]
    schema = pa.schema([*names, *(optional(name, pa.float64()) for name in scores.columns)])
    columns = [pa.array(column, pa.float64(), from_pandas=True) for column in scores.columns.values()]  # NaN becomes null
    return encode_table(pa.Table.from_arrays([pa.array(scores.ids), pa.array(scores.units), *columns], schema=schema))


def decode_scores(content: bytes) -> Scores:
    """Return the scores that `encode_scores` wrote."""
    table = decode_table(content)
    columns = {
        name: table.column(name).to_numpy().astype(np.float64) for name in table.column_names if name not in ("id", "unit")
    }
    return Scores(table.column("id").to_pylist(), table.column("unit").to_pylist(), columns)


SUMMARIES = pa.schema(
    [
        required("id", pa.string()),
        required("unit", pa.string()),
        required("reference", pa.string()),
        required("summary", pa.string()),
        required("sentences", STRINGS),
        required("turns", pa.list_(pa.field("element", pa.int32(), nullable=False))),
    ]
)
"""A summary that a system made: its sentences, and of a system that selects the 0-based places of their turns in the row."""


def encode_summaries(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Return summaries, rows of `SUMMARIES`, as Parquet bytes."""
    return encode_table(pa.Table.from_pylist([dict(row) for row in rows], schema=SUMMARIES))
