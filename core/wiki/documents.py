"""Writes a page from a wiki's API as an HTML document that names its source and can be read like a saved page."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from core.wiki.page_reader import read_wiki_page

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ROOT_LINK = re.compile(r'href="/(?![/?]|index\.php|api\.php|load\.php)')


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One revision of a page, as MediaWiki's `action=parse` returns it.

    `address` is the permanent link to the revision; `article_path` is that of the wiki's pages, as in `/wiki/$1`.
    """

    title: str
    revision: str
    html: str
    categories: tuple[str, ...]
    address: str
    article_path: str
    license_name: str
    license_url: str


def write_document(page: RenderedPage) -> str:
    """Return the page as one HTML document, always the same for the same revision: comments, into which wikis write times, go."""
    head = (
        f'<meta charset="utf-8"><title>{escape(page.title)}</title><link rel="canonical" href="{escape(page.address)}">'
        f'<link rel="license" href="{escape(page.license_url)}" title="{escape(page.license_name)}">'
        f'<meta name="revision" content="{escape(page.revision)}">'
    )
    names = (name.replace(" ", "_") for name in page.categories)
    categories = "".join(f'<li><a href="/wiki/Category:{escape(quote(name))}">{escape(name)}</a></li>' for name in names)
    body = (
        f'<h1 id="firstHeading">{escape(page.title)}</h1>\n'
        f'<div id="mw-content-text">{_point_to_wiki(_COMMENT.sub("", page.html), page.article_path)}</div>\n'
        f'<div id="catlinks"><div class="mw-normal-catlinks"><ul>{categories}</ul></div></div>'
    )
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>{body}</body></html>\n"


def extract_paragraphs(name: str, document: str) -> str:
    """Return the paragraphs of a page as plain text, separated by blank lines and without the headings."""
    return "\n\n".join(block.text for block in read_wiki_page(name, document).blocks if not block.level) + "\n"


def _point_to_wiki(html: str, article_path: str) -> str:
    prefix = article_path.partition("$1")[0]
    if prefix in ("", "/wiki/"):
        return html
    if prefix == "/":
        return _ROOT_LINK.sub('href="/wiki/', html)
    return html.replace(f'href="{escape(prefix)}', 'href="/wiki/')
