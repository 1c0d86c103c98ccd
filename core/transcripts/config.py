"""Settings of the `transcripts` pipeline. A value that the paper fixes names the paper's section."""

import re
from dataclasses import dataclass, field
from typing import Literal

from core.alignment.config import AlignmentConfig as AlignmentConfig
from core.bounds import Count, Problem, Share, Text
from core.dataset.splits import SplitConfig as SplitConfig
from core.dataset.splits import SplitMethod as SplitMethod
from core.dataset.units import EPISODE_CODE
from core.dataset.units import ProvenanceConfig as ProvenanceConfig
from core.fingerprints import LATER
from core.reading.questions import NO_READER, ReaderConfig

SplitterName = Literal["prose", "spacy", "regex", "lines"]


@dataclass(frozen=True, slots=True)
class CleaningConfig:
    """How raw transcripts become turns."""

    aliases: dict[Text, tuple[Text, ...]] = field(default_factory=dict)  # people behind a label; they win over speakers.tsv
    stage_directions: Literal["keep", "remove"] = "keep"  # text in brackets or parentheses
    onomatopoeia: Literal["keep", "shorten"] = "keep"  # drawn-out letters: `Noooooo`
    unlabelled_speaker: str = ""  # who speaks before the first label; "": nobody
    labels: Literal["learned", "pattern"] = "learned"  # from the whole file, or by one pattern as in CRD3 (section 3.2)
    contacts: Literal["keep", "mask"] = field(default="keep", metadata=LATER)  # in speech and recap (docs/contacts.md)
    pseudonyms: bool = field(default=False, metadata=LATER)  # for speakers' names everywhere (`core.transcripts.people`)


@dataclass(frozen=True, slots=True)
class RecapConfig:
    """How recap pages become sections and sentences.

    `lists` says what becomes of list entries without a sentence in sections about what is shown before, between or after the
    show: "rejected" makes no chunk of them, "chunked" takes them for sentences, as the published data does.
    """

    splitter: SplitterName = "prose"
    lists: Literal["rejected", "chunked"] = "rejected"


@dataclass(frozen=True, slots=True)
class MatchingConfig:
    """What becomes of a recap that is taken for that of another dialogue (docs/recaps.md: how, and rates of error)."""

    foreign: Literal["reject", "keep"] = "reject"


@dataclass(frozen=True, slots=True)
class FilterConfig:
    """Which aligned chunks become pairs: by default those whose span is probably right.

    The paper filters by length instead (section 4.1): `min_turns` = 2, `max_turns` = 100, `min_chunks` = 10 and no confidence.
    """

    min_confidence: Share = 0.8  # ignored where the aligner gives no confidence; 5 of 6 chunks of the gold episodes reach it
    min_turns: Count = 1
    max_turns: Count = 0  # inclusive; 0: no limit
    min_chunks: Count = 1  # the paper: 10, since a chunking with fewer chunks comes from an incomplete page, or a short show
    excluded: tuple[Text, ...] = ("Q: ",)  # chunks with this text come from question-and-answer segments
    duplicates: Literal["reject", "keep"] = "reject"  # pairs with the summary and the span of another; the paper keeps them
    shared_turn_words: Count = 200  # of pairs about different sentences that are mostly one turn this long, one is kept; 0: all
    train_on_sentences: Count = 8  # pairs with more sentences are never among those to train on: they are whole sections
    train_on_turns: Count = 500  # nor are pairs with more turns, which no summariser reads as a whole (docs/pairs.md); 0: all

    def list_problems(self) -> list[Problem]:
        """Return the limits that leave no number of turns."""
        if 0 < self.max_turns < self.min_turns:
            return [("max_turns", f"expected 0, or min_turns = {self.min_turns} at least: no span would be kept")]
        return []


@dataclass(frozen=True, slots=True)
class TablesConfig:
    """How rows are divided into the tables of a release.

    `plot_only`: `pairs` holds the pairs about the plot only, and every other kind of section has a config of its own.
    `empty_sections`: `summaries` has a row for a heading without text too.
    """

    plot_only: bool = True
    empty_sections: bool = False


@dataclass(frozen=True, slots=True)
class StatisticsConfig:
    """Who the game master and the main cast are (section 3.4), and the spaCy pipeline that counts named entities; "" for none."""

    game_master: str = ""
    main_cast: tuple[Text, ...] = ()
    entity_pipeline: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptsConfig:
    """All settings of the pipeline, one part per stage. A stage's fingerprint covers its own part only."""

    unit_pattern: str = EPISODE_CODE
    cleaning: CleaningConfig = field(default_factory=CleaningConfig)
    recap: RecapConfig = field(default_factory=RecapConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    matching: MatchingConfig = field(default_factory=MatchingConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    tables: TablesConfig = field(default_factory=TablesConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    statistics: StatisticsConfig = field(default_factory=StatisticsConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
    reader: ReaderConfig = field(default=NO_READER, metadata=LATER)

    def list_problems(self) -> list[Problem]:
        """Return an unusable `unit_pattern`, and a reader whom the aligner cannot hear."""
        if self.reader.model and self.alignment.aligner != "windows":
            return [("reader.model", 'a reader is heard by alignment.aligner = "windows" only; set that, or leave the model out')]
        try:
            compiled = re.compile(self.unit_pattern, re.IGNORECASE)
        except re.error as error:
            return [("unit_pattern", f"it is not a regular expression ({error}); correct it")]
        return [] if "unit" in compiled.groupindex else [("unit_pattern", "it has no group named unit; add (?P<unit>…)")]
