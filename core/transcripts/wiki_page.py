"""Reads wiki pages: saved Fandom pages of any age, MediaWiki pages and the HTML of `action=parse`.

lxml rather than selectolax: 40 MB/s are enough, it refuses nesting beyond 256 levels, and it is a dependency already.
"""

import re
from urllib.parse import unquote

from lxml import etree

from core.errors import SourceError
from core.transcripts.recap_page import Block, RecapPage, clean_text, name_title
from core.transcripts.wiki_infobox import read_categories, read_infobox
from core.transcripts.wiki_text import join_inline

MAX_TAG = 4096
"""Characters of one tag outside quotes. The parser is quadratic in a tag's attributes; real pages stay below 600."""

_SCRIPT = re.compile(r"<(script|style|noscript)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"""<[a-zA-Z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+""")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BREAKING = frozenset(
    "address article blockquote center dd details div dl dt fieldset footer header hr li main ol p pre section summary table tbody td tfoot "
    "th thead tr ul".split()
)
_DROPPED = frozenset(
    "aside audio button canvas embed figcaption figure form head iframe img input link map math meta nav noscript object script select "
    "style svg template textarea video".split()
)
_DROPPED_CLASSES = frozenset(
    "ambox article-thumb catlinks editsection gallery gallerybox hatnote infobox magnify mbox metadata mw-cite-backlink mw-editsection "
    "mw-collapsible-toggle mw-indicators mw-jump-link navbox noprint portable-infobox printfooter reference references reflist "
    "rellink stub thumb thumbcaption thumbinner toc toctitle vertical-navbox wikia-gallery wikia-slideshow media-gallery-wrapper".split()
)
_NAMESPACES = frozenset(
    "category file forum help image media mediawiki message_wall module portal project special template thread user user_blog wikipedia".split()
)
_ROOT = etree.XPath("(//*[@id='mw-content-text'] | //*[contains(concat(' ', @class, ' '), ' mw-parser-output ')])[1] | /html/body")
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
    """Read a wiki page's content into headings and paragraphs, without navigation, adverts, edit links, foot-note marks and captions.

    Args:
        name: the file's name, for messages and, where the page states none, the title.
        text: the HTML; 250 kB take about 5 ms.
        title: the page's title where it is known from elsewhere, as with `action=parse`.

    Raises:
        SourceError: a tag or the nesting is beyond what wikis write, or there is no HTML.
    """
    document = _parse(name, text)
    roots = _ROOT(document)
    if not roots:
        raise SourceError(f"{name}: no HTML body found in {len(text)} characters; expected a saved wiki page")
    reader = _BlockReader()
    reader.read(roots[-1] if roots[-1].tag != "body" else roots[0])
    reader.flush(0)
    return RecapPage(title or _find_title(name, document), tuple(reader.blocks), read_infobox(document), read_categories(document))


def _parse(name: str, text: str) -> etree._Element:
    text = _SCRIPT.sub("", text)
    for match in _TAG.finditer(text):
        if match.end() - match.start() > MAX_TAG and len(_QUOTED.sub("", match.group())) > MAX_TAG:
            raise SourceError(f"{name}: a tag of {match.end() - match.start()} characters at {match.start()}; expected at most {MAX_TAG}")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        document = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.LxmlError as error:
        raise SourceError(f"{name}: cannot be read as HTML: {error}; expected a saved wiki page") from error
    if document is None:
        raise SourceError(f"{name}: an empty page; expected a saved wiki page")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise SourceError(f"{name}: elements nested deeper than 256; expected a saved wiki page")
    return document


def _find_title(name: str, document: etree._Element) -> str:
    for path in _TITLES:
        for element in path(document):
            if words := clean_text(join_inline(list(element.itertext()))):
                return re.split(r" [|–-] ", words)[0] if element.tag == "title" else words
    return name_title(name)


class _BlockReader:
    """Walks the content and collects blocks; the depth is bounded by the parser."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._links: dict[str, None] = {}

    def flush(self, level: int) -> None:
        """End the running paragraph or heading."""
        if self._pieces:
            if text := clean_text(join_inline(self._pieces)):
                self.blocks.append(Block(level, text, tuple(self._links)))
            self._pieces, self._links = [], {}

    def read(self, element: etree._Element) -> None:
        """Read an element's content; its tail belongs to its parent."""
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
                self.read(child)
            if child.tail:
                self._pieces.append(child.tail)
        if breaking:
            self.flush(level)


def _is_dropped(element: etree._Element) -> bool:
    if element.tag in _DROPPED:
        return True
    classes = element.get("class")
    if classes and not _DROPPED_CLASSES.isdisjoint(classes.split()) or classes and "quotebox" in classes:
        return True
    return element.tag == "sup" and "".join(element.itertext()).lstrip().startswith("[")


def _page_of(link: etree._Element) -> str:
    """Return the title of the wiki's own page that a link leads to, "" for other links."""
    target = link.get("href") or ""
    if not target.startswith("/wiki/"):
        return ""
    page = unquote(re.split(r"[?#]", target[6:], maxsplit=1)[0])
    return "" if page.split(":")[0].lower() in _NAMESPACES and ":" in page else page.replace("_", " ")
