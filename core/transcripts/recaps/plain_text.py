"""Reads recaps in plain text or wiki text."""

import re
from collections.abc import Iterable, Iterator

from core.transcripts.recaps.kinds import fold_heading, name_kind
from core.transcripts.recaps.outline import APPARATUS_NAMES, SYNOPSIS_NAMES
from core.transcripts.recaps.wikitext import strip_wikitext
from core.wiki.page import Block, RecapPage, clean_text, name_title

MAX_TITLE_WORDS = 8
_TOP_NAMES = APPARATUS_NAMES.union(SYNOPSIS_NAMES)
_LIST_ENTRY = re.compile(r"[ \t]{0,40}(?:[-*•+#:;]{1,8}|\d{1,3}[.)])[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:={3,}|-{3,})[ \t]*$")
_CLOSING = "\"'”’»)]"
_EMPHASIS = re.compile(r"'{2,5}")


def read_recap_text(name: str, text: str) -> RecapPage:
    """Read plain text or wiki text into headings and paragraphs.

    These lines are headings:

    - "== X ==": the number of equals signs on one side is the level.
    - A line underlined with "===" (level 1) or "---" (level 2).
    - A line of at most 8 words between blank lines that names a part of a recap and has no punctuation at its end, quotation
      marks aside. "Synopsis", "References" and the like have level 1; "Announcements", "Previously on ...", "Part II" and "Break"
      have level 2.
    - Such a line in capitals that begins with a letter or digit, whatever it says: level 1 as the first line of the text, level 2
      elsewhere.

    Blank lines separate paragraphs; in a text without blank lines, every line is a paragraph. List entries are paragraphs.
    `build_page` says which heading is the title.
    """
    return build_page(name, _read_blocks(_EMPHASIS.sub("", strip_wikitext(text)).splitlines()))


def build_page(name: str, blocks: Iterable[Block]) -> RecapPage:
    """Make a page from blocks and find its title; without a title, the file name is the title.

    The first block is the title if it is a heading and all other headings have deeper levels, unless it announces the synopsis.
    A page's only heading is the title if it is the first block, has level 1 and does not name a part of a recap.
    """
    page = list(blocks)
    levels = [block.level for block in page if block.level]
    alone = len(levels) > 1 and 0 < page[0].level < min(levels[1:])
    if alone and fold_heading(page[0].text) not in SYNOPSIS_NAMES:
        return RecapPage(page[0].text, tuple(page[1:]))
    only = levels == [1] and page[0].level == 1 and len(page) > 1
    if only and fold_heading(page[0].text) not in _TOP_NAMES and name_kind(page[0].text) == "other":
        return RecapPage(page[0].text, tuple(page[1:]))
    return RecapPage(name_title(name), tuple(page))


def join_paragraphs(lines: Iterable[str]) -> Iterator[Block]:
    """Join lines into paragraphs. A paragraph ends at a blank line or a list mark; list marks are dropped."""
    running: list[str] = []
    for line in (*lines, ""):
        mark = _LIST_ENTRY.match(line)
        if (mark or not line.strip()) and (text := clean_text(" ".join(running))):
            yield Block(0, text)
        if mark or not line.strip():
            running = []
        running.append(line[mark.end() :] if mark else line)


def _read_blocks(lines: list[str]) -> Iterator[Block]:
    spaced = any(not line.strip() for line in lines)
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    running: list[str] = []
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        heading = _read_heading(line, running[-1] if running else "", after, number == first)
        if heading or not spaced:
            yield from join_paragraphs(running)
            running = []
        if heading:
            yield heading
        else:
            running.append("" if _UNDERLINE.match(line) else line)
    yield from join_paragraphs(running)


def _read_heading(line: str, before: str, after: str, opens: bool) -> Block | None:
    line = line.strip()
    if not line or _UNDERLINE.match(line):
        return None
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    if level and (words := clean_text(line.strip("="))):
        return Block(level, words)
    if before.strip():
        return None
    if _UNDERLINE.match(after):
        return Block(1 if "=" in after else 2, clean_text(line))
    if after.strip() or line.rstrip(_CLOSING)[-1:] in {"", *".,;!?"} or len(line.split()) > MAX_TITLE_WORDS:
        return None
    words = clean_text(line.rstrip(":"))
    if fold_heading(words) in _TOP_NAMES:
        return Block(1, words)
    if name_kind(words) != "other":
        return Block(2, words)
    return Block(1 if opens else 2, words) if words.isupper() and words[0].isalnum() and len(words) > 3 else None
