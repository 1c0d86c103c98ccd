"""Recognises scene headings: by the strict rule of public gold links, and by the parser's own, wider rule."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from core.scripts.screenplays.lines import Line

STRICT_TOKENS = frozenset({"INT.", "EXT.", "INT/EXT.", "EXT./INT.", "INT./EXT."})
"""A line with one of these tokens opens a scene of the strict index. AligNarr's gold counts scenes in this way."""

_HEADING = re.compile(
    r"""
    \W{0,4}
    (?:(?:SCENE|Scene|SC\.)\ ?)?
    (?:[A-Z]{0,2}\d{1,4}[A-Z]{0,3}(?:[-–][A-Z0-9]{1,4})?(?:[.):]{0,2}\s{1,40}[-–:]?\s{0,3}|[-–.):]{1,2}))?   # its number
    (?:(?:CUT|DISSOLVE|FADE|BACK|SMASH\ CUT|MATCH\ CUT)\ (?:TO|IN)\s?[:.-]?\s{1,40}(?:ON\ )?)?
    (?:
      INTERIORS?\b | EXTERIORS?\b | (?:Interior|Exterior)\s?[.:–—-]
    | (?i:INT|EXT)(?:\.|\s?[/&-]\s?(?i:INT|EXT)\b)
    | I\.?/E\b | E\.?/I\b | EST\.\s
    | (?:INT|EXT)(?=[\s,:;-]|$)
    )
    """,
    re.VERBOSE,
)
_PLAIN = re.compile(
    r"""
    [\[(]?\s?(?:SCENE|Scene)(?:\s?:|\s+(?:\d{1,4}[A-Z]?|[IVXL]{1,6}|(?i:one|two|three|four|five|six|seven|eight|nine|ten))\b)
  | (?:\d{1,4}[A-Z]?[.)]?\s{1,20})?[A-Z][^a-z]{1,80}[\s.,–—-]\s?(?:DAY|NIGHT|MORNING|EVENING|AFTERNOON|DAWN|DUSK|LATER)
    \W*\d*[A-Z]?\W*$
    """,
    re.VERBOSE,
)
_SHOT = re.compile(
    r"(?:SCENE\s+\d{1,4}[A-Z]?\b"
    r"|(?:\d{1,4}[A-Z]?[.)]?\s{1,20})?(?:ANGLE|CLOSER?|CLOSE-?\s?UP|WIDER?|INSERT|FULL SHOT|MED\.? SHOT|"
    r"ANOTHER ANGLE|REVERSE ANGLE)"
    r"(?:\s(?:ON|SHOT|ANGLE)\b|\s?[:–—-]|$))"
)
_FUSED_NUMBER = re.compile(
    r"""
    \W{0,4}
    (?P<number>[A-Z]{0,2}\d{1,4}[A-Z]{0,3})[-–.):]{0,2}\s{0,40}
    (?P<heading>(?:INT|EXT)(?:ERIORS?\b|\.|(?=[\s/,:;-])).*?)
    (?P<after>\s*(?P=number)\W*)?
    """,
    re.VERBOSE,
)
_NUMBERED_SHOT = re.compile(
    r"\W?(?P<number>[A-Z]?\d{1,4}[A-Z]{0,2})[.)]?\s{0,40}(?!ST\b|ND\b|RD\b|TH\b)(?P<shot>[^\W\d].{2,}?)(?<!\#)\s*(?P=number)\W?"
)
_FOREIGN = re.compile(
    r"\W{0,4}(?:\d{1,4}[A-Z]?[.)]?\s{1,40})?(?:INNEN|AU(?:SS|ẞ|ß)EN|INT[ÉE]RIEUR|EXT[ÉE]RIEUR|INTERNO|ESTERNO|BINNEN|BUITEN)"
    r"(?:\s?[.:,/–—-]|\s\w)"
)
_NUMBER = r"[A-Z]{0,2}[\dlIO]{1,5}(?:[-.][A-Z\d]{1,4})?(?!(?:ST|ND|RD|TH|AM|PM)\b)[A-Za-z]{0,2}"
_LEFT_NUMBER = re.compile(
    rf"\W{{0,4}}(?P<number>(?=\D{{0,4}}\d){_NUMBER})[.):]{{0,2}}(?:\s{{2,}}|\s(?=(?:INT|EXT|I\.?/E|E\.?/I|EST)\b))"
)
_RIGHT_NUMBER = re.compile(rf"(?=\D{{0,4}}\d){_NUMBER}\W*")
_MIN_NUMBERED = 8  # headings with a number behind them in a script that has them
_FAR = 3  # spaces before a number in the margin
_MARKS = ("INT", "EXT", "I/E", "E/I", "nt.", "xt.", "EST.", "I./E", "E./I", "nterior", "xterior")
_HEADING_PREFIX = 120  # characters; the mark of a heading is at the beginning of its line


def is_strict_heading(raw: str) -> bool:
    """Tell whether a raw line opens a scene of the strict index."""
    return ("INT." in raw or "EXT." in raw) and not STRICT_TOKENS.isdisjoint(raw.split())


def is_heading(body: str) -> bool:
    """Tell whether a line is a scene heading: INT., EXT., INTERIOR, `12 EXT JUNGLE`, `A5. I/E CAR`, `CUT TO: INT. BAR`."""
    return any(mark in body for mark in _MARKS) and _HEADING.match(body[:_HEADING_PREFIX]) is not None


def is_numbered_heading(body: str) -> bool:
    """Tell whether a line is a heading with the scene's number on both sides, right at the words: `4EXT. HARBOUR - NIGHT4`."""
    match = _FUSED_NUMBER.fullmatch(body) if len(body) <= _HEADING_PREFIX and body.upper() == body else None
    return match is not None and match["after"] is not None


def is_numbered_shot(body: str) -> bool:
    """Tell whether a line names a shot with its number on both sides: `23THE OUTER OFFICE23`, `5   CLOSE - ANNA   5`."""
    may_be = len(body) <= _HEADING_PREFIX and body[-1].isalnum() and body.upper() == body
    return may_be and _NUMBERED_SHOT.fullmatch(body) is not None


def is_foreign_heading(body: str) -> bool:
    """Tell whether a line is a heading of a script in German, French, Italian or Dutch: `INNEN. SCHEUNE - TAG`."""
    return body[:_HEADING_PREFIX].isupper() and _FOREIGN.match(body) is not None


def strip_shot_numbers(body: str) -> str:
    """Return a shot's line without its number on both sides."""
    match = _NUMBERED_SHOT.fullmatch(body)
    return match["shot"].strip() if match is not None else body


def strip_scene_numbers(heading: str, numbered: bool = False) -> str:
    """Return a heading without the scene's number before it and in the margin behind it.

    A number behind the words is the scene's if it stands far off, if it is the number before the words, or if `numbered`: the
    script has them (see `are_numbered_behind`). A number before the words goes whatever its letters are (`35a`, `107-A`, `lO7`).
    """
    bare, number, gap = _part_last_number(heading)
    if not numbered and gap < _FAR:
        bare = heading.strip()
    if (match := _FUSED_NUMBER.fullmatch(bare)) is not None:
        return match["heading"].strip()
    if (before := _LEFT_NUMBER.match(bare[:_HEADING_PREFIX])) is not None:
        bare = bare[before.end() :]
        if number == before["number"]:
            bare = _part_last_number(bare)[0] or bare
    return bare.strip()


def are_numbered_behind(headings: Sequence[str]) -> bool:
    """Tell whether a script has its scenes' numbers one space behind its headings: most end in one, and these go up."""
    numbers = [int("".join(filter(str.isdecimal, number))) for heading in headings if (number := _part_last_number(heading)[1])]
    if len(numbers) < _MIN_NUMBERED or 2 * len(numbers) < len(headings):
        return False
    rises = sum(before <= after <= before + _MIN_NUMBERED for before, after in pairwise(numbers))
    return 4 * rises >= 3 * (len(numbers) - 1) and 2 * len(set(numbers)) > len(numbers)


def _part_last_number(heading: str) -> tuple[str, str, int]:
    """Return a heading without the number that is its last word, that number ("" if it has none), and the spaces before it."""
    text = heading.strip()
    words = text.rstrip("*) ").rsplit(maxsplit=1)
    if len(words) < 2 or _RIGHT_NUMBER.fullmatch(words[1]) is None:
        return text, "", 0
    bare = words[0].rstrip()
    gap = text[len(bare) : text.rindex(words[1])]
    return bare, words[1].rstrip("."), len(gap.expandtabs(_FAR))


def is_plain_heading(body: str) -> bool:
    """Tell whether a line is a heading in a script without INT and EXT: `[Scene: The barn]`, `12. BARN - NIGHT`."""
    return len(body) <= _HEADING_PREFIX and _PLAIN.match(body) is not None


def is_shot(body: str) -> bool:
    """Tell whether a line names a shot (`ANGLE ON THE DOOR`, `SCENE 94 - …`). A shot opens no scene, but it ends a speech."""
    return _SHOT.match(body[:_HEADING_PREFIX]) is not None


_TIMES = ("DAY", "NIGHT", "MORNING", "EVENING", "NOON", "DAWN", "DUSK", "SUN", "TWILIGHT", "LATER", "CONTINUOUS", "SAME TIME")
_TIMED = re.compile(
    r"""
    [^a-z]{2,80}?
    (?:\s[–—-]{1,3}\s{0,3} | (?<=[^\W_])[–—-]{1,3}\s{1,3} | (?<=\w)\s{3,40})
    (?:[A-Z'’,]{1,15}\s){0,3}                                                   # EARLY, SEVERAL DAYS
    (?:DAY|NIGHT|MORNING|EVENING|AFTERNOON|NOON|DAWN|DUSK|SUNSET|SUNRISE|TWILIGHT|LATER|CONTINUOUS|SAME\ TIME)\b
    (?:\s?(?:[–—-]{1,3}|[(/])[^a-z]{0,30} | \s(?:FOR|INTO|AND)\s[A-Z]{1,10})?    # (STOCK), FOR NIGHT
    [\s.:)]{0,40}(?:\d{1,4}[A-Z]?\W{0,4})?
    """,
    re.VERBOSE,
)
_NO_PLACE = re.compile(
    r"\b(?:P\.?O\.?V|SHOTS?|ANGLE|CLOSE-?(?:UP)?|VIEW|SPLIT\s?SCREEN|(?:CUT|FADE|DISSOLVE|INSERT|MONTAGE)S?|SERIES|"
    r"SUPER(?:IMPOSED?)?|TITLES?|CAPTION|CARD|BACK TO)\b|^\W*(?:SAME|LATER|CONTINUOUS)\b|^[^(]*\)"
)


def find_places(lines: Sequence[Line], kinds: Sequence[str]) -> set[int]:
    """Return the numbers of the lines of text that are headings without INT and EXT (`BARN - DAY`), in a script that has others.

    Such a line is below a blank line, in the column of most headings. Right below a heading it would be a part of that heading.
    """
    columns = Counter(line.indent for line, kind in zip(lines, kinds, strict=True) if kind == "h")
    ((column, _),) = columns.most_common(1)
    return {
        number
        for number, line in enumerate(lines)
        if kinds[number] == "t" and line.indent == column and (not number or (line.gap and kinds[number - 1] != "h"))
        if is_place(line.body)
    }


def is_place(body: str) -> bool:
    """Tell whether a line names a place with a time of day, and no shot: `BARN - EARLY MORNING`, `12A. BARN - LATER`."""
    return ends_in_time(body) and _NO_PLACE.search(body) is None


def ends_in_time(body: str) -> bool:
    """Tell whether a line is in capitals and ends in a time of day that is apart from the words before."""
    return len(body) <= _HEADING_PREFIX and any(time in body for time in _TIMES) and _TIMED.fullmatch(body) is not None


_MISREAD = re.compile(
    r"\W{0,4}(?:[A-Z]{0,2}\d{1,4}[A-Z]{0,3}[.)]{0,2}\s{1,40}|[A-Z]\.\s{1,40})?"
    r"(?:(?P<int>[l1!|iT]NT|IINT|INT['’`])|(?P<ext>EX7|eXT|EXT['’`]))(?=\.|/(?:INT|EXT)\b)"
)
_OMITTED = re.compile(r"[\dA-Z\s.,–-]{0,30}?\bOMIT(?:TED)?(?=(?:INT|EXT)\.)")


def mend_headings(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with misread headings mended, at the start and below blank lines; `raw`, by which gold counts, stays."""
    return [line._replace(body=mend_heading(line.body)) if line.gap or not number else line for number, line in enumerate(lines)]


def mend_heading(body: str) -> str:
    """Return a line with its INT. or EXT. put right (`TNT. BARN`, `12 OMITTEDINT. BARN`); other lines as they are."""
    if (omitted := _OMITTED.match(body)) is not None:
        return body[omitted.end() :]
    found = _MISREAD.match(body) if len(body) <= _HEADING_PREFIX and body[-1] not in "!?" else None
    if found is None or is_heading(body) or not body[found.end() :].isupper():
        return body
    start, kind = (found.start("int"), "INT") if found["int"] else (found.start("ext"), "EXT")
    rest = body[found.end() :].removeprefix(".")
    return f"{body[:start]}{kind}{'' if rest[0] == '/' else '.' if rest[0].isspace() else '. '}{rest}"
