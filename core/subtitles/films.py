"""What a film is called: ids from folders, OPUS paths and IMDb numbers, and titles as slugs."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from core.units import SourceFile, check_unit_id

_IMDB = re.compile(r"(?:tt)?0*(\d{1,10})", re.IGNORECASE | re.ASCII)
_OPUS = re.compile(
    r"(?:^|/)(?P<language>[a-z]{2,3}(?:_[a-z]{2,3})?)/(?P<year>\d{1,4})/(?P<imdb>\d{1,10})/(?P<subtitle>[^/]+)\.xml(?:\.gz)?$",
    re.IGNORECASE | re.ASCII,
)
_TITLE_WITH_YEAR = re.compile(r"(?P<title>.*\S)\s*\((?P<year>\d{4})\)", re.ASCII)
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class OpusPlace:
    """What OPUS says by a file's place: `<language>/<year>/<imdb>/<subtitle>.xml(.gz)`. `year` is None for 0, OPUS's unknown."""

    language: str
    year: int | None
    film: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a film's summary is: in `file`, or in `text` of the table of summaries."""

    origin: Literal["folder", "table", "summaries"]
    file: SourceFile | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A unit: the subtitles of one film, of which one is taken once they are read, and its summary. `title` may be empty."""

    id: str
    subtitles: tuple[SourceFile, ...]
    summary: Summary
    title: str = ""
    year: int | None = None


def normalise_film_id(name: str) -> str:
    """Return a film's id: IMDb numbers as `tt` and at least seven digits (`123`, `tt0000123`: `tt0000123`), others as they stand.

    Raises:
        SourceError: the name cannot be a unit id.
    """
    match = _IMDB.fullmatch(name)
    return f"tt{match[1]:0>7}" if match is not None else check_unit_id(name)


def parse_opus_path(path: str) -> OpusPlace | None:
    """Return what a path in OPUS's layout says, None for another path; folders above the language are ignored."""
    match = _OPUS.search(path)
    if match is None:
        return None
    return OpusPlace(match["language"].lower(), int(match["year"]) or None, normalise_film_id(match["imdb"]), match["subtitle"])


def slug_title(title: str) -> str:
    """Return a title in small ASCII letters, digits and hyphens: `Amélie!` and `amelie` are one film."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return _NO_LETTERS.sub("-", plain.replace("'", "")).strip("-")


def name_keys(name: str) -> frozenset[str]:
    """Return the keys that an entry of a list of films (an id, a title, a title with its year in parentheses) stands for."""
    match = _TITLE_WITH_YEAR.fullmatch(name.strip())
    if match is not None:
        return frozenset([f"{slug_title(match['title'])} {match['year']}"])
    imdb = _IMDB.fullmatch(name.strip())
    return frozenset([f"tt{imdb[1]:0>7}"] if imdb is not None else [slug_title(name)]) - {""}


def film_keys(film: str, title: str, year: int | None) -> frozenset[str]:
    """Return the keys under which a film may be listed: its id, its title, its title with the year."""
    keys = {film.lower(), slug_title(film), slug_title(title)}
    if title and year is not None:
        keys.add(f"{slug_title(title)} {year}")
    if year is not None:
        keys.add(f"{slug_title(film)} {year}")
    return frozenset(keys - {""})
