"""Reads timed captions from SubRip (.srt) and WebVTT (.vtt) files.

Every line with an arrow between two times starts a cue, whatever is wrong around it (pysubs2 and webvtt-py lose words there).
"""

import re
from dataclasses import dataclass

from core.errors import SourceError

_STAMP = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"^[^\S\n]*{_STAMP}[^\S\n]*-->[^\S\n]*{_STAMP}[^\n]*$", re.MULTILINE | re.ASCII)
_ONE_STAMP = re.compile(_STAMP, re.ASCII)
_UNDERLINE = re.compile("</?u>")
_MAX_PAUSE = 0.1  # seconds between cues that show one text
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Cue:
    """One caption: `start` and `end` in seconds, `text` with its line breaks."""

    start: float
    end: float
    text: str


def parse_cues(name: str, text: str, advice: str = "Is this a plain transcript? Then rename it to .txt") -> list[Cue]:
    """Return the cues with text of a SubRip or WebVTT file, in order; without times it is a SourceError with this `advice`."""
    timings = list(_TIMING.finditer(text))
    if not timings:
        raise SourceError(f"{name}: no line with times; expected lines such as `00:00:01,500 --> 00:00:04,000`. {advice}")
    web = text.lstrip("\ufeff \n").startswith("WEBVTT")
    cues = []
    for position, timing in enumerate(timings):
        is_last = position + 1 == len(timings)
        body = text[timing.end() : len(text) if is_last else timings[position + 1].start()]
        body = _web_payload(body) if web else body if is_last else _without_next_index(body)
        if body.strip():
            cues.append(Cue(_seconds(timing.groups()[:4]), _seconds(timing.groups()[4:]), body.strip()))
    return _join_highlighted(cues) if "<u>" in text else cues


def _join_highlighted(cues: list[Cue]) -> list[Cue]:
    """Join the cues that show one text again and again, each with the word underlined that is said: so Whisper writes them."""
    joined: list[Cue] = []
    underlined = False  # somewhere in the cues of the last text
    for cue in cues:
        said = _UNDERLINE.sub("", cue.text)
        again = bool(joined) and said == _UNDERLINE.sub("", joined[-1].text) and cue.start < joined[-1].end + _MAX_PAUSE
        underlined = said != cue.text or (again and underlined)
        if again and underlined:
            joined[-1] = Cue(joined[-1].start, cue.end, said)
        else:
            joined.append(cue)
    return joined


def parse_stamp(text: str) -> float | None:
    """Return a time such as `00:01:11,240` in seconds, or None if the text is not a time."""
    match = _ONE_STAMP.fullmatch(text.strip())
    return _seconds(match.groups()) if match is not None else None


def _web_payload(body: str) -> str:
    """Cut a WebVTT cue at its first blank line. A note, a style or the next cue's identifier follows that line."""
    return _BLANK_LINE.split(body.removeprefix("\n"), maxsplit=1)[0] if not body.startswith("\n\n") else ""


def _without_next_index(body: str) -> str:
    """Cut the next cue's number off the end of a SubRip cue."""
    rest, _, last = body.rstrip().rpartition("\n")
    return rest if last.strip().isdecimal() else body


def _seconds(stamp: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in stamp)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000
