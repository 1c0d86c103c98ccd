r"""Reads a subtitle file into a dialogue: captions in text (SubRip, WebVTT, SubStation Alpha, MicroDVD, TTML) or OPUS XML.

The content decides which format of text a file has, since names are often wrong.

SubStation Alpha has its captions in the lines `Dialogue:` of the section `[Events]`. A line `Format:` names the fields of the
lines after it; `Text` is the last one and may hold commas. `\N` and `\n` break a line. What stands in braces is code or a remark,
and what `{\p1}` begins is a drawing, not text. MicroDVD has lines such as `{1200}{1260}Where is the lamp?|On the pier.`, with
times in frames.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from core.errors import SourceError
from core.subtitles.cleaning import make_turns
from core.subtitles.config import SubtitleCleaning, SubtitleLimits
from core.subtitles.opus_xml import read_opus_xml
from core.subtitles.subtitle import Caption, Subtitle, SubtitleMetadata
from core.subtitles.ttml import is_ttml, parse_ttml
from core.text.captions import Cue, parse_cues, parse_stamp
from core.text.decoding import TextLimits, decode_text

TEXT_EXTENSIONS = (".srt", ".vtt", ".ass", ".ssa", ".sub", ".ttml", ".dfxp")
"""The extensions of files with captions in text, in any case."""

EXTENSIONS = (*TEXT_EXTENSIONS, ".xml", ".xml.gz")
"""The extensions of subtitle files, in any case."""

_EVENTS = re.compile(r"^[^\S\n]*\[events\][^\S\n]*$", re.IGNORECASE | re.MULTILINE)
_SUBSTATION_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
"""The fields of version 4+, for a file without a line `Format:`."""
_SUBSTATION_LINES = re.compile(r"^[^\S\n]*(?:format|dialogue)[^\S\n]*:", re.IGNORECASE | re.MULTILINE)
_SUBSTATION_CODES = re.compile(r"\{([^{}]{0,2000})\}")
_DRAWING_SCALE = re.compile(r"\\p(\d)")  # 0 ends a drawing
_SUBSTATION_BREAK = re.compile(r"\\[Nn]")

_FRAME_RATE = 24_000 / 1_001  # frames a second of a film, where MicroDVD's first line does not tell the rate
_LAST_SECONDS = 3.0  # how long MicroDVD's last cue lasts where it has no end
_MICRODVD_OPENING = re.compile(r"[\s\ufeff]*+\{[0-9]{1,8}\}\{[0-9]{0,8}\}")
_MICRODVD_LINE = re.compile(r"^[^\S\n]*\{(\d{1,8})\}\{(\d{0,8})\}([^\n]*)$", re.MULTILINE | re.ASCII)
_RATE = re.compile(r"\s*((?:[1-9]\d|1[01]\d)(?:[.,]\d{1,4})?|120(?:[.,]0{1,4})?)\s*(?:fps)?\s*", re.ASCII | re.IGNORECASE)
_MICRODVD_CODES = re.compile(r"\{[A-Za-z]:[^{}]{0,200}\}")


def read_subtitle(
    name: str, content: bytes, cleaning: SubtitleCleaning | None = None, limits: SubtitleLimits | None = None
) -> Subtitle:
    """Read a subtitle file as one dialogue of anonymous speakers (SumTitles, section 3); its extension decides the format."""
    cleaning, limits = cleaning or SubtitleCleaning(), limits or SubtitleLimits()
    lowered = name.lower()
    if not lowered.endswith(EXTENSIONS):
        raise SourceError(f"{name}: not a subtitle file; expected a name that ends in {', '.join(EXTENSIONS)}")
    captions: Sequence[Caption]
    if lowered.endswith(TEXT_EXTENSIONS):
        captions, metadata = read_captions(name, content, limits), SubtitleMetadata()
    else:
        captions, metadata = read_opus_xml(name, content, limits)
    turns, removed = make_turns(captions, cleaning, join=lowered.endswith(TEXT_EXTENSIONS))
    if not turns:
        raise SourceError(
            f"{name}: no words in {len(captions):,} captions ({removed.total():,} removed by cleaning); expected subtitles. "
            "Is the file empty or all advertising? Replace it, or keep more with the cleaning settings"
        )
    return Subtitle(name, turns, removed, metadata)


def read_captions(name: str, content: bytes, limits: SubtitleLimits) -> list[Caption]:
    """Return the captions of a text file: in the file's order, or by their times where the format has no order."""
    text = decode_text(name, content, TextLimits(max_bytes=limits.max_bytes))
    cues = read_cues(name, text)
    if len(cues) > limits.max_captions:
        raise SourceError(f"{name}: {len(cues):,} captions, and at most {limits.max_captions:,} are read; is this one film?")
    return [Caption(cue.text, cue.start, cue.end if cue.end >= cue.start else None) for cue in cues]


def read_cues(name: str, text: str) -> list[Cue]:
    """Return the cues of a SubRip, WebVTT, SubStation Alpha, MicroDVD or TTML file.

    Raises:
        SourceError: no line has times, or no cue has text.
    """
    events = _EVENTS.search(text)
    if events is not None and (_SUBSTATION_LINES.search(text, events.end()) is not None or "-->" not in text):
        cues = _parse_substation(text[events.end() :])
        expected = "lines such as `Dialogue: 0,0:00:01.50,0:00:04.00,Default,,0,0,0,,Where is it?`"
    elif is_ttml(text):
        cues, expected = parse_ttml(name, text), '<p begin="00:00:01.500" end="00:00:04.000">Where is it?</p>'
    elif _MICRODVD_OPENING.match(text) is not None:
        cues, expected = _parse_microdvd(text), "lines such as `{1200}{1260}Where is it?`"
    else:
        return parse_cues(name, text, "If these are subtitles of another format, convert them to SubRip (.srt)")
    if not cues:
        raise SourceError(f"{name}: no captions with text; expected {expected}. Export the file again")
    return cues


def _parse_substation(events: str) -> list[Cue]:
    """Return the cues that have text and times, by their times: editors put signs and songs behind the dialogue."""
    fields: tuple[str, ...] = _SUBSTATION_FIELDS
    cues: list[Cue] = []
    for line in events.split("\n"):
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
    spoken = _SUBSTATION_BREAK.sub("\n", _drop_substation_codes(values.get("text", ""))).strip()
    return Cue(start, end, spoken) if spoken and start is not None and end is not None else None


def _drop_substation_codes(text: str) -> str:
    r"""Return a text without its codes and drawings. A drawing lasts until `\p0`, whatever other codes stand in it."""
    spoken, *pieces = _SUBSTATION_CODES.split(text)
    is_drawing = False
    for code, words in zip(pieces[::2], pieces[1::2], strict=True):
        if scales := _DRAWING_SCALE.findall(code):
            is_drawing = scales[-1] != "0"
        spoken += "" if is_drawing else words
    return spoken


def _parse_microdvd(text: str) -> list[Cue]:
    """Return the cues that have text, in the file's order.

    A first line at frame 0 or 1 whose text is a number from 10 to 120 (`{1}{1}25.000`, `{1}{1}23.976 fps`) tells the frames a
    second. A cue without an end lasts until the next one starts. A slash before a line means italics, and is left out.
    """
    lines = list(_MICRODVD_LINE.finditer(text))
    told = _RATE.fullmatch(lines[0][3]) if lines and int(lines[0][1]) <= 1 else None
    rate = float(told[1].replace(",", ".")) if told is not None else _FRAME_RATE
    lines = lines[1:] if told else lines
    cues = []
    for line, following in zip_longest(lines, lines[1:]):
        spoken = "\n".join(part.strip().removeprefix("/") for part in _MICRODVD_CODES.sub("", line[3]).split("|")).strip()
        end = line[2] or (following[1] if following is not None else "")
        if spoken:
            cues.append(Cue(int(line[1]) / rate, int(end) / rate if end else int(line[1]) / rate + _LAST_SECONDS, spoken))
    return cues
