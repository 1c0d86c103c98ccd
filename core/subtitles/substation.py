r"""Reads SubStation Alpha subtitles (.ass, .ssa): the lines `Dialogue:` of the section `[Events]`.

A line `Format:` names the fields of the lines after it. `Text` is the last field and may hold commas. `\N` and `\n` break a line.
What stands in braces is code or a remark. What `{\p1}` begins is a drawing, and no text.
"""

import re

from core.text.captions import Cue, parse_stamp

_EVENTS = re.compile(r"^[^\S\n]*\[events\][^\S\n]*$", re.IGNORECASE | re.MULTILINE)
_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
"""The fields of version 4+, for a file without a line `Format:`."""
_LINES = re.compile(r"^[^\S\n]*(?:format|dialogue)[^\S\n]*:", re.IGNORECASE | re.MULTILINE)
_CODES = re.compile(r"\{([^{}]{0,2000})\}")
_SCALE = re.compile(r"\\p(\d)")  # of a drawing; 0 ends it
_BREAK = re.compile(r"\\[Nn]")


def is_substation(text: str) -> bool:
    """Tell whether a text has the section `[Events]`, and lines of it or no times of another format."""
    events = _EVENTS.search(text)
    return events is not None and (_LINES.search(text, events.end()) is not None or "-->" not in text)


def parse_substation(text: str) -> list[Cue]:
    """Return the cues by their times, without those that have no text; lines without readable times are left out.

    Editors put signs and songs behind the dialogue, whatever their times are.
    """
    events = _EVENTS.search(text)
    fields: tuple[str, ...] = _FIELDS
    cues: list[Cue] = []
    for line in text[events.end() if events else 0 :].split("\n"):
        kind, _, rest = line.strip().partition(":")
        if kind.startswith("["):
            break
        if kind.lower() == "format":
            fields = tuple(field.strip().lower() for field in rest.split(","))
        elif kind.lower() == "dialogue" and (cue := _read_dialogue(fields, rest)) is not None:
            cues.append(cue)
    return sorted(cues, key=lambda cue: cue.start)


def _read_dialogue(fields: tuple[str, ...], rest: str) -> Cue | None:
    values = dict(zip(fields, rest.split(",", len(fields) - 1), strict=False))
    start, end = (parse_stamp(values.get(name, "")) for name in ("start", "end"))
    spoken = _BREAK.sub("\n", _drop_codes(values.get("text", ""))).strip()
    return Cue(start, end, spoken) if spoken and start is not None and end is not None else None


def _drop_codes(text: str) -> str:
    r"""Return a text without its codes and drawings. A drawing lasts until `\p0`, whatever other codes stand in it."""
    spoken: list[str] = []
    position, is_drawing = 0, False
    for code in _CODES.finditer(text):
        if not is_drawing:
            spoken.append(text[position : code.start()])
        position = code.end()
        if scales := _SCALE.findall(code[1]):
            is_drawing = scales[-1] != "0"
    return "".join(spoken) + ("" if is_drawing else text[position:])
