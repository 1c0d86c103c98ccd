"""The tables and statistics of a `subtitles` release: whole films for pre-training, and what was not taken."""

from collections.abc import Sequence

from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import LeftOut
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.subtitles import REJECTS, SUBTITLES, release_films, release_rejects
from tasks.frame.release_spec import (
    Landed,
    ReleaseUnit,
    TableSpec,
)


def list_tables(_: Landed[SubtitlesConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release."""
    return (
        TableSpec(name="subtitles", schema=SUBTITLES, build=_build_films, config=True, expansion=1.0),
        TableSpec(name="rejects", schema=REJECTS, build=_build_rejects, config=False, expansion=0.01),
    )


def list_left_out(landed: Landed[SubtitlesConfig]) -> list[dict[str, str | None]]:
    """Return the films and subtitle files that are left out on purpose, with the reasons; none that is taken down."""
    left_out: Sequence[LeftOut] = landed.knowledge
    return [
        {"film": entry.film, "path": entry.path, "reason": entry.reason}
        for entry in left_out
        if entry.film not in landed.withheld.takedown
    ]


def _build_films(store: Store, unit: ReleaseUnit) -> Rows:
    return release_films(decode_table(unit.read(store, "films")), unit.provenance, unit.reviews)


def _build_rejects(store: Store, unit: ReleaseUnit) -> Rows:
    films = decode_table(unit.read(store, "films")) if unit.reviews else None
    return release_rejects(decode_table(unit.read(store, "rejected")), unit.provenance, films, unit.reviews)
