"""Units: the things a pipeline builds one at a time (an episode, a movie, a thread shard), and the files they come from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import SourceError

UNIT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a unit id may look like. It begins with a letter or digit and has no slash, so it can never leave its folder."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a source, as listed and not yet read.

    `path` is relative to the source's root, with `/` between its parts. `size` is in bytes. `version` is whatever the source
    offers to tell one state of the file from the next (an ETag, a revision, size and time); equal versions mean equal content.
    `source` is the URL of the source, and `name` what the file is called there, where that is not `path`. `copies` are the files
    that other sources have by the same path: their content has to be the same. `origin` is what a release names as its source
    instead of the path: a page's title, revision and address. `fault` is why the source cannot give it, where it knows already.
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
    """A unit of which one half has not arrived yet; `missing` names it, as in "recap"."""

    id: str
    missing: str
    files: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that stands where a unit's belongs and cannot be one; `reason` says what to do."""

    path: str
    reason: str


def choose_copy(candidates: Sequence[tuple[SourceFile, str]]) -> SourceFile:
    """Return the first of several candidates for one place of a unit, given as (file, checksum), where all are the same.

    Raises:
        SourceError: two candidates differ; both are named.
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
                f"{one} and {another} are the same part of one unit and differ; keep one of them, "
                "or number parts as EPISODE-1, EPISODE-2"
            )
    return first


def check_unit_id(unit: str) -> str:
    """Return `unit` where it is a valid unit id.

    Raises:
        SourceError: it is not; the message says what an id may look like.
    """
    if UNIT_ID.fullmatch(unit) is None:
        raise SourceError(
            f"{unit!r} cannot be a unit id: an id has 1 to 100 letters, digits, dots, hyphens or underscores (A-Z, a-z, 0-9) and "
            "begins with a letter or digit; rename the file"
        )
    return unit
