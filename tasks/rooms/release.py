"""What the pipeline `rooms` makes of its units: what is in a release, and how it is shown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.paper_tables import tabulate_rooms
from core.dataset.rejects import RejectedRows, count_reasons, name_settings
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from core.rooms.score import Part
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.rooms import name_sentence, read_parts
from tasks.frame.release_spec import Landed, Released, ReleaseSpec, ReviewSource, ShardReference, Summary
from tasks.frame.review import list_pairs
from tasks.rooms.description import DESCRIPTION, REASON_SETTINGS
from tasks.rooms.tables import find_unit_copies, list_tables


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the sentences of a document, or of one record, as lines: id, score, text, then the parts of the score."""
    stages = ("sentences", "parts", "prints")
    sentences, parts, prints = (decode_table(store.read(reference.artifacts[stage].key)) for stage in stages)
    scores = prints.column("score").to_pylist()
    for row, found, score in zip(sentences.to_pylist(), read_parts(parts), scores, strict=True):
        if name in (row["member"], reference.unit):
            yield f"{name_sentence(row['member'], row['number'])}  {score:+g}  {row['text']}"
            if found:
                yield f"      {describe_parts(found)}"


def describe_parts(parts: Sequence[Part]) -> str:
    """Return parts as text: `room 2 (chamber 0.71, hall 0.55); question 1`."""
    return "; ".join(f"{part.name} {part.count}" + (f" ({', '.join(part.evidence)})" if part.evidence else "") for part in parts)


def _explain(config: RoomsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    return name_settings(count_reasons(config, rows), REASON_SETTINGS, config)


def list_rows(released: Released) -> ReviewSource:
    """Return the rows, of each of which readers say whether it describes a room."""
    return list_pairs(released, "room")


def summarise(landed: Landed[RoomsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: sentences by outcome and by score, the share that was removed, the analysis."""
    reasons: Counter[str] = Counter()
    scores: Counter[int] = Counter()
    for shard in shards:
        for (reason, score), count in shard.counts.items():
            reasons[reason] += count
            scores[score] += count
    total = sum(reasons.values())
    least = landed.config.selection.min_score
    share = (total - reasons["kept"]) / total if total else None
    statistics = {
        "sentences": total,
        "kept": reasons["kept"],
        "removed_share": share,
        "below_min_score": sum(count for score, count in scores.items() if score < least),
        "min_score": least,
        "reasons": dict(sorted(reasons.items())),
        "scores": {str(score): scores[score] for score in sorted(scores)},
        "analysis": landed.config.analysis.label,
    }
    figures = [
        {"metric": "analysis", "value": landed.config.analysis.label},
        {"metric": "sentences", "value": str(total)},
        *({"metric": f"sentences: {reason}", "value": str(count)} for reason, count in sorted(reasons.items())),
        {"metric": "share removed", "value": "none" if share is None else f"{share:.1%}"},
    ]
    return Summary(statistics, figures)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("sentences", "parts", "prints"),
    facts=find_unit_copies,
    paper_tables=lambda statistics, _: tabulate_rooms(statistics),
    explain_rejects=_explain,
)
