"""Reads the lines of a raw screenplay: without mark-up, with their indentation, and two columns one after the other."""

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from core.scripts.screenplays.cues import parse_cue

_TAG = re.compile(
    r"</?(?:a|b|i|u|p|br|hr|em|strong|pre|font|span|div|center|td|tr|table|body|head|html|title|script|meta|link|h[1-6])\b"
    r"[^<>]{0,300}>|<!--[^<>]{0,300}-->",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"([*_]{1,3})([^\s*_](?:.*[^\s*_])?)\1")  # of Markdown
_TAB_WIDTH = 8
_MAX_INDENT = 200  # only this many characters of a line are searched for tabs and indentation


class Line(NamedTuple):
    """A line that is not blank. It is a tuple for speed: a collection of screenplays has a million lines.

    `number` is the 0-based line number. `raw` is the line as typed; `body` is the line without mark-up, indentation and revision
    marks. `indent` is in columns, with tabs expanded. `gap` is the number of blank lines before.
    """

    number: int
    raw: str
    body: str
    indent: int
    gap: int


def read_lines(text: str) -> list[Line]:
    """Return the lines of a screenplay that are not blank, in linear time."""
    lines: list[Line] = []
    gap = 0
    for number, raw in enumerate(text.split("\n")):
        line = _clean(raw) if "<" in raw or "&" in raw or "\xa0" in raw else raw
        body = line.strip()
        if body[-1:] == "*" or body[:1] == "*":
            body = _drop_revision_marks(body) if body.strip("*") else ""
        if not body:
            gap += 1
            continue
        if body[0] in "*_" and (emphasis := _EMPHASIS.fullmatch(body)) is not None:
            body = emphasis[2]
        lines.append(Line(number, raw, body, _indent(line), gap))
        gap = 0
    return lines


def _drop_revision_marks(body: str) -> str:
    """Drop the stars in the margins: before a space, and after a tab or two spaces."""
    start = body.lstrip("*")
    if len(start) < len(body) and start[0].isspace():
        body = start.lstrip()
    text = body.rstrip("*")
    if len(text) < len(body) and (text.endswith("\t") or (text[-1:].isspace() and text[-2:-1].isspace())):
        body = text.rstrip()
    return body


def _clean(raw: str) -> str:
    line = _TAG.sub("", raw) if "<" in raw else raw
    if "&" in line:
        line = unescape(line)
    return line.replace("\xa0", " ")


def _indent(line: str) -> int:
    if not line[0].isspace():
        return 0
    start = line[:_MAX_INDENT].lstrip("\f\v")
    if "\t" in start:
        start = start.expandtabs(_TAB_WIDTH)
    return len(start) - len(start.lstrip())


_MAX_WIDTH = 160  # characters; a longer line is not one line of a page
_CUES_APART = re.compile(r"(\S.*?\S)\s{6,}(\S.*)")
_WORDS_APART = re.compile(r"(\S.*?)\s{3,}(\S.*)")


def part_columns(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with each pair of side-by-side speeches as two speeches in a row. Other lines are unchanged.

    Such a pair begins with a line of two names that are far apart, and at least one line below is in two columns too. It ends
    at a blank line.
    """
    starts = [number for number, line in enumerate(lines) if line.gap or not number]
    blocks = (lines[start:stop] for start, stop in pairwise([*starts, len(lines)]))
    return [line for block in blocks for line in _part(block) or block]


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
