"""A film's subtitles as one dialogue of anonymous speakers, with the file's metadata."""

from dataclasses import dataclass, field

from core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption before cleaning: a cue of a text file or a sentence (OPUS XML). `start` and `end` are seconds, or None."""

    text: str
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class Removal:
    """A caption that cleaning removed completely. `reason` is "advert", "hidden", "lyrics" or "no words"."""

    text: str
    start: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class SubtitleMetadata:
    """What the file says about itself. Only XML says anything; without it all fields but `duration` are None.

    `language` is as written ("English"). `cds` is (number of the disc, number of discs). `duration` is the length of the
    subtitles in seconds, not of the film. `rating` is the users' rating of the subtitle. `unknown_share` is the share of tokens
    that are not in OPUS's dictionary.
    """

    language: str | None = None
    cds: tuple[int, int] | None = None
    duration: float | None = None
    rating: float | None = None
    unknown_share: float | None = None


@dataclass(frozen=True, slots=True)
class Subtitle:
    """One subtitle file after reading. Each turn has no speakers and one utterance: a sentence or a speaker's part of it."""

    name: str
    turns: tuple[Turn, ...]
    removed: tuple[Removal, ...] = ()
    metadata: SubtitleMetadata = field(default_factory=SubtitleMetadata)
