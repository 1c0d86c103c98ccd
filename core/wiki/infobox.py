"""Reads a wiki page's infobox (Fandom's portable infobox, MediaWiki's table) and its categories."""

from urllib.parse import unquote

from lxml import etree

from core.wiki.inline_text import join_inline
from core.wiki.markup import select, text_of
from core.wiki.page import clean_text

_FIELDS = etree.XPath(
    "(//aside[contains(@class, 'portable-infobox')])[1]//*[contains(concat(' ', @class, ' '), ' pi-data-value ')]"
)
_ROWS = etree.XPath("(//table[contains(concat(' ', @class, ' '), ' infobox ')])[1]//tr[th][td]")
_CATEGORIES = etree.XPath(
    "//*[contains(@class, 'page-header__categories')]//a[not(contains(@class, 'dropdown'))] | //*[@id='catlinks']"
    "//*[contains(@class, 'mw-normal-catlinks')]//li//a | //*[@id='articleCategories']//li[contains(@class, 'category')]//a"
)


def read_infobox(document: etree._Element) -> dict[str, tuple[str, ...]]:
    """Return the infobox's fields by label, with one value per line or list entry; {} if the page has no infobox."""
    fields: dict[str, tuple[str, ...]] = {}
    for value in select(_FIELDS, document):
        _add(fields, _find_label(value), value)
    for row in select(_ROWS, document):
        for header, value in zip(row.iter("th"), row.iter("td"), strict=False):
            _add(fields, text_of(header), value)
    return fields


def read_categories(document: etree._Element) -> tuple[str, ...]:
    """Return the names of the page's categories, in order."""
    return tuple(
        dict.fromkeys(
            unquote(href.rsplit("Category:", 1)[1]).replace("_", " ")
            for link in select(_CATEGORIES, document)
            if "Category:" in (href := link.get("href") or "")
        )
    )


def _find_label(value: etree._Element) -> str:
    """Return a field's own label; in a table its caption and column heading ("caption: heading"), or whichever exists."""
    parent = value.getparent()
    for sibling in value.itersiblings(preceding=True):
        if "pi-data-label" in (sibling.get("class") or ""):
            return text_of(sibling)
    source = value.get("data-source") or (parent.get("data-source") if parent is not None else None) or ""
    table = next(value.iterancestors("table"), None)
    if table is None:
        return source
    parts = [text_of(part) for part in table.iter("caption", "th") if part.get("data-source") in (None, source)]
    return ": ".join(filter(None, parts)) or source


def _add(fields: dict[str, tuple[str, ...]], label: str, value: etree._Element) -> None:
    label = clean_text(label)
    values = _lines(value)
    if label and values:
        fields[label] = fields.get(label, ()) + values


def _lines(element: etree._Element) -> tuple[str, ...]:
    """Return the text of each line and list entry."""
    lines: list[list[str]] = [[]]
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            if node.tag in ("br", "li", "p", "div"):
                lines.append([])
            if node.text and node.tag not in ("style", "script"):
                lines[-1].append(node.text)
        elif node is not element and node.tail:
            lines[-1].append(node.tail)
    return tuple(text for line in lines if (text := clean_text(join_inline(line))))
