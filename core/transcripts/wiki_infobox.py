"""Reads a wiki page's infobox (Fandom's portable infobox, MediaWiki's table) and its categories."""

from lxml import etree

from core.transcripts.recap_page import clean_text
from core.transcripts.wiki_text import join_inline

_FIELDS = etree.XPath("(//aside[contains(@class, 'portable-infobox')])[1]//*[contains(concat(' ', @class, ' '), ' pi-data-value ')]")
_ROWS = etree.XPath("(//table[contains(concat(' ', @class, ' '), ' infobox ')])[1]//tr[th][td]")
_LABEL = etree.XPath("string(../*[contains(@class, 'pi-data-label')])")
_HEADER = etree.XPath("string((ancestor::table[1]//th[@data-source=$source] | ancestor::table[1]//caption)[last()])")
_CATEGORIES = etree.XPath(
    "//*[contains(@class, 'page-header__categories')]//a[not(contains(@class, 'dropdown'))] | //*[@id='catlinks']"
    "//*[contains(@class, 'mw-normal-catlinks')]//li//a | //*[@id='articleCategories']//li[contains(@class, 'category')]//a"
)


def read_infobox(document: etree._Element) -> dict[str, tuple[str, ...]]:
    """Return the infobox's fields: label to values, one value per line or list entry; {} where the page has none."""
    fields: dict[str, tuple[str, ...]] = {}
    for value in _FIELDS(document):
        source = value.get("data-source") or ""
        label = _LABEL(value) or (_HEADER(value, source=source) if value.tag == "td" else "")
        _add(fields, label or source or (value.getparent().get("data-source") or ""), value)
    for row in _ROWS(document):
        _add(fields, "".join(row.find("th").itertext()), row.find("td"))
    return fields


def read_categories(document: etree._Element) -> tuple[str, ...]:
    """Return the names of the page's categories, in order."""
    return tuple(
        dict.fromkeys(
            link.get("href").rsplit("Category:", 1)[1].replace("_", " ")
            for link in _CATEGORIES(document)
            if "Category:" in (link.get("href") or "")
        )
    )


def _add(fields: dict[str, tuple[str, ...]], label: str, value: etree._Element) -> None:
    label = clean_text(label)
    values = _lines(value)
    if label and values:
        fields[label] = fields.get(label, ()) + values


def _lines(element: etree._Element) -> tuple[str, ...]:
    """Return the texts between line breaks and list entries."""
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
