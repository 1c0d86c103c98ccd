"""Reads wiki pages: saved Fandom pages of any age, MediaWiki pages and the HTML of `action=parse`, with infoboxes and categories.

The HTML is of untrusted origin: it is parsed with limits on its size and without network, entities or scripts.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import cast
from urllib.parse import unquote

from lxml import etree

from core.errors import SourceError
from core.wiki.page import Block, RecapPage, clean_text, join_inline, name_title

MAX_TAG = 4096
"""Characters of a tag outside quotes (real ones stay below 600): the parser's time is quadratic in the attributes of a tag."""

_UNREAD = re.compile(r"<(/?)(script|style|noscript)\b", re.IGNORECASE)
_TAG = re.compile(r"""<[a-zA-Z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+""")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")


def parse_html(name: str, text: str) -> etree._Element:
    """Parse an HTML page; broken mark-up is repaired as a browser would repair it."""
    text = drop_scripts(text)
    for match in _TAG.finditer(text):
        if match.end() - match.start() > MAX_TAG and len(_QUOTED.sub("", match.group())) > MAX_TAG:
            tag = f"a tag of {match.end() - match.start()} characters at character {match.start()}"
            raise SourceError(f"{name}: {tag}; expected at most {MAX_TAG}. Check that this is a saved wiki page")
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


_BOX = etree.XPath("(//aside[contains(@class, 'portable-infobox')])[1]")
_ROWS = etree.XPath("(//table[contains(concat(' ', @class, ' '), ' infobox ')])[1]//tr[th][td]")
# One walk over the links: libxml2 sorts what a union finds in a time that grows with the square of the number of siblings.
_CATEGORIES = etree.XPath(
    "//a[(ancestor::*[contains(@class, 'page-header__categories')] and not(contains(@class, 'dropdown')))"
    " or ancestor::li[ancestor::*[contains(@class, 'mw-normal-catlinks')][ancestor::*[@id='catlinks']]]"
    " or ancestor::li[contains(@class, 'category')][ancestor::*[@id='articleCategories']]]"
)
_MAX_HEADINGS = 20  # of a table's captions and headings that belong to all columns, and of those that belong to one


def read_infobox(document: etree._Element) -> dict[str, tuple[str, ...]]:
    """Return the infobox's fields by label, with one value per line or list entry; {} if the page has no infobox."""
    fields: dict[str, list[str]] = {}
    for box in select(_BOX, document):
        for label, value in _read_fields(box):
            _add(fields, label, value)
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


def _read_fields(box: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield the values of a portable infobox, each with its label; in a table that is its caption and its column's heading.

    Every label and every table is read once.
    """
    labels: dict[etree._Element | None, str] = {}  # by parent, the last one so far
    find_headings = cache(_list_headings)
    for element in box.iterdescendants():
        parent, classes = element.getparent(), element.get("class") or ""
        if "pi-data-value" in classes.split():
            source = element.get("data-source") or (parent.get("data-source") if parent is not None else None) or ""
            table = None if parent in labels else next(element.iterancestors("table"), None)
            headings = find_headings(table) if table is not None else {}
            heading = ": ".join(text for _, text in sorted([*headings.get(None, []), *headings.get(source, [])]) if text)
            yield labels.get(parent, heading or source), element
        if "pi-data-label" in classes:
            labels[parent] = text_of(element)


def _list_headings(table: etree._Element) -> dict[str | None, list[tuple[int, str]]]:
    """Return a table's captions and headings with their places, by the column that they are of (None: all)."""
    headings: dict[str | None, list[tuple[int, str]]] = {}
    for place, part in enumerate(table.iter("caption", "th")):
        of_source = headings.setdefault(part.get("data-source"), [])
        if len(of_source) < _MAX_HEADINGS:
            of_source.append((place, text_of(part)))
    return headings


def _add(fields: dict[str, list[str]], label: str, value: etree._Element) -> None:
    if (label := clean_text(label)) and (values := _lines(value)):
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


_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BREAKING = frozenset((
    "address", "article", "blockquote", "center", "dd", "details", "div", "dl", "dt", "fieldset", "footer", "header", "hr", "li",
    "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))  # fmt: skip
_DROPPED = frozenset((
    "aside", "audio", "button", "canvas", "embed", "figcaption", "figure", "form", "head", "iframe", "img", "input", "link",
    "map", "math", "meta", "nav", "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "video",
))  # fmt: skip
_DROPPED_CLASSES = frozenset((
    "ambox", "article-thumb", "catlinks", "editsection", "gallery", "gallerybox", "hatnote", "infobox", "magnify",
    "mbox", "metadata", "mw-cite-backlink", "mw-editsection", "mw-collapsible-toggle", "mw-indicators", "mw-jump-link",
    "navbox", "noprint", "portable-infobox", "printfooter", "reference", "references", "reflist", "rellink", "stub",
    "thumb", "thumbcaption", "thumbinner", "toc", "toctitle", "vertical-navbox", "wikia-gallery", "wikia-slideshow",
    "media-gallery-wrapper",
))  # fmt: skip
_FURNITURE_NAMES = frozenset((
    "banner", "breadcrumb", "breadcrumbs", "footer", "header", "login", "menu", "nav", "navbar", "navigation", "sidebar",
    "site-footer", "site-header", "topbar",
))  # fmt: skip
"""Classes and ids of the furniture of a page without a wiki's content element."""
_NAMESPACES = frozenset((
    "category", "file", "forum", "help", "image", "media", "mediawiki", "message_wall", "module", "portal", "project",
    "special", "template", "thread", "user", "user_blog", "wikipedia",
))  # fmt: skip
_CONTENT = etree.XPath("//*[@id='mw-content-text' or contains(concat(' ', @class, ' '), ' mw-parser-output ')]")
_BODY = etree.XPath("/html/body")
_SPILT = etree.XPath("boolean(//*[@id='mw-content-text'] and //*[@class='mw-headline'][not(ancestor::*[@id='mw-content-text'])])")
_TITLES = tuple(
    etree.XPath(path)
    for path in (
        "//h1[contains(@class, 'page-header__title')]",
        "//*[contains(@class, 'mw-page-title-main')]",
        "//h1[@id='firstHeading']",
        "//*[contains(@class, 'pi-title')]",
        "/html/head/title",
    )
)


def read_wiki_page(name: str, text: str, title: str = "") -> RecapPage:
    """Read a wiki page's content into headings and paragraphs.

    Navigation, adverts, scripts, edit links, tables of contents, footnote marks, pictures with their captions, galleries, quote
    boxes and notices are left out.

    Args:
        name: the file's name, for messages and for the title of a page without one.
        text: the HTML; 250 kB take about 5 ms.
        title: the page's title, if it is known from elsewhere, as with `action=parse`; "" to look for it in the page.

    Raises:
        SourceError: the text is not HTML, a tag is too long, or elements are nested too deeply.
    """
    document = parse_html(name, text)
    roots = select(_CONTENT, document)
    plain = not roots
    if plain:
        _drop_furniture(document)
        roots = select(_BODY, document)
    if not roots:
        raise SourceError(f"{name}: no HTML body in {len(text)} characters; expected a saved wiki page. Save it again")
    reader = _BlockReader()
    for element in (roots[0], *(_spilt_after(roots[0]) if _SPILT(document) else ())):
        reader.read(element)
        reader.flush(0)
    title = title or _find_title(name, document)
    blocks = [block for block in reader.blocks if not (plain and block.level == 1 and block.text == title)]
    return RecapPage(title, tuple(blocks), read_infobox(document), read_categories(document))


def _drop_furniture(document: etree._Element) -> None:
    """Take navigation, headers and footers out of a plain page, but for those that hold its title (`h1`)."""
    for element in list(document.iter("div", "section", "ul", "table", "p")):
        names = {*(element.get("class") or "").lower().split(), (element.get("id") or "").lower()}
        if not names.isdisjoint(_FURNITURE_NAMES) and element.find(".//h1") is None:
            element.tag = "template"  # which the reader leaves out


def _find_title(name: str, document: etree._Element) -> str:
    for path in _TITLES:
        for element in select(path, document):
            if words := text_of(element):
                return re.split(r" [|–-] ", words)[0] if element.tag == "title" else words
    return name_title(name)


def _spilt_after(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements after the content element. A broken gallery can close it too early; the page then goes on behind it."""
    for element in (root, *root.iterancestors()):
        yield from (sibling for sibling in element.itersiblings() if isinstance(sibling.tag, str) and not _is_dropped(sibling))


class _BlockReader:
    """Walks the content and collects blocks. It recurses; the parser limits the depth."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._links: dict[str, None] = {}

    def flush(self, level: int) -> None:
        """End the current block; `level` is 0 for a paragraph, 1 to 6 for a heading."""
        if self._pieces:
            if text := clean_text(join_inline(self._pieces)):
                self.blocks.append(Block(level, text, tuple(self._links)))
            self._pieces, self._links = [], {}

    def read(self, element: etree._Element) -> None:
        """Read the content of an element, without the text after it."""
        tag = element.tag
        level = _HEADINGS.get(tag, 0)
        breaking = level or tag in _BREAKING
        if breaking:
            self.flush(0)
        elif tag == "a" and (link := _page_of(element)):
            self._links[link] = None
        if element.text:
            self._pieces.append(element.text)
        for child in element:
            if child.tag == "br":
                self._pieces.append(" ")
            elif isinstance(child.tag, str) and not _is_dropped(child):
                if child.tag in ("sup", "sub"):
                    self._glue(child)
                self.read(child)
            if child.tail:
                self._pieces.append(child.tail)
        if breaking:
            self.flush(level)

    def _glue(self, raised: etree._Element) -> None:
        """Join superscript or subscript text to the text before it, as in "50th" and "H2"."""
        if self._pieces and "\n" in self._pieces[-1][len(self._pieces[-1].rstrip()) :]:
            self._pieces[-1] = self._pieces[-1].rstrip()
            raised.text = (raised.text or "").lstrip()


def _is_dropped(element: etree._Element) -> bool:
    if element.tag in _DROPPED:
        return True
    classes = element.get("class")
    if classes and ("quotebox" in classes or "infobox" in classes or not _DROPPED_CLASSES.isdisjoint(classes.split())):
        return True
    return element.tag == "sup" and "".join(map(str, element.itertext())).lstrip().startswith("[")


def _page_of(link: etree._Element) -> str:
    """Return the title of the wiki page that a link leads to; "" for links elsewhere."""
    target = link.get("href") or ""
    if not target.startswith("/wiki/"):
        return ""
    page = unquote(re.split(r"[?#]", target[6:], maxsplit=1)[0])
    return "" if page.split(":")[0].lower() in _NAMESPACES and ":" in page else page.replace("_", " ")
