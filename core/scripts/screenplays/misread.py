"""Mends scene headings whose INT. or EXT. was misread or mistyped, such as `lNT. BARN` and `EXT'. BARN`."""

import re
from collections.abc import Sequence

from core.scripts.screenplays.headings import is_heading
from core.scripts.screenplays.lines import Line
from core.scripts.screenplays.places import ends_in_time

_MAX_LENGTH = 120
_NUMBER = r"\W{0,4}(?:[A-Z]{0,2}\d{1,4}[A-Z]{0,3}[.)]{0,2}\s{1,40}|[A-Z]\.\s{1,40})?"
_MISREAD = re.compile(rf"{_NUMBER}(?:(?P<int>[l1!|iT]NT|IINT|INT['’`])|(?P<ext>EX7|eXT|EXT['’`]))(?=\.|/(?:INT|EXT)\b)")
_MISTYPED = re.compile(
    rf"""
    {_NUMBER}
    (?: (?P<int>NT|IT|IN|[A-Z]NT|I[A-Z]T|IN[A-Z])      # without a letter, or with another
      | (?P<ext>XT|ET|EX|[A-Z]XT|E[A-Z]T|EX[A-Z])
    )(?=\.)
    """,
    re.VERBOSE,
)
_OMITTED = re.compile(r"[\dA-Z\s.,–-]{0,30}?\bOMIT(?:TED)?(?=(?:INT|EXT)\.)")


def mend_headings(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with misread headings mended, at the start and below blank lines; `raw`, by which gold counts, stays."""
    mended = list(lines)
    for number, line in enumerate(lines):
        if (line.gap or not number) and (body := mend_heading(line.body)) is not line.body:
            mended[number] = line._replace(body=body)
    return mended


def mend_heading(body: str) -> str:
    """Return a line with its INT. or EXT. put right: `TNT. BARN`, `EDT. BARN - DAY`, `12 OMITTEDINT. BARN`; others as they are.

    A word that can be another (`IT.`, `IN.`) is INT. or EXT. only where the line ends in a time of day.
    """
    if len(body) > _MAX_LENGTH or body[-1] in "!?":
        return body
    if (omitted := _OMITTED.match(body)) is not None:
        return body[omitted.end() :]
    found = _MISREAD.match(body)
    if found is None and (found := _MISTYPED.match(body)) is not None and not ends_in_time(body):
        return body
    if found is None or is_heading(body) or not body[found.end() :].isupper():
        return body
    kind = "int" if found["int"] else "ext"
    rest = body[found.end() :]
    place = rest.removeprefix(".")
    return f"{body[: found.start(kind)]}{kind.upper()}{rest if place == rest or place[0].isspace() else f'. {place}'}"
