"""What the pipeline `subtitles` does."""

from collections.abc import Iterator, Sequence

from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from infra.store.objects import Store
from infra.tables.parquet import decode_table
from tasks.frame.building import UnitWork
from tasks.frame.pipeline import Implementation, Landed
from tasks.frame.release import TableSpec
from tasks.frame.report import Reporter
from tasks.frame.shards import SHARD_STAGES
from tasks.subtitles.description import DESCRIPTION
from tasks.subtitles.plan import plan_subtitles
from tasks.subtitles.tables import list_left_out, list_tables, summarise_subtitles, tabulate_subtitles

STAGE_VERSIONS = {"films": 7, "rejected": 7, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def show_films(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the films of a shard, or the one of this name, as lines: each film's summary and its turns."""
    for film in decode_table(store.read(reference.artifacts["films"].key)).to_pylist():
        if name not in (film["film"], reference.unit):
            continue
        yield f"{film['film']}  {film['title']}  ({film['subtitle']}, {film['reason']})"
        yield f"      = {film['summary']}"
        for turn in film["turns"]:
            yield f"{turn['number']:>5} {turn['text']}"


def _build(work: UnitWork[SubtitlesConfig]) -> UnitReference:
    from tasks.subtitles.build import build_films  # what computes is imported when the first unit is built

    return build_films(work)


def _report(landed: Landed[SubtitlesConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.subtitles.report import report_films

    return report_films(landed, tables)


IMPLEMENTATION = Implementation(
    config=SubtitlesConfig,
    plan=plan_subtitles,
    build=_build,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: [config.limits, config.cleaning, config.language, config.variants, config.splitter],
    description=DESCRIPTION,
    tables=list_tables,
    told=list_left_out,
    released_stages=("films", "rejected"),
    source="subtitles of films, and their summaries",
    summarise=summarise_subtitles,
    tabulate=tabulate_subtitles,
    show=show_films,
    report=_report,
)
