"""Reads recaps in Markdown, parsed by markdown-it-py as CommonMark with tables."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.transcripts.recaps.page import Block, RecapPage, clean_text
from core.transcripts.recaps.plain_text import build_page

# CommonMark knows neither front matter nor foot-notes.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:(?!---[ \t]*\n).*\n)*+---[ \t]*(?:\n|\Z)")
_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_NOTE = re.compile(r"^\[\^[^\]\n]{1,40}\]:.*(?:\n[ \t]+\S.*)*+", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^[^\[\]\n]{1,40}\]")

# Authors indent paragraphs and centre lines with tags: both are prose here, neither code nor raw HTML.
_PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable(["code", "html_block"])


def read_recap_markdown(name: str, text: str) -> RecapPage:
    """Read Markdown into headings and paragraphs.

    Headings are `#` lines and underlined lines; list entries and quotations are paragraphs. Front matter, comments, tags, images,
    foot-notes and the marks of emphasis and links go, their words stay. A heading that comes first and alone on its level is the
    title.
    """
    text = _NOTE.sub("", _COMMENT.sub("", _FRONT_MATTER.sub("", text.replace("\r\n", "\n"))))
    return build_page(name, _read_blocks(_PARSER.parse(_NOTE_MARK.sub("", text))))


def _read_blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    level = 0
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "heading_close":
            level = 0
        elif token.type in ("inline", "fence") and (words := clean_text(_read_text(token))).strip("="):
            yield Block(0 if "\n" in token.content else level, words)  # prose of several lines over a rule is no heading


def _read_text(token: Token) -> str:
    """Return the words of a token's text, without marks, tags and images."""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.children is None:
        return "" if token.type == "html_inline" else token.content
    return "" if token.type == "image" else "".join(map(_read_text, token.children))
