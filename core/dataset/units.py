"""Units, which a pipeline builds one at a time (an episode, a movie, a shard of threads), and their source files."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import SourceError

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
    """

    path: str
    size: int
    version: str
    source: str = ""
    copies: tuple["SourceFile", ...] = ()
    name: str = ""
    origin: str = ""
    fault: str = ""


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
            one, another = (
                (first.path, other.path)
                if first.path != other.path
                else (f"{first.path} in {first.source}", f"{other.path} in {other.source}")
            )
            raise SourceError(
                f"{one} and {another} are the same part of one unit but differ; keep one of them, "
                "or number parts as EPISODE-1, EPISODE-2"
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
