"""Captions with speaker labels: SubRip (.srt) and WebVTT (.vtt), both with times.

pysubs2 and webvtt-py were tried and not taken: the first reads cue identifiers and NOTE blocks as speech, the second refuses a
file for one malformed cue. Here every line with an arrow opens a cue, whatever is wrong around it.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from core.errors import SourceError
from core.transcripts.dialogues.labels import find_labels
from core.transcripts.dialogues.plain_text import no_labels
from core.transcripts.dialogues.raw_turns import RawTurn

_STAMP = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"^[^\S\n]*{_STAMP}[^\S\n]*-->[^\S\n]*{_STAMP}[^\n]*$", re.MULTILINE | re.ASCII)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Cue:
    """One caption: `start` and `end` in seconds, `text` with its line breaks."""

    start: float
    end: float
    text: str


def read_captions(name: str, text: str) -> list[RawTurn]:
    """Split captions into turns: a turn starts with the cue that has its label and ends with the last cue before the next label.

    A cue without a label goes on with the speaker before it; a cue with several labels gives several turns with the same times.
    Cues before the first label are a turn without a label.

    Raises:
        SourceError: there are no cues, or no cue has a speaker label.
    """
    cues = parse_cues(name, text)
    starts: list[int] = []
    length = 0
    for cue in cues:
        starts.append(length)
        length += len(cue.text) + 1
    words = "\n".join(cue.text for cue in cues)
    labels = find_labels(words)
    if not labels:
        raise no_labels(name)
    spans = [(label.name, label.start, label.end) for label in labels]
    if words[: labels[0].start].strip():
        spans.insert(0, ("", 0, 0))
    turns = []
    for (label, start, text_start), end in zip(spans, [start for _, start, _ in spans[1:]] + [len(words)], strict=True):
        spoken = words[text_start:end]
        first = bisect_right(starts, text_start - 1 if label else start) - 1
        last = bisect_right(starts, text_start + max(len(spoken.rstrip()) - 1, 0)) - 1
        turns.append(RawTurn(label, spoken, cues[max(first, 0)].start, max(cue.end for cue in cues[max(first, 0) : last + 1])))
    return turns


def parse_cues(name: str, text: str) -> list[Cue]:
    """Return the cues of a SubRip or WebVTT file that have text, in the file's order.

    Raises:
        SourceError: no line has times.
    """
    timings = list(_TIMING.finditer(text))
    if not timings:
        raise SourceError(
            f"{name}: no line with times; expected captions with lines such as `00:00:01,500 --> 00:00:04,000`. "
            "Is this a plain transcript? Then rename it to .txt"
        )
    web = text.lstrip("\ufeff \n").startswith("WEBVTT")
    cues = []
    for position, timing in enumerate(timings):
        is_last = position + 1 == len(timings)
        body = text[timing.end() : len(text) if is_last else timings[position + 1].start()]
        body = _web_payload(body) if web else body if is_last else _without_next_index(body)
        if body.strip():
            cues.append(Cue(_seconds(timing.groups()[:4]), _seconds(timing.groups()[4:]), body.strip()))
    return cues


def _web_payload(body: str) -> str:
    """Cut a WebVTT cue at its first blank line: what follows is a note, a style or the next cue's identifier."""
    return _BLANK_LINE.split(body.removeprefix("\n"), maxsplit=1)[0] if not body.startswith("\n\n") else ""


def _without_next_index(body: str) -> str:
    """Cut the next cue's number off the end of a SubRip cue."""
    rest, _, last = body.rstrip().rpartition("\n")
    return rest if last.strip().isdecimal() else body


def _seconds(stamp: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in stamp)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000
