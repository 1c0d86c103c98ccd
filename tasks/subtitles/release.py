"""What the pipeline `subtitles` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterator, Sequence

from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.release_spec import Landed, ReleaseSpec, Reporter, TableSpec
from tasks.subtitles.description import DESCRIPTION
from tasks.subtitles.tables import list_left_out, list_tables, summarise_subtitles, tabulate_subtitles


def show_films(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the films of a shard, or the one of this name, as lines: each film's summary and its turns."""
    for film in decode_table(store.read(reference.artifacts["films"].key)).to_pylist():
        if name not in (film["film"], reference.unit):
            continue
        yield f"{film['film']}  {film['title']}  ({film['subtitle']}, {film['reason']})"
        yield f"      = {film['summary']}"
        for turn in film["turns"]:
            yield f"{turn['number']:>5} {turn['text']}"


def _report(landed: Landed[SubtitlesConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.subtitles.report import report_films

    return report_films(landed, tables)


RELEASE = ReleaseSpec(
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
