"""The tables of a `subtitles` release: whole films for pre-training, and what was not taken."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import LeftOut
from infra.store.objects import Store
from infra.tables.parquet import Provenance, Rows, decode_table
from infra.tables.subtitles import REJECTS, SUBTITLES, release_rows
from tasks.frame.release import ReleaseUnit, ShardReference, TableSpec

_STAGES = ("films", "rejected")


def list_tables() -> tuple[TableSpec, ...]:
    """Return the tables of a release."""
    return (
        TableSpec("subtitles", SUBTITLES, partial(_build, "films"), True, 1.0),
        TableSpec("rejects", REJECTS, partial(_build, "rejected"), False, 0.01),
    )


def list_units(references: Mapping[str, UnitReference], config: SubtitlesConfig) -> dict[str, ReleaseUnit]:
    """Return the landed shards as a release needs them."""
    provenance = Provenance("OpenSubtitles and the source's summaries", config.provenance.license, config.provenance.attribution)
    return {
        unit: ReleaseUnit(
            unit,
            {stage: reference.artifacts[stage].key for stage in _STAGES},
            tuple(reference.artifacts[stage].sha256 for stage in _STAGES),
            reference.counts["characters"],
            provenance,
            {},
        )
        for unit, reference in references.items()
    }


def summarise_subtitles(left_out: Sequence[LeftOut], shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what `stats.json` says: rows by table, and what was left out with the reason."""
    rows: Counter[str] = Counter()
    for shard in shards:
        rows[shard.table] += shard.rows
    listed = [{"film": entry.film, "path": entry.path, "reason": entry.reason} for entry in left_out]
    return {"rows": dict(rows), "left_out": listed}


def tabulate_subtitles(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the figures as rows of a table: `metric` and `value`."""
    rows = [{"metric": f"rows of {table}", "value": str(count)} for table, count in statistics["rows"].items()]
    return [*rows, {"metric": "left out", "value": str(len(statistics["left_out"]))}]


def _build(stage: str, store: Store, unit: ReleaseUnit) -> Rows:
    schema = SUBTITLES if stage == "films" else REJECTS
    return release_rows(schema, decode_table(store.read(unit.keys[stage])), unit.provenance)
