"""Sorts a source's files into films, by their folders, OPUS paths and IMDb numbers, and reads the table of summaries.

The table, `summaries.tsv`, is tab-separated UTF-8 with a header line. The columns may be in any order: `film` (an id or IMDb
number), `title`, `year`, `synopsis` (the summary's text) and `path` (a summary file, relative to the source's root). Each line
needs `synopsis` or `path`. Other columns are ignored. There is no quoting.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from core.dataset.units import RefusedFile, SourceFile, WaitingUnit, check_unit_id, make_unit_id, name_imdb
from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.formats import EXTENSIONS
from core.text.decoding import TextLimits, decode_text

TABLE_NAME = "summaries.tsv"
MAX_TABLE_BYTES = 512 * 2**20  # half a million synopses of a kilobyte each
_OPUS = re.compile(
    r"(?:^|/)(?P<language>[a-z]{2,3}(?:_[a-z]{2,3})?)/(?P<year>\d{1,4})/(?P<imdb>\d{1,10})/[^/]+\.xml(?:\.gz)?$",
    re.IGNORECASE | re.ASCII,
)
_TITLE_WITH_YEAR = re.compile(r"(?P<title>.*\S)\s*\((?P<year>\d{4})\)", re.ASCII)
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_IN_NAME = re.compile(
    r"\.(?P<code>[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?|[A-Za-z]{5,12})\.(?:srt|vtt|ass|ssa|sub|xml(?:\.gz)?)", re.IGNORECASE
)
_ENGLISH = frozenset(["en", "eng", "english"])
# Language codes and names in file names (`film.pt-BR.srt`, `film.french.srt`). Codes that are English words (it, is, no, he, id,
# da) are not in the list, so that `let.it.srt` is judged by its words.
_OTHER_LANGUAGES = """
ar ara arabic bg bul bulgarian bs ca cs cze czech dan danish de ger deu german el gre greek es spa spanish et est estonian eu fa
fas farsi fi fin finnish fr fre fra french heb hebrew hr hrv croatian hu hun hungarian ita italian ja jpn japanese ko kor korean
lt lv mk ms nl dut nld dutch nb nor norwegian pl pol polish pt por portuguese ro rum ron romanian ru rus russian sk slo slk sl
slv sq sr srp serbian sv swe swedish th tr tur turkish uk ukr vi vie vietnamese zh chi zho chinese
"""
_LANGUAGES = _ENGLISH | frozenset(_OTHER_LANGUAGES.split())


@dataclass(frozen=True, slots=True)
class Film:
    """A unit: the subtitle files and the summary (a file, or a text of the table) of one film; one subtitle is chosen later."""

    id: str
    subtitles: tuple[SourceFile, ...]
    summary: SourceFile | str
    title: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One line of the table. `synopsis` and `path` are None if the field is empty."""

    film: str
    title: str
    year: int | None
    synopsis: str | None
    path: str | None


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """The table's lines by film id; `refused` holds (line number, reason) for each line that cannot be used."""

    rows: dict[str, SummaryRow] = field(default_factory=dict)
    refused: tuple[tuple[int, str], ...] = ()


def normalise_film_id(name: str) -> str:
    """Return a film's id: an IMDb number as `tt` and at least seven digits (`123` becomes `tt0000123`), else `make_unit_id`."""
    if (made := name_imdb(name) or make_unit_id(name)) is None:
        return check_unit_id(name)
    return name_imdb(made) or made


def find_path_language(path: str) -> str | None:
    """Return the language that a path names, in lower case, or None: OPUS in a folder, others before the extension."""
    if (opus := _OPUS.search(path)) is not None:
        return opus["language"].lower()
    match = _IN_NAME.search(PurePosixPath(path).name)
    code = match["code"].lower() if match is not None else ""
    return code if re.split("[-_]", code)[0] in _LANGUAGES else None


def is_english_name(language: str) -> bool:
    """Tell whether a language's code or name means English (`en`, `eng`, `en-GB`, `English`)."""
    return re.split("[-_ (]", language.strip().lower())[0] in _ENGLISH


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
    if year is not None:
        keys |= {f"{slug_title(name)} {year}" for name in (film, title) if name}
    return frozenset(keys - {""})


def parse_summary_table(name: str, content: bytes) -> SummaryTable:
    """Read `summaries.tsv`. A bad line is refused, and the others count. If a film has two lines, the first counts."""
    lines = decode_text(name, content, TextLimits(max_bytes=MAX_TABLE_BYTES)).split("\n")
    header = [column.strip().lower() for column in lines[0].split("\t")]
    if "film" not in header or not {"synopsis", "path"} & set(header):
        raise SourceError(
            f"{name}: the first line is {lines[0][:80]!r}; expected column names with tabs between: film, title, year "
            "and synopsis or path. Correct the line"
        )
    rows: dict[str, SummaryRow] = {}
    refused: list[tuple[int, str]] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            row = _read_row(header, [field.strip() for field in line.split("\t")], rows)
        except SourceError as error:
            refused.append((number, str(error)))
        else:
            rows[row.film] = row
    return SummaryTable(rows, tuple(refused))


def _read_row(header: Sequence[str], values: Sequence[str], earlier: Container[str]) -> SummaryRow:
    """Return the row of a line, by the films of the `earlier` lines; SourceError where it cannot be used."""
    fields = dict(zip(header, values, strict=False))
    film, year = normalise_film_id(fields.get("film", "")), fields.get("year", "")
    if year and not (year.isascii() and year.isdigit() and len(year) <= 4):
        raise SourceError(f"the year of {film} is {year[:20]!r}; expected four digits or nothing; correct it")
    synopsis, path = fields.get("synopsis") or None, fields.get("path") or None
    if synopsis is None and path is None:
        raise SourceError(f"neither synopsis nor path for {film}; give one of them")
    if film in earlier:
        raise SourceError(f"the film {film} has an earlier line; remove one of them")
    if len(values) > len(header):
        raise SourceError(f"found {len(values)} fields, expected {len(header)}; remove the tabs from the synopsis")
    return SummaryRow(film, fields.get("title", ""), int(year) if year else None, synopsis, path)


_Kind = Literal["subtitle", "synopsis", "summary", "unread"]

SUMMARY_FOLDER = "summaries"
SYNOPSIS_NAME = "synopsis.txt"
_UNREAD = (".smi", ".sami", ".sbv", ".stl", ".idx", ".sup", ".srt.gz", ".vtt.gz", ".ass.gz", ".sub.gz")
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
    """The files found for a film; `name` is its id as first spelt, `others` are subtitles in another language by their path."""

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
    A film's summary is `ID/synopsis.txt`, otherwise its line in `table`, otherwise `summaries/ID.txt`. Ids that differ in case
    only are the same film. Subtitles whose path names another language than English are left out, and so are the films that
    `exclude` names by id, by title, or by title and year (SumTitles, section 3). Files above the `limits` are refused.
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
            missing = "English subtitle"
            if place.unread:
                expected = f"expected {', '.join(EXTENSIONS)}: convert it"
                missing = f"English subtitle ({place.unread[0]} is of a kind that is not read; {expected})"
            waiting.append(WaitingUnit(film, missing, (summary,) if isinstance(summary, SourceFile) else ()))
    return FilmDiscovery(tuple(units), tuple(waiting), tuple(refused), tuple(left_out))


def _collect_places(files: Iterable[SourceFile], limits: SubtitleLimits) -> tuple[dict[str, _FilmPlaces], list[RefusedFile]]:
    """Return the files of each film, by its id in lower case, and the refused files; `files` are sorted by path."""
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
    """Return the film's id and the year that the path names; SourceError where the file cannot be used."""
    if _UNPRINTABLE.search(file.path) is not None:
        raise SourceError("the file name has control characters or is not UTF-8; rename the file")
    if kind != "unread" and file.size > limits.max_bytes:
        raise SourceError(f"{file.size:,} bytes, and at most {limits.max_bytes:,} are read; is this one film's?")
    path = PurePosixPath(file.path)
    if kind == "subtitle" and (opus := _OPUS.search(file.path)) is not None:
        return normalise_film_id(opus["imdb"]), int(opus["year"]) or None  # OPUS writes 0 for an unknown year
    if len(path.parts) != 2 or (kind == "subtitle" and path.parts[0].lower() == SUMMARY_FOLDER):
        raise SourceError(
            f"not in a film's folder; expected ID/NAME.srt (or {', '.join(EXTENSIONS[1:])}), ID/synopsis.txt or "
            "LANGUAGE/YEAR/IMDB/ID.xml.gz. Move the file"
        )
    return normalise_film_id(path.stem if kind == "summary" else path.parts[0]), None
