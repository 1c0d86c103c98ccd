"""Statistics of a `threads` release, from its dialogues, one shard at a time."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.threads.config import ThreadsConfig
from core.threads.statistics import count_drops, describe_dialogues
from infra.tables.codecs import decode_table
from tasks.frame.release_spec import Landed, ShardReference, count_table_rows, read_artifact
from tasks.threads.tables import find_filters


def summarise_threads(landed: Landed[ThreadsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what `stats.json` says: rows by table, figures of the released dialogues, and what was dropped."""
    drops = [(outcome, count) for shard in shards if shard.table == "rejects" for outcome, count in shard.counts.items()]
    figures = describe_dialogues(_read_dialogues(landed))
    return {**count_table_rows(landed, shards), "figures": figures, "dropped": count_drops(drops)}


def _read_dialogues(landed: Landed[ThreadsConfig]) -> Iterator[dict[str, Any]]:
    filters = find_filters(landed)
    for unit, reference in sorted(landed.references.items()):
        table = decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"]))
        for row, reason in zip(table.to_pylist(), filters.judge(table), strict=True):
            if not reason and row["id"] not in landed.withheld.rows.get(unit, ()):
                yield row
