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
# One walk over the links: libxml2 sorts what a union finds in a time that grows with the square of the number of siblings.
_CATEGORIES = etree.XPath(
    "//a[(ancestor::*[contains(@class, 'page-header__categories')] and not(contains(@class, 'dropdown')))"
    " or ancestor::li[ancestor::*[contains(@class, 'mw-normal-catlinks')][ancestor::*[@id='catlinks']]]"
    " or ancestor::li[contains(@class, 'category')][ancestor::*[@id='articleCategories']]]"
)
_MAX_HEADINGS = 20  # of a table's captions and headings that belong to all columns, and of those that belong to one


def read_infobox(document: etree._Element) -> dict[str, tuple[str, ...]]:
    """Return the infobox's fields by label, with one value per line or list entry; {} if the page has no infobox.

    Runs in linear time.
    """
    fields: dict[str, list[str]] = {}
    labels = _Labels()
    for value in select(_FIELDS, document):
        _add(fields, labels.find(value), value)
    for row in select(_ROWS, document):
        for header, value in zip(row.iter("th"), row.iter("td"), strict=False):
            _add(fields, text_of(header), value)
    return {label: tuple(values) for label, values in fields.items()}


def read_categories(document: etree._Element) -> tuple[str, ...]:
    """Return the names of the page's categories, in order."""
    return tuple(
        dict.fromkeys(
            unquote(href.rsplit("Category:", 1)[1]).replace("_", " ")
            for link in select(_CATEGORIES, document)
            if "Category:" in (href := link.get("href") or "")
        )
    )


class _Labels:
    """Finds the labels of an infobox's values. Every parent, every label and every table is read once."""

    def __init__(self) -> None:
        self._before: dict[etree._Element, etree._Element | None] = {}  # the label before each child of the parents seen
        self._texts: dict[etree._Element, str] = {}
        self._tables: dict[etree._Element, dict[str | None, list[tuple[int, str]]]] = {}

    def find(self, value: etree._Element) -> str:
        """Return a field's own label; in a table its caption and column heading ("caption: heading"), or whichever exists."""
        parent = value.getparent()
        if parent is not None and (label := self._find_before(value, parent)) is not None:
            if label not in self._texts:
                self._texts[label] = text_of(label)
            return self._texts[label]
        source = value.get("data-source") or (parent.get("data-source") if parent is not None else None) or ""
        table = next(value.iterancestors("table"), None)
        return (self._find_in_table(table, source) if table is not None else "") or source

    def _find_before(self, value: etree._Element, parent: etree._Element) -> etree._Element | None:
        if value not in self._before:
            last = None
            for child in parent:
                self._before[child] = last
                if "pi-data-label" in (child.get("class") or ""):
                    last = child
        return self._before[value]

    def _find_in_table(self, table: etree._Element, source: str) -> str:
        if table not in self._tables:
            parts: dict[str | None, list[tuple[int, str]]] = {}
            for place, part in enumerate(table.iter("caption", "th")):
                of_source = parts.setdefault(part.get("data-source"), [])
                if len(of_source) < _MAX_HEADINGS:
                    of_source.append((place, text_of(part)))
            self._tables[table] = parts
        found = self._tables[table]
        return ": ".join(text for _, text in sorted([*found.get(None, []), *found.get(source, [])]) if text)


def _add(fields: dict[str, list[str]], label: str, value: etree._Element) -> None:
    label = clean_text(label)
    values = _lines(value)
    if label and values:
        fields.setdefault(label, []).extend(values)


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
