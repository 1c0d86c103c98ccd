"""Reads synopses into sentences."""

import re
from itertools import groupby
from typing import Literal

from core.errors import SourceError
from core.text.sentences import TITLES, SentenceSplitter

_MIN_SINGLE = 0.7  # if at least this share of lines has one sentence, each line is a sentence
_MIN_FINISHED = 0.6  # if fewer lines end a sentence, the lines are hard-wrapped
_MAX_SMALL = 1 / 3  # if a greater share of lines begins with a small letter, sentences begin so, and none is joined by it
_POSSESSIVE = ("'s ", "’s ")
_FOOTNOTE = re.compile(r"\[(?:\d{1,3}|[a-z]|(?i:note|nb) \d{1,3}|citation needed|clarification needed|who\?|when\?)\]")
_WIKI_HEADING = re.compile(r"(={2,6})[^=]{1,100}\1(?:edit)?")
_ENDS = tuple('.!?…"”’)*')
_INITIALS = re.compile(r"""(?:^|[\s("'“‘])([A-Z]\.[A-Z]\.)["'”’)]*$""")
"""Initials at the end of a line: they may be cut off from their surname ("C.W." from "Moss"), or end a sentence."""
_NO_INITIALS = frozenset((
    "A.I.", "A.M.", "D.A.", "D.C.", "E.T.", "I.D.", "L.A.", "N.J.", "N.Y.", "O.K.", "P.I.", "P.M.", "S.F.", "T.V.", "U.K.",
    "U.N.", "U.S.", "V.P.",
))  # fmt: skip
_STARTERS = frozenset((
    "a", "after", "an", "as", "at", "before", "but", "during", "he", "her", "his", "i", "if", "in", "it", "its", "later",
    "meanwhile", "my", "on", "one", "she", "that", "the", "their", "then", "there", "they", "this", "upon", "we", "when", "while",
    "with",
))  # fmt: skip
"""Words that begin a sentence far more often than they go on after initials, in lower case."""

SynopsisLines = Literal["auto", "sentences", "paragraphs", "wrapped"]


def read_synopsis(
    name: str, text: str, split: SentenceSplitter, lines: SynopsisLines = "auto", join_lines: bool = True
) -> tuple[str, ...]:
    """Read a synopsis into sentences, with each run of white space as one space.

    `lines` says what one line is; `auto` takes each as a sentence if `split` finds at most one in most lines. `join_lines` joins
    a line that stops inside a sentence (after `Mr.` or `C.W.`, or before a small letter) with the next. A wiki's footnote marks
    and headings go, except where each line is a sentence: gold is matched by the text of these lines.
    """
    rows = [" ".join(row.split()) for row in text.split("\n")]
    full = [row for row in rows if row]
    if not any(map(str.isalnum, _WIKI_HEADING.sub("", text))):
        raise SourceError(f"{name}: the synopsis is empty; expected a summary of the story. Write one or remove the unit")
    if lines == "auto":
        lines = _find_line_kind([bare for row in full if (bare := _FOOTNOTE.sub("", row).strip())], split)
    if lines == "sentences":
        return _join_halves(full) if join_lines else tuple(full)
    rows = ["" if _WIKI_HEADING.fullmatch(row) else " ".join(_FOOTNOTE.sub("", row).split()) for row in rows]
    joined = [" ".join(paragraph) for filled, paragraph in groupby(rows, key=bool) if filled]
    paragraphs = [row for row in rows if row] if lines == "paragraphs" else joined
    return tuple(" ".join(sentence.split()) for paragraph in paragraphs for sentence in split(paragraph))


def _find_line_kind(rows: list[str], split: SentenceSplitter) -> SynopsisLines:
    if len(rows) < 2:
        return "paragraphs"
    if sum(row.endswith(_ENDS) for row in rows) < _MIN_FINISHED * len(rows):
        return "wrapped"
    single = sum(len(split(row)) <= 1 for row in rows)
    return "sentences" if single >= _MIN_SINGLE * len(rows) else "paragraphs"


def _join_halves(rows: list[str]) -> tuple[str, ...]:
    joined: list[list[str]] = []
    capitals_begin = sum(map(_begins_small, rows)) <= _MAX_SMALL * len(rows)
    for before, row in zip(["", *rows], rows, strict=False):
        if before and ((capitals_begin and _begins_small(row)) or _goes_on(before, row)):
            joined[-1] += [row] if row.startswith(_POSSESSIVE) else [" ", row]
        else:
            joined.append([row])
    return tuple(map("".join, joined))


def _begins_small(row: str) -> bool:
    return row[0].islower() or row.startswith(_POSSESSIVE)


def _goes_on(before: str, row: str) -> bool:
    """Tell whether a line goes on with the line before: after a title, or with a name after somebody's initials."""
    if before.endswith(".") and before.split()[-1][:-1].lower() in TITLES:
        return True
    first, initials = re.match(r"\w+", row), _INITIALS.search(before[-40:])
    if first is None or initials is None or initials[1] in _NO_INITIALS:
        return False
    return first[0].lower() not in _STARTERS
