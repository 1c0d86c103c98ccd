"""Assigns a source's files to films, as subtitle, synopsis or summary, and refuses files that cannot be used."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from core.dataset.units import RefusedFile, SourceFile
from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.films import normalise_film_id, parse_opus_path
from core.subtitles.formats import EXTENSIONS
from core.subtitles.language import find_path_language, is_english_name

Kind = Literal["subtitle", "synopsis", "summary", "unread"]

SUMMARY_FOLDER = "summaries"
SYNOPSIS_NAME = "synopsis.txt"
UNREAD = (".smi", ".sami", ".sbv", ".ttml", ".dfxp", ".stl", ".idx", ".sup", ".srt.gz", ".vtt.gz", ".ass.gz", ".sub.gz")
"""Extensions of subtitle files of other kinds, in any case: a film that has no others is told so."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, and bytes that are not UTF-8


@dataclass(slots=True)
class FilmPlaces:
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


def collect_places(files: Iterable[SourceFile], limits: SubtitleLimits) -> tuple[dict[str, FilmPlaces], list[RefusedFile]]:
    """Return the files of each film, by its id in lower case, and the refused files.

    Args:
        files: the source's files, sorted by path. If a film has two synopses, the first counts.
        limits: larger files are refused by their listed size, before they are read.
    """
    places: dict[str, FilmPlaces] = {}
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
        place = places.setdefault(film.lower(), FilmPlaces(film))
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


def _find_kind(path: str, pictures: Container[str]) -> Kind | None:
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
    if len(parts) == 2 and parts[0] != SUMMARY_FOLDER and (is_picture or lowered.endswith(UNREAD)):
        return "unread"
    return "synopsis" if parts[-1] == SYNOPSIS_NAME else None


def _find_film(file: SourceFile, kind: Kind, limits: SubtitleLimits) -> tuple[str, int | None]:
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
