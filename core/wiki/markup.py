"""Parses HTML of untrusted origin, with limits on its size and without network, entities or scripts."""

import re
from typing import cast

from lxml import etree

from core.errors import SourceError
from core.wiki.inline_text import join_inline
from core.wiki.page import clean_text

MAX_TAG = 4096
"""The most characters that a tag may have outside quotes. Real tags stay below 600.

The parser's time is quadratic in the number of a tag's attributes.
"""

_UNREAD = re.compile(r"<(/?)(script|style|noscript)\b", re.IGNORECASE)
_TAG = re.compile(r"""<[a-zA-Z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+""")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")


def parse_html(name: str, text: str) -> etree._Element:
    """Parse an HTML page; broken mark-up is repaired as a browser would repair it.

    Raises:
        SourceError: the page is empty, or a tag is too long, or elements are nested too deeply.
    """
    text = drop_scripts(text)
    for match in _TAG.finditer(text):
        if match.end() - match.start() > MAX_TAG and len(_QUOTED.sub("", match.group())) > MAX_TAG:
            length = match.end() - match.start()
            raise SourceError(
                f"{name}: a tag of {length} characters at character {match.start()}; expected at most {MAX_TAG}. "
                "Check that this is a saved wiki page"
            )
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        document = cast("etree._Element | None", etree.fromstring(text.encode("utf-8", "replace"), parser))
    except etree.LxmlError as error:
        raise SourceError(f"{name}: cannot be read as HTML ({error}); expected a saved wiki page. Save it again") from error
    if document is None:
        raise SourceError(f"{name}: an empty page; expected a saved wiki page. Save it again")
    for entry in parser.error_log:
        if entry.type_name == "ERR_RESOURCE_LIMIT":
            raise SourceError(f"{name}: beyond the parser's limits ({entry.message}); expected a saved wiki page. Save it again")
    return document


def drop_scripts(text: str) -> str:
    """Cut out script, style and noscript elements, in one pass. An unclosed element is left to the parser."""
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
            if end < 0:
                return "".join(kept)
            start, opened = end + 1, None
    return "".join((*kept, text[start:]))


def select(path: etree.XPath, element: etree._Element) -> list[etree._Element]:
    """Return the elements that an XPath finds."""
    return cast("list[etree._Element]", path(element))


def text_of(element: etree._Element) -> str:
    """Return an element's text on one line."""
    return clean_text(join_inline([str(piece) for piece in element.itertext()]))
