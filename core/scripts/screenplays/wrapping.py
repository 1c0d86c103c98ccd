"""Mends what lines break: headings and speaker cues of two lines, and parentheticals that nobody closed."""

import re
from collections import Counter
from collections.abc import Sequence

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
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


def find_wrapped_headings(
    lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], established: frozenset[str]
) -> set[int]:
    """Return the numbers of the lines that go on with the heading above them.

    Such a line is in capitals right below a heading that has no room for its first word or ends openly, a blank line follows,
    and it names no speaker of the script.
    """
    found: set[int] = set()
    for number, line in enumerate(lines):
        if kinds[number] != "t" or line.gap or not line.body.isupper() or not number:
            continue
        above = number - 1
        if kinds[above] != "h" and above not in found:
            continue
        if number > _MAX_HEADING_LINES and all(before in found for before in range(number - _MAX_HEADING_LINES + 1, number)):
            continue
        if (cue := cues[number]) is not None and cue.key in established:
            continue
        heading = lines[above].body
        full = len(heading) + 1 + len(line.body.partition(" ")[0]) >= _MIN_WRAPPED
        ends = number + 1 == len(lines) or lines[number + 1].gap > 0 or lines[number + 1].body.isupper()
        if ends and (full or _OPEN_END.search(heading) is not None):
            found.add(number)
    return found


def join_wrapped_cues(lines: Sequence[Line], kinds: list[str], cues: list[SpeakerCue | None]) -> None:
    """Join cues of two lines, in place: the second line's cue becomes that of both, and the first line's kind becomes `c`.

    Both lines are right of the speech below. They are one name (`M. LUCILLE`, `WILLIAMS`), or two speakers if each has cues of
    its own.
    """
    pairs = [number for number in range(len(lines) - 2) if _is_wrapped_cue(number, lines, kinds, cues)]
    if not pairs:
        return
    seconds = {number + 1 for number in pairs}
    alone = Counter(
        cue.key
        for number, cue in enumerate(cues[:-1])
        if cue is not None and number not in seconds and kinds[number + 1] == "t" and cues[number + 1] is None
    )
    for number in pairs:
        first, second = cues[number], cues[number + 1]
        if first is None or second is None:
            continue
        if alone[first.key] > 1 and alone[second.key] > 1:
            joined: SpeakerCue | None = SpeakerCue((*first.names, *second.names), second.continued, second.colon)
        else:
            body = lines[number].body
            joined = parse_cue(f"{body.removesuffix('-')}{'-' if body.endswith('-') else ' '}{lines[number + 1].body}")
        if joined is not None:
            cues[number], cues[number + 1] = None, joined
            kinds[number] = "c"


def _is_wrapped_cue(number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None]) -> bool:
    first, second, speech = lines[number : number + 3]
    one, two = cues[number], cues[number + 1]
    if one is None or two is None or one.colon or one.continued or "(" in first.body or kinds[number + 2] != "t":
        return False
    if (
        cues[number + 2] is not None
        or not first.gap
        or second.gap
        or speech.gap
        or abs(first.indent - second.indent) > _MAX_APART
    ):
        return False
    return speech.indent + _MIN_DEPTH <= min(first.indent, second.indent) and not speech.body.isupper()


def close_remarks(lines: list[Line], kinds: Sequence[str]) -> None:
    """Close, in place, the parentheticals that are only told from the speech by their column: `(as`, `he goes`, then speech."""
    for number, line in enumerate(lines):
        if line.body[0] != "(" or ")" in line.body or kinds[number] != "t":
            continue
        last = number
        while last + 1 < len(lines) and last - number < _MAX_REMARK_LINES and lines[last + 1].indent >= line.indent:
            last += 1
        inside = lines[number + 1 : last + 1]
        after = lines[last + 1 : last + 2]
        if any("(" in each.body or ")" in each.body or each.gap for each in inside) or set(kinds[number : last + 2]) != {"t"}:
            continue
        if after and not after[0].gap and after[0].indent <= line.indent - _MIN_REMARK_DEPTH:
            lines[last] = lines[last]._replace(body=f"{lines[last].body})")


def closes_remark(number: int, lines: Sequence[Line], kinds: Sequence[str]) -> bool:
    """Tell whether the parenthesis that a line opens is closed within a few lines, and before another one opens.

    A remark in a column of its own may have more lines.
    """
    column = lines[number].indent
    for after in range(number + 1, min(number + MAX_LONG_REMARK, len(lines))):
        if kinds[after] not in "tf":
            return False
        if after - number >= _MAX_REMARK_LINES and (column < _MIN_REMARK_DEPTH or abs(lines[after].indent - column) > 1):
            return False
        before, closing, _ = lines[after].body.partition(")")
        if "(" in before:
            return False
        if closing:
            return True
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
