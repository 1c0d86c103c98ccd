"""Finds scene headings without INT and EXT in scripts whose other headings have them: `BARN - DAY`."""

import re
from collections import Counter
from collections.abc import Sequence

from core.scripts.screenplays.lines import Line

_MAX_LENGTH = 120
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
    if len(body) > _MAX_LENGTH or not any(time in body for time in _TIMES):
        return False
    return _TIMED.fullmatch(body) is not None
