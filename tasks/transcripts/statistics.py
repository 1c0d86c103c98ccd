"""Statistics of a release, from its units' figures and its shards' decisions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.references import UnitReference
from core.transcripts.config import StatisticsConfig
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.summary import summarise
from infra.store.objects import Store
from infra.tables.transcript_artifacts import FIGURES
from tasks.frame.release import ShardReference


def summarise_release(
    store: Store, references: Mapping[str, UnitReference], shards: Sequence[ShardReference], config: StatisticsConfig
) -> dict[str, Any]:
    """Return what `stats.json` says; the figures are read one unit at a time."""
    decisions: Counter[tuple[int, str]] = Counter()
    for shard in shards:
        if shard.table == "alignments":
            decisions.update(shard.counts)
    return summarise(_read_figures(store, references), decisions, config)


def _read_figures(store: Store, references: Mapping[str, UnitReference]) -> Iterator[EpisodeFigures]:
    for _, reference in sorted(references.items()):
        yield FIGURES.decode(store.read(reference.artifacts["figures"].key))
