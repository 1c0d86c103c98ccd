"""Reads a subtitle file (captions in text, or OPUS XML) into a dialogue."""

from collections.abc import Sequence
from dataclasses import replace

from core.errors import SourceError
from core.subtitles.caption_files import read_cues
from core.subtitles.config import SubtitleCleaning, SubtitleLimits
from core.subtitles.opus_xml import read_opus_xml
from core.subtitles.subtitle import Caption, Subtitle, SubtitleMetadata
from core.subtitles.utterances import make_turns
from core.text.decoding import TextLimits, decode_text

TEXT_EXTENSIONS = (".srt", ".vtt", ".ass", ".ssa", ".sub")
"""The extensions of files with captions in text, in any case. The content decides which format it is."""

EXTENSIONS = (*TEXT_EXTENSIONS, ".xml", ".xml.gz")
"""The extensions of subtitle files, in any case."""


def read_subtitle(
    name: str, content: bytes, cleaning: SubtitleCleaning | None = None, limits: SubtitleLimits | None = None
) -> Subtitle:
    """Read a subtitle file as one dialogue of anonymous speakers.

    Args:
        name: the file's name. Its extension decides the format.
        content: the file's bytes.
        cleaning: what is removed from captions.
        limits: the largest files to accept.

    Raises:
        SourceError: the extension is unknown, the file is too large or unreadable (see `read_captions` and `read_opus_xml`), or
            no words are left after cleaning.

    Reference: SumTitles, section 3: "we consider the whole subtitle to be a single dialogue of anonymous characters".
    """
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
            f"{name}: no words in {len(captions):,} captions ({len(removed):,} removed by cleaning); expected subtitles. "
            "Is the file empty or all advertising? Replace it, or keep more with the cleaning settings"
        )
    if metadata.duration is None:
        metadata = replace(metadata, duration=max((turn.end for turn in turns if turn.end is not None), default=None))
    return Subtitle(name, turns, removed, metadata)


def read_captions(name: str, content: bytes, limits: SubtitleLimits) -> list[Caption]:
    """Return the captions of a text file: in the file's order, or by their times where the format has no order.

    Raises:
        SourceError: the file is too large or empty, its encoding cannot be recognised reliably, or no line has times.
    """
    if len(content) > limits.max_bytes:
        raise SourceError(
            f"{name}: {len(content):,} bytes, and at most {limits.max_bytes:,} are read; is this one film's subtitles?"
        )
    text = decode_text(name, content, TextLimits(max_bytes=limits.max_bytes))
    cues = read_cues(name, text)
    if len(cues) > limits.max_captions:
        raise SourceError(f"{name}: {len(cues):,} captions, and at most {limits.max_captions:,} are read; is this one film?")
    return [Caption(cue.text, cue.start, cue.end if cue.end >= cue.start else None) for cue in cues]
