"""XML from anywhere: no document type, so that no entity is defined, expanded or fetched; no network is asked."""

import re
from typing import Any, cast

from lxml import etree

from core.errors import SourceError

_DECLARATION = re.compile(r"^\s*<\?xml[^<>]*\?>")
_MOST_TEXT = 64 * 2**20  # bytes
_MOST_UNBROKEN = 2**20  # bytes without the end of a tag: a real paragraph has some thousands


def parse_xml(name: str, content: bytes, max_bytes: int) -> "etree._Element":
    """Return the root of an XML document.

    Raises:
        SourceError: it is larger than `max_bytes`, is not well-formed, has a document type, or a tag or text of more than 1 MiB.
    """
    if len(content) > max_bytes:
        raise SourceError(f"{name}: {len(content):,} bytes, and at most {max_bytes:,} are read; is this the right file?")
    if max(map(len, content.split(b">"))) > _MOST_UNBROKEN:
        raise SourceError(f"{name}: a tag or a text of more than {_MOST_UNBROKEN:,} bytes; is this the right file?")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"{name}: not well-formed XML ({error}); the file is damaged or cut off, upload it again") from error
    if cast("Any", root.getroottree().docinfo).doctype:
        raise SourceError(f"{name}: has a document type, and entities are never read; remove the <!DOCTYPE …>")
    return root


def parse_xml_text(name: str, text: str) -> "etree._Element":
    """Return the root of an XML document that has been decoded: what its declaration says of an encoding counts no more."""
    return parse_xml(name, _DECLARATION.sub("", text).encode("utf-8", "replace"), _MOST_TEXT)
