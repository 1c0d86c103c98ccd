"""The files of a release: one shard a call, streamed unit by unit from the artifacts."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from core.transcripts.config import FilterConfig
from core.transcripts.filters import judge_pair
from infra.artifacts import decode_recap
from infra.release_tables import (
    Provenance,
    tabulate_alignments,
    tabulate_dialogue,
    tabulate_pairs,
    tabulate_recap,
    tabulate_rejects,
)
from infra.schemas import ALIGNMENTS, DIALOGUES, PAIRS, REJECTS, SUMMARIES, decode_table
from infra.store import Store

TableName = Literal["pairs", "dialogues", "summaries", "alignments", "rejects"]
SCHEMAS = {"pairs": PAIRS, "dialogues": DIALOGUES, "summaries": SUMMARIES, "alignments": ALIGNMENTS, "rejects": REJECTS}


@dataclass(frozen=True, slots=True)
class ShardUnit:
    """One unit's part of a shard: its artifacts' keys and what its rows say of their origin."""

    unit: str
    dialogue: str
    recap: str
    alignments: str
    provenance: Provenance
    retells: str | None


@dataclass(frozen=True, slots=True)
class ShardRequest:
    """A shard to write: `path` is the file's place in the release, `release` the release's key in the store."""

    store: str
    release: str
    path: str
    table: TableName
    units: tuple[ShardUnit, ...]
    filter: FilterConfig


@dataclass(frozen=True, slots=True)
class ShardReference:
    """A written shard. `decisions` counts the alignments by chunk size and reason ("" for kept); empty for other tables."""

    path: str
    sha256: str
    size: int
    rows: int
    decisions: dict[tuple[int, str], int]


def write_shard(request: ShardRequest) -> ShardReference:
    """Write one Parquet file of a release; the same request gives the same bytes, so a second try does no harm.

    Raises:
        StoreError: an artifact is missing or the store failed.
    """
    store = _open(request.store)
    decisions: Counter[tuple[int, str]] = Counter()
    rows = 0
    schema = SCHEMAS[request.table]
    with (
        store.writing(f"{request.release}/{request.path}") as stream,
        pq.ParquetWriter(pa.PythonFile(stream, mode="w"), schema, compression="zstd") as writer,
    ):
        for table in _tables(store, request, decisions):
            rows += len(table)
            if len(table):  # `datasets` cannot read a row group without rows
                writer.write_table(table)
    stored = stream.stored
    return ShardReference(request.path, stored.sha256, stored.size, rows, dict(decisions))


def judge_alignments(alignments: pa.Table, config: FilterConfig) -> list[str | None]:
    """Return for each alignment the reason why it is dropped, None where it is kept."""
    rows = zip(
        *(alignments.column(name).to_pylist() for name in ("summary", "turn_start", "turn_end", "chunk_size", "offset")),
        strict=True,
    )
    chunkings = Counter(zip(alignments.column("chunk_size").to_pylist(), alignments.column("offset").to_pylist(), strict=True))
    return [judge_pair(summary, start, end, chunkings[size, offset], config) for summary, start, end, size, offset in rows]


def _tables(store: Store, request: ShardRequest, decisions: Counter[tuple[int, str]]) -> Iterator[pa.Table]:
    build = _BUILDERS[request.table]
    for unit in request.units:
        yield build(store, unit, request.filter, decisions)


def _pairs(store: Store, unit: ShardUnit, config: FilterConfig, _: Counter[tuple[int, str]]) -> pa.Table:
    alignments = decode_table(store.read(unit.alignments))
    kept = [reason is None for reason in judge_alignments(alignments, config)]
    return tabulate_pairs(unit.unit, decode_table(store.read(unit.dialogue)), alignments, kept, unit.provenance)


def _alignments(store: Store, unit: ShardUnit, config: FilterConfig, decisions: Counter[tuple[int, str]]) -> pa.Table:
    alignments = decode_table(store.read(unit.alignments))
    reasons = judge_alignments(alignments, config)
    decisions.update(zip(alignments.column("chunk_size").to_pylist(), (reason or "" for reason in reasons), strict=True))
    return tabulate_alignments(unit.unit, alignments, reasons, unit.provenance)


def _rejects(store: Store, unit: ShardUnit, config: FilterConfig, _: Counter[tuple[int, str]]) -> pa.Table:
    alignments = decode_table(store.read(unit.alignments))
    return tabulate_rejects(unit.unit, alignments, judge_alignments(alignments, config), unit.provenance)


def _dialogues(store: Store, unit: ShardUnit, _: FilterConfig, __: Counter[tuple[int, str]]) -> pa.Table:
    return tabulate_dialogue(unit.unit, decode_table(store.read(unit.dialogue)), unit.provenance)


def _summaries(store: Store, unit: ShardUnit, _: FilterConfig, __: Counter[tuple[int, str]]) -> pa.Table:
    return tabulate_recap(unit.unit, decode_recap(store.read(unit.recap)), unit.retells, unit.provenance)


_BUILDERS: dict[TableName, Callable[[Store, ShardUnit, FilterConfig, Counter[tuple[int, str]]], pa.Table]] = {
    "pairs": _pairs,
    "dialogues": _dialogues,
    "summaries": _summaries,
    "alignments": _alignments,
    "rejects": _rejects,
}


@lru_cache(maxsize=4)
def _open(url: str) -> Store:
    return Store(url)
