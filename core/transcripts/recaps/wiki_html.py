"""Parses wiki pages that come from anywhere: bounded, without network, entities or scripts."""

import re
from typing import cast

from lxml import etree

from core.errors import SourceError
from core.transcripts.recaps.inline_text import join_inline
from core.transcripts.recaps.page import clean_text

MAX_TAG = 4096
"""Characters of one tag outside quotes. The parser is quadratic in a tag's attributes; real pages stay below 600."""

_UNREAD = re.compile(r"<(/?)(script|style|noscript)\b", re.IGNORECASE)
_TAG = re.compile(r"""<[a-zA-Z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+""")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")


def parse_html(name: str, text: str) -> etree._Element:
    """Parse an HTML page; what is broken in it is mended as a browser would.

    Raises:
        SourceError: the page is empty, or a tag or the nesting is beyond what wikis write.
    """
    text = drop_scripts(text)
    for match in _TAG.finditer(text):
        if match.end() - match.start() > MAX_TAG and len(_QUOTED.sub("", match.group())) > MAX_TAG:
            length = match.end() - match.start()
            raise SourceError(f"{name}: a tag of {length} characters at {match.start()}; expected at most {MAX_TAG}")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        document = cast("etree._Element | None", etree.fromstring(text.encode("utf-8", "replace"), parser))
    except etree.LxmlError as error:
        raise SourceError(f"{name}: cannot be read as HTML: {error}; expected a saved wiki page") from error
    if document is None:
        raise SourceError(f"{name}: an empty page; expected a saved wiki page")
    for entry in parser.error_log:
        if entry.type_name == "ERR_RESOURCE_LIMIT":
            raise SourceError(f"{name}: beyond the parser's limits: {entry.message}; expected a saved wiki page")
    return document


def drop_scripts(text: str) -> str:
    """Cut scripts, styles and noscript parts out, in one pass; an unclosed one is left to the parser."""
    kept: list[str] = []
    start = 0
    opened: tuple[str, int] | None = None
    for match in _UNREAD.finditer(text):
        closing, tag = bool(match[1]), match[2].lower()
        if opened is None and not closing:
            opened = tag, match.start()
        elif opened is not None and closing and tag == opened[0]:
            kept.append(text[start : opened[1]])
            end = text.find(">", match.end())
            start, opened = (end + 1 if end >= 0 else len(text)), None
    return "".join((*kept, text[start:]))


def select(path: etree.XPath, element: etree._Element) -> list[etree._Element]:
    """Return the elements that an XPath finds."""
    return cast("list[etree._Element]", path(element))


def text_of(element: etree._Element) -> str:
    """Return an element's text on one line."""
    return clean_text(join_inline([str(piece) for piece in element.itertext()]))
