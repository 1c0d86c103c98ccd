"""Makes unit ids from the names of files and folders as they are on disk."""

import re
import unicodedata

from core.dataset.units import UNIT_ID

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
