"""What the pipeline `scripts` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.quality import Quality
from core.dataset.rejects import RejectedRows
from core.references import UnitReference
from core.scripts.config import ScriptsConfig
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.release_spec import Landed, Released, ReleaseSpec, Reporter, ReviewSource, ShardReference, TableSpec
from tasks.scripts.description import DESCRIPTION
from tasks.scripts.tables import find_gold, list_tables


def show_story(store: Store, reference: UnitReference, _: str, __: bool) -> Iterator[str]:
    """Yield a story's scenes as lines, each with the synopsis sentences that link to it."""
    story = STORY.decode(store.read(reference.artifacts["story"].key))
    links = STORY_LINKS.decode(store.read(reference.artifacts["links"].key))
    for place, scene in enumerate(story.scenes):
        yield f"{scene.index:>5} {scene.heading or '(no heading)'}"
        for sentence, linked in zip(story.sentences, links.scenes, strict=True):
            if linked == place:
                yield f"      = {sentence}"
        for turn in scene.turns:
            yield f"      {', '.join(turn.speakers)}: {turn.text}"


def _summarise(landed: Landed[ScriptsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    from tasks.scripts.statistics import summarise_scripts

    return summarise_scripts(landed, shards)


def _tabulate(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    from core.scripts.statistics import tabulate_stories

    return tabulate_stories(statistics)


def _review(released: Released) -> ReviewSource:
    from tasks.scripts.review import list_links

    return list_links(released)


def _explain(config: ScriptsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    from core.scripts.rows import explain_rejects

    return explain_rejects(config.filter, rows)


def _grade(statistics: Mapping[str, Any]) -> tuple[Quality, ...]:
    from core.scripts.statistics import grade_agreement

    return grade_agreement(statistics)


def _export_sumtitles(released: Released) -> Iterator[tuple[str, bytes]]:
    from tasks.scripts.sumtitles_export import write_sumtitles

    return write_sumtitles(released)


def _report(landed: Landed[ScriptsConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.scripts.report import report_stories

    return report_stories(landed, tables)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    exports={"sumtitles": _export_sumtitles},
    tables=list_tables,
    released_stages=("story", "links"),
    facts=find_gold,
    reject_columns=("probability", "completeness", "turn_count", "length_ratio"),
    explain_rejects=_explain,
    summarise=_summarise,
    tabulate=_tabulate,
    grade=_grade,
    show=show_story,
    review=_review,
    report=_report,
)
