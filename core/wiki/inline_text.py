"""Joins the text pieces of inline mark-up, even where a tool put every tag on a line of its own.

Saved pages are often pretty-printed: "<a>Emon</a>, one" became "<a>", "Emon", "</a>", ", one" on four lines. So a line break
beside a tag may stand for a space or for nothing. The punctuation decides.
"""

import re

_JOINS_LEFT = re.compile(
    r"[.,;:!?%…)\]}”’»/]|['’](?:s|d|m|re|ll|ve|t)?\b(?!\w)|['’](?=[ ,.;:!?)]|$)|[-–—](?=[^\s])", re.IGNORECASE
)
_JOINS_RIGHT = re.compile(r"(?:[(\[{“‘«/$#]|(?<=\S)[-–—])$")


def join_inline(pieces: list[str]) -> str:
    """Join the text pieces of one paragraph; a piece is the text between two tags, and the pieces are in order.

    Two pieces without white space between them are joined. White space without a line break becomes a space. White space with a
    line break becomes a space too, unless punctuation joins the pieces: closing punctuation and "'s" belong to the piece before,
    opening punctuation to the piece after, and straight quotes open and close by turns.
    """
    parts: list[str] = []
    tail = ""  # the last two characters
    loose, broken = False, False
    quotes = 0
    for piece in pieces:
        words = piece.split()
        if not words:
            loose, broken = loose or bool(piece), broken or "\n" in piece
            continue
        core = " ".join(words)
        lead = piece[: len(piece) - len(piece.lstrip())]
        loose, broken = loose or bool(lead), broken or "\n" in lead
        if parts and loose and not (broken and _joins(tail, core, quotes)):
            parts.append(" ")
            tail += " "
        parts.append(core)
        tail = (tail + core)[-2:]
        quotes += core.count('"')
        trail = piece[len(piece.rstrip()) :]
        loose, broken = bool(trail), "\n" in trail
    return "".join(parts)


def _joins(before: str, after: str, quotes: int) -> bool:
    if after[0] == '"' and quotes % 2:
        return True
    if before[-1] == '"' and quotes % 2:
        return True
    return bool(_JOINS_LEFT.match(after) or _JOINS_RIGHT.search(before))
