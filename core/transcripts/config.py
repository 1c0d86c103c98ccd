"""Settings of the `transcripts` pipeline. A value that the paper fixes names the paper's section."""

from dataclasses import dataclass, field
from typing import Literal

from core.alignment.config import AlignmentConfig as AlignmentConfig
from core.provenance import ProvenanceConfig as ProvenanceConfig
from core.splits import SplitConfig as SplitConfig
from core.splits import SplitMethod as SplitMethod
from core.units import EPISODE_CODE

SplitterName = Literal["spacy", "regex", "lines"]


@dataclass(frozen=True, slots=True)
class CleaningConfig:
    """How raw transcripts become turns.

    `aliases` maps a speaker label (any case) to the people behind it. It adds to the source's `speakers.tsv` and wins over it.
    `stage_directions` keeps or removes text in brackets or parentheses; the raw text always keeps it.
    `onomatopoeia` keeps drawn-out letters (`Noooooo`) or shortens them.
    `unlabelled_speaker` names the speaker of the text before the first speaker label; "" means no speaker.
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

    By default, a chunk becomes a pair if its span is probably right. The paper filters by length instead (section 4.1):
    `min_turns` = 2, `max_turns` = 100 and no confidence. Its text says 2 < |turns|; its published data has 2 ≤ |turns|.
    """

    min_confidence: float = 0.8  # ignored where the aligner gives no confidence; 5 of 6 chunks of the gold episodes reach it
    min_turns: int = 1
    max_turns: int = 0  # inclusive; 0: no limit
    min_chunks: int = 10  # a chunking with fewer chunks comes from an incomplete wiki page
    excluded: tuple[str, ...] = ("Q: ",)  # chunks with this text come from question-and-answer segments


@dataclass(frozen=True, slots=True)
class StatisticsConfig:
    """Who the game master and the main cast are (section 3.4), and whether named entities are counted.

    Where `game_master` or `main_cast` is empty, the figures that need it are null. `entity_pipeline` names the trained spaCy
    pipeline that counts named entities; "" means that they are not counted.
    """

    game_master: str = ""
    main_cast: tuple[str, ...] = ()
    entity_pipeline: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptsConfig:
    """All settings of the pipeline, one part per stage. A stage's fingerprint covers its own part only."""

    unit_pattern: str = EPISODE_CODE
    cleaning: CleaningConfig = field(default_factory=CleaningConfig)
    recap: RecapConfig = field(default_factory=RecapConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    statistics: StatisticsConfig = field(default_factory=StatisticsConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
