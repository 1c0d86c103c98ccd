"""What the pipeline `subtitles` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterator, Sequence

from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.release import summarise_tables
from tasks.frame.release_spec import Landed, ReleaseSpec, ShardReference, Summary
from tasks.subtitles.description import DESCRIPTION
from tasks.subtitles.tables import list_left_out, list_tables


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the films of a shard, or the one of this name, as lines: each film's summary and its turns."""
    for film in decode_table(store.read(reference.artifacts["films"].key)).to_pylist():
        if name not in (film["film"], reference.unit):
            continue
        yield f"{film['film']}  {film['title']}  ({film['subtitle']}, {film['reason']})"
        yield f"      = {film['summary']}"
        for turn in film["turns"]:
            yield f"{turn['number']:>5} {turn['text']}"


def summarise(landed: Landed[SubtitlesConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: rows by table, and what was left out with the reason."""
    rows, left_out = summarise_tables(landed, shards), list_left_out(landed)
    figures = [*rows.figures, {"metric": "left out", "value": str(len(left_out))}]
    return Summary(rows.statistics | {"left_out": left_out}, figures)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    told=list_left_out,
    released_stages=("films", "rejected"),
    source="subtitles of films, and their summaries",
)
