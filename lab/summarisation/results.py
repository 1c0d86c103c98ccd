"""Results of benchmarks in the store, and what trained systems have learned.

benchmarks/<dataset>/<version>/<run>.json                   figures of one system on one split of a release
benchmarks/<dataset>/<version>/<run>-scores.parquet         a row's measures
benchmarks/<dataset>/<version>/<run>-summaries.parquet      the summaries that were measured
benchmarks/<dataset>/<version>/benchmark.html               the runs side by side
benchmarks/<dataset>/<version>/checkpoints/<training>/…     what a system has learned, by the fingerprint of its training
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from infra.store.objects import Store
from infra.tables.codecs import decode_table, encode_table
from infra.tables.columns import STRINGS, optional, required


def folder_key(dataset: str, version: str) -> str:
    """Return the folder of a release's benchmarks."""
    return f"benchmarks/{dataset}/{version}"


def scores_key(dataset: str, version: str, run: str) -> str:
    """Return the key of the measures of each row."""
    return f"{folder_key(dataset, version)}/{run}-scores.parquet"


def summaries_key(dataset: str, version: str, run: str) -> str:
    """Return the key of the summaries that a system made."""
    return f"{folder_key(dataset, version)}/{run}-summaries.parquet"


def read_result(store: Store, dataset: str, version: str, run: str) -> dict[str, Any] | None:
    """Return the figures of a run, None where it has not been run."""
    key = f"{folder_key(dataset, version)}/{run}.json"
    found: dict[str, Any] | None = store.read_json(key) if store.exists(key) else None
    return found


def write_result(store: Store, dataset: str, version: str, run: str, figures: Mapping[str, Any]) -> None:
    """Keep the figures of a run whose scores and summaries are in place: a run that has them is whole."""
    store.write_json(f"{folder_key(dataset, version)}/{run}.json", figures)


def list_results(store: Store, dataset: str, version: str) -> list[dict[str, Any]]:
    """Return the figures of all runs on a release, ordered by run."""
    folder = folder_key(dataset, version)
    keys = [key for key in store.list_keys(folder) if key.endswith(".json") and key.count("/") == folder.count("/") + 1]
    return list(store.read_all_json(keys).values())


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
