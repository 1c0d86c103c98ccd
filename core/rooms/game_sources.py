"""Takes the descriptions of rooms out of the source of games: areas of MUDs (Diku, ROM and their heirs) and Inform 7."""

import re

_ROOM = re.compile(  # #3001, the name, the description, and a line of flags: no creature and no thing has one there
    r"^#\d+[^\S\n]*\n[^~\n]{1,200}~[^\S\n]*\n(?P<told>[^~]{1,20000})~[^\S\n]*\n[^\S\n]*\d+(?:[^\S\n]+[\w|-]+)+[^\S\n]*$",
    re.MULTILINE,
)
_COLOUR = re.compile(r"\{[A-Za-z*]|&[A-Za-z](?![A-Za-z]*;)|@[a-z](?=[A-Z])|\x1b\[[\d;]{0,20}m")
_FEWEST = 2
"""Rooms from which a text is the source of a game."""

_TITLE = re.compile(r"\s*\"[^\"\n]{1,200}\" by ")
"""How a source of Inform begins: prose, too, says that a hall is a room, and lets somebody speak."""
_WAY = r"(?:north|south)?(?:east|west)?(?:north|south|east|west|up|down|above|below|inside|outside|in)?"
_NAME = r"(?P<{0}>[A-Z][^.\"\n]{{0,100}}?)"
_DECLARED = re.compile(
    rf"^[^\S\n]*{_NAME.format('name')} (?:is|are) (?:(?:a|an)(?: [\w-]+){{0,4}} room\b|{_WAY} (?:of|from) )[^.\"\n]{{0,200}}\.?"
    r"(?:[^\S\n]*(?:\n[^\S\n]*)?(?:The description is )?\"(?P<told>[^\"]{1,20000})\")?",
    re.MULTILINE,
)
_DESCRIBED = re.compile(
    rf"^[^\S\n]*The description of (?:the )?{_NAME.format('name')} is \"(?P<told>[^\"]{{1,20000}})\"", re.MULTILINE
)
_CODE = re.compile(r"\[[^\[\]]{0,500}\]")
_QUOTE = re.compile(r"(?<!\w)'|'(?!\w)")


def read_game_source(text: str, inform: bool = False) -> list[str] | None:
    """Return the description of each room, or None where a text is no source of a game; `inform` says that it is Inform's."""
    told = [_COLOUR.sub("", match["told"]) for match in _ROOM.finditer(text)]
    if not told and (inform or _TITLE.match(text)):
        told = _read_inform(text)
    return told if len(told) >= _FEWEST else None


def _read_inform(text: str) -> list[str]:
    """Return the descriptions of the rooms of an Inform 7 source: behind a room's declaration, or as its description."""
    rooms = list(_DECLARED.finditer(text))
    names = {_bare(room["name"]) for room in rooms}
    told = [(room.start("told"), room["told"]) for room in rooms if room["told"]]
    told += [(found.start("told"), found["told"]) for found in _DESCRIBED.finditer(text) if _bare(found["name"]) in names]
    return [_QUOTE.sub('"', _CODE.sub(" ", words)) for _, words in sorted(told)]


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name.strip().casefold())
