"""Reads recaps in plain text or wiki text, without the mark-up of wikitext: templates, tables, pictures, comments, tags."""

import re
from collections.abc import Iterable, Iterator

from core.transcripts.recaps.recap import APPARATUS_NAMES, SYNOPSIS_NAMES, fold_heading, name_kind
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
    - A line of at most 8 words between blank lines that names a part of a recap, without punctuation at its end. "Synopsis",
      "References" and the like have level 1; "Announcements", "Previously on ...", "Part II" and "Break" have level 2.
    - Such a line in capitals, whatever it says: level 1 as the first line of the text, level 2 elsewhere.

    In a text without blank lines, every line is a paragraph. `build_page` says which heading is the title.
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


_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_REFERENCE = re.compile(r"<ref\b[^<>]{0,200}(?:/>|>(?:[^<]|<(?!/?ref\b)){0,2000}+</ref\s{0,3}>)", re.IGNORECASE)
_GALLERY = re.compile(r"<(gallery|imagemap|math|score)\b[^<>]{0,200}>[^<]*+</\1>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:abbr|big|blockquote|center|cite|code|del|div|em|font|i|b|ins|includeonly|li|noinclude|nowiki|ol|onlyinclude|p|poem|"
    r"references|s|section|small|span|strong|sub|sup|tt|u|ul)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_SWITCH = re.compile(r"__[A-Z]{3,20}__")
_WEB_LINK = re.compile(r"\[(?:https?:)?//[^\s\[\]]{1,500}[^\S\n]*([^\[\]\n]{0,300})\]")
_MARKS = re.compile(r"\{\{\{(?!\{)|\{\{|\}{2,}+|\[\[|\]\]")
_ATTRIBUTES = re.compile(r"(?:\s*+[a-z-]{1,20}+\s*+=\s*+(?:\"[^\"]*+\"|[^\s|]++))++\s*+\|(?!\|)", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"(?:ref|refn|efn|sfn|note|fn|art|cite|citation|anchor|clear|main|see also|infobox|quote|quotation|cquote|dialogue|image|"
    r"spoiler|stub|toc|navbox|youtube|#\w+:)\b|-$",
    re.IGNORECASE,
)
_DEEPEST = 40  # levels of templates and links in each other
_MEDIA = re.compile(r"\s*(?:file|image|category|media)\s*:", re.IGNORECASE)


def strip_wikitext(text: str) -> str:
    """Return a page's text without mark-up, in linear time.

    A template inside a line becomes its last parameter (`{{Link|ferryman}}` → `ferryman`), unless its name says that it has no
    text of the line's. A template on lines of its own is dropped. A link becomes its text, a picture nothing, a cell a paragraph.
    """
    for pattern, written in ((_COMMENT, ""), (_REFERENCE, ""), (_GALLERY, ""), (_BREAK, "\n"), (_TAG, ""), (_SWITCH, "")):
        if "_" in text or "<" in text:
            text = pattern.sub(written, text)
    if "{{" in text or "[[" in text:
        text = _resolve(text)
    if "[" in text:
        text = _WEB_LINK.sub(r"\1", text)
    return "\n".join(map(_read_row, text.split("\n"))) if "{|" in text else text


def _resolve(text: str) -> str:
    """Replace templates and links by their text, the innermost first, in one pass. What is never closed stays as it is."""
    open_marks: list[tuple[str, list[str], int]] = []  # each with the pieces before it, and its place
    pieces: list[str] = []
    position = 0
    for match in _MARKS.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        mark = match[0]
        if mark[0] in "{[":
            if len(open_marks) < _DEEPEST:
                open_marks.append((mark, pieces, match.start()))
                pieces = []
            else:
                pieces.append(mark)
            continue
        opening = "[" if mark[0] == "]" else "{"
        left = len(mark)  # a run of braces closes as many marks as it has braces for
        while left >= 2 and open_marks and open_marks[-1][0][0] == opening:
            opened, outer, start = open_marks.pop()
            left -= min(len(opened), left)
            end = position - left
            inner = "".join(pieces)
            alone = (start == 0 or text[start - 1] == "\n") and text[end : end + 1] in {"", "\n"}
            link = "" if _MEDIA.match(inner) else inner.rpartition("|")[2]
            outer.append(link if opening == "[" else _read_template(inner, alone))
            pieces = outer
        pieces.append(mark[:left])
    unclosed = [piece for mark, outer, _ in open_marks for piece in (*outer, mark)]
    return "".join([*unclosed, *pieces, text[position:]])


def _read_template(inner: str, alone: bool) -> str:
    name, *parameters = inner.split("|")
    words = [parameter.strip() for parameter in parameters if "=" not in parameter]
    if alone or not words or _NO_TEXT.match(name.strip()):
        return ""
    return words[-1]


def _read_row(line: str) -> str:
    """Return the cells of a table's line as paragraphs; other lines stay as they are."""
    line = line.strip() if line.lstrip()[:1] in {"{", "|", "!"} else line
    if line.startswith(("{|", "|}", "|-", "|+")):
        return ""
    if not line.startswith(("|", "!")):
        return line
    cells = (_without_attributes(cell) for cell in re.split(r"\|\||!!", line[1:]))
    return "\n\n".join(["", *filter(None, cells), ""])


def _without_attributes(cell: str) -> str:
    attributes = _ATTRIBUTES.match(cell)
    return cell[attributes.end() :].strip() if attributes else cell.strip()
