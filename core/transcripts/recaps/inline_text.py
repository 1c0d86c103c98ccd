"""Puts the text of inline mark-up together, also where a tool has put every tag on a line of its own.

Saved pages have often been pretty-printed: "<a>Emon</a>, one" became "<a>", "Emon", "</a>", ", one" on four lines. White space
with a line break beside a tag therefore says nothing, and punctuation decides whether the words belong together.
"""

import re

_JOINS_LEFT = re.compile(
    r"[.,;:!?%…)\]}”’»/]|['’](?:s|d|m|re|ll|ve|t)?\b(?!\w)|['’](?=[ ,.;:!?)]|$)|[-–—](?=[^\s])", re.IGNORECASE
)
_JOINS_RIGHT = re.compile(r"(?:[(\[{“‘«/$#]|(?<=\S)[-–—])$")


def join_inline(pieces: list[str]) -> str:
    """Join the text pieces of one paragraph, in order, each as it stands between two tags.

    White space without a line break separates, none joins, and white space with a line break separates unless punctuation joins:
    closing punctuation and "'s" join to the left, opening punctuation to the right, straight quotes by turns.
    """
    text = ""
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
        if text and loose and not (broken and _joins(text, core, quotes)):
            text += " "
        text += core
        quotes += core.count('"')
        trail = piece[len(piece.rstrip()) :]
        loose, broken = bool(trail), "\n" in trail
    return text


def _joins(before: str, after: str, quotes: int) -> bool:
    if after[0] == '"' and quotes % 2:
        return True
    if before[-1] == '"' and quotes % 2:
        return True
    return bool(_JOINS_LEFT.match(after) or _JOINS_RIGHT.search(before))
