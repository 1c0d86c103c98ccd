"""Separates simultaneous speeches that are printed in two columns, and puts one after the other."""

import re
from collections.abc import Sequence

from core.scripts.screenplays.cues import parse_cue
from core.scripts.screenplays.lines import Line

_MAX_WIDTH = 160  # characters; a longer line is not one line of a page
_CUES_APART = re.compile(r"(\S.*?\S)\s{6,}(\S.*)")
_WORDS_APART = re.compile(r"(\S.*?)\s{3,}(\S.*)")


def part_columns(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with each pair of side-by-side speeches as two speeches in a row. Other lines are unchanged.

    Such a pair begins with a line of two names that are far apart, and at least one line below is in two columns too. It ends
    at a blank line.
    """
    parted: list[Line] = []
    number = 0
    while number < len(lines):
        stop = number + 1
        while stop < len(lines) and lines[stop].gap == 0:
            stop += 1
        block = lines[number:stop]
        parted += _part(block) or block
        number = stop
    return parted


def _part(block: Sequence[Line]) -> list[Line] | None:
    """Separate the two speeches in a block between blank lines; None if the block is not a pair of speeches."""
    if len(block) < 2 or any(len(line.body) > _MAX_WIDTH for line in block):
        return None
    if (names := _CUES_APART.fullmatch(block[0].body)) is None or not all(map(_is_plain_name, names.groups())):
        return None
    middle = block[0].indent + (names.end(1) + names.start(2)) // 2
    left, right = [_piece(block[0], names, 1)], [_piece(block[0], names, 2)]
    both = False
    for line in block[1:]:
        if (words := _WORDS_APART.fullmatch(line.body)) is not None:
            left.append(_piece(line, words, 1))
            right.append(_piece(line, words, 2))
            both = True
        else:
            (right if line.indent >= middle else left).append(line)
    if not both or len(left) < 2 or len(right) < 2:
        return None
    return [left[0], *left[1:], right[0]._replace(gap=1), *right[1:]]


def _piece(line: Line, match: re.Match[str], group: int) -> Line:
    return line._replace(raw=match[group], body=match[group], indent=line.indent + match.start(group))


def _is_plain_name(text: str) -> bool:
    """Tell whether a text names exactly one speaker; a scene number in the margin does not."""
    cue = parse_cue(text)
    return cue is not None and len(cue.names) == 1 and sum(map(str.isalpha, text)) >= 2 and not text[0].isdigit()
