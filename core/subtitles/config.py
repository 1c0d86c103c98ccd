"""Settings of the `subtitles` pipeline."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le

from core.bounds import ByteLimit, Count, Share, Text
from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig
from core.fingerprints import LATER
from core.reading.questions import NO_READER, ReaderConfig

Choice = Literal["keep", "remove"]


@dataclass(frozen=True, slots=True)
class SubtitleLimits:
    """How large a subtitle file may be. A feature film has about 0.1 MB as SubRip and 0.5 MB as XML (0.1 MB compressed)."""

    max_bytes: ByteLimit = 16 * 2**20  # size of the file in the source
    max_decompressed_bytes: ByteLimit = 16 * 2**20  # size of the XML in a .gz file
    max_captions: Annotated[int, Ge(1), Le(10_000_000)] = 200_000
    min_utterances: Count = 40  # a shorter file is a test or a trailer: a short film has more


@dataclass(frozen=True, slots=True)
class SubtitleCleaning:
    r"""What is removed from captions. Mark-up (`<i>`, `{\an8}`, `&amp;`) and music signs are always removed.

    `adverts`: captions that name the maker or the website of the subtitles.
    `hidden`: captions whose end equals their start.
    `lyrics`: captions between music signs.
    `sound_descriptions`: text in brackets, for the hard of hearing.
    `speaker_labels`: capitals with a colon at the start of a line (`MAN:`). Speakers are anonymous in this pipeline.
    `speaker_dashes`: the dash before a speaker's words.
    `contacts`: whether telephone numbers, e-mail and street addresses and the like are masked (docs/contacts.md).
    `max_pause`: in a file of captions, a sentence may continue in the next caption if the pause is at most this many seconds.

    Speaker dashes and speaker labels divide a caption into turns, whether they are kept or removed.
    """

    adverts: Choice = "remove"
    hidden: Choice = "remove"
    lyrics: Choice = "keep"
    sound_descriptions: Choice = "remove"
    speaker_labels: Choice = "remove"
    speaker_dashes: Choice = "remove"
    max_pause: Annotated[float, Ge(0), Le(3600)] = 3.0
    contacts: Literal["keep", "mask"] = field(default="keep", metadata=LATER)


@dataclass(frozen=True, slots=True)
class LanguageConfig:
    """How English is recognised where neither path nor metadata names a language: by the share of frequent words."""

    min_share: Share = 0.25
    min_words: Count = 4


@dataclass(frozen=True, slots=True)
class VariantConfig:
    """Which of several subtitles of one film is chosen. A length within the share `tolerance` of the median counts as near it."""

    tolerance: Share = 0.1


@dataclass(frozen=True, slots=True)
class MatchingConfig:
    """How a summary of another film is recognised: few of its names are spoken.

    `least_names` is the least share of names that must be (0: nothing is checked). A summary with fewer than `min_names` names is
    not judged. `docs/subtitles.md` has the rates of error.
    """

    least_names: Share = 0.3
    min_names: Count = 5


@dataclass(frozen=True, slots=True)
class SubtitlesConfig:
    """All settings of the pipeline, one part per stage. A stage's fingerprint covers its own part only.

    `exclude` lists films that are in the scripts part already (SumTitles, section 3): ids (`tt0133093`, `133093`, `the-matrix`)
    or titles, with the year if a remake has the same title (`The Matrix (1999)`). `exclude_datasets` names datasets of the store,
    made by the scripts pipeline, whose movies are excluded too. `shards` is the number of shards into which films are grouped,
    the same in all releases of a dataset. `split` assigns whole shards to splits, in the order of their names; this is as good as
    random.
    """

    limits: SubtitleLimits = field(default_factory=SubtitleLimits)
    cleaning: SubtitleCleaning = field(default_factory=SubtitleCleaning)
    language: LanguageConfig = field(default_factory=LanguageConfig)
    variants: VariantConfig = field(default_factory=VariantConfig)
    matching: MatchingConfig = field(default_factory=MatchingConfig)
    splitter: Literal["spacy", "regex", "lines"] = "spacy"
    exclude: tuple[Text, ...] = ()
    exclude_datasets: tuple[Text, ...] = ("scripts",)
    shards: Annotated[int, Ge(1), Le(9_999)] = 64
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
    reader: ReaderConfig = field(default=NO_READER, metadata=LATER)
