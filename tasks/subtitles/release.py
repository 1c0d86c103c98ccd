"""What a release of `subtitles` holds and shows: whole films for pre-training, and what was not taken."""

import json
from collections.abc import Iterator, Sequence
from functools import partial

from core.dataset.card import SUMTITLES, Description
from core.dataset.report import MEASURES, ReportSpec
from core.references import UnitReference
from core.review.decisions import REVIEWED, find_rejected
from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import LeftOut
from core.subtitles.reading import is_strange, weigh_reader
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.subtitles import REJECTS, SUBTITLES, release_films, release_rejects
from tasks.frame.build import read_artifact, read_stage
from tasks.frame.release import summarise_tables
from tasks.frame.release_spec import Landed, ReleaseSpec, ReleaseUnit, Reporter, ShardReference, Summary, TableSpec
from tasks.frame.report import TableColumns, TablePresenter
from tasks.subtitles.asking import READING
from tasks.subtitles.ingestion import PRINTS

DESCRIPTION = Description(
    about="A row pairs the subtitles of a whole film with its synopsis. Subtitles do not say who speaks.",
    task="summarization",
    languages=("en",),
    leakage="A film has one row, whatever number of subtitle files there are of it, and of films with the same dialogue one is "
    "there. Synopses were not compared between films.",
    citation=SUMTITLES,
)


STRANGE = "the summary is of another film"
"""Why a film is left out whose summary a reader takes for that of another one."""


def _list_tables(landed: Landed[SubtitlesConfig]) -> tuple[TableSpec, ...]:
    model, weight = landed.config.reader.model, weigh_reader(landed.read_readings(READING))
    films, rejects = (partial(_build, model, weight, stage) for stage in _RELEASES)
    return (
        TableSpec(name="subtitles", schema=SUBTITLES, build=films, config=True, expansion=1.0),
        TableSpec(name="rejects", schema=REJECTS, build=rejects, config=False, expansion=0.01),
    )


_RELEASES = {"films": release_films, "rejected": release_rejects}


def _build(model: str, weight: float, stage: str, store: Store, unit: ReleaseUnit) -> Rows:
    left_out = _find_left_out(model, weight, store, unit)
    return _RELEASES[stage](decode_table(unit.read(store, stage)), unit.provenance, left_out)


def _find_left_out(model: str, weight: float, store: Store, unit: ReleaseUnit) -> dict[str, str]:
    """Return the films of a shard that a release leaves out, with the reasons.

    They are those whose summary the reader of the settings takes for another film's, copies of other films, and those that
    readers have rejected.
    """
    found = unit.read_reading(store, READING, model) if weight else None
    strange = [film for film, said in found.own.items() if is_strange(said[0], weight)] if found is not None else []
    copies: dict[str, str] = json.loads(unit.facts.get("copies") or "{}")
    films = decode_table(unit.read(store, "films")).select(["film", "summary", "turns"]).to_pylist() if unit.reviews else ()
    rejected = find_rejected(films, unit.reviews, "film", "summary")
    reasons = dict.fromkeys(strange, STRANGE) | {film: f"the dialogue of {original}" for film, original in copies.items()}
    return reasons | dict.fromkeys(rejected, REVIEWED)


def find_copies(landed: Landed[SubtitlesConfig]) -> dict[str, dict[str, str | None]]:
    """Find the films that have the dialogue of another one, whose id comes first, and name both by shard (`copies`)."""
    rejected = {each.item for found in landed.reviews.values() for each in found if each.verdict == "reject"}
    films = sorted(
        (film, digest, unit)
        for unit, reference in landed.references.items()
        if "prints" in reference.artifacts  # a shard that an earlier version landed, and that cannot be built anew, has none
        for film, digest in PRINTS.decode(read_artifact(landed.store, unit, reference.artifacts["prints"])).items()
        if film not in landed.withheld.takedown and film not in rejected
    )
    first: dict[str, str] = {}
    copies: dict[str, dict[str, str]] = {}
    for film, digest, unit in films:
        if (original := first.setdefault(digest, film)) != film:
            copies.setdefault(unit, {})[film] = original
    return {unit: {"copies": json.dumps(found)} for unit, found in copies.items()}


def _list_left_out(landed: Landed[SubtitlesConfig]) -> list[dict[str, str | None]]:
    """Return the films and subtitle files that are left out on purpose, with the reasons; none that is taken down."""
    left_out: Sequence[LeftOut] = landed.knowledge
    return [
        {"film": entry.film, "path": entry.path, "reason": entry.reason}
        for entry in left_out
        if entry.film not in landed.withheld.takedown
    ]


def summarise(landed: Landed[SubtitlesConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: rows by table, and what was left out with the reason."""
    rows, left_out = summarise_tables(landed, shards), _list_left_out(landed)
    figures = [*rows.figures, {"metric": "left out", "value": str(len(left_out))}]
    belief = weigh_reader(landed.read_readings(READING))
    return Summary(rows.statistics | {"left_out": left_out}, figures, belief=belief)


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the films of a shard, or the one of this name, as lines: each film's summary and its turns."""
    for film in decode_table(read_stage(store, reference, "films")).to_pylist():
        if name not in (film["film"], reference.unit):
            continue
        yield f"{film['film']}  {film['title']}  ({film['subtitle']}, {film['reason']})"
        yield f"      = {film['summary']}"
        for turn in film["turns"]:
            yield f"{turn['number']:>5} {turn['text']}"


def make_reporter(_: Landed[SubtitlesConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter, which shows a film's whole dialogue beside its summary, or why no subtitle file of it was taken."""
    kept, rejects = tables
    columns = TableColumns(
        unit=("film",), facts={"year": "year", "subtitle": "subtitle file", "reason": "why this one", "path": "file"}
    )
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(unit=("film", "films"), row=("film", "films"), measures=MEASURES),
    )


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=_list_tables,
    told=_list_left_out,
    released_stages=("films", "rejected"),
    facts=find_copies,
    source="subtitles of films, and their summaries",
)
