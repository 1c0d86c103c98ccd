"""Finds what goes on in the next line: headings, and paragraphs that a page breaks."""

import re

from core.scripts.screenplays.layout import Script

_MIN_WRAPPED = 50  # characters that a heading would have with the first word of its second line
_OPEN_END = re.compile(r"(?:[-–—/,&(]|\b(?:AND|OF|THE|WITH|IN|ON|AT|TO|FROM|A|AN))$")
_OPEN_WORD = re.compile(r"\b(?:and|or|of|the|a|an|his|her|their|its|with|in|on|at|to|from|by|as|for|into|that|than|is|are)$")
_MAX_HEADING_LINES = 3


def find_wrapped_headings(script: Script, established: frozenset[str]) -> set[int]:
    """Return the numbers of the lines that go on with the heading above them.

    Such a line is in capitals right below a heading that has no room for its first word or ends openly, a blank line follows,
    and it names no speaker of the script.
    """
    lines, found = script.lines, set[int]()
    for number, line in enumerate(lines[1:], start=1):
        above = number - 1
        below_heading = script.kinds[above] == "h" or above in found
        if script.kinds[number] != "t" or line.gap or not line.body.isupper() or not below_heading:
            continue
        if found.issuperset(range(number - _MAX_HEADING_LINES + 1, number)):
            continue
        if (cue := script.cues[number]) is not None and cue.key in established:
            continue
        heading = lines[above].body
        full = len(heading) + 1 + len(line.body.partition(" ")[0]) >= _MIN_WRAPPED
        ends = number + 1 == len(lines) or lines[number + 1].gap > 0 or lines[number + 1].body.isupper()
        if ends and (full or _OPEN_END.search(heading) is not None):
            found.add(number)
    return found


def goes_on(above: str, below: str) -> bool:
    """Tell whether a paragraph of action goes on below a blank line, as at the end of a page.

    A full line breaks off in mid-sentence. The next one begins in small letters, or the break is at a comma or at a word such as
    `the`.
    """
    if len(above) < _MIN_WRAPPED or not (above[-1].islower() or above[-1] == ","):
        return False
    return below[0].islower() or (
        below[0].isupper() and not below.isupper() and (above[-1] == "," or _OPEN_WORD.search(above) is not None)
    )
