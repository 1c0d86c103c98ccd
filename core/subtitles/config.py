"""Settings of the `subtitles` pipeline: what is read, what is cleaned away, which variant of a film is taken."""

from dataclasses import dataclass, field
from typing import Literal

from core.provenance import ProvenanceConfig
from core.splits import SplitConfig

Choice = Literal["keep", "remove"]


@dataclass(frozen=True, slots=True)
class SubtitleLimits:
    """How large a subtitle file may be. A feature film has about 0.1 MB as SubRip and 0.5 MB as XML (0.1 MB compressed)."""

    max_bytes: int = 16 * 2**20  # of the file as it lies in the source
    max_decompressed_bytes: int = 16 * 2**20  # of the XML that a .gz holds
    max_captions: int = 200_000


@dataclass(frozen=True, slots=True)
class SubtitleCleaning:
    r"""What is taken out of captions besides mark-up (`<i>`, `{\an8}`, `&amp;`) and music signs, which always go.

    `adverts`: captions that name who made or hosts the subtitles. `hidden`: captions shown for no time. `lyrics`: captions
    between music signs. `sound_descriptions`: what stands in brackets, for the hard of hearing. `speaker_labels`: capitals with a
    colon at the head of a line (`MAN:`); the pipeline's characters are anonymous. `speaker_dashes`: the hyphen that opens a
    speaker's words. Dashes and labels divide a caption, kept or not. `max_pause`: seconds after which a sentence of a .srt file
    no longer goes on in the next caption.
    """

    adverts: Choice = "remove"
    hidden: Choice = "remove"
    lyrics: Choice = "keep"
    sound_descriptions: Choice = "remove"
    speaker_labels: Choice = "remove"
    speaker_dashes: Choice = "remove"
    max_pause: float = 3.0


@dataclass(frozen=True, slots=True)
class LanguageConfig:
    """How English is told from other languages where neither the path nor the metadata names it (docs/subtitles.md has figures).

    `min_share`: the least share of the words that are frequent English words. `min_words`: under so many words nothing is said.
    """

    min_share: float = 0.25
    min_words: int = 4


@dataclass(frozen=True, slots=True)
class VariantConfig:
    """Which of several subtitles of one film is taken. `tolerance`: how far from the median length is still near, as a share."""

    tolerance: float = 0.1


@dataclass(frozen=True, slots=True)
class SubtitlesConfig:
    """Every setting of the pipeline, one part per stage; a stage's fingerprint covers its own part only.

    `exclude` lists films that are in the scripts part already (section 3): ids (`tt0133093`, `133093`, `the-matrix`) or titles,
    with the year where a remake shares the title (`The Matrix (1999)`). `exclude_datasets` names datasets of the store, made by
    `scripts`, whose movies are excluded too. `shards` is the number of shards that films travel in;
    another number regroups all of them. `splitter` cuts summaries into sentences. Whole shards go to a split, in
    the order of their names, which is as good as chance.
    """

    limits: SubtitleLimits = field(default_factory=SubtitleLimits)
    cleaning: SubtitleCleaning = field(default_factory=SubtitleCleaning)
    language: LanguageConfig = field(default_factory=LanguageConfig)
    variants: VariantConfig = field(default_factory=VariantConfig)
    splitter: Literal["spacy", "regex", "lines"] = "spacy"
    exclude: tuple[str, ...] = ()
    exclude_datasets: tuple[str, ...] = ("scripts",)
    shards: int = 64
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
