"""Reads a subtitle file of either format (.srt or OPUS XML) into a dialogue."""

from collections.abc import Sequence
from dataclasses import replace

from core.errors import SourceError
from core.subtitles.config import SubtitleCleaning, SubtitleLimits
from core.subtitles.opus_xml import read_opus_xml
from core.subtitles.srt import read_srt
from core.subtitles.subtitle import Caption, Subtitle, SubtitleMetadata
from core.subtitles.utterances import make_turns

EXTENSIONS = (".srt", ".xml", ".xml.gz")
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
        SourceError: the extension is unknown, the file is too large or unreadable (see `read_srt` and `read_opus_xml`), or no
            words are left after cleaning.

    Reference: SumTitles, section 3: "we consider the whole subtitle to be a single dialogue of anonymous characters".
    """
    cleaning, limits = cleaning or SubtitleCleaning(), limits or SubtitleLimits()
    lowered = name.lower()
    if not lowered.endswith(EXTENSIONS):
        raise SourceError(f"{name}: not a subtitle file; expected a name that ends in {', '.join(EXTENSIONS)}")
    captions: Sequence[Caption]
    if lowered.endswith(".srt"):
        captions, metadata = read_srt(name, content, limits), SubtitleMetadata()
    else:
        captions, metadata = read_opus_xml(name, content, limits)
    turns, removed = make_turns(captions, cleaning, join=lowered.endswith(".srt"))
    if not turns:
        raise SourceError(
            f"{name}: no words in {len(captions):,} captions ({len(removed):,} removed by cleaning); expected subtitles. "
            "Is the file empty or all advertising? Replace it, or keep more with the cleaning settings"
        )
    if metadata.duration is None:
        metadata = replace(metadata, duration=max((turn.end for turn in turns if turn.end is not None), default=None))
    return Subtitle(name, turns, removed, metadata)
