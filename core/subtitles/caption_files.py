"""Reads the captions of a text file in any of the known formats. The content decides the format, since names are often wrong."""

from core.errors import SourceError
from core.subtitles.microdvd import is_microdvd, parse_microdvd
from core.subtitles.substation import is_substation, parse_substation
from core.text.captions import Cue, parse_cues


def read_cues(name: str, text: str) -> list[Cue]:
    """Return the cues of a SubRip, WebVTT, SubStation Alpha or MicroDVD file.

    Raises:
        SourceError: no line has times, or no cue has text.
    """
    if is_substation(text):
        cues, expected = parse_substation(text), "lines such as `Dialogue: 0,0:00:01.50,0:00:04.00,Default,,0,0,0,,Where is it?`"
    elif is_microdvd(text):
        cues, expected = parse_microdvd(text), "lines such as `{1200}{1260}Where is it?`"
    else:
        return parse_cues(name, text, "If these are subtitles of another format, convert them to SubRip (.srt)")
    if not cues:
        raise SourceError(f"{name}: no captions with text; expected {expected}. Export the file again")
    return cues
