"""Sorts a source's files into films: finds the subtitles and the summary of each film, and the films to leave out."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.films import (
    TABLE_NAME,
    Film,
    SummaryTable,
    film_keys,
    find_path_language,
    is_english_name,
    name_keys,
    normalise_film_id,
    parse_opus_path,
)
from core.subtitles.formats import EXTENSIONS

_Kind = Literal["subtitle", "synopsis", "summary", "unread"]

SUMMARY_FOLDER = "summaries"
SYNOPSIS_NAME = "synopsis.txt"
_UNREAD = (".smi", ".sami", ".sbv", ".ttml", ".dfxp", ".stl", ".idx", ".sup", ".srt.gz", ".vtt.gz", ".ass.gz", ".sub.gz")
"""Extensions of subtitle files of other kinds, in any case: a film that has no others is told so."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, and bytes that are not UTF-8


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


@dataclass(slots=True)
class _FilmPlaces:
    """The files found for a film. `name` is its id as first spelt; `others` are subtitles whose path names another language.

    `unread` are the names of subtitle files of a kind that is not read.
    """

    name: str
    year: int | None = None
    subtitles: list[SourceFile] = field(default_factory=list)
    others: list[SourceFile] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    synopsis: SourceFile | None = None
    summary: SourceFile | None = None


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
    places, refused = _collect_places(listing, limits or SubtitleLimits())
    table = table or SummaryTable()
    refused += [RefusedFile(f"{TABLE_NAME}, line {number}", reason) for number, reason in table.refused]
    by_path = {file.path: file for file in listing}
    rows = {film.lower(): row for film, row in table.rows.items()}
    for key, row in rows.items():
        places.setdefault(key, _FilmPlaces(row.film))
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
        told = (line.synopsis if line else None) or by_path.get(named or "")
        summary = place.synopsis or told or place.summary
        if place.subtitles and summary is not None:
            units.append(Film(film, tuple(place.subtitles), summary, title, year))
        elif place.subtitles:
            missing = f"summary ({TABLE_NAME} names {named}, which the source does not have)" if named else "summary"
            waiting.append(WaitingUnit(film, missing, tuple(place.subtitles)))
        elif summary is not None or place.unread:
            files = (summary,) if isinstance(summary, SourceFile) else ()
            waiting.append(WaitingUnit(film, _describe_missing(place), files))
    return FilmDiscovery(tuple(units), tuple(waiting), tuple(refused), tuple(left_out))


def _collect_places(files: Iterable[SourceFile], limits: SubtitleLimits) -> tuple[dict[str, _FilmPlaces], list[RefusedFile]]:
    """Return the files of each film, by its id in lower case, and the refused files.

    Args:
        files: the source's files, sorted by path. If a film has two synopses, the first counts.
        limits: larger files are refused by their listed size, before they are read.
    """
    places: dict[str, _FilmPlaces] = {}
    refused: list[RefusedFile] = []
    folders: dict[str, str] = {}
    files = tuple(files)
    pictures = {file.path[:-4].lower() for file in files if file.path.lower().endswith(".idx")}
    for file in files:
        kind = _find_kind(file.path, pictures)
        if kind is None:
            continue
        try:
            film, year = _find_film(file, kind, limits)
        except SourceError as error:
            shown = _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", file.path)
            refused.append(RefusedFile(shown, str(error)))
            continue
        folder = file.path.partition("/")[0] if kind != "summary" and file.path.count("/") == 1 else ""
        if folder and (other := folders.setdefault(film.lower(), folder)).casefold() != folder.casefold():
            reason = f"the folders {other!r} and {folder!r} both have the id {film}; rename one of them, for example {film}-2"
            refused.append(RefusedFile(file.path, reason))
            continue
        place = places.setdefault(film.lower(), _FilmPlaces(film))
        if kind == "unread":
            place.unread.append(PurePosixPath(file.path).name)
        elif kind == "subtitle":
            language = find_path_language(file.path)
            (place.subtitles if language is None or is_english_name(language) else place.others).append(file)
            place.year = place.year or year
        elif kind == "summary":
            place.summary = place.summary or file
        else:
            place.synopsis = place.synopsis or file
    return places, refused


def _find_kind(path: str, pictures: Container[str]) -> _Kind | None:
    """Return what a file is by its path; `pictures` are the paths of VobSub's files, which come in pairs (.idx, .sub)."""
    lowered = path.lower()
    parts = lowered.split("/")
    if any(part.startswith(".") for part in parts):
        return None
    is_picture = lowered.endswith(".sub") and lowered[:-4] in pictures
    if lowered.endswith(EXTENSIONS) and not is_picture:
        return "subtitle"
    if len(parts) == 2 and parts[0] == SUMMARY_FOLDER and lowered.endswith(".txt"):
        return "summary"
    if len(parts) == 2 and parts[0] != SUMMARY_FOLDER and (is_picture or lowered.endswith(_UNREAD)):
        return "unread"
    return "synopsis" if parts[-1] == SYNOPSIS_NAME else None


def _find_film(file: SourceFile, kind: _Kind, limits: SubtitleLimits) -> tuple[str, int | None]:
    """Return the film's id and the year that the path names.

    Raises:
        SourceError: the file is too large or in the wrong folder, its name cannot be printed, or its folder is not a valid id.
    """
    if _UNPRINTABLE.search(file.path) is not None:
        raise SourceError("the file name has control characters or is not UTF-8; rename the file")
    if kind != "unread" and file.size > limits.max_bytes:
        raise SourceError(f"{file.size:,} bytes, and at most {limits.max_bytes:,} are read; is this one film's?")
    path = PurePosixPath(file.path)
    if kind == "subtitle" and (opus := parse_opus_path(file.path)) is not None:
        return opus.film, opus.year
    if len(path.parts) != 2 or (kind == "subtitle" and path.parts[0].lower() == SUMMARY_FOLDER):
        raise SourceError(
            f"not in a film's folder; expected ID/NAME.srt (or {', '.join(EXTENSIONS[1:])}), ID/synopsis.txt or "
            "LANGUAGE/YEAR/IMDB/ID.xml.gz. Move the file"
        )
    return normalise_film_id(path.stem if kind == "summary" else path.parts[0]), None


def _describe_missing(place: _FilmPlaces) -> str:
    """Return what a film without English subtitles lacks; a file of a kind that is not read is named."""
    if not place.unread:
        return "English subtitle"
    return f"English subtitle ({place.unread[0]} is of a kind that is not read; expected {', '.join(EXTENSIONS)}: convert it)"
