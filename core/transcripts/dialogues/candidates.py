"""Finds what may be a speaker label: a name at the start of a line, in each of the forms in which transcripts write it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from core.text.captions import parse_stamp
from core.transcripts.dialogues.cleaning import drop_invisible

_MARKS = "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"  # invisible; they stand before right-to-left names
_LEAD = r"(?:[-–—>*•\\_]|'{2,5})"  # dashes, list marks, emphasis of Markdown and of wikis
_CANDIDATE = re.compile(
    rf"\n[^\S\n]*[{_MARKS}]*+(?:<[^>\n]{{1,80}}>[^\S\n]*)*+(?:(?P<lead>{_LEAD}(?:[^\S\n]*{_LEAD})*+)[^\S\n]*+)?+(?:<[ibu]>)?[{_MARKS}]*+"
    r"(?P<label>[^\W\d_][^:：\n<>]{0,99}+)(?:</[a-z]{1,10}>)*+[:：](?!//)"
)  # starts with "\n" instead of ^, which doubles the speed; the caller adds a newline before the text
_VOICE = re.compile(r"<v(?:\.[^>\s]*)?[^\S\n]+(?P<label>[^>\n]{1,100})>")
_STAMP = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_TIME = rf"(?P<time>{_STAMP})(?:[^\S\n]*(?:-->|->|[-–—])[^\S\n]*(?P<until>{_STAMP}))?"
_ENCLOSED = rf"[\[(][^\S\n]*{_TIME}[^\S\n]*[\])]"
_NAME = r"[^\W\d_][^:：\n<>\[\]]{0,99}?"
_STAMPED_FORMS = (
    # [00:01:00] ANNA: …, [00:01:00 --> 00:01:04] [SPEAKER_00]: …, 00:01:00 - ANNA: …
    re.compile(
        rf"\n[^\S\n]*(?:{_ENCLOSED}|{_TIME.replace('<time>', '<time2>').replace('<until>', '<until2>')})[^\S\n]*[-–—|]?[^\S\n]*"
        rf"(?P<lead>\*\*|__)?(?:\[(?P<bracketed>{_NAME})\][^\S\n]*[:：]?|(?P<label>{_NAME})[:：](?!\d))"
    ),
    # ANNA (00:01:00): …, ANNA [00:01:00]: …, - **Anna** (00:01:00): …
    re.compile(
        rf"\n[^\S\n]*(?:[-–—*•][^\S\n]+)?(?P<lead>\*\*|__)?(?P<label>{_NAME})(?:\*\*|__)?[^\S\n]*{_ENCLOSED}[^\S\n]*[:：]"
    ),
)
_HEADED = re.compile(rf"\n[^\S\n]*(?P<lead>\*\*|__)?(?P<label>{_NAME})[^\S\n]+[\[(]?{_TIME}[\])]?[^\S\n]*(?=\n)")
_BRACKETED = re.compile(r"\n[^\S\n]*\[(?P<label>[^\W\d_][^:：\n<>\[\]]{0,99})\][^\S\n]*[:：]")
_IN_PARENTHESES = re.compile(r"\n[^\S\n]*\((?P<label>[^\W\d_][^:：\n<>()]{0,99})\)[^\S\n]*[:：]")
_CLOSED = re.compile(r"\)[^\S\n]*[:：]")
_MACHINE = re.compile(r"(?:speaker|spk|voice|channel|ch)[_ -]?\d{1,3}", re.IGNORECASE)
_MACHINE_BRACKETED = re.compile(rf"\n[^\S\n]*\[(?P<label>{_MACHINE.pattern})\](?=[^\S\n])", re.IGNORECASE)
_OPENING_TIME = re.compile(rf"[^\S\n]*{_ENCLOSED}")
_MINUTES = re.compile(r":\d{2}")


class Label(NamedTuple):
    """A speaker label in a text: the characters from `start` to `end`, with its colon and any leading dash.

    `time` and `until` are seconds from the beginning of the recording, None where the label states no time. `marked` tells that
    its form alone shows a label: a voice tag, brackets, bold type, a time beside it.
    """

    start: int
    end: int
    name: str
    time: float | None = None
    until: float | None = None
    marked: bool = False


def find_candidates(text: str) -> list[Label]:
    """Find the candidates for speaker labels, in order and without overlaps. Runs in linear time.

    The forms are `NAME:` (also after a dash, in bold type, in other mark-up), `[NAME]:`, `(NAME):`, `[00:01:00] NAME:`,
    `NAME (00:01:00):`, WebVTT voice tags (`<v NAME>`), and a line `NAME  0:01` where there are more of these than of all others.
    """
    lines = "\n" + text
    plain = [
        _make_label(match, text) if match["lead"] else Label(match.start(), match.end() - 1, _tidy(match["label"]))
        for match in _CANDIDATE.finditer(lines)
    ]
    others: list[Label] = []
    if stamped := list(find_stamped_lines(lines)):
        for form in _STAMPED_FORMS:
            others += _find_named(form, text, lines, stamped)
        headed = _find_named(_HEADED, text, lines, stamped)
        if len(headed) > 1 and len(headed) > len(others) + sum(
            not text[label.end : label.end + 1].isdecimal() for label in plain
        ):
            others += headed
    if "[" in text:
        others += [_make_label(match, text, marked=True) for match in _BRACKETED.finditer(lines)]
        others += [_make_label(match, text, marked=True) for match in _MACHINE_BRACKETED.finditer(lines)]
    if _CLOSED.search(text) is not None:
        others += [_make_label(match, text) for match in _IN_PARENTHESES.finditer(lines)]
    if "<v" in text:
        others += [Label(match.start(), match.end(), _tidy(match["label"]), marked=True) for match in _VOICE.finditer(text)]
    if others:  # the more exact form of a line goes first
        plain = list(_without_overlaps(sorted(chain(others, plain), key=lambda label: (label.start, not label.marked))))
    return _read_opening_times(text, plain)


def find_stamped_lines(lines: str) -> Iterator[int]:
    """Yield the position of the newline before each line that may state a time."""
    position = 0
    while (minutes := _MINUTES.search(lines, position)) is not None:
        yield lines.rfind("\n", position, minutes.start())
        position = lines.find("\n", minutes.end())
        if position < 0:
            return


def _find_named(form: re.Pattern[str], text: str, lines: str, starts: Iterable[int]) -> list[Label]:
    """Return the labels of a form with a time, on the lines that begin at `starts`."""
    matches = [match for start in starts if (match := form.match(lines, start)) is not None]
    return [label for match in matches if _ends_like_a_name(label := _make_label(match, text, marked=True))]


def is_machine_made(name: str) -> bool:
    """Tell whether a program named this speaker: `SPEAKER_00`, `spk_1`, `Speaker 2`."""
    return _MACHINE.fullmatch(name) is not None


def _make_label(match: re.Match[str], text: str, marked: bool = False) -> Label:
    """Return the label of a match in the text with a newline before it."""
    groups = match.groupdict()
    lead = groups.get("lead") or ""
    name, end = groups.get("bracketed") or groups["label"], match.end() - 1
    if lead.endswith(("*", "_", "'")):  # bold or italic type ends before or after the colon
        emphasis = lead[len(lead.rstrip(lead[-1])) :]
        bold = len(emphasis) > (2 if emphasis[0] == "'" else 1)
        marked = marked or (bold and (emphasis in name or text.startswith(emphasis, end)))
        end += len(emphasis) if text.startswith(emphasis, end) else 0
    stamps = [parse_stamp(stamp) if stamp else None for stamp in _stamps(groups)]
    return Label(match.start(), end, _tidy(name.strip(" \t*'") if lead else name), stamps[0], stamps[1], marked)


def _ends_like_a_name(label: Label) -> bool:
    """Tell a name beside a time from prose with a time (`We start at 7:00`, `7:00 and no later: …`)."""
    return bool(label.name) and not label.name.split()[-1][0].islower()


def _stamps(groups: dict[str, str | None]) -> tuple[str | None, str | None]:
    return groups.get("time") or groups.get("time2"), groups.get("until") or groups.get("until2")


@lru_cache(maxsize=16_384)
def _tidy(name: str) -> str:
    return drop_invisible(name).strip()


def _without_overlaps(labels: list[Label]) -> Iterator[Label]:
    end = 0
    for label in labels:
        if label.start >= end:
            yield label
            end = label.end


def _read_opening_times(text: str, labels: list[Label]) -> list[Label]:
    """Take the time that follows a label in brackets (`ANNA: [00:01:00] …`) into the label, where most labels have one."""
    if not labels or _OPENING_TIME.match(text, labels[0].end) is None:
        return labels
    times = [_OPENING_TIME.match(text, label.end) for label in labels]
    if 2 * sum(time is not None for time in times) < len(labels):
        return labels
    return [
        label
        if time is None
        else Label(label.start, time.end(), label.name, parse_stamp(time["time"]), parse_stamp(time["until"] or ""), label.marked)
        for label, time in zip(labels, times, strict=True)
    ]
