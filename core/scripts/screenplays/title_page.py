"""Recognises the lines of a title page: credits, drafts and their dates."""

import re
from collections.abc import Sequence

from core.scripts.screenplays.lines import Line

_MAX_LENGTH = 80
_CREDIT = re.compile(
    r"""
    \W*(?:
        (?:an?\s+|the\s+)?(?:(?:original|final|shooting|first|second|third|fourth|revised|early|unproduced)\s+)*
        (?:screen\s?play|teleplay|story|script|draft|rewrite|adaptation|novel|directed|written|revised|rewritten|adapted|created
          |produced|characters?\s+created|revisions?|current\s+revisions?|polish)
        (?:\s*(?:and|&)\s*(?:directed|story|screen\s?play|produced|revised))?\s*/?\s*(?:revisions\s+)?(?:by\b|:|for\b).*
      | (?:an?\s+)?(?:original\s+)?(?:screen\s?play|teleplay|script|story)
      | based\s+(?:on|upon)(?:\s+(?:(?-i:[A-Z0-9"“‘']).*|(?:(?:an?|the|his|her|their)\s+)?(?:\w+\s+){0,3}
          (?:novel|novella|book|play|story|stories|characters?|article|comics?|memoirs?|events|films?|musical|series|works?|life)\b.*))?
      | by
      | (?:(?:\w+\s+){0,3}draft|revis(?:ed|ions?)(?:\s+\w+){0,3}|shooting\s+script|(?:first|final|second|third)\s+polish)
        (?:\s*[,:(–-]?\s*[\w\s./,-]*\d[\w\s./,-]*\)?)?
      | (?:january|february|march|april|may|june|july|august|september|october|november|december)\.?
        \s*(?:\d{1,2}\s*(?:st|nd|rd|th)?\s*,?\s*)?\d{4}
      | copyright\b.* | ©.* | for\ educational\ purposes\ only | all\ rights\ reserved\W*
    )\W*
    """,
    re.VERBOSE | re.IGNORECASE,
)


def is_credit(body: str) -> bool:
    """Tell whether a line belongs on a title page: `Written by`, `Based on the novel by`, `Second draft`, `May 10, 1992`."""
    return len(body) <= _MAX_LENGTH and _CREDIT.fullmatch(body) is not None


def heads_title_page(number: int, lines: Sequence[Line]) -> bool:
    """Tell whether a line is a title with its credits below, not a speaker."""
    return any(is_credit(line.body) for line in lines[number + 1 : number + 3])
