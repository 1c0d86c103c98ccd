"""Tables without the text of the source: ids, numbers, marks and reasons stay."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from infra.store.objects import Store

NAMES = frozenset(
    ["id", "unit", "episode", "movie", "film", "post", "row", "retells", "copy_of", "kind", "reason", "source", "role"]
)
"""Columns of texts that are no source's: names of rows, units and files, and fabula's own words. All other texts are left out."""


def drop_text(table: pa.Table) -> pa.Table:
    """Return the columns of a table that hold no text of the source, and such parts of its records (turns, pieces)."""
    kept = [(field.name, kind) for field in table.schema if (kind := _prune(field.name, field.type)) is not None]
    # Of a record, Arrow takes the parts that the type names.
    return pa.Table.from_pylist(table.to_pylist(), schema=pa.schema(kept))


def read_without_text(store: Store, key: str) -> pa.Table:
    """Return a Parquet file of a release without the text of the source; a row group is held at a time."""
    with store.reading(key) as stream:
        file = pq.ParquetFile(stream)
        empty = drop_text(file.schema_arrow.empty_table())
        groups = (drop_text(file.read_row_group(number, use_threads=False)) for number in range(file.num_row_groups))
        return pa.concat_tables([empty, *groups])


def find_differing_units(one: pa.Table, other: pa.Table) -> list[str]:
    """Return the units whose rows differ between two tables without text; empty where the tables name no unit."""
    rows = [_by_unit(table) for table in (one, other)]
    return sorted(unit for unit in {*rows[0], *rows[1]} if rows[0].get(unit) != rows[1].get(unit))


def _by_unit(table: pa.Table) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in table.to_pylist():
        if (unit := next(_list_units(row), None)) is not None:
            found.setdefault(unit, []).append(row)
    return found


def _list_units(row: dict[str, Any]) -> Iterator[str]:
    yield from (row[name] for name in ("unit", "episode", "movie", "film", "post") if row.get(name) is not None)


def _prune(name: str, kind: pa.DataType) -> pa.DataType | None:
    """Return a type without its texts; None where nothing is left."""
    if pa.types.is_list(kind):
        inner = _prune(name, kind.value_type)
        return None if inner is None else pa.list_(inner)
    if pa.types.is_struct(kind):
        parts = [(field.name, part) for field in kind if (part := _prune(field.name, field.type)) is not None]
        return pa.struct(parts) if parts else None
    if pa.types.is_string(kind) and name not in NAMES:
        return None
    return kind
