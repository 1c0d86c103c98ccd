"""Sorts the lines of a screenplay: headings, shots, transitions, text, and page furniture (page numbers, running heads)."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from core.scripts.screenplays.headings import (
    find_places,
    is_foreign_heading,
    is_heading,
    is_numbered_heading,
    is_numbered_shot,
    is_plain_heading,
    is_shot,
    is_strict_heading,
    strip_shot_numbers,
)
from core.scripts.screenplays.layout import Layout, Script
from core.scripts.screenplays.lines import Line

_MAX_LENGTH = 100
_FURNITURE = re.compile(
    r"""
    \W*(?:page|p\.|pg\.?)?\W*\d{1,4}(?:[A-Za-z]|\.\d{1,3})?\W*                      # 12.  (12)  Page 12  - 12 -  12A  671.09
  | \W*\d{1,4}[A-Z]?\W+(?:\d{1,4}[A-Z]?\W*)                                        # 33   33
  | (?:[A-Z]?\d{1,4}[A-Z]?\W{1,3})?\s*\W*cont(?:inued|['’]?d)\W*(?:\(?\d{1,3}\)?)?[\W\d_]*[A-Z]?\d*[A-Z]?\W*  # CONTINUED: (3) 38
  | \W*(?-i:MORE|CONTINUES|OMIT|OMITTED|DELETED)\W* | [(\[*-]\W*(?:more|continues|omit|omitted|deleted)\W*
  | \W*(?:omitted\ scenes?|scenes?\ omitted|scene\ deleted|x{1,3}|\(?x\)?)\W*
  | (?:[A-Z]?\d{1,4}[A-Z]?[\s,.&-]*){1,6}(?:thru|through|to)?[\s\dA-Z]{0,8}\s+
    (?:scenes?\s+)?(?:omitted|omit|deleted)\b[\W\d]*[A-Z]?
  | [-_=*.•~\s]{3,}
  | \(?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\)?(?:\s+\d{1,4}[A-Z]?\W*)?                  # a draft's date, with the page
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SPOKEN_NUMBER = re.compile(r"\d{1,4}[.!?]*")
_NUMBERS = r"[A-Z]?\d{1,4}[A-Z]{0,2}\.?(?:\s?(?:[-–,&/]|\b(?i:thru|through|to|and)\b)\s?[A-Z]?\d{1,4}[A-Z]{0,2}\b\.?){0,20}"
# A date and somebody's initials (`5/4/91 JB`). A time (`10.15.30 AM`) is none: somebody says it.
_STAMP = r"\(?\d{1,2}[./-]\d{1,2}[./-]?\d{2,4}\)?\s{1,40}(?!(?:AM|PM)\b)[A-Z]{2,3}"
_PAGE_MARK = re.compile(
    rf"""
    (?:(?i:rev(?:ision|ised)?)\b\.?\s{{1,20}}\(?\d{{1,2}}[./-]\d{{1,2}}[./-]?\d{{2,4}}\)?(?:\s{{1,40}}[A-Z]{{2,3}})?
      | {_STAMP})\.?                                                                       # REVISION 3/4/91  5/4/91 JB
  | \W*\d{{1,4}}-[A-Z]{{1,2}}\W*                                                         # a scene's number with a letter, 16-A
  | \d{{1,4}}[a-z][A-Z]\.                                                               # 11aA.
  | \W{{0,3}}(?P<numbers>{_NUMBERS})\s+(?P=numbers)\W{{0,3}}                                # 59-60  59-60
  | \W{{0,3}}(?:(?:SCENES?|SCS?\.?)\s{{1,20}})?(?:{_NUMBERS})?[\s:–-]{{0,40}}
    (?:OMIT(?:T?ED?)?|DELETED|CONT(?:IN|I)?U(?:IN|N)?ED)\b[\s:–-]{{0,40}}(?:\((?:\d{{1,3}}|DAY|NIGHT)\)\s{{0,40}})?(?:{_NUMBERS})?\W{{0,3}}
  | (?:[A-Z]\s)?(?i:thru)\s{{1,20}}(?:OMITTED|DELETED)(?:\s{{1,20}}(?i:thru))?
  | \W{{0,3}}TO\W?:\W{{0,3}}                                                              # the rest of CUT TO:
    """,
    re.VERBOSE,
)
_TRANSITION = re.compile(
    r"""
    \W*(?:[A-Z]{0,2}\d{1,4}[A-Z]?\W+)?
    (?: (?:[A-Z'’/,-]{1,15}\s){0,4}(?:(?:INTER)?CUTS?|DISSOLVES?|FADES?|WIPES?|IRIS|FLASH(?:BACK)?|GO|MIX|SEGUE|TRANSITION)
        (?:\sBACK)?\s(?:TO|INTO|THROUGH)(?:\s(?:BLACK|WHITE|RED|BLACKNESS|SCENE|PRESENT|DAY|NIGHT|MONTAGE))?\W*
      | (?:SLOW\ |QUICK\ |SLOWLY\ |WE\ )?(?:FADE|IRIS|WIPE|DISSOLVE)S?(?:\ SLOWLY)?\ (?:IN|OUT|UP)(?:\ ON)?\W*
      | (?:SMASH|JUMP|MATCH|HARD|QUICK|TIME|SHOCK|SLAM|ABRUPT|DIRECT|INTER)?-?\s?CUT(?:TING)?S?\W*
      | (?:SLOW\ |LAP\ |QUICK\ |LONG\ )?(?:DISSOLVE|FADE|WIPE|IRIS)S?\W*
      | (?:FADE|CUT|SMASH|SLAM|SNAP|GO|HOLD\ ON|OVER|UP)\ (?:TO\ |IN\ |ON\ )?(?:BLACK|WHITE)\W*
      | (?:THE\ )?END(?:\ OF\ (?:FILM|MOVIE|SCRIPT|PICTURE))?\W* | FIN\W*
      | BACK\ TO(?:\ SCENE|\ PRESENT)?\W*
    )(?:\d{1,4}[A-Z]?\W*)?
    """,
    re.VERBOSE,
)
_MARKS = ("CUT", "DISS", "FADE", "WIPE", "IRIS", "FLASH", "GO", "LAP", "MIX", "SEGUE", "END", "FIN", "BACK", "BLACK", "WHITE")
_DIGITS = re.compile(r"\d+")
_MIN_RUNNING_HEADS = 8  # a running head is on at least this many pages, with only its numbers changed
_DRAFT = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b(?:(?:draft|revis(?:ion|ed))\b|rev\.\s*\(?\d|shooting script|numbered script)",
    re.IGNORECASE,
)


def is_furniture(body: str) -> bool:
    """Tell whether a line is a page number, a continuation or revision mark, an omitted scene, a rule or a date."""
    return len(body) <= _MAX_LENGTH and _FURNITURE.fullmatch(body) is not None


def is_page_mark(body: str) -> bool:
    """Tell whether a line is a revision's stamp, a scene's number alone, a list of scenes omitted or continued, or a rule."""
    if len(body) > _MAX_LENGTH:
        return not body.strip("-_=*")
    return _PAGE_MARK.fullmatch(body) is not None


def is_transition(body: str) -> bool:
    """Tell whether a line is a transition (CUT TO:, DISSOLVE, FADE IN:, THE END)."""
    return len(body) <= _MAX_LENGTH and any(mark in body for mark in _MARKS) and _TRANSITION.fullmatch(body) is not None


def find_repeated_heads(lines: Sequence[Line]) -> set[str]:
    """Return the texts of running heads that are the same on many pages and name the draft (`FOX - Numbered Script - 3/4/91`)."""
    counts = Counter(line.body for line in lines if len(line.body) <= _MAX_LENGTH)
    repeated = (body for body, count in counts.items() if count >= _MIN_RUNNING_HEADS)
    return {body for body in repeated if _DRAFT.search(body) is not None and not is_heading(body)}


def find_running_heads(lines: Sequence[Line]) -> set[str]:
    """Return the texts of running heads: lines on many pages that differ in their numbers only (`TITLE  Rev. 3/4  42.`)."""
    pages: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        body = line.body
        if len(body) <= _MAX_LENGTH and (body[-1].isdigit() or body[-1] in ".)" or body[0].isdigit()) and " " in body:
            template = _DIGITS.sub("#", body)
            if "#" in template:
                pages[" ".join(template.split())].add(body)
    heads = (bodies for template, bodies in pages.items() if len(bodies) >= _MIN_RUNNING_HEADS and _is_running_head(template))
    return {body for bodies in heads for body in bodies if not is_heading(body)}


def _is_running_head(template: str) -> bool:
    """Tell a running head (`TITLE - Rev. #/#/# #.`) from a numbered shot (`# ANGLE ON THE DOOR #`) or speaker (`GUARD #`)."""
    words = template.split()
    shot = words[0].startswith("#") and template.isupper()
    return len(words) >= 2 and len(template) >= 8 and not shot and not re.fullmatch(r"[A-Z ]+#", template)


def sort_lines(lines: Sequence[Line]) -> tuple[list[str], set[int]]:
    """Return the kind of each line, and the numbers of the strict headings.

    The kinds are h (heading), s (shot), x (transition), f (furniture) and t (text). Later some lines of text become w (the rest
    of a heading) or c (the first line of a cue).
    """
    heads = find_running_heads(lines) | find_repeated_heads(lines)
    strict = {number for number, line in enumerate(lines) if is_strict_heading(line.raw)}
    kinds = ["h" if number in strict else _sort_line(line.body, heads) for number, line in enumerate(lines)]
    if "h" not in kinds:
        kinds = ["h" if kind in "ts" and is_plain_heading(line.body) else kind for kind, line in zip(kinds, lines, strict=True)]
    else:
        for number in find_places(lines, kinds):
            kinds[number] = "h"
    return kinds, strict


def _sort_line(body: str, heads: set[str]) -> str:
    if is_heading(body) or is_numbered_heading(body) or is_foreign_heading(body):
        return "h"
    if is_furniture(body) or body in heads or is_page_mark(body):
        return "f"
    if is_transition(body):
        return "x"
    if is_numbered_shot(body):
        return "f" if is_furniture(strip_shot_numbers(body)) else "s"
    return "s" if is_shot(body) else "t"


def recover_spoken_numbers(script: Script, layout: Layout) -> None:
    """Change the kind of spoken numbers from furniture to text.

    A spoken number is in the speech column, right below a line of text (`1945.` below `In what year?`). If these numbers mostly
    go up by one, they are page numbers and stay furniture.
    """
    if layout.speech_column is None:
        return
    found = [
        number
        for number, line in enumerate(script.lines)
        if script.kinds[number] == "f" and script.is_below_text(number) and line.indent == layout.speech_indent
        if _SPOKEN_NUMBER.fullmatch(line.body)
    ]
    values = [int(script.lines[number].body.rstrip(".!?")) for number in found]
    if 2 * sum(after == value + 1 for value, after in pairwise(values)) < max(len(values) - 1, 1):
        for number in found:
            script.kinds[number] = "t"
