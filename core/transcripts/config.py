"""Settings of the `transcripts` pipeline. Constants that the paper fixes name the place where it does."""

from dataclasses import dataclass, field
from typing import Literal

AlignerName = Literal["needleman-wunsch", "greedy"]
TokenizerName = Literal["tweet", "tweet-lemmas", "rouge", "whitespace", "spacy"]
SplitterName = Literal["spacy", "regex", "lines"]
SplitMethod = Literal["order", "lists", "groups"]


@dataclass(frozen=True, slots=True)
class CleaningConfig:
    """How raw transcripts become turns.

    `aliases` maps a speaker label (any case) to the people behind it, before and besides the source's own `speakers.tsv`.
    `stage_directions` keeps or removes what stands in brackets or parentheses; the raw text keeps it in either case.
    """

    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stage_directions: Literal["keep", "remove"] = "keep"


@dataclass(frozen=True, slots=True)
class RecapConfig:
    """How recap pages become sections and sentences."""

    splitter: SplitterName = "spacy"


@dataclass(frozen=True, slots=True)
class AlignmentConfig:
    """How chunks of the recap find their turns (section 4.1)."""

    aligner: AlignerName = "needleman-wunsch"
    tokenizer: TokenizerName = "tweet"
    chunk_sizes: tuple[int, ...] = (2, 3, 4)  # section 4.1, "Data Augmentation": C = 2, 3 and 4
    ngram_orders: tuple[int, ...] = (1, 2)  # section 4.1: "just unigrams and bigrams"
    window: int = 14  # eq. 1: 0 ≤ w ≤ 14; only the greedy aligner reads it


@dataclass(frozen=True, slots=True)
class FilterConfig:
    """Which aligned chunks become pairs (section 4.1, with the bounds that the published data used)."""

    min_turns: int = 2  # the text says 2 < |turns|; the published data has 2 ≤ |turns|
    max_turns: int = 100  # both ends included
    min_chunks: int = 10  # fewer chunks in a chunking: an incomplete wiki page
    excluded: tuple[str, ...] = ("Q: ",)  # question-and-answer segments


@dataclass(frozen=True, slots=True)
class SplitConfig:
    """How episodes are divided into train, validation and test (appendix A.3: by episode, in order, 80/10/10).

    `lists` names the episodes of each split; with "groups", `group_pattern` is a regular expression whose first group in an episode id
    is its season, and whole seasons go to one split.
    """

    method: SplitMethod = "order"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    group_pattern: str = r"^([A-Za-z]+\d+)E\d+"


@dataclass(frozen=True, slots=True)
class StatisticsConfig:
    """Whom the statistics call main cast and game master; empty: the most frequent speakers are reported without a share."""

    game_master: str = ""
    main_cast: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvenanceConfig:
    """What a release says about where its text comes from; each row carries both."""

    license: str = "unspecified"
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptsConfig:
    """Every setting of the pipeline, one part per stage; a stage's fingerprint covers its own part only."""

    cleaning: CleaningConfig = field(default_factory=CleaningConfig)
    recap: RecapConfig = field(default_factory=RecapConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    statistics: StatisticsConfig = field(default_factory=StatisticsConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
