"""Schemas of the `subtitles` pipeline, and the way of films through them: a shard's artifact, and the rows of a release."""

from collections.abc import Container, Mapping, Sequence

import pyarrow as pa

from core.dialogue import join_utterances, write_dialogue
from core.subtitles.film_dialogue import FilmOutcome
from infra.tables.columns import (
    NAMED,
    PROVENANCE,
    SENTENCES,
    SPOKEN,
    SUMMARY,
    TURNS,
    leave_meanings_out,
    optional,
    required,
)
from infra.tables.parquet import Provenance, Rows, assemble

_TIMES = pa.list_(pa.field("element", pa.float64(), nullable=True))
_FILM = (
    required("film", pa.string(), "the film: its number at IMDb, or the name of its folder; the same as `id` and `unit`"),
    required("title", pa.string()),
    optional("year", pa.int32(), "year of the work, where it is known"),
    required("subtitle", pa.string(), "the subtitle file that was chosen"),
    required("reason", pa.string(), "why this file was chosen; in `rejects` why the row was left out"),
    SUMMARY,
    SENTENCES,
    required("turns", TURNS),
    required("starts", _TIMES, "seconds at which each turn starts; null where the file does not say"),
    required("ends", _TIMES, "seconds at which each turn ends; null where the file does not say"),
    required("plain", pa.string()),
)
_REJECT = (
    required("film", pa.string()),
    required("path", pa.string(), "the subtitle file; empty where the film as a whole was left out"),
    required("reason", pa.string()),
    required("failed", pa.bool_(), "whether the film could not be read; otherwise the file was left out by rule"),
)

FILM_ARTIFACT = leave_meanings_out(pa.schema(_FILM))
REJECT_ARTIFACT = leave_meanings_out(pa.schema(_REJECT))
SUBTITLES = pa.schema(
    [
        *NAMED,
        *(column for column in _FILM if column.name not in ("title", "turns", "plain")),
        *SPOKEN,
        *PROVENANCE,
    ]
)
REJECTS = pa.schema([*_REJECT, *PROVENANCE])


def tabulate_films(outcomes: Sequence[FilmOutcome]) -> pa.Table:
    """Return the films that have a dialogue as a table of `FILM_ARTIFACT`."""
    rows = [
        {
            "film": found.film,
            "title": found.title,
            "year": found.year,
            "subtitle": found.subtitle,
            "reason": found.reason,
            "summary": " ".join(found.sentences),
            "sentences": found.sentences,
            "turns": [{"number": turn.number, "speakers": turn.speakers, "text": turn.text} for turn in found.turns],
            "starts": [turn.start for turn in found.turns],
            "ends": [turn.end for turn in found.turns],
            "plain": join_utterances(found.turns),
        }
        for outcome in outcomes
        if (found := outcome.dialogue) is not None
    ]
    return pa.Table.from_pylist(rows, schema=FILM_ARTIFACT)


def tabulate_rejected(outcomes: Sequence[FilmOutcome]) -> pa.Table:
    """Return the subtitle files that were not taken, and the films that failed (`path` is "" there), as `REJECT_ARTIFACT`."""
    rows = [
        {"film": outcome.film, "path": path, "reason": reason, "failed": failed}
        for outcome in outcomes
        for path, reason, failed in (
            *((path, reason, False) for path, reason in outcome.rejected),
            *((("", outcome.failure, True),) if outcome.failure else ()),
        )
    ]
    return pa.Table.from_pylist(rows, schema=REJECT_ARTIFACT)


def release_films(table: pa.Table, provenance: Provenance, left_out: Container[str]) -> Rows:
    """Return films of a `FILM_ARTIFACT` as rows of `SUBTITLES`, but for those `left_out`; a film's row has the film's id."""
    table = table.filter(pa.array([film not in left_out for film in table.column("film").to_pylist()], pa.bool_()))
    spoken = [write_dialogue((turn["speakers"], turn["text"]) for turn in turns) for turns in table.column("turns").to_pylist()]
    film = table.column("film")
    columns = {"id": film, "unit": film, "dialogue": pa.array(spoken, pa.string())}
    return Rows(assemble(SUBTITLES, table, columns, provenance))


def release_rejects(table: pa.Table, provenance: Provenance, left_out: Mapping[str, str]) -> Rows:
    """Return rows of a `REJECT_ARTIFACT` as rows of `REJECTS`, and after them the films `left_out`, with the reasons."""
    rows = [{"film": film, "path": "", "reason": reason, "failed": False} for film, reason in sorted(left_out.items())]
    table = pa.concat_tables([table, pa.Table.from_pylist(rows, schema=REJECT_ARTIFACT)])
    return Rows(assemble(REJECTS, table, {"film": table.column("film")}, provenance))
