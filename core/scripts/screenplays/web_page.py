"""Finds what a web page has around a screenplay: code, comments of HTML, the site's titles, menus and notices."""

import re
from collections.abc import Sequence

from core.scripts.screenplays.cues import parse_cue
from core.scripts.screenplays.headings import is_heading, is_strict_heading
from core.scripts.screenplays.lines import Line, read_lines

_CODE = re.compile(
    r"""
    <!-- | (?://\s*)?--> | /\*.*\*/
  | (?:var|let|const)\s+\w+\s*= .*
  | function\s*\w*\s*\(.*\)\s*\{.*
  | \(?function\s?\(.*
  | try\s?\{ | \}\s?catch\s?\(.*
  | [{}()\[\];]*[{}][{}()\[\];]* | \}\)\(.*\);?
  | if\s?\(\s?(?:window|document|top|self|parent)\b.*
  | (?:window|document|top|self|parent|location)\.[\w.]+\s?[=(].*
  | [A-Za-z_$][\w$]*(?:\.[\w$]+)*\s?\(.*\);
  | [A-Za-z_$][\w$.]*\s?=\s?(?:new\b.*|["'\d({\[].*);(?:\s*/\*.*\*/)?
  | </?(?:div|img|script|iframe|a|ins|ul|li|form|input|noscript|style)\b.*>
  | .*(?:google_ad|adsbygoogle|_gaq\b|google-analytics|document\.write).*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SITE = re.compile(
    r"""
    .*https?://.* | .*\bwww\.[\w-]+\.\w+.* | .*\b\w+\.com\b.*
  | .*\b(?:movie|film|tv)\ (?:script|transcript)s?\ [-–—|:]\ .*            # NAME movie script - SITE
  | .*\b(?:movie\ scripts?|screenplays?|transcripts?)\ (?:and|or|&)\ (?:movie\ scripts?|screenplays?|transcripts?)\b.*
  | .*\bfair\ use\b.*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BRACKET = re.compile(
    r"(?P<opens><!--|<(?P<tag>script|style|head|title)\b)|-->|</(?P<end>script|style|head|title)>", re.IGNORECASE
)
_SENTENCE = re.compile(r"[\"“A-Z][^;{}<>=]*\s[^;{}<>=]*[.!?…\"”)]")
_CODE_MARK = re.compile(r"[;{}<>=]|\*/|google|try")
_PROSE = re.compile(r".{40,}[.!?…\"”)]")
_MAX_MENU_LINES = 6  # lines before more code that are neither code nor the site's own; a menu has fewer
_MAX_COMMENT_LINES = 40
_MAX_HEAD_LINES = 150  # lines from the first or the last one that are searched
_MAX_LINE = 2_000  # characters of a line that are looked at


def drop_web_page(lines: Sequence[Line]) -> tuple[list[Line], int]:
    """Return the lines of a screenplay without those of the web page that it was saved from, and the number of lines dropped.

    Dropped are code and comments of HTML wherever they are, and at both ends also what stands between or beside code: titles,
    menus and notices. A page without code loses nothing. A scene heading is never dropped, and ends the search.
    """
    lines, empty = _cut_mark_up(lines)
    code = _find_code(lines, empty)
    if not code:
        return lines, 0
    dropped = code | _find_page(lines, code, range(min(len(lines), _MAX_HEAD_LINES)))
    dropped |= _find_page(lines, code, range(len(lines) - 1, max(-1, len(lines) - 1 - _MAX_HEAD_LINES), -1))
    kept: list[Line] = []
    gap = 0
    for number, line in enumerate(lines):
        if number in dropped:
            gap += line.gap
        else:
            kept.append(line._replace(gap=line.gap + gap) if gap else line)
            gap = 0
    return kept, len(dropped)


def _cut_mark_up(lines: Sequence[Line]) -> tuple[list[Line], set[int]]:
    """Return the lines without comments, scripts, styles and titles of HTML, and the numbers of those with nothing else in them.

    The latter stay as they are. A comment ends at `-->` and a tag at its own end tag, a few lines below at most.
    """
    cuts: dict[int, list[tuple[int, int]]] = {}
    starts: dict[str, tuple[int, int]] = {}  # by tag; "" is a comment
    for number, line in enumerate(lines):
        if "<" not in line.raw and "-->" not in line.raw:
            continue
        if is_strict_heading(line.raw):
            starts.clear()
            continue
        for mark in _BRACKET.finditer(line.raw[:_MAX_LINE]):
            tag = (mark["tag"] or mark["end"] or "").lower()
            if mark["opens"]:
                starts[tag] = (number, mark.start())
            elif (start := starts.pop(tag, None)) is not None and _is_of_page(lines, start[0], number, mark):
                for row in range(start[0], number + 1):
                    left = start[1] if row == start[0] else 0
                    cuts.setdefault(row, []).append((left, mark.end() if row == number else len(lines[row].raw)))
    kept, empty = list(lines), set()
    for number, spans in cuts.items():
        rest = read_lines(_cut(lines[number].raw, spans))
        if rest and any(map(str.isalnum, rest[0].body)):
            kept[number] = rest[0]._replace(number=lines[number].number, gap=lines[number].gap)
        else:
            empty.add(number)
    return kept, empty


def _cut(raw: str, spans: list[tuple[int, int]]) -> str:
    """Return a line without what stands in any of the spans."""
    kept, stop = [], 0
    for left, right in sorted(spans):
        kept.append(raw[stop:left])
        stop = max(stop, right)
    return "".join([*kept, raw[stop:]])


def _is_of_page(lines: Sequence[Line], first: int, last: int, closing: re.Match[str]) -> bool:
    """Tell whether what stands from an opening mark in line `first` to a closing one in line `last` is not of the script.

    It is of the script if it holds a heading, a sentence, or a name with other text below, or if the closing mark is an arrow in
    a text. So a mark that nobody closed does no harm.
    """
    if first == last:
        return True
    before, after = closing.string[: closing.start()], closing.string[closing.end() :]
    if last - first > _MAX_COMMENT_LINES or (closing[0] == "-->" and before[-1:] == " " and before.strip(" /") and after.strip()):
        return False
    for number in range(first + 1, last):
        line, body = lines[number], lines[number].body[:_MAX_LINE]
        if is_strict_heading(line.raw) or is_heading(body) or _SENTENCE.fullmatch(body) is not None:
            return False
        if (
            body.isupper()
            and parse_cue(body) is not None
            and number + 1 < last
            and _CODE_MARK.search(lines[number + 1].body) is None
        ):
            return False
    return True


def _find_code(lines: Sequence[Line], comments: set[int]) -> set[int]:
    """Return the numbers of the lines of code: `comments`, and lines that only code looks like if there are several."""
    code: set[int] = set()
    for number, line in enumerate(lines):
        body = line.body[:_MAX_LINE]
        if is_strict_heading(line.raw) or _CODE_MARK.search(body) is None or is_heading(body):
            continue
        if _CODE.fullmatch(body) is not None:
            code.add(number)
    return comments | code if comments or len(code) >= 3 else set()


def _find_page(lines: Sequence[Line], code: set[int], numbers: Sequence[int]) -> set[int]:
    """Return the numbers of a web page's lines at one end of a script; none if it has no code there.

    `numbers` go inwards. Lines between two lines of the page are the page's as well, unless they are many or prose.
    """
    found: list[int] = []
    pending: list[int] = []
    paragraphs = 0
    for number in numbers:
        body = lines[number].body[:_MAX_LINE]
        if is_heading(body) or is_strict_heading(lines[number].raw):
            break
        if number in code:
            found += [*pending, number] if found else [number]
            pending = []
        elif _SITE.fullmatch(body) is not None:
            found.append(number)
        elif _PROSE.fullmatch(body) is not None:
            paragraphs += 1
            pending = []
        else:
            pending.append(number)
        if len(pending) > _MAX_MENU_LINES or paragraphs > 1:
            break
    return set(found) if code.intersection(found) else set()
