"""Takes the descriptions of rooms out of the source of games: areas of MUDs (Diku, ROM, SMAUG and their heirs) and Inform 7."""

import re

_ROOM = re.compile(  # #3001, the name, the description, and a line of flags: no creature and no thing has one there
    r"^#\d+[^\S\n]*\n[^~\n]{1,200}~[^\S\n]*\n(?P<told>[^~]{1,20000})~[^\S\n]*\n[^\S\n]*\d+(?:[^\S\n]+[\w|-]+)+[^\S\n]*$"
    # or, in areas whose fields have names (SmaugFUSS), what follows "Desc" in a section "#ROOM"
    r"|^#ROOM[^\S\n]*\n(?:(?!Desc\b)[A-Z]\w*\b[^\n]{0,300}\n){1,10}Desc[^\S\n]+(?P<named>[^~]{1,20000})~",
    re.MULTILINE,
)
_COLOUR = re.compile(r"\{[A-Za-z*]|&[A-Za-z](?![A-Za-z]*;)|@[a-z](?=[A-Z])|\x1b\[[\d;]{0,20}m")
_FEWEST = 2
"""Rooms from which a text is the source of a game, where its ending does not say so."""
ENDINGS = (".are", ".wld", ".ni")
"""Endings of sources of games; the last is Inform's."""

_TITLE = re.compile(r"\s*\"[^\"\n]{1,200}\" by ")
"""How a source of Inform begins: prose, too, says that a hall is a room, and lets somebody speak."""
_TEXT = re.compile(r"\"([^\"]{0,20000})\"|\[[^\[\]\"]{0,20000}\]")
"""A text, or a comment."""
_SENTENCE_END = re.compile(r"[.:;](?=\s|$)|\n")
_NAME = r"(?:the |an? )?(\w[^,]{0,100}?)"
_WAY = r"(?:(?:north|south)?(?:east|west)?|north|south|up|down|above|below|inside|outside) (?:of|from)"
_ROOMS = [
    re.compile(rf"\s*{declared}", re.IGNORECASE)
    for declared in (
        rf"there is an? (?:[\w-]+ ){{0,3}}room called {_NAME}\s*$",
        rf"{_NAME} (?:is|are) an? (?:[\w-]+ ){{0,4}}room\b",
        rf"{_NAME} (?:is|are) {_WAY} ",
        rf"{_WAY} .{{1,100}} is {_NAME}\s*$",
    )
]
_DOOR = re.compile(rf"\s*{_NAME} is an? (?:[\w-]+ ){{0,4}}door\b", re.IGNORECASE)
_DESCRIBED = re.compile(rf"\s*(?:the )?description (?:of {_NAME} )?is\s*$", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"\s*(?:there is an? (?:[\w-]+ ){{0,3}}room called {_NAME}\s*$"
    rf"|(?!(?:the )?(?:description|printed name)\b){_NAME} (?:is|are)\b)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\[(?:otherwise|else|or)\b[^\[\]]*\].*?(?=\[(?:end|at random|stopping|cycling|in random order)\b)", re.DOTALL
)
_THING = re.compile(r"\[((?:the|an?|some) [\w' -]+)\]", re.IGNORECASE)
_CODE = re.compile(r"[^\S\n]*\[[^\[\]]{0,500}\][^\S\n]*")
_QUOTE = re.compile(r"(?<!\w)'|'(?!\w)")


def read_game_source(text: str, ending: str = "") -> list[str] | None:
    """Return the description of each room, or None where a text is no source of a game; the file's ending may say that it is."""
    told = [_COLOUR.sub("", match["told"] or match["named"]) for match in _ROOM.finditer(text)]
    if not told and (ending == ".ni" or _TITLE.match(text)):
        told = _read_inform(text)
    return told if len(told) >= (1 if ending in ENDINGS else _FEWEST) else None


def _read_inform(text: str) -> list[str]:
    """Return the texts of an Inform 7 source that stand behind a sentence about a room, or are a room's description."""
    parts: list[tuple[list[str], str]] = []  # sentences since the text before, and a text
    words = ""
    start = 0
    for found in _TEXT.finditer(text):
        words += text[start : found.start()]
        start = found.end()
        if found[1] is not None:
            parts.append((_SENTENCE_END.split(words), found[1]))
            words = ""
    parts.append((_SENTENCE_END.split(words + text[start:]), ""))
    sentences = [sentence for before, _ in parts for sentence in before]
    rooms = {_bare(match[1]) for sentence in sentences for declared in _ROOMS if (match := declared.match(sentence))}
    rooms -= {_bare(match[1]) for sentence in sentences if (match := _DOOR.match(sentence))}
    return [_say(said) for before, said in parts if said and _tell_whose(before) in rooms]


def _tell_whose(before: list[str]) -> str | None:
    """Return whom the text behind some sentences describes, or None where it is no description."""
    described = _DESCRIBED.match(before[-1])
    if described and described[1]:
        return _bare(described[1])
    if not described and before[-1].strip():
        return None  # a text within a sentence: what is said, understood or printed
    for sentence in reversed(before):
        if match := _SUBJECT.match(sentence):
            return _bare(match[1] or match[2])
    return None


def _say(text: str) -> str:
    """Return a text as a game says it the first time, with the names of the things in it."""
    told = _CODE.sub(" ", _THING.sub(r"\1", _OTHERWISE.sub("", text)))
    return _QUOTE.sub('"', re.sub(r" +(?=[,.;:!?\n]|$)", "", told))


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name.strip().casefold())
