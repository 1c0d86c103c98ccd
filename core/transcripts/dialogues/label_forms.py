"""Writes labels that have no colon as `NAME: text`, and takes line numbers, dates and times of their own off the lines.

Chat logs, tables, recognisers and wikis write labels in these ways. The rest of the package knows labels with a colon only.
"""

import re
from collections import Counter, deque
from collections.abc import Mapping
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
        ("\n", rf"(?P<before>\A|\n[^\S\n]*\n)[^\S\n]*{_NAME}[^\S\n]*\n(?=[^\S\n]*\S)"),
    )
)
"""The forms of labels without a colon, each with its marks: a label has at least one of these characters."""
_SOUNDS = frozenset(
    ("music", "laughter", "laughs", "laughing", "applause", "cheering", "cheers", "silence", "pause", "noise", "sound", "sighs")
) | {
    "inaudible",
    "indistinct",
    "unintelligible",
    "crosstalk",
    "crying",
    "coughs",
    "clapping",
    "singing",
    "whispering",
    "theme music",
}
"""What stands in brackets or parentheses and is no name."""
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
_BARE_STAMP = re.compile(r"\d{1,3}:\d{2}")
_STAMPS = 3  # lines of a time only, from which they are no speech
_PLACED = 0.9  # least share of bare times that stand between turns, where they are no speech
_ENDED = re.compile(r"(?:[.!?…:：。！？\"”’»)\]*~—–-]|\n[^\S\n]*\n|\A)\s*\Z")
_BEFORE = 50  # characters before a time that are read
_LABELLED = re.compile(r"\s*[^\W\d_][^:：\n]{0,59}[:：]|[^\S\n]*[\[(<*][^\W\d_]")
_LABELLED_LINE = re.compile(r"^[^\S\n]*(?:[^\W\d_][^:：\n]{0,59}[:：]|[\[(<*][^\W\d_])", re.MULTILINE)


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

    Fewer than three such lines are speech, and stay. So do times of two numbers without a bracket or an end, if one is lower than
    the one before it, or if they do not stand where turns begin and end (`Where were you on / 11:30 / that night?`).
    """
    found = [match for start in find_stamped_lines("\n" + text) if (match := _STAMP_LINE.match(text, start)) is not None]
    bare = [match for match in found if _BARE_STAMP.fullmatch(match[0].strip()) is not None]
    if bare and not _stand_between_turns(text, bare):
        found = [match for match in found if _BARE_STAMP.fullmatch(match[0].strip()) is None]
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


def _stand_between_turns(text: str, stamps: list[re.Match[str]]) -> bool:
    """Tell whether times rise and nearly all stand after a complete sentence, a label or a blank line, or above most labels."""
    times = [parse_stamp(stamp["time"]) or 0.0 for stamp in stamps]
    if any(after < before for before, after in pairwise(times)):
        return False
    above = sum(_LABELLED.match(text, stamp.end()) is not None for stamp in stamps)
    labels_follow = above >= _USUAL * len(_LABELLED_LINE.findall(text))
    placed = sum(
        _ENDED.search(text, max(0, stamp.start() - _BEFORE), stamp.start()) is not None
        or stamp.start() == 0
        or (labels_follow and _LABELLED.match(text, stamp.end()) is not None)
        for stamp in stamps
    )
    return placed >= _PLACED * len(stamps)


def stamp_labels(text: str, labels: list[Label], times: dict[int, float]) -> list[Label]:
    """Give each label without a time the one that stood on the line before or after it."""
    if not times:
        return labels
    places = _find_words(text, times)
    stamped = []
    for label in labels:
        time = label.time if label.time is not None else places.get(_next_word(text, label.start))
        stamped.append(label._replace(time=time if time is not None else places.get(_next_word(text, label.end))))
    return stamped


def add_colons(text: str, n_labels: int, times: dict[int, float]) -> tuple[str, dict[int, float]]:
    """Write the labels of the most frequent form without a colon as `NAME: text`, where most turns have a label of that form.

    A form counts if its names recur and it has more than twice the `n_labels` labels that were found with a colon. Otherwise the
    text is returned as it is. `times` (`take_stamp_lines`) are returned by the positions in the new text.
    """
    units = count_paragraph_breaks(text) + 1
    if units < _FEWEST:
        units = len(_LINE.findall(text))
    if 2 * n_labels >= units:
        return text, times
    best: list[re.Match[str]] = []
    for marks, form in _FORMS:
        if 2 * sum(map(text.count, marks)) < units:
            continue
        found = [match for match in form.finditer(text) if _may_be_a_name(match["name"])]
        counts = Counter(match["name"] for match in found)
        title = found and "before" in form.groupindex and not text[: found[0].start()].strip() and counts[found[0]["name"]] == 1
        if title:
            del found[0]
        turns = units - bool(title)
        recurring = sum(count for count in counts.values() if count > 1)
        if len(found) >= _FEWEST and 2 * recurring > len(found) and 2 * len(found) >= turns and len(found) > len(best):
            best = found
    if len(best) <= 2 * n_labels:
        return text, times
    pieces: list[str] = []
    position = length = 0
    places = deque(_find_words(text, times).items())
    moved: dict[int, float] = {}
    for match in best:
        begin = match.end("before") if "before" in match.re.groupindex else match.start()
        while places and places[0][0] < begin:
            place, time = places.popleft()
            moved[length + place - position] = time
        pieces += [text[position:begin], f"{match['name'].strip()}: "]
        length += begin - position
        while places and places[0][0] <= match.end():  # between the name and the words too
            moved[length] = places.popleft()[1]
        length += len(pieces[-1])
        position = match.end()
    moved.update((length + place - position, time) for place, time in places)
    return "".join([*pieces, text[position:]]), moved


def _may_be_a_name(name: str) -> bool:
    return (
        name.strip().casefold() not in _SOUNDS
        and len(name.split()) <= _MAX_WORDS
        and label_style(name.strip()) != "prose"
        and name.rstrip()[-1] not in ".,"
    )


def _is_usual(text: str, count: int) -> bool:
    return count >= _FEWEST and count >= _USUAL * len(_LINE.findall(text))


def _find_words(text: str, times: Mapping[int, float]) -> dict[int, float]:
    """Return times, which are in order, by the positions of the words that follow them."""
    places: dict[int, float] = {}
    word = -1
    for place, time in times.items():
        if place > word:  # or white space is read again for every time
            word = _next_word(text, place)
        places[word] = time
    return places


def _next_word(text: str, position: int) -> int:
    """Return the position of the first character from `position` on that is no white space."""
    rest = re.compile(r"\s*").match(text, position)
    return rest.end() if rest is not None else position
