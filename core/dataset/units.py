"""Units, which a pipeline builds one at a time (an episode, a movie, a shard of threads): their ids, files and stated licence.

Small units travel in shards, which are built together; those of a release are few files of similar size.
"""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.bounds import Text
from core.errors import ConfigError, SourceError

UNIT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""Pattern of a valid unit id. An id begins with a letter or digit and has no slash, so its path cannot leave its folder."""

_IMDB = re.compile(r"(?:tt)?0*(\d{1,10})", re.IGNORECASE | re.ASCII)
_SEPARATORS = re.compile(r"[\s_\-\u2010-\u2015]+")

EPISODE_CODE = (
    r"(?P<unit>[A-Za-z]+\d+E\d+(?:\.\d+)?(?:-(?!FINAL(?:[_-]|$))(?!\d+(?:[_ -]|$))[A-Za-z0-9.]+)?)"
    r"(?:-(?P<part>\d+))?(?:[_ ].*|-FINAL.*)?"
)
"""An episode code (C1E001, S01E02), an optional suffix of the id (.5, -GROG), an optional part (-1), then ignored text.

The ignored text is a mark such as `-FINAL_V2`, or a title after `_` or a space.
"""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a source, as listed and not yet read.

    Attributes:
        path: relative to the source's root, with `/` between its parts.
        size: in bytes.
        version: distinguishes the file's states (an ETag, a revision, size and time); equal versions mean equal content.
        source: the URL of the source.
        copies: the files with the same path in other sources; their content must be the same.
        name: the file's name in the source, if it differs from `path`.
        origin: what a release names as the origin instead of the path: a page's title, revision and address.
        fault: why the source cannot deliver the file, if this is already known.
        unit: the id of its unit, where the source knows it: two shows of one dataset may have the same episode code.
    """

    path: str
    size: int
    version: str
    source: str = ""
    copies: tuple["SourceFile", ...] = ()
    name: str = ""
    origin: str = ""
    fault: str = ""
    unit: str = ""

    @property
    def is_bad_record(self) -> bool:
        """Whether it stands for a record that cannot be read."""
        return bool(self.fault and self.unit and self.origin)


@dataclass(frozen=True, slots=True)
class WaitingUnit:
    """A unit with one half still missing; `missing` names that half, for example "recap"."""

    id: str
    missing: str
    files: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file in a place for units' files that cannot belong to a unit; `reason` says what to do."""

    path: str
    reason: str


def name_imdb(name: str) -> str | None:
    """Return an IMDb number as `tt` and at least seven digits (`123` becomes `tt0000123`), None for another name."""
    match = _IMDB.fullmatch(name)
    return f"tt{match[1]:0>7}" if match is not None else None


def identify_unit(name: str) -> str:
    """Return what all spellings of a unit's id have in common; two ids with one identity are the same unit.

    Upper and lower case, decomposed and composed letters, hyphens, underscores and spaces, and the forms of an IMDb number do not
    tell units apart: `The_Matrix` is `the-matrix`, and `99000017` is `tt99000017`. Dots do: `C1E031.5` is not `C1E031-5`. The
    identity of an identity is itself. It is for comparing only: files and rows keep the id as it is spelt.
    """
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name.strip()).casefold())
    return name_imdb(plain) or _SEPARATORS.sub("-", plain)


def find_nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return those of the known names that somebody who wrote `name` may have meant, at most `most`, the likeliest first."""
    from rapidfuzz import fuzz, process  # only for a message: a command that goes well does not wait for it

    found = process.extract(name, sorted(set(known)), processor=identify_unit, scorer=fuzz.ratio, limit=most, score_cutoff=60)
    return [candidate for candidate, _, _ in found]


def choose_copy(candidates: Sequence[tuple[SourceFile, str]]) -> SourceFile:
    """Return the first of several copies of the same part of a unit, all with equal content.

    `candidates` are (file, checksum), at least one.

    Raises:
        SourceError: two copies differ; the message names both.
    """
    first, checksum = candidates[0]
    for other, other_checksum in candidates[1:]:
        if other_checksum != checksum:
            both = (first, other)
            names = [file.path if first.path != other.path else f"{file.path} in {file.source}" for file in both]
            raise SourceError(
                f"{' and '.join(names)} are the same part of one unit but differ; keep one of them, or number parts as "
                "EPISODE-1, EPISODE-2"
            )
    return first


def check_unit_id(unit: str) -> str:
    """Return `unit` if it is a valid unit id.

    Raises:
        SourceError: it is not valid; the message says what is allowed.
    """
    if UNIT_ID.fullmatch(unit) is None:
        raise SourceError(
            f"{unit!r} cannot be a unit id: an id has 1 to 100 characters (A-Z, a-z, 0-9, dots, hyphens, underscores) and begins "
            "with a letter or digit; rename the file"
        )
    return unit


def check_dataset_name(name: str) -> None:
    """Refuse a name that cannot be a folder of the store."""
    if UNIT_ID.fullmatch(name) is None:
        expected = "1 to 100 letters (A-Z, a-z), digits, dots, hyphens or underscores, a letter or digit first"
        raise ConfigError(f"dataset {name!r}: expected {expected}")


_EPISODE = re.compile(r"(?<![A-Za-z0-9])(?P<code>[A-Za-z]{1,3}\d{1,3}E\d{1,4})(?![A-Za-z0-9])", re.IGNORECASE)
_CROSSED = re.compile(r"(?<![A-Za-z0-9])(?P<season>\d{1,2})x(?P<episode>\d{1,3})(?![A-Za-z0-9])", re.IGNORECASE)
_FORBIDDEN = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # no file or folder that was listed has these in its name
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LETTERS = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L"}


def make_unit_id(name: str) -> str | None:
    """Return the unit id of a file's or folder's name (without extension), or None if no id can be made of it.

    That is so where the name has no letter or digit, a slash, a control character, or gives more than 100 characters.
    A name that is a valid id stays as it is. Otherwise accents are dropped (`é` becomes `e`), every other letter beyond ASCII
    becomes `u` and its code point in hexadecimal digits, each run of other characters becomes `-`, and `-`, `.` and `_` are cut
    off at both ends: `Panic Room` becomes `Panic-Room`. A row's `source` keeps the name.
    """
    if UNIT_ID.fullmatch(name) is not None:
        return name
    if _FORBIDDEN.search(name) is not None:
        return None
    letters = "".join(_LETTERS.get(character, character) for character in unicodedata.normalize("NFC", name))
    plain = "".join(_spell(character) for character in unicodedata.normalize("NFKD", letters))
    unit = _UNSAFE.sub("-", plain).strip("-._")
    return unit if UNIT_ID.fullmatch(unit) is not None else None


def find_episode_code(name: str) -> str | None:
    """Return the one episode code in a name: `S01E03` of `Show.S01E03.Title` and of `The Salt Market - 1x03`, otherwise None."""
    codes = {match["code"].upper() for match in _EPISODE.finditer(name)}
    codes |= {f"S{int(match['season']):02}E{int(match['episode']):02}" for match in _CROSSED.finditer(name)}
    return codes.pop() if len(codes) == 1 else None


def _spell(character: str) -> str:
    if character.isascii():
        return character
    category = unicodedata.category(character)[0]
    return f"u{ord(character):x}" if category in "LN" else "" if category == "M" else " "


SHARD_BYTES = 24 * 2**20
"""Text per shard, in bytes before compression. A worker holds one row group of it at a time, and a reader opens few files."""

SHARD_UNITS = 2000
"""Units per shard at most. This keeps the request to a worker small and leaves work for every worker."""


def plan_shards(sizes: Iterable[tuple[str, int]], max_bytes: int = SHARD_BYTES, max_units: int = SHARD_UNITS) -> list[list[str]]:
    """Group units in order into shards of limited size. A unit is never divided, so one above `max_bytes` gets its own shard.

    Args:
        sizes: (unit id, bytes) in the release's order.
        max_bytes: the bytes that a shard may hold.
        max_units: the units that a shard may hold.

    Returns:
        The unit ids of each shard. Without units, one empty shard, so that every split has a file with the schema.
    """
    shards: list[list[str]] = [[]]
    filled = 0
    for unit, size in sizes:
        if shards[-1] and (filled + size > max_bytes or len(shards[-1]) == max_units):
            shards.append([])
            filled = 0
        shards[-1].append(unit)
        filled += size
    return shards


_SHARD_ID = re.compile(r"shard-\d{4}-of-(\d{4})")


def name_shard(unit: str, count: int) -> str:
    """Return the id of a unit's shard, one of `count`: `shard-0007-of-0064`. All spellings of an id have one shard."""
    digest = hashlib.sha256(identify_unit(unit).encode("utf-8", "surrogatepass")).digest()
    return f"shard-{int.from_bytes(digest[:8], 'big') % count:04}-of-{count:04}"


def is_shard(unit: str) -> bool:
    """Tell by its id whether a unit is a shard."""
    return _SHARD_ID.fullmatch(unit) is not None


def check_count(names: Iterable[str], placed: Iterable[str]) -> None:
    """Check that units travel in as many shards as those of the releases before: a unit has the split of its shard.

    Raises:
        ConfigError: with another number of shards, units would move to other splits.
    """
    before = _count_shards(placed)
    if other := sorted(_count_shards(names) - before) if before else ():
        raise ConfigError(
            f"shards = {other[0]}: the releases of this dataset have their units in {max(before)} shards. A unit has the split "
            "of its shard, so with another number test units would come into training; "
            f"set shards = {max(before)}, or begin a new dataset with --dataset NAME"
        )


def _count_shards(names: Iterable[str]) -> set[int]:
    return {int(match[1]) for name in names if (match := _SHARD_ID.fullmatch(name)) is not None}


def group_units(units: Iterable[str], count: int) -> dict[str, tuple[str, ...]]:
    """Return the units of each non-empty shard, shards and units sorted by id. A unit's shard does not depend on other units."""
    shards: dict[str, list[str]] = defaultdict(list)
    for unit in sorted(set(units)):
        shards[name_shard(unit, count)].append(unit)
    return {shard: tuple(members) for shard, members in sorted(shards.items())}


def find_shard(unit: str, names: Collection[str]) -> str | None:
    """Return the shard among `names` that a small unit travels in; None where there is none."""
    return next((shard for count in sorted(_count_shards(names)) if (shard := name_shard(unit, count)) in names), None)


UNSPECIFIED = "unspecified"
"""What a licence says that nobody has stated."""


@dataclass(frozen=True, slots=True)
class ProvenanceConfig:
    """Licence and attribution of a source's text; every row of a release carries both."""

    license: Text = UNSPECIFIED
    attribution: str = ""


NO_PROVENANCE = ProvenanceConfig()
