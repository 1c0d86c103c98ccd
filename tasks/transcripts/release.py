"""What the pipeline `transcripts` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.paper_tables import tabulate_crd3
from core.dataset.rejects import RejectedRows
from core.dataset.report import Drawing, Picture
from core.dialogue import Turn
from core.references import UnitReference
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.differences import diff_turns
from infra.store.objects import Store
from infra.tables.turns import DIALOGUE
from tasks.frame.release import ShardReference, TableSpec
from tasks.frame.release_spec import Landed, Released, ReleaseSpec
from tasks.frame.report import Reporter
from tasks.frame.review_source import ReviewSource
from tasks.transcripts.description import DESCRIPTION
from tasks.transcripts.speakers import describe_speakers
from tasks.transcripts.tables import find_retold, list_tables


def show_episode(store: Store, reference: UnitReference, _: str, diff: bool) -> Iterator[str]:
    """Yield an episode's clean turns as lines; with `diff` what cleaning changed, raw against clean."""
    turns: Sequence[Turn] = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    if diff:
        yield from diff_turns(turns)
        return
    for turn in turns:
        time = "" if turn.start is None else f"[{turn.start:9.2f}] "
        yield f"{turn.number:>5} {time}{', '.join(turn.speakers)}: {turn.text}"


def _summarise(landed: Landed[TranscriptsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    from tasks.transcripts.statistics import summarise_release

    return summarise_release(landed, shards)


def _tabulate(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    from core.transcripts.statistics.table import tabulate_statistics

    return tabulate_statistics(statistics)


def _draw(store: Store, reference: UnitReference) -> list[Picture]:
    from core.transcripts.pictures import draw_episode
    from infra.tables.transcripts.artifacts import ALIGNMENTS

    aligned = ALIGNMENTS.decode(store.read(reference.artifacts["alignments"].key))
    return draw_episode(reference.unit, aligned, reference.counts["turns"])


def _export_crd3(released: Released) -> Iterator[tuple[str, bytes]]:
    from tasks.transcripts.crd3_export import write_crd3

    return write_crd3(released)


def _review(released: Released) -> ReviewSource:
    from tasks.transcripts.review import list_spans

    return list_spans(released)


def _explain(config: TranscriptsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    from core.transcripts.filters import explain_rejects

    return explain_rejects(config.filter, rows)


def _report(landed: Landed[TranscriptsConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.transcripts.report import report_episodes

    return report_episodes(landed, tables)


def _explore(store: Store, reference: UnitReference, name: str, config: TranscriptsConfig) -> list[Drawing]:
    from tasks.transcripts.exploring import score_episode

    return score_episode(store, reference, name, config)


def _disclose(config: TranscriptsConfig, hidden: TranscriptsConfig | None) -> TranscriptsConfig:
    return hidden or config


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    exports={"crd3": _export_crd3},
    tables=list_tables,
    released_stages=("dialogue", "recap", "decisions", "figures"),
    read_stages=("dialogue", "recap", "decisions"),
    facts=find_retold,
    disclose=_disclose,
    summarise=_summarise,
    tabulate=_tabulate,
    paper_tables=tabulate_crd3,
    reject_columns=("episode", "chunk_size", "offset", "turn_start", "turn_end", "confidence"),
    explain_rejects=_explain,
    show=show_episode,
    show_speakers=describe_speakers,
    draw=_draw,
    report=_report,
    explore=_explore,
    review=_review,
)
