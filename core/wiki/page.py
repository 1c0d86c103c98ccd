"""A recap page as headings and paragraphs, into which every recap format is read before it is structured; and joined mark-up.

Saved pages are often pretty-printed: "<a>Emon</a>, one" became "<a>", "Emon", "</a>", ", one" on four lines. So a line break
beside a tag may stand for a space or for nothing. The punctuation decides (`join_inline`).
"""

import re
from dataclasses import dataclass, field
from pathlib import PurePath

_JOINS_LEFT = re.compile(
    r"[.,;:!?%…)\]}”’»/]|['’](?:s|d|m|re|ll|ve|t)?\b(?!\w)|['’](?=[ ,.;:!?)]|$)|[-–—](?=[^\s])", re.IGNORECASE
)
_JOINS_RIGHT = re.compile(r"(?:[(\[{“‘«/$#]|(?<=\S)[-–—])$")


def join_inline(pieces: list[str]) -> str:
    """Join the text pieces of one paragraph: a piece is the text between two tags.

    White space without a line break becomes a space. White space with a line break becomes a space too, unless punctuation joins
    the pieces: closing punctuation and "'s" belong to the piece before, opening punctuation to the piece after, and straight
    quotes open and close by turns.
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
    at_quote = quotes % 2 == 1 and '"' in (before[-1], after[0])
    return at_quote or bool(_JOINS_LEFT.match(after) or _JOINS_RIGHT.search(before))


_MARKS = re.compile(
    r"(?<![ \u00a0])[ \u00a0]*+\[\s*+(?:edit|edit source"
    r"|expand|collapse|show|hide|src|source|!h|\d{1,3}|(?:art|note|n|nb|fn) \d{1,3}"
    r"|citation needed|spelling\?)\s*\](?!\d)|</?(?:b|br|center|div|i|p|small|span)\s*/?>",
    re.IGNORECASE,
)


_MAX_FURNITURE = 400  # characters
_FURNITURE = re.compile(
    r"from .{1,60}\bwiki(?:a|pedia)?\b.{0,40}|jump to(?::| (?=nav|search|content)).{1,80}|\(?redirected from .{1,100}"
    r"|retrieved from \W?https?://.*|categor(?:y|ies):.*|this page was last (?:edited|modified)\b.*"
    r"|edit(?: source| this page)?|(?:view|edit) (?:source|history)|community content is available under .*"
    r"|(?:privacy policy|about|disclaimers|log in|sign in|talk|main page)(?:(?: ?[|·•] ?| )(?:privacy policy|about|disclaimers|"
    r"log in|sign in|talk|main page))*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (`level` 1 to 6) or paragraph (0) of a page, cleaned, with the titles of the wiki's pages that it links to."""

    level: int
    text: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecapPage:
    """A page as a format reader returns it; `core.transcripts.recaps.recap` finds the synopsis in it."""

    title: str
    blocks: tuple[Block, ...]
    infobox: dict[str, tuple[str, ...]] = field(default_factory=dict)
    categories: tuple[str, ...] = ()

    @property
    def headings(self) -> tuple[str, ...]:
        """The texts of the page's headings, in order."""
        return tuple(block.text for block in self.blocks if block.level)


def clean_text(text: str) -> str:
    """Put a paragraph on one line, without a wiki's edit links, [Expand] buttons, footnote marks and stray tags.

    A bracket right before a digit is no mark but an editor's addition to a number, as in "the year [8]35".
    """
    return " ".join(_MARKS.sub("", text).split()) if "[" in text or "<" in text else " ".join(text.split())


def is_furniture(text: str) -> bool:
    """Tell whether a paragraph is a wiki's furniture, which a copied or saved page has: where it is from, how to edit it."""
    return len(text) <= _MAX_FURNITURE and _FURNITURE.fullmatch(text) is not None


def name_title(name: str) -> str:
    """Make a title from a file name, for pages without a title."""
    return " ".join(PurePath(name).stem.replace("_", " ").split())
