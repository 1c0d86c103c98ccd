"""Settings of the `transcripts` pipeline. Constants that the paper fixes name the place where it does."""

from dataclasses import dataclass, field
from typing import Literal

from core.alignment.config import AlignmentConfig as AlignmentConfig
from core.provenance import ProvenanceConfig as ProvenanceConfig
from core.splits import SplitConfig as SplitConfig
from core.splits import SplitMethod as SplitMethod
from core.transcripts.discovery import EPISODE_CODE

SplitterName = Literal["spacy", "regex", "lines"]


@dataclass(frozen=True, slots=True)
class CleaningConfig:
    """How raw transcripts become turns.

    `aliases` maps a speaker label (any case) to the people behind it, before and besides the source's own `speakers.tsv`.
    `stage_directions` keeps or removes what stands in brackets or parentheses; the raw text keeps it in either case.
    `onomatopoeia` keeps drawn-out letters (`Noooooo`) or shortens them. `unlabelled_speaker` speaks the text before the first
    label; empty: nobody.
    """

    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stage_directions: Literal["keep", "remove"] = "keep"
    onomatopoeia: Literal["keep", "shorten"] = "keep"
    unlabelled_speaker: str = ""


@dataclass(frozen=True, slots=True)
class RecapConfig:
    """How recap pages become sections and sentences."""

    splitter: SplitterName = "spacy"


@dataclass(frozen=True, slots=True)
class FilterConfig:
    """Which aligned chunks become pairs.

    By default those whose span is probably right; the paper's own rule is one of length (section 4.1: `min_turns` = 2,
    `max_turns` = 100 and no confidence; the text says 2 < |turns|, the published data has 2 ≤ |turns|).
    """

    min_confidence: float = 0.8  # where the aligner gives one; on hand-read episodes five chunks of six have so much
    min_turns: int = 1
    max_turns: int = 0  # included; 0: no bound
    min_chunks: int = 10  # fewer chunks in a chunking: an incomplete wiki page
    excluded: tuple[str, ...] = ("Q: ",)  # question-and-answer segments


@dataclass(frozen=True, slots=True)
class StatisticsConfig:
    """Whom the statistics call game master and main cast (section 3.4); empty: the figures that need them are null.

    `entity_pipeline` names the trained spaCy pipeline that counts named entities; empty: they are not counted.
    """

    game_master: str = ""
    main_cast: tuple[str, ...] = ()
    entity_pipeline: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptsConfig:
    """Every setting of the pipeline, one part per stage; a stage's fingerprint covers its own part only."""

    unit_pattern: str = EPISODE_CODE
    cleaning: CleaningConfig = field(default_factory=CleaningConfig)
    recap: RecapConfig = field(default_factory=RecapConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    statistics: StatisticsConfig = field(default_factory=StatisticsConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
