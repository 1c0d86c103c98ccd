"""Reads Fountain, a plain-text form of screenplays whose marks and blank lines tell what each line is.

Reference: https://fountain.io/syntax
"""

import re
from collections.abc import Iterator
from itertools import dropwhile, groupby

from core.scripts.screenplays.cues import parse_cue
from core.scripts.screenplays.headings import is_foreign_heading, is_heading, strip_scene_numbers
from core.scripts.screenplays.kinds import is_transition
from core.scripts.screenplays.tagged import Part

_TITLE_PAGE = re.compile(r"(?:Title|Credit|Authors?|Source|Draft date|Contact|Copyright|Notes|Revision):", re.IGNORECASE)
_KEY = re.compile(r"(?!FADE\b|CUT\b)[A-Za-z][A-Za-z ]{0,30}:")
_MARKS = (
    re.compile(r"(?m)^[ \t]*@[^\W\d_]"),
    re.compile(r"(?m)^\.[^\W_][^a-z\n]*$"),
    re.compile(r"(?m)^>[^<\n]+<?[ \t]*$"),
    re.compile(r"(?m)^[!~]\S"),
    re.compile(r"(?m)^#{1,6} \S"),
    re.compile(r"(?m)^={3,}[ \t]*$"),
    re.compile(r"\[\[[^\[\]]{0,2000}\]\]"),
    re.compile(r"(?m)^[ \t]*/\*"),
)
_MIN_MARKS = 3  # kinds of marks that a text without a title page has
_NOTE_LINE = re.compile(r"(?m)^[ \t]*\[\[[^\[\]]{0,2000}\]\][ \t]*\n")  # it parts no speech
_NOTE = re.compile(r"\[\[[^\[\]]{0,2000}\]\]")
_STRUCTURE = re.compile(r"(?:#{1,6}\s|=\s|={3,}\s*$)")
_HEADING = re.compile(r"\.(?=[^\W_])")
_SCENE_NUMBER = re.compile(r"[ \t]#[^\s#]{1,20}#[ \t]*$")
_EMPHASIS = (
    re.compile(r"(?<![\w\\*])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*\\])\1(?![\w*])"),
    re.compile(r"(?<![\w\\])(_)(?=[^\s_])([^_\n]*[^\s_\\])\1(?!\w)"),
)


def read_fountain(text: str, sure: bool = False) -> list[Part]:
    """Return the parts of a screenplay in Fountain; [] of other text, unless it is `sure`ly Fountain.

    Fountain begins with a title page (`Title: …`), or has three kinds of its marks. Notes, sections, synopses, comments and the
    title page are left out. Blocks between blank lines tell speech from action, as the form has it, so nothing is guessed.
    """
    if not sure and not _is_fountain(text):
        return []
    text = _NOTE.sub("", _NOTE_LINE.sub("", _drop_comments(text))).lstrip()
    lines = map(_drop_emphasis, _drop_title_page(text.split("\n")))
    blocks = groupby(lines, lambda line: bool(line.strip()) or line == "  ")  # two spaces are an empty line of a speech
    return [part for filled, block in blocks if filled for part in _read_block([line.strip() for line in block if line.strip()])]


def _drop_title_page(lines: list[str]) -> list[str]:
    """Return the lines below a title page; it ends at a blank line, or at one that is neither indented nor has a key."""
    if _TITLE_PAGE.match(lines[0]) is None:
        return lines
    return list(dropwhile(lambda line: bool(line.strip()) and (line[0].isspace() or _KEY.match(line) is not None), lines))


def _read_block(lines: list[str]) -> Iterator[Part]:
    """Yield the parts of the lines between two blank lines: headings and transitions, then a speech with its cue, or action."""
    start = 0
    for line in lines:
        if (line.startswith(">") and not line.endswith("<")) or is_transition(line):
            yield "end", "", ()
        elif _HEADING.match(line) is not None or is_heading(line) or is_foreign_heading(line):
            yield "heading", strip_scene_numbers(_SCENE_NUMBER.sub("", line.removeprefix("."))), ()
        elif _STRUCTURE.match(line) is None:
            break
        start += 1
    first, *rest = lines[start:] or [""]
    if rest and (first[0] == "@" or ((first[0].isalnum() or first[0] == "#") and parse_cue(first) is not None)):
        yield "cue", first.removeprefix("@"), ()
        yield from (("remark" if line[0] == "(" else "speech", line.removeprefix("~"), ()) for line in rest)
        yield "end", "", ()
    elif first:
        told = (line[1:].removesuffix("<").strip() if line[0] in ">!~" else line for line in (first, *rest))
        yield "action", " ".join(told), ()


def _is_fountain(text: str) -> bool:
    head = text.lstrip()[:2000].split("\n")
    keys = sum(_TITLE_PAGE.match(line) is not None for line in head)
    if keys >= 2 and _TITLE_PAGE.match(head[0]) is not None:
        return True
    return sum(mark.search(text) is not None for mark in _MARKS) >= _MIN_MARKS


def _drop_emphasis(line: str) -> str:
    if "*" in line or "_" in line:
        for pattern in _EMPHASIS:
            line = pattern.sub(r"\2", line)
        line = line.replace("\\*", "*").replace("\\_", "_")
    return line


def _drop_comments(text: str) -> str:
    """Return a text without what stands between `/*` and `*/`."""
    kept: list[str] = []
    start = 0
    while (begin := text.find("/*", start)) >= 0 and (end := text.find("*/", begin + 2)) >= 0:
        kept.append(text[start:begin])
        start = end + 2
    return "".join([*kept, text[start:]])
