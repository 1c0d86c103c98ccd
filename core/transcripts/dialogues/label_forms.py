"""Writes labels that have no colon as `NAME: text`, and takes line numbers, dates and times of their own off the lines.

Chat logs, tables, recognisers and wikis write labels in these ways. The rest of the package knows labels with a colon only.
"""

import re
from collections import Counter
from itertools import pairwise

from core.text.captions import parse_stamp
from core.transcripts.dialogues.candidates import Label, find_stamped_lines
from core.transcripts.dialogues.label_style import label_style
from core.transcripts.dialogues.labels import count_paragraph_breaks

_NAME = r"(?P<name>[^\W\d_][^\n:：<>\[\]()|\t\"“”]{0,59}?)"
_FORMS = tuple(
    (marks, re.compile(pattern, re.MULTILINE))
    for marks, pattern in (
        ("[", rf"^[^\S\n]*\[{_NAME}\](?=[^\S\n]+\S)"),  # [Anna] text
        ("(", rf"^[^\S\n]*\({_NAME}\)(?=[^\S\n]+\S)"),  # (Anna) text
        ("<", rf"^[^\S\n]*<{_NAME}>(?=[^\S\n]+\S)"),  # <Anna> text
        ("*_'", rf"^[^\S\n]*(?:[-*>][^\S\n]+)?(?P<mark>\*\*|__|'''){_NAME}(?P=mark)(?=[^\S\n]+[^\s:：])"),  # **Anna** text
        ('"”', rf"^[^\S\n]*[\"“]{_NAME}[\"”][^\S\n]*[:：]"),  # "Anna": text
        ("\t", rf"^[^\S\n]*{_NAME}[^\S\n]*\t(?=[^\S\n]*\S)"),  # Anna, a tab, text
        ("-–—", rf"^[^\S\n]*{_NAME}[^\S\n]+[-–—][^\S\n]+(?=\S)"),  # Anna – text
        # Anna on a line of its own, between a blank line and text
        ("\n", rf"(?:\A|(?<=\n\n))[^\S\n]*{_NAME}[^\S\n]*\n(?=[^\S\n]*\S)"),
    )
)
"""The forms of labels without a colon, each with its marks: a label has at least one of these characters."""
_MAX_WORDS = 4  # of a name without a colon: longer ones are prose
_FEWEST = 4  # labels of a form in a file
_USUAL = 0.8  # share of the lines from which a number or a date at their start is no speech
_NUMBER = re.compile(r"^[^\S\n]*(\d{1,6})[.)]?[^\S\n]+(?=\S)", re.MULTILINE)
_DATE = re.compile(
    r"^[^\S\n]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[^\S\n]+\d{1,2}:\d{2}(?::\d{2})?(?:[^\S\n]?[AaPp]\.?[Mm]\.?)?\]?"
    r"[^\S\n]*(?:[-–][^\S\n]+)?(?=\S)",
    re.MULTILINE,
)
_LINE = re.compile(r"^[^\S\n]*\S", re.MULTILINE)
_STAMP_LINE = re.compile(
    r"^[^\S\n]*[\[(]?(?P<time>\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)"
    r"(?:[^\S\n]*(?:-->|->|[-–—])[^\S\n]*\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)?[\])]?[^\S\n]*(?:\n|\Z)",
    re.MULTILINE,
)
_STAMPS = 3  # lines of a time only, from which they are no speech


def drop_line_heads(text: str) -> str:
    """Take line numbers and dates off the starts of the lines, where nearly every line has one and the numbers rise."""
    if _DATE.search(text, 0, 2_000) is not None and _is_usual(text, len(_DATE.findall(text))):
        return _DATE.sub("", text)
    if _NUMBER.search(text, 0, 2_000) is not None:
        numbers = [int(number) for number in _NUMBER.findall(text)]
        rising = sum(after == before + 1 for before, after in pairwise(numbers))
        if _is_usual(text, len(numbers)) and rising >= _USUAL * (len(numbers) - 1):
            return _NUMBER.sub("", text)
    return text


def take_stamp_lines(text: str) -> tuple[str, dict[int, float]]:
    """Take the lines that hold a time only out of a text, and return the time by the position of the line that follows it.

    Fewer than three such lines are speech, and stay.
    """
    found = [match for start in find_stamped_lines("\n" + text) if (match := _STAMP_LINE.match(text, start)) is not None]
    if len(found) < _STAMPS:
        return text, {}
    kept: list[str] = []
    times: dict[int, float] = {}
    position = length = 0
    for match in found:
        piece = text[position : match.start()]
        kept.append(piece)
        length += len(piece)
        position = match.end()
        if (time := parse_stamp(match["time"])) is not None:
            times[length] = time
    return "".join([*kept, text[position:]]), times


def stamp_labels(text: str, labels: list[Label], times: dict[int, float]) -> list[Label]:
    """Give each label without a time the one that stood on the line before it."""
    if not times:
        return labels
    places = {_next_word(text, place): time for place, time in times.items()}
    return [label._replace(time=places.get(_next_word(text, label.start))) if label.time is None else label for label in labels]


def add_colons(text: str, n_labels: int) -> str:
    """Write the labels of the most frequent form without a colon as `NAME: text`, where most turns have a label of that form.

    A form counts if its names recur and it has more than twice the `n_labels` labels that were found with a colon. Otherwise the
    text is returned as it is.
    """
    units = count_paragraph_breaks(text) + 1
    if units < _FEWEST:
        units = len(_LINE.findall(text))
    if 2 * n_labels >= units:
        return text
    best: list[re.Match[str]] = []
    for marks, form in _FORMS:
        if 2 * sum(map(text.count, marks)) < units:
            continue
        found = [match for match in form.finditer(text) if _may_be_a_name(match["name"])]
        counts = Counter(match["name"] for match in found)
        recurring = sum(count for count in counts.values() if count > 1)
        if len(found) >= _FEWEST and 2 * recurring > len(found) and 2 * len(found) >= units and len(found) > len(best):
            best = found
    if len(best) <= 2 * n_labels:
        return text
    pieces: list[str] = []
    position = 0
    for match in best:
        pieces += [text[position : match.start()], f"{match['name'].strip()}: "]
        position = match.end()
    return "".join([*pieces, text[position:]])


def _may_be_a_name(name: str) -> bool:
    return len(name.split()) <= _MAX_WORDS and label_style(name.strip()) != "prose" and name.rstrip()[-1] not in ".,"


def _is_usual(text: str, count: int) -> bool:
    return count >= _FEWEST and count >= _USUAL * len(_LINE.findall(text))


def _next_word(text: str, position: int) -> int:
    """Return the position of the first character from `position` on that is no white space."""
    rest = re.compile(r"\s*").match(text, position)
    return rest.end() if rest is not None else position
