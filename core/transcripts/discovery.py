"""Sorts a source's files into episodes: finds the transcript parts and the recap that belong together, and the episode before."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal

from core.dataset.units import EPISODE_CODE, UNIT_ID, RefusedFile, SourceFile, WaitingUnit, find_episode_code, make_unit_id
from core.errors import SourceError

TranscriptFormat = Literal["plain text", "captions", "json", "markdown", "page"]
RecapFormat = Literal["wiki page", "plain text", "markdown", "json"]

TRANSCRIPT_TYPES: dict[str, TranscriptFormat] = {
    ".txt": "plain text", ".docx": "plain text", ".srt": "captions", ".vtt": "captions", ".json": "json", ".json3": "json",
    ".md": "markdown", ".markdown": "markdown", ".html": "page", ".htm": "page",
}  # fmt: skip
RECAP_TYPES: dict[str, RecapFormat] = {
    ".html": "wiki page", ".htm": "wiki page", ".xhtml": "wiki page", ".txt": "plain text", ".docx": "plain text",
    ".wiki": "plain text", ".md": "markdown", ".markdown": "markdown", ".json": "json",
}  # fmt: skip

Half = Literal["transcript", "recap"]

_FOLDERS: dict[str, Half] = {"transcripts": "transcript", "recaps": "recap", "raw summary data": "recap"}
FOLDER_NAMES = frozenset(_FOLDERS)
"""Names of the folders at a source's root, in lower case."""

_EXTENSIONS: dict[Half, tuple[str, ...]] = {"transcript": tuple(TRANSCRIPT_TYPES), "recap": tuple(RECAP_TYPES)}
_ALIAS_TABLE = "speakers.tsv"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, and bytes that are not UTF-8


@dataclass(frozen=True, slots=True)
class EpisodeFiles:
    """The files of one unit; each group in `duplicates` has all files that claim the same place, the one that is taken first."""

    id: str
    transcripts: tuple[SourceFile, ...]
    recaps: tuple[SourceFile, ...]
    duplicates: tuple[tuple[SourceFile, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a source holds: complete units, units with one half missing, refused files, and the source's own alias table."""

    units: tuple[EpisodeFiles, ...]
    waiting: tuple[WaitingUnit, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    alias_table: SourceFile | None = None


@dataclass(slots=True)
class _Places:
    """The files that claim each place of a unit: its recap, its undivided transcript (part 0), its transcript parts.

    `recap_part_of` is the episode's id if the recap's file name has a part number, otherwise "".
    """

    spellings: set[str] = field(default_factory=set)
    recap: list[SourceFile] = field(default_factory=list)
    recap_part_of: str = ""
    parts: dict[int, list[SourceFile]] = field(default_factory=lambda: defaultdict(list))


def find_units(files: Iterable[SourceFile], unit_pattern: str = EPISODE_CODE) -> Discovery:
    """Sort the files of a source into units.

    Only files below the folders `transcripts` and `recaps` (or CRD3's `raw summary data`; case does not matter) are read. Other
    files and hidden files are ignored. A file of an unknown type in these folders is refused. Unit ids that differ in case only
    are the same unit. The result does not depend on the order of `files`.

    `unit_pattern` is matched against a whole file stem, without regard to case. Its group `unit` is the id, its optional group
    `part` the number of a transcript part. Of a stem that does not match, the default pattern takes the episode code inside it
    (`S01E03` of `Show.S01E03.Title` and of `The Salt Market - 1x03`). Without a code, `make_unit_id` makes the id of the stem.

    The transcript parts of a unit are joined in order if they are numbered 1, 2, … without a gap and the unit has no un-numbered
    transcript. Otherwise each part becomes a unit `UNIT-PART` of its own. Recaps are never joined.
    """
    pattern = re.compile(unit_pattern, re.IGNORECASE)
    places: dict[str, _Places] = defaultdict(_Places)
    refused: list[RefusedFile] = []
    alias_table = None
    for file in sorted(files, key=lambda file: file.path):
        path = PurePosixPath(file.path)
        half = _FOLDERS.get(path.parts[0].lower()) if len(path.parts) > 1 else None
        if file.path.lower() == _ALIAS_TABLE:
            alias_table = file
        if half is None or any(part.startswith(".") for part in path.parts):
            continue
        try:
            unit, part = _find_unit(file, half, pattern)
        except SourceError as error:
            shown = _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", file.path)
            refused.append(RefusedFile(shown, str(error)))
            continue
        part_of = ""
        if half == "recap" and part is not None:
            unit, part, part_of = f"{unit}-{part}", None, unit
        place = places[unit.casefold()]
        place.spellings.add(unit)
        place.recap_part_of = place.recap_part_of or part_of
        (place.recap if half == "recap" else place.parts[part or 0]).append(file)
    return _pair_halves(_separate_parts(places), refused, alias_table)


def _find_unit(file: SourceFile, half: Half, pattern: re.Pattern[str]) -> tuple[str, int | None]:
    """Return the unit of a file and the number of its part; SourceError where the file cannot be used."""
    if _UNPRINTABLE.search(file.path) is not None:
        raise SourceError("the file name has control characters or is not UTF-8; rename the file")
    if file.fault:
        raise SourceError(file.fault)
    path = PurePosixPath(file.path)
    if path.suffix.lower() not in _EXTENSIONS[half]:
        found, expected = path.suffix or "no extension", ", ".join(_EXTENSIONS[half])
        raise SourceError(f"found {found}; a {half} is one of {expected}; convert the file or move it elsewhere")
    unit, part = file.unit or None, ""
    if unit is None and (match := pattern.fullmatch(path.stem)) is not None:
        unit, part = match["unit"], match.groupdict().get("part") or ""
    elif unit is None:
        code = find_episode_code(path.stem) if pattern.pattern == EPISODE_CODE else None
        unit = code or make_unit_id(path.stem)
    number = int(part) if part.isdecimal() and len(part) < 4 else None
    if unit is None or UNIT_ID.fullmatch(unit if number is None else f"{unit}-{number}") is None:
        raise SourceError(
            f"no unit id can be made of {path.stem[:120]!r}; expected an episode code or a name of at most 100 characters; "
            f"rename the file, for example S01E03{path.suffix} or S01E03_Title{path.suffix}"
        )
    return unit, number


def _separate_parts(places: dict[str, _Places]) -> dict[str, _Places]:
    """Make each part a unit of its own where the parts cannot be joined: an un-numbered file exists, or a number is missing."""
    separated: dict[str, _Places] = defaultdict(_Places)
    for key, place in places.items():
        numbers = sorted(place.parts)
        joined = numbers == list(range(1, len(numbers) + 1)) or numbers == [0]
        for number, candidates in place.parts.items():
            suffix = "" if joined or number == 0 else f"-{number}"
            target = separated[key + suffix]
            target.spellings.update(spelling + suffix for spelling in place.spellings)
            target.parts[number if joined else 0] += candidates
        if place.recap:
            separated[key].spellings |= place.spellings
            separated[key].recap += place.recap
            separated[key].recap_part_of = place.recap_part_of
    return separated


def _pair_halves(places: dict[str, _Places], refused: list[RefusedFile], alias_table: SourceFile | None) -> Discovery:
    units: list[EpisodeFiles] = []
    waiting: list[WaitingUnit] = []
    for _, place in sorted(places.items()):
        unit = min(place.spellings)
        groups = [place.parts[number] for number in sorted(place.parts)]
        transcripts = tuple(group[0] for group in groups)
        recaps = tuple(place.recap[:1])
        if transcripts and recaps:
            duplicates = tuple(tuple(group) for group in [*groups, place.recap] if len(group) > 1)
            units.append(EpisodeFiles(unit, transcripts, recaps, duplicates))
        else:
            missing = "recap" if transcripts else "transcript"
            if place.recap_part_of and not transcripts:
                missing = f"transcript (recaps are not joined: name it {place.recap_part_of})"
            waiting.append(WaitingUnit(unit, missing, transcripts + recaps))
    return Discovery(tuple(units), tuple(waiting), tuple(refused), alias_table)


_CODE = re.compile(r"([A-Za-z]+\d+)E(\d+)", re.IGNORECASE)


def find_preceding(units: Iterable[str]) -> dict[str, str]:
    """Map each episode to the one right before it in its season; specials (C1E058-5) neither precede nor follow an episode."""
    seasons: dict[str, list[tuple[int, str]]] = {}
    for unit in units:
        match = _CODE.fullmatch(unit)
        if match is not None:
            seasons.setdefault(match[1].casefold(), []).append((int(match[2]), unit))
    neighbours = (pair for season in seasons.values() for pair in pairwise(sorted(season)))
    return {later: earlier for (before, earlier), (number, later) in neighbours if number == before + 1}
