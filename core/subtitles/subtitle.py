"""A film's subtitles as one dialogue of anonymous speakers, with the file's metadata."""

from collections import Counter
from dataclasses import dataclass, field

from core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption before cleaning: a cue of a text file or a sentence (OPUS XML). `start` and `end` are seconds, or None."""

    text: str
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class SubtitleMetadata:
    """What an XML file says about itself; None where it says nothing.

    `cds` is (number of the disc, number of discs), `rating` that of the subtitle by users, `unknown_share` the share of tokens
    that are not in OPUS's dictionary.
    """

    language: str | None = None
    cds: tuple[int, int] | None = None
    rating: float | None = None
    unknown_share: float | None = None


@dataclass(frozen=True, slots=True)
class Subtitle:
    """One subtitle file after reading; each turn is a sentence or a speaker's part of it.

    `removed` counts the captions that cleaning removed completely: "advert", "hidden", "lyrics" or "no words".
    """

    name: str
    turns: tuple[Turn, ...]
    removed: Counter[str] = field(default_factory=Counter)
    metadata: SubtitleMetadata = field(default_factory=SubtitleMetadata)
