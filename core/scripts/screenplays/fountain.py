"""Reads the marks of Fountain, a plain-text form of screenplays, so that the rest is a script like any other.

Reference: https://fountain.io/syntax
"""

import re

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
_NOTE = re.compile(r"\[\[[^\[\]]{0,2000}\]\]")
_STRUCTURE = re.compile(r"(?:#{1,6}\s|=\s|={3,}\s*$)")
_HEADING = re.compile(r"\.(?=[^\W_])")
_SCENE_NUMBER = re.compile(r"[ \t]#[^\s#]{1,20}#[ \t]*$")
_EMPHASIS = (
    re.compile(r"(?<![\w\\*])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*\\])\1(?![\w*])"),
    re.compile(r"(?<![\w\\])(_)(?=[^\s_])([^_\n]*[^\s_\\])\1(?!\w)"),
)


def read_fountain(text: str, sure: bool = False) -> tuple[str, frozenset[int]]:
    """Return a text without the marks of Fountain, and the numbers of the lines that it forces to be headings.

    Notes, sections, synopses, the title page and comments are left out; their lines stay, empty. A title page ends at a blank
    line, or at one that is neither indented nor has a key. Fountain begins with a title page (`Title: …`), or has three kinds of
    its marks; other text is returned as it is, unless it is `sure`ly Fountain.
    """
    if not sure and not _is_fountain(text):
        return text, frozenset()
    lines = _NOTE.sub(lambda match: "\n" * match[0].count("\n"), _drop_comments(text)).split("\n")
    headings: set[int] = set()
    in_title_page = _TITLE_PAGE.match(text.lstrip()) is not None
    begun = False
    for number, line in enumerate(lines):
        body = line.strip()
        begun = begun or bool(body)
        if in_title_page and begun:
            in_title_page = bool(body) and (line[0].isspace() or _KEY.match(line) is not None)
        if in_title_page:
            lines[number] = ""
            continue
        if body.endswith("#"):
            line = _SCENE_NUMBER.sub("", line)
        if "*" in line or "_" in line:
            line = _drop_emphasis(line)
        lines[number], body = line, line.strip()
        if body.startswith("@"):
            lines[number] = line.replace("@", "", 1).upper()
        elif _STRUCTURE.match(body) is not None:
            lines[number] = ""
        elif body.startswith((">", "!", "~")):
            lines[number] = body[1:].removesuffix("<").strip()
        elif _HEADING.match(line) is not None:
            lines[number] = line[1:]
            headings.add(number)
    return "\n".join(lines), frozenset(headings)


def _is_fountain(text: str) -> bool:
    head = text.lstrip()[:2000].split("\n")
    keys = sum(_TITLE_PAGE.match(line) is not None for line in head)
    if keys >= 2 and _TITLE_PAGE.match(head[0]) is not None:
        return True
    return sum(mark.search(text) is not None for mark in _MARKS) >= _MIN_MARKS


def _drop_emphasis(line: str) -> str:
    for pattern in _EMPHASIS:
        line = pattern.sub(r"\2", line)
    return line


def _drop_comments(text: str) -> str:
    """Return a text without what stands between `/*` and `*/`, but with its line breaks."""
    kept: list[str] = []
    start = 0
    while (begin := text.find("/*", start)) >= 0 and (end := text.find("*/", begin + 2)) >= 0:
        kept += [text[start:begin], "\n" * text.count("\n", begin, end)]
        start = end + 2
    return "".join([*kept, text[start:]])
