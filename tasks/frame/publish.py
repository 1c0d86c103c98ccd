"""The end of a release: planned from what has landed, described (card, statistics, manifest), and named by the pointer."""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from core.dataset.card import NO_DESCRIPTION, Card, CardTable, Column, Description, write_card
from core.dataset.croissant import write_croissant
from core.dataset.rejects import RejectedRows
from core.dataset.report import Quality, ReportSpec
from core.dataset.splits import SPLITS
from core.dataset.units import NO_PROVENANCE, ProvenanceConfig, find_shard, is_shard
from core.fingerprints import canonicalise
from core.references import UnitReference
from core.review.decisions import Decision, settle
from infra.store.history import Publication
from infra.store.manifests import ReleaseFile
from infra.store.objects import Store
from infra.store.releases import publish_release
from infra.store.reviews import read_evaluations, read_reviews
from infra.tables.columns import list_meanings
from infra.tables.parquet import read_rows
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan
from tasks.frame.release import list_release_units, plan_release
from tasks.frame.release_spec import RELEASE, Landed, PipelineConfig, ReleasePlan, Reporter, ShardReference, TableSpec
from tasks.frame.report import ReportPart, choose_reporter, identify_report, write_page

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRelease:
    """A release to be, and what it is planned from: the landed units, its tables, its report, the comparisons that hold."""

    landed: Landed[Any]
    tables: Sequence[TableSpec]
    reporter: Reporter
    quality: Sequence[Quality]
    release: ReleasePlan


def plan_landed(
    store: Store, dataset: str, pipeline: Pipeline, config: PipelineConfig, plan: RunPlan, releasable: Mapping[str, UnitReference]
) -> PlannedRelease:
    """Plan the release of what has landed, with what annotators have decided and what was compared with gold by now.

    `releasable` has every landed unit.
    """
    spec, config = pipeline.load(RELEASE), plan.found.disclosed or config
    landed = Landed(
        store=store,
        config=config,
        references=dict(sorted(releasable.items())),  # whatever was built now and found, the same comes of it
        known=plan.discovered,
        withheld=plan.withheld,
        knowledge=plan.found.knowledge,
        reviews=collect_reviews(store, dataset, releasable),
    )
    tables = spec.tables(landed)
    reporter = choose_reporter(pipeline, landed, tables)
    quality = find_quality(store, dataset, landed.references, canonicalise(config), pipeline.load(INGESTION).stage_versions)
    release = plan_release(
        store,
        dataset,
        list_release_units(landed, spec),
        tables,
        config.split,
        canonicalise(config),
        plan.withheld,
        [
            *(canonicalise(spec.told(landed)), canonicalise(spec.description), identify_report(reporter)),
            list_meanings(table.schema for table in tables),
            *(canonicalise(each) for each in quality),
        ],
    )
    landed = replace(landed, splits=release.splits)
    return PlannedRelease(landed=landed, tables=tables, reporter=reporter, quality=quality, release=release)


def collect_reviews(store: Store, dataset: str, units: Collection[str]) -> dict[str, tuple[Decision, ...]]:
    """Return what annotators have decided of a dataset's rows, by the unit of a release (a shard, for small units).

    Decisions about units that the release does not have are left out. Warns of lines that are no judgements, and of rows on which
    the annotators do not agree.
    """
    reviews = read_reviews(store, dataset)
    for refused in reviews.refused:
        logger.warning("reviews of %s: %s", dataset, refused)
    settled = settle(reviews.judgements)
    if settled.disputes:
        logger.warning(
            "reviews of %s: the annotators do not agree on %d row(s), such as %s; these stay as they were found. "
            "`fabula review %s --annotator NAME` shows them first to another annotator",
            dataset,
            len(settled.disputes),
            settled.disputes[0].item,
            dataset,
        )
    places = {judgement.item: judgement.unit for judgement in reviews.judgements if judgement.unit}
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    for decision in settled.decisions:
        unit = places.get(decision.item, "")
        place = unit if unit in units else find_shard(unit, units) if unit else None
        if place is not None:
            found[place].append(decision)
    return {unit: tuple(decisions) for unit, decisions in sorted(found.items())}


def find_quality(
    store: Store, dataset: str, references: Mapping[str, UnitReference], settings: Any, versions: Mapping[str, int]
) -> list[Quality]:
    """Return the recorded comparisons (`fabula evaluate --record`) of just the artifacts, settings and stages of a release."""
    artifacts = {
        unit: {stage: artifact.sha256 for stage, artifact in reference.artifacts.items()}
        for unit, reference in references.items()
    }
    return [quality for quality in read_evaluations(store, dataset).values() if quality.holds(artifacts, settings, versions)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFacts:
    """What a release tells beside its tables.

    `figures` are its statistics as rows with `metric` and `value`, `rejects` the rows that were left out, `description` what
    the pipeline says of its releases, `provenance` what the user stated, `quality` comparisons with gold. `report` are the
    written parts of the report, `words` how it speaks.
    """

    statistics: Mapping[str, Any]
    figures: Sequence[Mapping[str, str]] = ()
    rejects: Sequence[RejectedRows] = ()
    description: Description = NO_DESCRIPTION
    provenance: ProvenanceConfig = NO_PROVENANCE
    quality: Sequence[Quality] = ()
    report: Sequence[ReportPart] = ()
    words: ReportSpec = field(default_factory=ReportSpec)


def publish_tables(
    store: Store, plan: ReleasePlan, shards: Sequence[ShardReference], facts: ReleaseFacts, publication: Publication
) -> bool:
    """Write all but the tables and the report's parts, and move the pointer; return whether it names this release."""
    card = _describe(store, plan, shards, facts)
    documents = {
        "README.md": write_card(card),
        "croissant.json": write_croissant(card),
        "stats.json": json.dumps(facts.statistics, indent=1, ensure_ascii=False) + "\n",
        "ATTRIBUTION.md": _attribute(plan, shards),
        **write_page(card, facts.words, facts.report),
    }
    files = [ReleaseFile(shard.path, shard.sha256, shard.size, shard.rows) for shard in shards]
    files += [file for part in facts.report for file in part.files]
    said = {
        "splits": plan.splits,
        "takedown": _count_withheld(plan, shards),
        "configuration": plan.configuration,
        "reviews": plan.reviews,
    }
    return publish_release(store, plan.dataset, plan.version, files, documents, said, publication, plan.gone)


def _describe(store: Store, plan: ReleasePlan, shards: Sequence[ShardReference], facts: ReleaseFacts) -> Card:
    """Return what the card of a release tells."""
    rows: dict[str, dict[str, int]] = defaultdict(dict)
    for shard in shards:
        rows[shard.table][shard.split] = rows[shard.table].get(shard.split, 0) + shard.rows
    specs = {request.table.name: request.table for request in plan.requests.values()}
    default = next((name for name, spec in specs.items() if spec.config and any(rows[name].values())), None)
    filled = [shard for shard in shards if shard.table == default and shard.rows]
    examples = [row for shard in filled[:1] for row in read_rows(store, f"{plan.folder}/{shard.path}", places=[0])]
    units = Counter(plan.splits.values())
    meanings = list_meanings(spec.schema for spec in specs.values())
    return Card(
        name=plan.dataset,
        version=plan.version,
        tables=[
            CardTable(
                name=name,
                config=spec.config,
                rows=rows[name],
                columns=[_describe_column(column.name, column.type, meanings.get(column.name, "")) for column in spec.schema],
                description=spec.description,
            )
            for name, spec in specs.items()
        ],
        description=facts.description,
        units={split: units[split] for split in SPLITS},
        sharded=any(map(is_shard, plan.splits)),
        figures=facts.figures,
        rejects=facts.rejects,
        settings=plan.configuration,
        licenses=sorted({licence for shard in shards for _, licence in shard.credits}) or [facts.provenance.license],
        attribution=facts.provenance.attribution,
        withheld=plan.withheld,
        leaks=facts.statistics.get("between_splits"),
        quality=facts.quality,
        example=examples[0] if examples else None,
    )


def _describe_column(name: str, kind: pa.DataType, meaning: str = "") -> Column:
    """Return what a card tells of a column of this type."""
    repeated = pa.types.is_list(kind)
    inner = kind.value_type if repeated else kind
    parts = [inner.field(place) for place in range(inner.num_fields)] if pa.types.is_struct(inner) else []
    return Column(name, str(inner), repeated, tuple(_describe_column(part.name, part.type) for part in parts), meaning)


def _count_withheld(plan: ReleasePlan, shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what the takedown list kept out, by reason: units, and rows of each table."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for shard in shards:
        if shard.withheld:
            rows[shard.table].update(shard.withheld)
    return {"units": plan.withheld, "rows": {table: dict(sorted(counts.items())) for table, counts in rows.items()}}


def _attribute(plan: ReleasePlan, shards: Sequence[ShardReference]) -> str:
    """Return `ATTRIBUTION.md`: whom the rows credit, and the sources of a release without rows."""
    units = [unit for request in plan.requests.values() for unit in request.units]
    credited = {entry for shard in shards for entry in shard.credits}
    credited = credited or {(unit.provenance.attribution, unit.provenance.license) for unit in units}
    lines = sorted({f"- {attribution or 'no attribution given'} ({licence})" for attribution, licence in credited})
    return "\n".join(["# Attribution", "", *lines, ""])
