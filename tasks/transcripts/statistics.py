"""Statistics of a `transcripts` release, from its episodes' figures and its chunks' decisions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from core.text.near_copies import ReleasedText, count_leaks
from core.transcripts.config import TranscriptsConfig
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.summary import summarise
from infra.tables.transcripts.artifacts import FIGURES
from infra.tables.transcripts.rows import choose_pairs
from tasks.frame.release import ShardReference, read_artifact
from tasks.frame.release_spec import Landed
from tasks.transcripts.tables import review_decisions


def summarise_release(landed: Landed[TranscriptsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what `stats.json` says; the figures are read one episode at a time."""
    decisions: Counter[tuple[int, str, str, bool]] = Counter()
    for shard in shards:
        if shard.table == "alignments":
            decisions.update(shard.counts)
    figures = summarise(_read_figures(landed), decisions, landed.config.statistics)
    return figures | {"between_splits": count_leaks(_read_texts(landed))}


def _read_texts(landed: Landed[TranscriptsConfig]) -> Iterator[ReleasedText]:
    """Yield the rows to train on; the other rows have the same sentences. Units that the takedown list keeps out have none."""
    for unit, reference in sorted(landed.references.items()):
        if unit not in landed.splits:
            continue
        decisions = review_decisions(landed.config.filter, landed.store, unit, reference.artifacts, landed.reviews.get(unit, ()))
        chosen = choose_pairs(decisions, train_on_only=True)
        for kind, text in zip(chosen.column("kind").to_pylist(), chosen.column("summary").to_pylist(), strict=True):
            yield ReleasedText(landed.splits[unit], kind, text)


def _read_figures(landed: Landed[TranscriptsConfig]) -> Iterator[EpisodeFigures]:
    for unit, reference in sorted(landed.references.items()):
        yield FIGURES.decode(read_artifact(landed.store, unit, reference.artifacts["figures"]))
