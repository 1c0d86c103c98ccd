"""Settings of the `rooms` pipeline: every weight of the report's two tables, and what finds copies."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt, MaxLen

from core.bounds import UNCHANGED, Curve, Share
from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig
from core.fingerprints import LATER
from core.reading.questions import NO_READER, ReaderConfig

Points = Annotated[float, Ge(-100), Le(100)]


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """Points of each criterion (section 3.3, both tables). `SCORE_PARTS` says how often a criterion counts in a sentence."""

    you: Points = 1.0
    pattern: Points = 1.0
    room: Points = 2.0
    floor: Points = 2.0
    door: Points = 1.0
    wall: Points = 1.0
    quote_edge: Points = -1.0
    question: Points = -1.0
    curse: Points = -2.0
    quote_inside: Points = -2.0
    interjection: Points = -2.0
    entity: Points = -2.0


@dataclass(frozen=True, slots=True)
class AnalysisConfig:
    """How the parts of the score are found in a sentence.

    `pipeline` names a trained spaCy pipeline, whose tags, entities and lemmas are used; "" means the rules of the offline
    default. `similarity` says where the similarity of words comes from: the packaged table of words (`lexicon`), the packaged
    sentence embedder on every word of the text (`embeddings`), or the vectors of `pipeline` (`pipeline`). A word counts where
    its similarity is greater than `threshold` (section 3.3). A curse is a word of a `list` of our own, or a word that is as
    `similar` as that to one of 15 curses, as the report has it ("guy", "hair" and "nice" are, "arse" and "hell" are not).
    """

    pipeline: Annotated[str, MaxLen(1_000)] = ""
    similarity: Literal["lexicon", "embeddings", "pipeline"] = "lexicon"
    threshold: Annotated[float, Ge(0.4), Lt(1)] = 0.5
    curses: Literal["list", "similar"] = "list"
    embedding_model: Annotated[str, MaxLen(1_000)] = "all-MiniLM-L6-v2"

    @property
    def label(self) -> str:
        """What the analysis rests on, as every row of a release says it."""
        return f"tags:{self.pipeline or 'rules'} similarity:{self.similarity}>{self.threshold:g}"


@dataclass(frozen=True, slots=True)
class SelectionConfig:
    """Which sentences become room descriptions.

    `by` says what decides: the `probability` that a sentence describes a place (`core.rooms.places`), which has to be at least
    `min_probability` once `curve` has moved it (`fabula fit rooms`), or the `score`, which has to be at least `min_score`
    (section 3.3: scores less than 1 are excluded). A sentence needs more than `max_short` words (0 in the report's text; its code
    drops 7 words and fewer). `max_words` cuts off run-on text without punctuation. The profile `grow2022` decides as the report
    does.
    """

    by: Literal["probability", "score"] = "probability"
    min_probability: Share = 0.8
    curve: Curve = field(default=UNCHANGED, metadata=LATER)
    min_score: Points = 1.0
    max_short: Annotated[int, Ge(0), Le(1_000)] = 7
    max_words: Annotated[int, Ge(1), Le(10_000)] = 200


@dataclass(frozen=True, slots=True)
class DescriptionConfig:
    """Which sentences join a kept one in its row, if the probability decides; if the score decides, none do.

    They have at least `min_probability`. A sentence that none joins needs `more_alone` added to a kept one's probability. At most
    `skipped` other sentences of the passage are left out between two of them. A speaker's description may go on `turns` later.
    """

    min_probability: Share = 0.4
    more_alone: Share = 0.05
    skipped: Annotated[int, Ge(0), Le(100)] = 1
    turns: Annotated[int, Ge(0), Le(100)] = 2


@dataclass(frozen=True, slots=True)
class CopyConfig:
    """What counts as a copy (section 3.2: duplicate lines, and introductions and closing statements, are removed).

    `near`: sentences whose sets of word n-grams (`ngram` words) have this Jaccard similarity are near copies, estimated with
    `permutations` hashes. A sentence that stands in at least `recurring_documents` documents, each time within the first or last
    `edge` of its document, is an introduction or a sign-off: none of its copies stays.
    """

    near: Annotated[float, Ge(0.3), Le(1)] = 0.8
    ngram: Annotated[int, Ge(1), Le(8)] = 2
    permutations: Annotated[int, Ge(16), Le(512)] = 64
    seed: Annotated[int, Ge(0), Le(2**31 - 1)] = 1
    recurring_documents: Annotated[int, Ge(2), Le(1_000_000)] = 3
    edge: Annotated[float, Gt(0), Le(0.5)] = 0.1


@dataclass(frozen=True, slots=True)
class RoomsConfig:
    """All settings of the pipeline, one part per stage. `shards` is for records of JSON Lines files."""

    splitter: Literal["spacy", "regex", "lines"] = "regex"
    analysis: AnalysisConfig = field(default_factory=AnalysisConfig)
    weights: ScoreWeights = field(default_factory=ScoreWeights)
    selection: SelectionConfig = field(default_factory=SelectionConfig)
    descriptions: DescriptionConfig = field(default_factory=DescriptionConfig)
    copies: CopyConfig = field(default_factory=CopyConfig)
    shards: Annotated[int, Ge(1), Le(9_999)] = 16
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
    reader: ReaderConfig = field(default=NO_READER, metadata=LATER)
