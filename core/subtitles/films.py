"""Films: their ids (from folders, OPUS paths and IMDb numbers), titles, languages that paths name, and the table of summaries.

The table, `summaries.tsv`, is tab-separated UTF-8 with a header line. The columns may be in any order: `film` (an id or IMDb
number), `title`, `year`, `synopsis` (the summary's text) and `path` (a summary file, relative to the source's root). Each line
needs `synopsis` or `path`. Other columns are ignored. There is no quoting.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from core.dataset.units import SourceFile, check_unit_id, make_unit_id, name_imdb
from core.errors import SourceError
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
class OpusPlace:
    """What an OPUS path `<language>/<year>/<imdb>/<subtitle>.xml(.gz)` tells. `year` is None if unknown (0 in OPUS)."""

    language: str
    year: int | None
    film: str


@dataclass(frozen=True, slots=True)
class Film:
    """A unit: the subtitle files and the summary of one film. One subtitle is chosen later. `title` may be empty.

    `summary` is a file, or a text from the table of summaries.
    """

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
    return OpusPlace(match["language"].lower(), int(match["year"]) or None, normalise_film_id(match["imdb"]))


def find_path_language(path: str) -> str | None:
    """Return the language that a path names, in lower case, or None if it names no language.

    OPUS names the language in a folder (`en/2001/209475/54828.xml.gz`: "en"). Other files have it before the extension
    (`film.en.srt`, `film.English.srt`).
    """
    place = parse_opus_path(path)
    if place is not None:
        return place.language
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
    if title and year is not None:
        keys.add(f"{slug_title(title)} {year}")
    if year is not None:
        keys.add(f"{slug_title(film)} {year}")
    return frozenset(keys - {""})


def parse_summary_table(name: str, content: bytes) -> SummaryTable:
    """Read `summaries.tsv`. A bad line is refused, and the others count. If a film has two lines, the first counts.

    Raises:
        SourceError: the file cannot be decoded, or the header lacks `film` or has neither `synopsis` nor `path`.
    """
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
        fields = [field.strip() for field in line.split("\t")]
        row = _read_row(dict(zip(header, fields, strict=False)))
        if isinstance(row, str):
            refused.append((number, row))
        elif row.film in rows:
            refused.append((number, f"the film {row.film} has an earlier line; remove one of them"))
        elif len(fields) > len(header):
            refused.append((number, f"found {len(fields)} fields, expected {len(header)}; remove the tabs from the synopsis"))
        else:
            rows[row.film] = row
    return SummaryTable(rows, tuple(refused))


def _read_row(fields: dict[str, str]) -> SummaryRow | str:
    """Return the row, or the reason why the line cannot be used."""
    try:
        film = normalise_film_id(fields.get("film", ""))
    except SourceError as error:
        return str(error)
    year = fields.get("year", "")
    if year and not (year.isascii() and year.isdigit() and len(year) <= 4):
        return f"the year of {film} is {year[:20]!r}; expected four digits or nothing; correct it"
    synopsis, path = fields.get("synopsis") or None, fields.get("path") or None
    if synopsis is None and path is None:
        return f"neither synopsis nor path for {film}; give one of them"
    return SummaryRow(film, fields.get("title", ""), int(year) if year else None, synopsis, path)
