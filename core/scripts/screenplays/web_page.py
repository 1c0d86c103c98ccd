"""Finds what a web page has around a screenplay: code, the site's titles, menus and notices."""

import re
from collections.abc import Sequence

from core.scripts.screenplays.headings import is_heading, is_strict_heading
from core.scripts.screenplays.lines import Line

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
_CODE_MARK = re.compile(r"[;{}<>=]|\*/|google|try")
_PROSE = re.compile(r".{40,}[.!?…\"”)]")
_MAX_MENU_LINES = 6  # lines before more code that are neither code nor the site's own; a menu has fewer
_MAX_HEAD_LINES = 150  # lines from the first or the last one that are searched
_MAX_LINE = 2_000  # characters of a line that are looked at


def drop_web_page(lines: Sequence[Line]) -> tuple[list[Line], int]:
    """Return the lines of a screenplay without those of the web page that it was saved from, and the number of lines dropped.

    Dropped are lines of code wherever they are, and at both ends also what stands between or beside code: titles, menus and
    notices. A page without code loses nothing. A scene heading is never dropped, and ends the search.
    """
    code = _find_code(lines)
    if not code:
        return list(lines), 0
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


def _find_code(lines: Sequence[Line]) -> set[int]:
    """Return the numbers of the lines that only code looks like, if there are several."""
    marked = ((number, line) for number, line in enumerate(lines) if _CODE_MARK.search(line.body[:_MAX_LINE]) is not None)
    code = {number for number, line in marked if not _is_heading(line) and _CODE.fullmatch(line.body[:_MAX_LINE]) is not None}
    return code if len(code) >= 3 else set()


def _is_heading(line: Line) -> bool:
    return is_strict_heading(line.raw) or is_heading(line.body[:_MAX_LINE])


def _find_page(lines: Sequence[Line], code: set[int], numbers: Sequence[int]) -> set[int]:
    """Return the numbers of a web page's lines at one end of a script; none if it has no code there.

    `numbers` go inwards. Lines between two lines of the page are the page's as well, unless they are many or prose.
    """
    found: list[int] = []
    pending: list[int] = []
    paragraphs = 0
    for number in numbers:
        body = lines[number].body[:_MAX_LINE]
        if _is_heading(lines[number]):
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
