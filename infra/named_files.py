"""Files that a setting or an option names, of which no more is read than there may be, and tables that a profile ships."""

import os
import stat
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from core.errors import ConfigError

MOST_BYTES = 64 * 2**20
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO (named pipe)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def find_kind(info: os.stat_result) -> str:
    """Return what is no regular file, in words: "a FIFO (named pipe)"; "" for a regular file."""
    return _KINDS.get(stat.S_IFMT(info.st_mode), "")


def read_named(path: str | Path, what: str, remedy: str, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file of at most `most` bytes; the message says `what` it is, and `remedy` what to do."""
    place = Path(path)
    try:
        if kind := find_kind(place.stat()):
            raise ConfigError(f"{what} {path}: is {kind}, expected a regular file; {remedy}")
        with place.open("rb") as stream:
            content = stream.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: no path has such characters
        raise ConfigError(f"{what} {path}: {getattr(error, 'strerror', None) or error}; {remedy}") from error
    if len(content) > most:
        raise ConfigError(f"{what} {path}: {place.stat().st_size:,} bytes, expected at most {most:,}; {remedy}")
    return content


def read_named_text(path: str | Path, what: str, remedy: str, most: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark; errors as in `read_named`."""
    try:
        return read_named(path, what, remedy, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{what} {path}: not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8") from error


def write_named_text(path: str | Path, what: str, text: str) -> None:
    """Write text to a file that an option names; the message of a file that cannot be written says `what` it is."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: no path has such characters
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{what} {path}: {reason}; name a file in an existing folder") from error


def read_profile_table(profile: str, name: str) -> str | None:
    """Return the text of a table that a profile ships (`speakers.tsv`), None where it has none."""
    path = resources.files("infra") / "profiles" / profile / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def parse_toml(name: str, text: str) -> dict[str, Any]:
    """Return the content of TOML text; ConfigError where it is broken."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigError(f'{name}: {said}; expected TOML such as [alignment] aligner = "greedy"') from error
