"""Film ids (from folders, OPUS paths and IMDb numbers) and film titles as slugs."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from core.dataset.units import SourceFile, check_unit_id, make_unit_id, name_imdb

_OPUS = re.compile(
    r"(?:^|/)(?P<language>[a-z]{2,3}(?:_[a-z]{2,3})?)/(?P<year>\d{1,4})/(?P<imdb>\d{1,10})/(?P<subtitle>[^/]+)\.xml(?:\.gz)?$",
    re.IGNORECASE | re.ASCII,
)
_TITLE_WITH_YEAR = re.compile(r"(?P<title>.*\S)\s*\((?P<year>\d{4})\)", re.ASCII)
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class OpusPlace:
    """The parts of an OPUS path `<language>/<year>/<imdb>/<subtitle>.xml(.gz)`. `year` is None if unknown (0 in OPUS)."""

    language: str
    year: int | None
    film: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A film's summary: a `file`, or a `text` from the table of summaries. `origin` says where it was found."""

    origin: Literal["folder", "table", "summaries"]
    file: SourceFile | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A unit: the subtitle files and the summary of one film. One subtitle is chosen later. `title` may be empty."""

    id: str
    subtitles: tuple[SourceFile, ...]
    summary: Summary
    title: str = ""
    year: int | None = None


def normalise_film_id(name: str) -> str:
    """Return a film's id: an IMDb number as `tt` and at least seven digits (`123` becomes `tt0000123`), else `make_unit_id`.

    Raises:
        SourceError: the name is not a valid unit id.
    """
    if (made := name_imdb(name) or make_unit_id(name)) is None:
        return check_unit_id(name)
    return name_imdb(made) or made


def parse_opus_path(path: str) -> OpusPlace | None:
    """Read the parts of an OPUS path, or return None for another path. Folders above the language are ignored."""
    match = _OPUS.search(path)
    if match is None:
        return None
    return OpusPlace(match["language"].lower(), int(match["year"]) or None, normalise_film_id(match["imdb"]), match["subtitle"])


def slug_title(title: str) -> str:
    """Return a title in lower-case ASCII letters, digits and hyphens, so that `Amélie!` and `amelie` are one film."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return _NO_LETTERS.sub("-", plain.replace("'", "")).strip("-")


def name_keys(name: str) -> frozenset[str]:
    """Return the keys of an entry in a list of films: an id, a title, or a title with the year in parentheses."""
    match = _TITLE_WITH_YEAR.fullmatch(name.strip())
    if match is not None:
        return frozenset([f"{slug_title(match['title'])} {match['year']}"])
    return frozenset([name_imdb(name.strip()) or slug_title(name)]) - {""}


def film_keys(film: str, title: str, year: int | None) -> frozenset[str]:
    """Return the keys under which a film may be listed: its id, its title, and its title with the year."""
    keys = {film.lower(), slug_title(film), slug_title(title)}
    if title and year is not None:
        keys.add(f"{slug_title(title)} {year}")
    if year is not None:
        keys.add(f"{slug_title(film)} {year}")
    return frozenset(keys - {""})
