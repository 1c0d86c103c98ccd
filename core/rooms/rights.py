"""Whose text it is: `sources.toml`, which says so for the files of a source, and the heads of donated texts.

Reference: Rooms, sections 3.1 and 8.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from core.errors import ConfigError, SourceError
from core.rooms.sentences import Rights, clean_text, read_rights

RIGHTS_FILE = "sources.toml"
CONTRIBUTIONS = "contributions"
"""The folder of donated texts."""
_KEYS = {"files", "license", "attribution", "redistributable"}
_HEAD = ("author", "license", "consent")
_MOST_HEAD_LINES = 20
_MOST_ENTRY = 1_000


@dataclass(frozen=True, slots=True)
class FileRights:
    """The rights of the files whose path matches a pattern (`adventures/*.txt`)."""

    pattern: str
    rights: Rights


def parse_rights(text: str, default: Rights) -> tuple[FileRights, ...]:
    """Read `sources.toml`: entries `[[source]]` with `files`, and `license`, `attribution`, `redistributable` where they differ.

    Raises:
        ConfigError: it is no TOML, or an entry has no pattern, an unknown key or a value of the wrong type.
    """
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigError(f"{RIGHTS_FILE}: {said}; expected TOML with entries [[source]]") from error
    entries = found.get("source", [])
    if set(found) - {"source"} or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(f"{RIGHTS_FILE}: found {', '.join(map(repr, found))}; expected entries [[source]] and nothing else")
    rights = []
    for number, entry in enumerate(entries, 1):
        name = f"{RIGHTS_FILE}, entry {number}"
        if unknown := sorted(set(entry) - _KEYS):
            raise ConfigError(f"{name}: {unknown[0]!r} is not known; expected some of {', '.join(sorted(_KEYS))}")
        if not isinstance(entry.get("files"), str) or not entry["files"]:
            raise ConfigError(f'{name}: found files {entry.get("files")!r}; expected a pattern such as "adventures/*.txt"')
        try:
            rights.append(FileRights(entry["files"], read_rights(name, entry, default)))
        except SourceError as error:
            raise ConfigError(str(error)) from error
    return tuple(rights)


def find_rights(path: str, entries: Sequence[FileRights], default: Rights) -> Rights:
    """Return the rights of a file: those of the first entry whose pattern it matches."""
    return next((entry.rights for entry in entries if fnmatchcase(path, entry.pattern)), default)


def is_contribution(path: str) -> bool:
    """Tell whether a file lies in a folder of donated texts, however the folder's name is written."""
    return any(part.lower() == CONTRIBUTIONS for part in PurePosixPath(path).parts[:-1])


def read_contribution(path: str, text: str, marked: Rights) -> tuple[Rights, str]:
    """Return the rights and the text of a donated file, which begins with a head and a line `---`:

        author: Jane Roe
        license: CC BY 4.0
        consent: yes, 2 November 2026
        ---

    What `sources.toml` marks as not redistributable (`marked`) stays so.

    Raises:
        SourceError: the head is missing or lacks an entry, or the author has not consented.

    Reference: Rooms, sections 8 and 9 (an open call for donations).
    """  # noqa: D400, D415 -- the head is shown as it is typed
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[:_MOST_HEAD_LINES]) if line.strip() == "---"), None)
    if end is None:
        raise SourceError(f"{path}: found no head; a donated text begins with {', '.join(_HEAD)} and a line ---")
    head = {
        key.strip().lower(): clean_text(value) for key, colon, value in (line.partition(":") for line in lines[:end]) if colon
    }
    if missing := [key for key in _HEAD if not head.get(key)]:
        raise SourceError(f"{path}: its head has no {' and no '.join(missing)}; ask the donor, and write it down")
    if too_long := [key for key in _HEAD if len(head[key]) > _MOST_ENTRY]:
        raise SourceError(f"{path}: {too_long[0]} has {len(head[too_long[0]]):,} characters; expected at most {_MOST_ENTRY:,}")
    if not head["consent"].lower().startswith("yes"):
        raise SourceError(f"{path}: consent is {head['consent']!r}; a text is used only where it begins with 'yes'")
    return Rights(head["license"], head["author"], marked.redistributable), "\n".join(lines[end + 1 :])
