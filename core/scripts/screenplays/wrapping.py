"""Mends what lines break: headings and speaker cues of two lines, and parentheticals that nobody closed."""

import re
from collections import Counter

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Script
from core.scripts.screenplays.lines import Line

_MIN_WRAPPED = 50  # characters that a heading would have with the first word of its second line
_OPEN_END = re.compile(r"(?:[-–—/,&(]|\b(?:AND|OF|THE|WITH|IN|ON|AT|TO|FROM|A|AN))$")
_OPEN_WORD = re.compile(r"\b(?:and|or|of|the|a|an|his|her|their|its|with|in|on|at|to|from|by|as|for|into|that|than|is|are)$")
_MAX_HEADING_LINES = 3
_MAX_APART = 10  # columns between the beginnings of a cue's two lines, which are often centred
_MAX_REMARK_LINES = 5
MAX_LONG_REMARK = 16
"""Lines of a remark in a column of its own, at most."""
_MIN_REMARK_DEPTH = 3  # columns between a parenthetical and the speech to its left
_MIN_DEPTH = 4  # columns between a cue and the speech to its left


def find_wrapped_headings(script: Script, established: frozenset[str]) -> set[int]:
    """Return the numbers of the lines that go on with the heading above them.

    Such a line is in capitals right below a heading that has no room for its first word or ends openly, a blank line follows,
    and it names no speaker of the script.
    """
    lines, found = script.lines, set[int]()
    for number, line in enumerate(lines[1:], start=1):
        above = number - 1
        if (
            script.kinds[number] != "t"
            or line.gap
            or not line.body.isupper()
            or (script.kinds[above] != "h" and above not in found)
        ):
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


def join_wrapped_cues(script: Script) -> None:
    """Join cues of two lines, in place: the second line's cue becomes that of both, and the first line's kind becomes `c`.

    Both lines are right of the speech below. They are one name (`M. LUCILLE`, `WILLIAMS`), or two speakers if each has cues of
    its own.
    """
    lines, cues = script.lines, script.cues
    pairs = [number for number in range(len(lines) - 2) if _is_wrapped_cue(number, script)]
    seconds = {number + 1 for number in pairs}
    alone = Counter(
        cue.key
        for number, cue in enumerate(cues[:-1])
        if cue is not None and number not in seconds and script.is_text(number + 1) and cues[number + 1] is None
    )
    for number in pairs:
        first, second = cues[number], cues[number + 1]
        if first is None or second is None:
            continue
        if alone[first.key] > 1 and alone[second.key] > 1:
            joined: SpeakerCue | None = SpeakerCue((*first.names, *second.names), second.continued, second.colon)
        else:
            body = lines[number].body
            joined = parse_cue(f"{body}{'' if body.endswith('-') else ' '}{lines[number + 1].body}")
        if joined is not None:
            cues[number], cues[number + 1] = None, joined
            script.kinds[number] = "c"


def _is_wrapped_cue(number: int, script: Script) -> bool:
    first, second, speech = script.lines[number : number + 3]
    one, two, three = script.cues[number : number + 3]
    if one is None or two is None or three is not None or one.colon or one.continued or not script.is_text(number + 2):
        return False
    if "(" in first.body or not first.gap or second.gap or speech.gap or abs(first.indent - second.indent) > _MAX_APART:
        return False
    return speech.indent + _MIN_DEPTH <= min(first.indent, second.indent) and not speech.body.isupper()


def close_remarks(script: Script) -> None:
    """Close, in place, the parentheticals that are only told from the speech by their column: `(as`, `he goes`, then speech."""
    lines = script.lines
    for number, line in enumerate(lines):
        if line.body[0] != "(" or ")" in line.body or script.kinds[number] != "t":
            continue
        last = number
        while last + 1 < len(lines) and last - number < _MAX_REMARK_LINES and lines[last + 1].indent >= line.indent:
            last += 1
        inside = lines[number + 1 : last + 1]
        if any("(" in each.body or ")" in each.body or each.gap for each in inside):
            continue
        if set(script.kinds[number : last + 2]) != {"t"} or last + 1 == len(lines) or lines[last + 1].gap:
            continue
        if lines[last + 1].indent <= line.indent - _MIN_REMARK_DEPTH:
            lines[last] = lines[last]._replace(body=f"{lines[last].body})")


def closes_remark(number: int, script: Script) -> bool:
    """Tell whether the parenthesis that a line opens is closed within a few lines, and before another one opens.

    A remark in a column of its own may have more lines.
    """
    column = script.lines[number].indent
    for after in range(number + 1, min(number + MAX_LONG_REMARK, len(script.lines))):
        line = script.lines[after]
        if script.kinds[after] not in "tf":
            return False
        if after - number >= _MAX_REMARK_LINES and (column < _MIN_REMARK_DEPTH or abs(line.indent - column) > 1):
            return False
        before, closing, _ = line.body.partition(")")
        if closing or "(" in before:
            return "(" not in before
    return False


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


def join_lines(first: Line, second: Line) -> Line:
    """Return two lines of a cue as one."""
    return second._replace(body=f"{first.body} {second.body}", raw=f"{first.raw.strip()} {second.raw.strip()}", gap=first.gap)
