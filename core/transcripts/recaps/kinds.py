"""Tells the kind of each section of a recap, from its heading and its place on the page.

Reference: CRD3, section 3.3 (pre-show and announcements, recap, plot parts, break, post-show).
"""

import re
from collections.abc import Sequence

from core.transcripts.recaps.recap import SectionKind

_KINDS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    ("pre-show", re.compile(r"pre ?(?:show|game|stream)\b|before the (?:show|game)\b")),
    ("announcements", re.compile(r"announcements?\b|housekeeping$|sponsors?$")),
    ("recap", re.compile(r"recap\b|previously\b|last (?:time|week|session)\b|the story so far$")),
    ("plot", re.compile(r"part (?:[ivx]+|\d+|one|two|three|four|five)\b|(?:first|second) half$")),
    ("break", re.compile(r"(?:mid show |the )?break$|intermission$")),
    (
        "post-show",
        re.compile(r"post ?(?:show|game|episode|stream|credits)\b|afterword\b|after the (?:show|game)\b|q (?:and )?a$"),
    ),
)
_OPENING = ("pre-show", "announcements", "recap")


def fold_heading(text: str) -> str:
    """Return the words of a heading in lower case, without punctuation and separated by one space."""
    return " ".join(re.findall(r"\w+", text.lower()))


def name_kind(heading: str) -> SectionKind:
    """Return the kind of a section by its heading alone; `other` if the heading names no kind."""
    folded = fold_heading(heading)
    return next((kind for kind, pattern in _KINDS if pattern.match(folded)), "other")


def judge_kinds(headings: Sequence[str]) -> list[SectionKind]:
    """Return the kind of each section of a synopsis, by its heading and its place.

    A heading that names no kind is `plot` if it stands among the plot parts, and `other` elsewhere. The plot parts run from the
    first "Part N" to the last "Part N" or break. On a page without a "Part N", they run from the end of the pre-show,
    announcements and recap to the post-show.
    """
    kinds = [name_kind(heading) for heading in headings]
    if "plot" in kinds:
        start = kinds.index("plot")
        end = max(number for number, kind in enumerate(kinds) if kind in ("plot", "break"))
    else:
        start = max((number + 1 for number, kind in enumerate(kinds) if kind in _OPENING), default=0)
        end = kinds.index("post-show") if "post-show" in kinds else len(kinds)
    return ["plot" if kind == "other" and start <= number < end else kind for number, kind in enumerate(kinds)]
