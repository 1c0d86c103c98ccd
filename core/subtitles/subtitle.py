"""A film's subtitles as one dialogue of anonymous characters, and what the file says about itself."""

from dataclasses import dataclass, field

from core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class Caption:
    """One caption (.srt) or one sentence (OPUS XML) before cleaning. `start` and `end` are seconds, None where unknown."""

    text: str
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class Removal:
    """A caption that cleaning removed as a whole, and why: "advert", "hidden", "lyrics", "no words"."""

    text: str
    start: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class SubtitleMetadata:
    """What the file states of itself; None where it states nothing, as every .srt.

    `language` is as written ("English"). `cds` is (number, of how many). `duration` is in seconds, of the subtitles and not of
    the film. `rating` is the subtitle's own, by users. `unknown_share` is the share of the tokens that OPUS's dictionary lacked.
    """

    language: str | None = None
    cds: tuple[int, int] | None = None
    duration: float | None = None
    rating: float | None = None
    unknown_share: float | None = None


@dataclass(frozen=True, slots=True)
class Subtitle:
    """One subtitle file, read: `turns` have no speakers and one utterance each, a sentence or what of it one caption holds."""

    name: str
    turns: tuple[Turn, ...]
    removed: tuple[Removal, ...] = ()
    metadata: SubtitleMetadata = field(default_factory=SubtitleMetadata)
