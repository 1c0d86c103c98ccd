"""Reads the table of summaries, `summaries.tsv`.

The table is tab-separated UTF-8 with a header line. The columns may be in any order: `film` (an id or IMDb number), `title`,
`year`, `synopsis` (the summary's text) and `path` (a summary file, relative to the source's root). Each line needs `synopsis` or
`path`. Other columns are ignored. There is no quoting.
"""

from dataclasses import dataclass, field

from core.errors import SourceError
from core.subtitles.films import normalise_film_id
from core.text.decoding import TextLimits, decode_text

TABLE_NAME = "summaries.tsv"
MAX_TABLE_BYTES = 512 * 2**20  # half a million synopses of a kilobyte each


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
