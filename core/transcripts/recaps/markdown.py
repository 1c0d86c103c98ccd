"""Reads recaps in Markdown."""

import re
from collections.abc import Iterator

from core.transcripts.recaps.page import Block, RecapPage, clean_text
from core.transcripts.recaps.plain_text import build_page, join_paragraphs

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:(?!---[ \t]*\n).*\n)*+---[ \t]*(?:\n|\Z)")
_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_NOTE = re.compile(r"^\[\^[^\]\n]{1,40}\]:.*$", re.MULTILINE)
_IMAGE_OR_MARK = re.compile(r"!\[[^\[\]\n]{0,500}\]\([^()\n]{0,500}\)|\[\^[^\[\]\n]{1,40}\]")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,100}\])")
_EMPHASIS = re.compile(r"(?<![*\w])(\*{1,3}|_{1,3}|`)(?=\S)([^*_`\n]{1,500}?)(?<=\S)\1(?![*\w])")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:=+|-{2,}|(?:[*_-][ \t]*){3,40})$")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")


def read_recap_markdown(name: str, text: str) -> RecapPage:
    """Read Markdown into headings and paragraphs.

    Headings are `#` lines and underlined lines; list entries and quotations are paragraphs. Front matter, comments, images,
    foot-notes and the marks of emphasis and links go, their words stay. A heading that comes first and alone on its level is the
    title.
    """
    text = _NOTE.sub("", _COMMENT.sub("", _FRONT_MATTER.sub("", text.replace("\r\n", "\n"))))
    return build_page(name, _read_blocks(_IMAGE_OR_MARK.sub("", text).split("\n")))


def _read_blocks(lines: list[str]) -> Iterator[Block]:
    running: list[str] = []
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if match := _HEADING.match(line):
            level, heading = len(match[1]), match[2].rstrip().rstrip("#")
        elif _UNDERLINE.match(after) and line.strip() and not _UNDERLINE.match(line) and not (running and running[-1].strip()):
            level, heading = 1 if "=" in after else 2, line
        else:
            running.append("" if _RULE.match(line) else _strip_marks(_QUOTE.sub("", line)))
            continue
        yield from join_paragraphs(running)
        running = []
        if words := clean_text(_strip_marks(heading)):
            yield Block(level, words)
    yield from join_paragraphs(running)


def _strip_marks(line: str) -> str:
    plain = _LINK.sub(r"\1", line)
    return _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", plain)) if any(mark in plain for mark in "*_`") else plain
