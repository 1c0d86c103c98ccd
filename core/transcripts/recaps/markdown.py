"""Reads recaps in Markdown. markdown-it-py parses them as CommonMark with tables."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from core.text.decoding import drop_front_matter
from core.transcripts.recaps.plain_text import MAX_TITLE_WORDS, build_page
from core.transcripts.recaps.recap import name_kind
from core.wiki.page import Block, RecapPage, clean_text

# CommonMark has no footnotes, so these are removed before the parsing.
_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_NOTE = re.compile(r"^\[\^[^\]\n]{1,40}\]:.*(?:\n[ \t]+\S.*)*+", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^[^\[\]\n]{1,40}\]")

# Authors indent paragraphs and centre lines with tags. Both are prose, so the rules for indented code and HTML blocks are off.
_PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable(["code", "html_block"])

_BOLD_LEVEL = 6  # of a bold line that is a heading: below all others
MAX_INLINE = 20_000
"""Characters of a paragraph in which marks are read. The parser takes quadratic time in a paragraph's marks."""
MAX_BRACKETS = 500
"""Opening brackets of a paragraph in which marks are read: the parser looks 100 levels deep at each."""


def _parse_inline(state: StateCore) -> None:
    """Read the marks of each paragraph, as the parser's own rule does, but take one of unreasonable size as plain text."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if len(token.content) <= MAX_INLINE and token.content.count("[") <= MAX_BRACKETS:
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        else:
            token.children.append(Token("text", "", 0, content=token.content))


_PARSER.core.ruler.at("inline", _parse_inline)


def read_recap_markdown(name: str, text: str) -> RecapPage:
    """Read Markdown into headings and paragraphs.

    Headings are `#` lines and underlined lines. List entries, table cells and the paragraphs of quotations are paragraphs. Front
    matter, comments, tags, images and footnotes are removed, and so are the marks of emphasis and links, but not their words. The
    first heading is the title if no other heading has its level. A bold line that names a part of a recap is a heading too.
    """
    text = _NOTE.sub("", _COMMENT.sub("", drop_front_matter(text.replace("\r\n", "\n"))))
    return build_page(name, _read_blocks(_PARSER.parse(_NOTE_MARK.sub("", text))))


def _read_blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    level = 0
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "heading_close":
            level = 0
        elif token.type in ("inline", "fence") and (words := clean_text(_read_text(token))).strip("="):
            yield Block(0 if "\n" in token.content else level or _bold_level(token, words), words)  # lines above a rule are prose


def _bold_level(token: Token, words: str) -> int:
    """Return the level of a paragraph that is bold as a whole and names a part of a recap ("**Part 1**"); 0 for any other."""
    types = [child.type for child in token.children or () if child.type != "text" or child.content]
    bold = types == ["strong_open", "text", "strong_close"]
    return _BOLD_LEVEL if bold and len(words.split()) <= MAX_TITLE_WORDS and name_kind(words) != "other" else 0


def _read_text(token: Token) -> str:
    """Return the text of a token without marks, tags and images."""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.children is None:
        return "" if token.type == "html_inline" else token.content
    return "" if token.type == "image" else "".join(map(_read_text, token.children))
