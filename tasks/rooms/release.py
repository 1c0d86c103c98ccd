"""What the pipeline `rooms` makes of its units: the tables and statistics of a release, its card and report, how a unit is shown.

Copies are found among all units before the tables are written.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, get_args

import pyarrow as pa
import pyarrow.parquet as pq

from core.dataset.card import ROOMS as ROOMS_PAPER
from core.dataset.card import Description
from core.dataset.rejects import count_reasons, name_settings
from core.dataset.report import MEASURES, SHARES, Measure, ReportSpec, Threshold
from core.dataset.splits import natural_key
from core.fingerprints import fingerprint
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from core.rooms.copies import Copied, find_copies
from core.rooms.reading import weigh_reader
from core.rooms.score import NO_PLACE, Part
from infra.store.objects import Store
from infra.tables.codecs import TABLE, decode_table
from infra.tables.parquet import Rows
from infra.tables.rooms import (
    KEPT,
    REJECTS,
    ROOMS,
    judge_sentences,
    name_sentence,
    read_copies,
    read_parts,
    read_prints,
    release_rows,
    tabulate_copies,
)
from tasks.frame.build import read_artifact, read_stage, run_stage
from tasks.frame.release_spec import (
    Landed,
    Released,
    ReleaseSpec,
    ReleaseUnit,
    Reporter,
    ReviewSource,
    ShardReference,
    Summary,
    TableSpec,
)
from tasks.frame.report import TableColumns, TablePresenter
from tasks.frame.review import list_pairs
from tasks.rooms.asking import READING

DESCRIPTION = Description(
    about="A row is a description of a place: the neighbouring sentences of a document about it. They were mined from a corpus "
    "by their words and form; the config `sentences` has those that describe a place by themselves.",
    task="text-generation",
    languages=("en",),
    lacks=dict.fromkeys(("summary", "turns", "dialogue"), "a row is the text of a description, which stands in `text`"),
    leakage="Exact and near copies were looked for among the sentences of all units, and one of each is in the release.",
    citation=ROOMS_PAPER,
)

REASON_SETTINGS = {
    "score": ("selection.min_score",),
    "probability": ("selection.min_probability",),
    "too short": ("selection.max_short",),
    "too long": ("selection.max_words",),
    "near copy": ("copies.near",),
    "introduction or sign-off": ("copies.recurring_documents", "copies.edge"),
    NO_PLACE: ("reader.model",),
}
"""The settings that decide why a sentence is left out; no setting decides the other reasons."""


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the sentences of a unit, or of one of its records, as lines: id, score, text, then the parts of the score.

    `fabula show` with a sentence's id shows the points of each part too.
    """
    sentences, parts, prints = (decode_table(read_stage(store, reference, stage)) for stage in ("sentences", "parts", "prints"))
    scores = prints.column("score").to_pylist()
    for row, found, score in zip(sentences.to_pylist(), read_parts(parts), scores, strict=True):
        if name in (row["member"], reference.unit):
            yield f"{name_sentence(row['member'], row['number'])}  {score:+g}  {row['text']}"
            if found:
                yield f"      {describe_parts(found)}"


def describe_parts(parts: Sequence[Part]) -> str:
    """Return parts as text: `room 2 (chamber 0.71, hall 0.55); question 1`."""
    return "; ".join(f"{part.name} {part.count}" + (f" ({', '.join(part.evidence)})" if part.evidence else "") for part in parts)


COPIES_STAGE = "copies"
COPIES_VERSION = 1


Table = Literal["rooms", "sentences", "rejects"]


def list_tables(landed: Landed[RoomsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release: the descriptions, the sentences that describe places, and all others with the reason."""
    build = partial(_build, config=landed.config, weight=weigh_reader(landed.read_readings(READING)))
    rooms, sentences, rejects = (partial(build, name) for name in get_args(Table))
    return (
        TableSpec(name="rooms", schema=ROOMS, build=rooms, config=True, expansion=0.3, description=_ROOMS),
        TableSpec(name="sentences", schema=KEPT, build=sentences, config=True, expansion=0.3, description=_KEPT),
        TableSpec(name="rejects", schema=REJECTS, build=rejects, config=False, expansion=1.5),
    )


_ROOMS = "descriptions: the neighbouring sentences about one place"
_KEPT = "the sentences that describe a place by themselves"


def find_unit_copies(landed: Landed[RoomsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    """Find copies among all units, and return for each the key of the table that names them (`copies`).

    The table is made once for the same units with the same settings. Units that the takedown list keeps out do not count.
    """
    units = sorted((unit for unit in landed.references if unit not in landed.withheld.units), key=natural_key)
    artifacts = [(unit, landed.references[unit].artifacts) for unit in units]
    inputs = [f"{unit} {found['prints'].sha256} {found['sentences'].sha256}" for unit, found in artifacts]
    key = fingerprint(COPIES_STAGE, COPIES_VERSION, inputs, landed.config.copies)

    def compute() -> pa.Table:
        prints = [
            read_prints(unit, decode_table(read_artifact(landed.store, unit, found["prints"]))) for unit, found in artifacts
        ]
        copies = find_copies(prints, landed.config.copies)
        return tabulate_copies(copies, _name_originals(landed, copies))

    result = run_stage(landed.store, "rooms", COPIES_STAGE, "all", key, TABLE, compute)
    return {unit: {"copies": result.artifact.key} for unit in units}


def _name_originals(landed: Landed[RoomsConfig], copies: Sequence[Copied]) -> dict[tuple[str, int], str]:
    """Return the ids of the sentences that others repeat."""
    wanted: dict[str, set[int]] = {}
    for entry in copies:
        wanted.setdefault(entry.original_unit, set()).add(entry.original)
    names = {}
    for unit, places in wanted.items():
        table = decode_table(read_artifact(landed.store, unit, landed.references[unit].artifacts["sentences"]))
        for place in places:
            names[unit, place] = name_sentence(*(table.column(name)[place].as_py() for name in ("member", "number")))
    return names


def _build(table: Table, store: Store, unit: ReleaseUnit, *, config: RoomsConfig, weight: float) -> Rows:
    key = unit.facts["copies"]
    assert key is not None
    with store.reading(key) as stream:
        copies = read_copies(unit.unit, pq.read_table(stream, filters=[("unit", "=", unit.unit)]))
    sentences, parts, prints = (decode_table(unit.read(store, stage)) for stage in ("sentences", "parts", "prints"))
    found = unit.read_reading(store, READING, config.reader.model) if weight else None
    places = found.places if found is not None else None
    judged = judge_sentences(sentences, parts, prints, copies, config, unit.provenance, unit.reviews, places, weight)
    return release_rows(judged, table, config, unit.withheld)


def summarise(landed: Landed[RoomsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: descriptions, sentences by outcome and score, the share removed, the analysis."""
    reasons: Counter[str] = Counter()
    scores: Counter[int] = Counter()
    descriptions = 0
    for shard in shards:
        for (reason, score), count in shard.counts.items():
            if reason.endswith("description"):
                descriptions += count if shard.table == "rooms" else 0
            else:
                reasons[reason] += count
                scores[score] += count
    total = sum(reasons.values())
    least = landed.config.selection.min_score
    share = (total - reasons["kept"]) / total if total else None
    statistics = {
        "descriptions": descriptions,
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
        {"metric": "descriptions", "value": str(descriptions)},
        {"metric": "sentences", "value": str(total)},
        *({"metric": f"sentences: {reason}", "value": str(count)} for reason, count in sorted(reasons.items())),
        {"metric": "share removed", "value": "none" if share is None else f"{share:.1%}"},
    ]
    return Summary(statistics, figures, belief=weigh_reader(landed.read_readings(READING)))


_POINTS = tuple(float(place) for place in range(-12, 17))


def make_reporter(landed: Landed[RoomsConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, _, rejects = tables
    columns = TableColumns(
        unit=("document",),
        summary=("text",),
        values=("probability", "score"),
        facts={"speakers": "speakers", "turn": "turn", "copy_of": "copy of", "analysis": "analysis"},
        draw=draw_parts,
    )
    selection = landed.config.selection
    by, least = selection.by, selection.min_score if selection.by == "score" else selection.min_probability
    summary_words = next(measure for measure in MEASURES if measure.name == "summary_words")
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(
            unit=("document", "documents"),
            row=("description", "descriptions"),
            measures=(
                Measure(name="probability", label="probability of a description", edges=SHARES),
                Measure(name="score", label="score, in points", edges=_POINTS),
                Measure(name=summary_words.name, label="words of a description", edges=summary_words.edges),
            ),
            thresholds=(Threshold(measure=by, reason=by, setting=f"selection.min_{by}", value=least),),
        ),
    )


def draw_parts(row: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the parts of a sentence's score: name, how often it counts, points, and the words that show it."""
    parts = [[part["name"], part["count"], part["points"], list(part["evidence"])] for part in row["parts"]]
    return ({"kind": "parts", "parts": parts, "score": row["score"]},) if parts else ()


def list_rows(released: Released) -> ReviewSource:
    """Return the rows, of each of which readers say whether it describes a room."""
    return list_pairs(released, "room")


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("sentences", "parts", "prints"),
    facts=find_unit_copies,
    explain_rejects=lambda config, rows: name_settings(count_reasons(config, rows), REASON_SETTINGS, config),
)
