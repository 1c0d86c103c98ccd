"""Statistics of a `threads` release, from its dialogues, one shard at a time."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.threads.config import ThreadsConfig
from core.threads.statistics import count_drops, describe_dialogues, tabulate_threads
from infra.tables.codecs import decode_table
from tasks.frame.release import summarise_tables
from tasks.frame.release_spec import Landed, ShardReference, Summary, read_artifact
from tasks.threads.tables import find_filters


def summarise(landed: Landed[ThreadsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: rows by table, figures of the released dialogues, and what was dropped."""
    drops = [(outcome, count) for shard in shards if shard.table == "rejects" for outcome, count in shard.counts.items()]
    figures = describe_dialogues(_read_dialogues(landed))
    statistics = summarise_tables(landed, shards).statistics | {"figures": figures, "dropped": count_drops(drops)}
    return Summary(statistics, tabulate_threads(statistics))


def _read_dialogues(landed: Landed[ThreadsConfig]) -> Iterator[dict[str, Any]]:
    filters = find_filters(landed)
    for unit, reference in sorted(landed.references.items()):
        table = decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"]))
        for row, reason in zip(table.to_pylist(), filters.judge(table), strict=True):
            if not reason and row["id"] not in landed.withheld.rows.get(unit, ()):
                yield row
