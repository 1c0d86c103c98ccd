"""Counts what the parser makes of real screenplays, by its rules of today and by those of the published rows.

    FABULA_CORPORA=DIR python -m lab.quality.screenplays

All scripts that both read are counted. None of the counts is an error rate: a name above action names a shot in many scripts, and
speech may break off. What changes between the two says where to look.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable

from core.errors import ConfigError, SourceError
from core.scripts.screenplays.cues import parse_cue
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import Screenplay, parse_screenplay
from core.scripts.story import Scene
from core.text.decoding import decode_text
from lab.readings.films import find_movies

_PAGE = re.compile(r"google_|pageTracker|document\.|popup\w*\(|https?:|fair use|<!--|-->|top\.location")
_GARBLED = re.compile(r"â€|Ã[\x80-\xbf]|Â€")
_MIN_CUES = 3


def count_screenplay(screenplay: Screenplay) -> Counter[str]:
    """Return the counts of one screenplay."""
    scenes = screenplay.scenes
    turns = [turn for scene in scenes for turn in scene.turns]
    paragraphs = [paragraph for scene in scenes for paragraph in scene.narration]
    cues = Counter(name for turn in turns for name in turn.speakers)
    return Counter(
        {
            "scripts": 1,
            "scenes": len(scenes),
            "turns": len(turns),
            "words in speech": sum(len(turn.text.split()) for turn in turns),
            "words in action": sum(len(paragraph.split()) for paragraph in paragraphs),
            "names of speakers alone as action": sum(_is_lone_cue(paragraph, cues) for paragraph in paragraphs),
            "speeches without an end": sum(turn.text[-1].isalnum() for turn in turns),
            "speeches that begin in lower case": sum(turn.text[0].islower() for turn in turns),
            "paragraphs and speeches with code of web pages": _count(_PAGE, scenes),
            "paragraphs and speeches with garbled characters": _count(_GARBLED, scenes),
            "lines of web pages left out": screenplay.web_lines,
        }
    )


def _is_lone_cue(paragraph: str, cues: Counter[str]) -> bool:
    cue = parse_cue(paragraph) if paragraph.isupper() else None
    return cue is not None and all(cues[name] >= _MIN_CUES for name in cue.names)


def _count(pattern: re.Pattern[str], scenes: Iterable[Scene]) -> int:
    texts = (text for scene in scenes for text in (*scene.narration, *(turn.text for turn in scene.turns)))
    return sum(pattern.search(text) is not None for text in texts)


def main() -> None:
    """Print the table."""
    try:
        movies = find_movies()
    except ConfigError as error:
        sys.exit(f"lab.quality.screenplays: {error}")
    totals: list[Counter[str]] = [Counter(), Counter()]
    for path in sorted(movies.glob("*/script.txt")):
        text = decode_text(path.parent.name, path.read_bytes())
        try:
            read = [parse_screenplay(path.parent.name, text, ScreenplayConfig(as_published=old)) for old in (True, False)]
        except SourceError:
            continue
        for total, screenplay in zip(totals, read, strict=True):
            total.update(count_screenplay(screenplay))
    print("| | as published | now |\n|---|---|---|")
    for name in totals[1]:
        print(f"| {name} | {totals[0][name]:,} | {totals[1][name]:,} |")


if __name__ == "__main__":
    main()
