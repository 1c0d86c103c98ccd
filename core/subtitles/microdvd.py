"""Reads MicroDVD subtitles (.sub): lines such as `{1200}{1260}Where is the lamp?|On the pier.`, with times in frames."""

import re
from itertools import zip_longest

from core.text.captions import Cue

FRAME_RATE = 24_000 / 1_001
"""Frames a second of a film, where the file's first line does not tell the rate."""

LAST_SECONDS = 3.0
"""How long the last cue lasts where it has no end."""

_FIRST_WORDS = re.compile(r"[^\s\ufeff]")
_OPENING = re.compile(r"\{\d{1,8}\}\{\d{0,8}\}", re.ASCII)
_LINE = re.compile(r"^[^\S\n]*\{(\d{1,8})\}\{(\d{0,8})\}([^\n]*)$", re.MULTILINE | re.ASCII)
_RATE = re.compile(r"\s*((?:[1-9]\d|1[01]\d)(?:[.,]\d{1,4})?|120(?:[.,]0{1,4})?)\s*(?:fps)?\s*", re.ASCII | re.IGNORECASE)
_CODES = re.compile(r"\{[A-Za-z]:[^{}]{0,200}\}")


def is_microdvd(text: str) -> bool:
    """Tell whether the first line with text is one of MicroDVD."""
    first = _FIRST_WORDS.search(text)
    return first is not None and _OPENING.match(text, first.start()) is not None


def parse_microdvd(text: str) -> list[Cue]:
    """Return the cues in the file's order, without those that have no text.

    A first line at frame 0 or 1 whose text is a number from 10 to 120 (`{1}{1}25.000`, `{1}{1}23.976 fps`) tells the frames a
    second. A cue without an end lasts until the next one starts. A slash before a line means italics, and is left out.
    """
    lines = list(_LINE.finditer(text))
    told = _RATE.fullmatch(lines[0][3]) if lines and int(lines[0][1]) <= 1 else None
    rate = float(told[1].replace(",", ".")) if told is not None else FRAME_RATE
    lines = lines[1:] if told else lines
    cues = []
    for line, following in zip_longest(lines, lines[1:]):
        spoken = "\n".join(part.strip().removeprefix("/") for part in _CODES.sub("", line[3]).split("|")).strip()
        end = line[2] or (following[1] if following is not None else "")
        if spoken:
            cues.append(Cue(int(line[1]) / rate, int(end) / rate if end else int(line[1]) / rate + LAST_SECONDS, spoken))
    return cues
