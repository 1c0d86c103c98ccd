"""Finds labels of known names that are not written as labels: without a colon (`ANNA; …`, `ANNA …`), or inside a line."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.transcripts.dialogues.candidates import Label
from core.transcripts.dialogues.label_style import label_style

_FREQUENT = 3  # labels with a colon, from which a name's slips are looked for
_MAX_NAMES = 100  # the most frequent names, so that a file of a million labels takes linear time
_MAX_NAME = 60  # characters
_CONTEXT = 50
_ENDS = frozenset(".!?…\"”'’)]*~—–-。！？»")
_NO_COLON = (
    r"(?:\.(?=[^\S\n]+(?:[\"“(\[\d]|[^\W\d_a-z]))"  # MATT. 18.
    r"|(?=[^\S\n]*\n)"  # alone on its line
    r"|(?=[^\S\n]+(?:[\"“'‘’(\[\d…–—-]|[^\W\d_a-z](?![^\W\d_a-z]))))"  # MATT Shh!, but not MATT MERCER
)


def find_label_slips(text: str, labels: Sequence[Label]) -> list[Label]:
    """Return `labels` with those of frequent names that are not written as labels, in order.

    Only where a complete sentence precedes, these count: a name in capitals without a colon, which is alone on its line or is
    followed by a capitalised word, a number, a quotation or a remark (`MATT Shh!`, `MATT. 18.`); any name with a semicolon; any
    name with a colon inside a line. All 80 such lines in the transcripts of CRD3 are labels.
    """
    counts = Counter([label.name for label in labels if len(label.name) <= _MAX_NAME])
    frequent = [name for name, count in counts.most_common(_MAX_NAMES) if count >= _FREQUENT]
    if not frequent:
        return list(labels)
    frequent.sort(key=len, reverse=True)
    every = "|".join(map(re.escape, frequent))
    capitals = "|".join(re.escape(name) for name in frequent if label_style(name) == "capitals" and len(name) > 1)
    lines = "\n" + text
    found = list(re.finditer(rf"\n[^\S\n]*(?P<label>{every})[^\S\n]*;", lines)) if ";" in text else []
    if capitals:
        found += re.finditer(rf"\n[^\S\n]*(?P<label>{capitals}){_NO_COLON}", lines)
    slips = [Label(match.start(), match.end() - 1, match["label"]) for match in found if _is_complete(text, match.start())]
    return _merge(labels, [*slips, *_find_inside_lines(text, labels, re.compile(rf"[^\w\s,]\s+(?P<label>{every})\s*\Z"))])


def _find_inside_lines(text: str, labels: Sequence[Label], name: re.Pattern[str]) -> list[Label]:
    """Return labels that follow a complete sentence on its line; `name` matches the end of the text before a colon."""
    found = []
    for colon in sorted(_find_colons_of_speech(text, labels)):
        farthest = max(0, colon - _MAX_NAME - _CONTEXT)
        first = max(text.rfind("\n", farthest, colon) + 1, farthest)
        match = name.search(text, first, colon)
        if match is not None and _is_complete(text, match.start("label")):
            found.append(Label(match.start("label"), colon + 1, match["label"]))
    return found


def _find_colons_of_speech(text: str, labels: Sequence[Label]) -> Iterator[int]:
    """Yield the positions of the colons between labels, but for those of web addresses."""
    ends = [0, *[label.end for label in labels]]
    starts = [*[label.start for label in labels], len(text)]
    for mark in [mark for mark in ":：" if mark in text]:
        for end, start in zip(ends, starts, strict=True):
            colon = text.find(mark, end, start)
            while colon >= 0:
                if not text.startswith("//", colon + 1):
                    yield colon
                colon = text.find(mark, colon + 1, start)


def _is_complete(text: str, position: int) -> bool:
    """Tell whether a sentence ends before a position, or nothing precedes it."""
    before = text[max(0, position - _CONTEXT) : position].rstrip()
    return not before or before[-1] in _ENDS


def _merge(labels: Sequence[Label], found: Sequence[Label]) -> list[Label]:
    """Put the found labels among the others; of two that overlap, the one that begins first stays."""
    if not found:
        return list(labels)
    merged: list[Label] = []
    for label in sorted([*labels, *found], key=lambda label: (label.start, -label.end)):
        if not merged or label.start >= merged[-1].end:
            merged.append(label)
    return merged
