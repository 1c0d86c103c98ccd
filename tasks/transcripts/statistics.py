"""Statistics of a `transcripts` release, from its episodes' figures and its chunks' decisions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from core.transcripts.config import TranscriptsConfig
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.summary import summarise
from infra.tables.transcripts import FIGURES
from tasks.frame.pipeline import Landed
from tasks.frame.release import ShardReference, read_artifact


def summarise_release(landed: Landed[TranscriptsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what `stats.json` says; the figures are read one episode at a time."""
    decisions: Counter[tuple[int, str]] = Counter()
    for shard in shards:
        if shard.table == "alignments":
            decisions.update(shard.counts)
    return summarise(_read_figures(landed), decisions, landed.config.statistics)


def _read_figures(landed: Landed[TranscriptsConfig]) -> Iterator[EpisodeFigures]:
    for unit, reference in sorted(landed.references.items()):
        yield FIGURES.decode(read_artifact(landed.store, unit, reference.artifacts["figures"]))
