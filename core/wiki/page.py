"""A recap page as headings and paragraphs. Every recap format is read into this form before it is structured."""

import re
from dataclasses import dataclass, field
from pathlib import PurePath

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
    """One heading or paragraph of a page, in page order.

    `level` is 0 for a paragraph or list entry, 1 to 6 for a heading. `text` is cleaned and on one line. `links` are the titles of
    the wiki's own pages that the text links to.
    """

    level: int
    text: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecapPage:
    """A page as a format reader returns it; `core.transcripts.recaps.outline` finds the synopsis in it."""

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
