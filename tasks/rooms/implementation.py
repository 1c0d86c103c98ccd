"""What the pipeline `rooms` does."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.errors import ConfigError
from core.paper_tables import tabulate_rooms
from core.references import UnitReference
from core.rejects import RejectedRows, count_reasons, name_settings
from core.rooms.config import RoomsConfig
from infra.store.objects import Store
from tasks.frame.building import UnitWork
from tasks.frame.pipeline import Implementation, Landed, Released, Resources
from tasks.frame.release import ShardReference, TableSpec
from tasks.frame.report import Reporter
from tasks.frame.review_source import ReviewSource, list_pairs
from tasks.frame.shards import SHARD_STAGES
from tasks.rooms.description import DESCRIPTION, REASON_SETTINGS
from tasks.rooms.plan import plan_rooms

STAGE_VERSIONS = {"sentences": 3, "parts": 2, "prints": 1, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: RoomsConfig, resources: Resources) -> Resources:
    """Look for the models that the settings name before the first unit starts.

    Raises:
        ConfigError: one is not there, or the settings do not fit each other.
    """
    analysis = config.analysis
    if analysis.similarity == "pipeline" and not analysis.pipeline:
        raise ConfigError("analysis.similarity is 'pipeline', and analysis.pipeline names none; name a trained spaCy pipeline")
    if analysis.similarity == "embeddings":
        from infra.models.sentence_embedder import SentenceEmbedder

        SentenceEmbedder(analysis.embedding_model).check()
    if analysis.pipeline:
        from tasks.rooms.build import find_text_parts

        find_text_parts(["You enter a room."], analysis)
    return resources


def show_sentences(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the sentences of a document, or of one record, each with its score part by part under the report's weights."""
    from tasks.rooms.explanation import explain_sentences

    return explain_sentences(store, reference, name)


# What computes is imported when it is needed: a run with nothing new does without it.


def _build(work: UnitWork[RoomsConfig]) -> UnitReference:
    from tasks.rooms.build import build_rooms

    return build_rooms(work)


def _list_tables(landed: Landed[RoomsConfig]) -> Sequence[TableSpec]:
    from tasks.rooms.tables import list_tables

    return list_tables(landed)


def _find_facts(landed: Landed[RoomsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    from tasks.rooms.tables import find_unit_copies

    return find_unit_copies(landed)


def _summarise(landed: Landed[RoomsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    from tasks.rooms.tables import summarise_rooms

    return summarise_rooms(landed, shards)


def _tabulate(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    from tasks.rooms.tables import tabulate_rooms

    return tabulate_rooms(statistics)


def _explain(config: RoomsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    return name_settings(count_reasons(config, rows), REASON_SETTINGS, config)


def _review(released: Released) -> ReviewSource:
    return list_pairs(released, "room")


def _report(landed: Landed[RoomsConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.rooms.report import report_documents

    return report_documents(landed, tables)


IMPLEMENTATION = Implementation(
    review=_review,
    config=RoomsConfig,
    find_resources=find_resources,
    plan=plan_rooms,
    build=_build,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: config,
    description=DESCRIPTION,
    tables=_list_tables,
    released_stages=("sentences", "parts", "prints"),
    facts=_find_facts,
    summarise=_summarise,
    tabulate=_tabulate,
    paper_tables=lambda statistics, _: tabulate_rooms(statistics),
    show=show_sentences,
    report=_report,
    explain_rejects=_explain,
)
