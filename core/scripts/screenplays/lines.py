"""Reads the lines of a raw screenplay: removes mark-up, expands tabs and measures the indentation."""

import re
from html import unescape
from typing import NamedTuple

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
        if not body:
            gap += 1
            continue
        if body[-1] == "*" or body[0] == "*":
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
