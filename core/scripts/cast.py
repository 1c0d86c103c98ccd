"""Reads a movie's cast list: the characters, their alter egos and their actors."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.errors import SourceError
from core.scripts.scenes import CastMember
from core.scripts.source_json import parse_json, text_field

_EXPECTED = 'a list of objects such as {"actor": "…", "character": "…"}'
_CHARACTER_KEYS = ("character", "role", "name")
_MAX_NAME = 200  # characters; a longer text is not a name
_PARENTHESIS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")
_REMARK = re.compile(
    r"(?:as|credit|uncredited|voice|singing|archive|scenes?|deleted|cameo|segment|unconfirmed|rumored|also|credited|aged?|\d|v\.?o\.?|"
    r"english|original|dubbed|stunt|body|hand|motion|deceased|flashback|young|older|adult|child|teen)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)[\"“'‘]([^\"“”]{1,60}?)[\"”'’](?!\w)")
_OTHER_NAME = re.compile(
    r"\s*[/\\|]\s*|\s+(?:a\.?k\.?a\.?|alias|also known as|posing as|disguised as)\s+|\s+as\s+(?=[A-Z])", re.IGNORECASE
)
_EDGES = " \t,;:/-–—"


def read_cast(name: str, text: str) -> tuple[CastMember, ...]:
    """Read a cast list from JSON: a list of objects with `actor` and `character`, or a list of names.

    The first name of an entry is the character's name (`Tony Stark / Iron Man`: Tony Stark). The other names are alter egos, and
    so are the variants of a nickname in quotes (`Robert "Bobby" Drake`: Bobby, Bobby Drake, Robert Drake). Remarks such as
    (voice) and (as J. Doe) are dropped. A character with several actors is one member. Entries without a character are left out.
    `name` is the file's name, for messages.

    Raises:
        SourceError: the text is not JSON or has no list of characters.
    """
    rows = parse_json(name, text, _EXPECTED)
    if isinstance(rows, dict):
        rows = rows.get("cast", rows.get("characters"))
    if not isinstance(rows, list):
        raise SourceError(f"{name}: no list of characters; expected {_EXPECTED}. Correct the file, or remove it: it is optional")
    same: dict[str, list[CastMember]] = {}
    for row in rows:
        actor, characters = _read_row(row)
        for character in characters:
            member = _read_character(character, actor)
            if member is None:
                continue
            same.setdefault(member.name.casefold(), []).append(member)
    return tuple(members[0] if len(members) == 1 else _merge(members) for members in same.values())


def _read_row(row: object) -> tuple[str, list[str]]:
    if isinstance(row, str):
        return "", [row]
    if not isinstance(row, dict):
        return "", []
    for key in _CHARACTER_KEYS:
        value = row.get(key)
        if isinstance(value, list):
            return text_field(row, "actor"), [each for each in value if isinstance(each, str)]
        if character := text_field(row, key):
            return text_field(row, "actor"), [character]
    return "", []


def _read_character(character: str, actor: str) -> CastMember | None:
    character = " ".join(character.split())
    if len(character) > _MAX_NAME:
        return None
    others = [inner.strip() for inner in _PARENTHESIS.findall(character)]
    others = [inner for inner in others if inner[:1].isupper() and _REMARK.match(inner) is None]
    plain = _PARENTHESIS.sub(" ", character)
    parts = [part for piece in _OTHER_NAME.split(plain) if (part := " ".join(piece.split()).strip(_EDGES))]
    names: list[str] = []
    for part in [*parts, *others]:
        names += [part, *_expand_nickname(part)]
    names = [name for name in dict.fromkeys(names) if any(map(str.isalpha, name))]
    return CastMember(names[0], tuple(names[1:]), actor) if names else None


def _expand_nickname(name: str) -> list[str]:
    """Return the other names in `Robert "Bobby" Drake`: Robert Drake, Bobby Drake, Bobby; in `"Bud"`: Bud."""
    match = _QUOTED.search(name)
    if match is None:
        return []
    nickname, before, after = match[1].strip(_EDGES), name[: match.start()].strip(_EDGES), name[match.end() :].strip(_EDGES)
    if before[:1].islower() or not nickname[:1].isalnum():
        return []
    names = [f"{before} {after}".strip() if before and after else "", f"{nickname} {after}".strip(), nickname]
    return [each for each in dict.fromkeys(names) if each]


def _merge(members: Sequence[CastMember]) -> CastMember:
    """Make one member of those with the same name."""
    alter_egos = dict.fromkeys(alter_ego for member in members for alter_ego in member.alter_egos)
    actors = [actor for member in members[:-1] for actor in member.actor.split(", ")]
    named = dict.fromkeys(actor for actor in (*actors, members[-1].actor) if actor)
    return replace(members[0], alter_egos=tuple(alter_egos), actor=", ".join(named))
