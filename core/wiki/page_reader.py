"""Reads wiki pages: saved Fandom pages of any age, MediaWiki pages and the HTML of `action=parse`.

The parser is lxml, not selectolax: 40 MB/s are enough, it refuses more than 256 levels of nesting, and fabula needs it anyway.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from core.errors import SourceError
from core.wiki.infobox import read_categories, read_infobox
from core.wiki.inline_text import join_inline
from core.wiki.markup import parse_html, select, text_of
from core.wiki.page import Block, RecapPage, clean_text, name_title

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BREAKING = frozenset((
    "address", "article", "blockquote", "center", "dd", "details", "div", "dl", "dt", "fieldset", "footer", "header",
    "hr", "li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
))  # fmt: skip
_DROPPED = frozenset((
    "aside", "audio", "button", "canvas", "embed", "figcaption", "figure", "form", "head", "iframe", "img", "input",
    "link", "map", "math", "meta", "nav", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "video",
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
            parent = element.getparent()
            if parent is not None:
                element.tail, tail = None, element.tail
                _keep_tail(element, parent, tail or "")
                parent.remove(element)


def _keep_tail(element: etree._Element, parent: etree._Element, tail: str) -> None:
    """Give the text after an element to what is before it."""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail


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
