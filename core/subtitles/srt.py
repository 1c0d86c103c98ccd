"""Reads SubRip files (.srt) in any encoding that can be recognised reliably, with or without cue numbers."""

from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.subtitle import Caption
from core.text.captions import parse_cues
from core.text.decoding import TextLimits, decode_text


def read_srt(name: str, content: bytes, limits: SubtitleLimits) -> list[Caption]:
    """Return the captions of a SubRip file, in the file's order.

    Raises:
        SourceError: the file is too large or empty, its encoding cannot be recognised reliably, or no line has times.
    """
    if len(content) > limits.max_bytes:
        raise SourceError(
            f"{name}: {len(content):,} bytes, and at most {limits.max_bytes:,} are read; is this one film's subtitles?"
        )
    text = decode_text(name, content, TextLimits(max_bytes=limits.max_bytes))
    cues = parse_cues(name, text)
    if len(cues) > limits.max_captions:
        raise SourceError(f"{name}: {len(cues):,} captions, and at most {limits.max_captions:,} are read; is this one film?")
    return [Caption(cue.text, cue.start, cue.end if cue.end >= cue.start else None) for cue in cues]
