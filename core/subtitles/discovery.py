"""Sorts a source's files into films: finds the subtitles and the summary of each film, and the films to leave out."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from core.subtitles.config import SubtitleLimits
from core.subtitles.films import Film, Summary, film_keys, name_keys
from core.subtitles.formats import EXTENSIONS
from core.subtitles.language import find_path_language
from core.subtitles.places import FilmPlaces, collect_places
from core.subtitles.summaries import TABLE_NAME, SummaryTable


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A film or one of its subtitle files that is left out on purpose; `path` is None if it is the film."""

    film: str
    path: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class FilmDiscovery:
    """What a source holds: complete films, films with one half missing, refused files, and what is left out on purpose."""

    units: tuple[Film, ...]
    waiting: tuple[WaitingUnit, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def find_table(files: Iterable[SourceFile]) -> SourceFile | None:
    """Return the source's table of summaries, or None if it has no table."""
    return min((file for file in files if file.path.lower() == TABLE_NAME), key=lambda file: file.path, default=None)


def find_films(
    files: Iterable[SourceFile],
    table: SummaryTable | None = None,
    exclude: Iterable[str] = (),
    limits: SubtitleLimits | None = None,
) -> FilmDiscovery:
    """Sort the files of a source into films.

    Subtitles have the path `ID/NAME` with one of the extensions of `formats.EXTENSIONS`, or OPUS's path
    `<language>/<year>/<imdb>/<id>.xml(.gz)`, also below other folders. Subtitles elsewhere are refused; hidden files are ignored.
    A film's summary is `ID/synopsis.txt`, otherwise its line in `table`, otherwise `summaries/ID.txt`. `normalise_film_id` gives
    the ids; ids that differ in case only are the same film. Subtitles whose path names another language than English are left
    out. The result does not depend on the order of `files`. Runs in O(n log n).

    Args:
        files: the files of the source.
        table: the table of summaries, if the source has one.
        exclude: films to leave out, by id, by title, or by title and year.
        limits: larger files are refused by their listed size.

    Reference: SumTitles, section 3.
    """
    listing = sorted(files, key=lambda file: file.path)
    places, refused = collect_places(listing, limits or SubtitleLimits())
    table = table or SummaryTable()
    refused += [RefusedFile(f"{TABLE_NAME}, line {number}", reason) for number, reason in table.refused]
    by_path = {file.path: file for file in listing}
    rows = {film.lower(): row for film, row in table.rows.items()}
    for key, row in rows.items():
        places.setdefault(key, FilmPlaces(row.film))
    excluded = {key: name for name in exclude for key in name_keys(name)}
    units: list[Film] = []
    waiting: list[WaitingUnit] = []
    left_out: list[LeftOut] = []
    for key, place in sorted(places.items()):
        film, line = place.name, rows.get(key)
        title, year = (line.title, line.year or place.year) if line else ("", place.year)
        if listed := sorted(film_keys(film, title, year) & excluded.keys()):
            reason = f"already present in scripts: the films to exclude list {excluded[listed[0]]!r}"
            left_out.append(LeftOut(film, None, reason))
            continue
        left_out.extend(
            LeftOut(film, file.path, f"not English: the path says {find_path_language(file.path)}") for file in place.others
        )
        named = line.path if line else None
        summary = _choose_summary(place, line.synopsis if line else None, by_path.get(named or ""))
        if place.subtitles and summary is not None:
            units.append(Film(film, tuple(place.subtitles), summary, title, year))
        elif place.subtitles:
            missing = f"summary ({TABLE_NAME} names {named}, which the source does not have)" if named else "summary"
            waiting.append(WaitingUnit(film, missing, tuple(place.subtitles)))
        elif summary is not None or place.unread:
            files = (summary.file,) if summary is not None and summary.file else ()
            waiting.append(WaitingUnit(film, _describe_missing(place), files))
    return FilmDiscovery(tuple(units), tuple(waiting), tuple(refused), tuple(left_out))


def _describe_missing(place: FilmPlaces) -> str:
    """Return what a film without English subtitles lacks; a file of a kind that is not read is named."""
    if not place.unread:
        return "English subtitle"
    return f"English subtitle ({place.unread[0]} is of a kind that is not read; expected {', '.join(EXTENSIONS)}: convert it)"


def _choose_summary(place: FilmPlaces, text: str | None, file: SourceFile | None) -> Summary | None:
    if place.synopsis is not None:
        return Summary("folder", place.synopsis)
    if text is not None:
        return Summary("table", text=text)
    if file is not None:
        return Summary("table", file)
    return Summary("summaries", place.summary) if place.summary is not None else None
