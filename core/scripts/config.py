"""Settings of the `scripts` pipeline and its profiles. A value that the paper fixes names the paper's section."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le

from core.bounds import UNCHANGED, Count, Curve, PositiveShare, Probability, Problem, Share, Text, Weight
from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig
from core.fingerprints import LATER
from core.reading.questions import NO_READER, ReaderConfig
from core.scripts.long_texts import LongTextConfig
from core.scripts.names import CastConfig
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.synopsis import SynopsisLines

TUNED_ON = ("slumdog-millionaire", "the-crying-game", "s10_e01", "s10_e03")
"""Stories whose gold links were used to choose the default weights. An evaluation leaves them out of its rates."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each similarity between a synopsis sentence and a scene. A similarity with weight 0 is not computed.

    The first four are the paper's α, β, γ and δ. `docs/scripts.md` explains the others.
    """

    sim_max: Weight = 0.0
    sim_mean: Weight = 0.0
    jac: Weight = 0.0
    osj: Weight = 0.0
    bm25: Weight = 0.0
    coverage: Weight = 0.0
    story_max: Weight = 0.0
    clause_max: Weight = 0.0
    story_masked: Weight = 0.0
    clause_masked: Weight = 0.0
    roles: Weight = 0.0
    people: Weight = 0.0


@dataclass(frozen=True, slots=True)
class SceneAlignmentConfig:
    """How synopsis sentences are aligned with scenes.

    `decoder`: `dtw` takes the monotone alignment with the highest sum of similarities (algorithm 2). `posterior` takes the
    monotone alignment with the highest sum of link probabilities.
    `elsewhere` (for `posterior`) is the prior probability that a sentence is told out of order: its scene may be any, by its own
    similarities alone. `background` (for `posterior`) is the share of sentences that no scene tells. Either keeps one sentence
    from outvoting all others.
    `neighbours` (for `posterior`) is the share of the neighbouring scenes' similarity that is added to a scene.
    `mentions` is the weight in `osj`, `people` and `roles` of a person whom a sentence means by a pronoun or as one of "the two";
    one who is named counts 1. So such a person has less weight in `osj` beside a named one, and the full weight alone. With 0,
    only names count; above 0, roles of the cues are people too, which also changes `jac`.
    `trust` (for `posterior`) is a factor on the similarities, used to tell how sure a link is and which other scenes a sentence
    may tell of. Without it, links look too sure: neighbouring sentences repeat each other's words.
    `bm25_k1` and `bm25_b` are BM25's term saturation and length normalisation.
    `splitter` splits speech and narration into sentences. `embedding_model` computes their vectors.
    """

    weights: Weights = field(
        default_factory=lambda: Weights(
            osj=1.0, bm25=0.75, coverage=6.0, story_max=7.5, clause_max=7.5, story_masked=7.5, clause_masked=7.5, people=0.35
        )
    )
    decoder: Literal["dtw", "posterior"] = "posterior"
    elsewhere: Probability = 0.025
    background: Probability = 0.025
    neighbours: Share = 0.1
    mentions: Share = 0.5
    trust: PositiveShare = 0.5
    bm25_k1: Annotated[float, Ge(0), Le(100)] = 2.0
    bm25_b: Share = 0.75
    splitter: Literal["spacy", "regex", "lines"] = "regex"
    embedding_model: Text = "all-MiniLM-L6-v2"

    def list_problems(self) -> list[Problem]:
        """Return what does not fit: `elsewhere` and `background` leave nothing for a sentence's place."""
        if (lost := self.elsewhere + self.background) >= 1:
            return [("background", f"with elsewhere it adds up to {lost:g}; expected less than 1")]
        return []


@dataclass(frozen=True, slots=True)
class SynopsisConfig:
    """How synopses are split: what a line is, and whether one that stops inside a sentence is joined with the next."""

    splitter: Literal["spacy", "regex", "lines"] = "spacy"
    lines: SynopsisLines = "auto"
    join_lines: bool = True


@dataclass(frozen=True, slots=True)
class MatchingConfig:
    """When a script is taken for that of another film, or for an early draft, and its unit goes to quarantine.

    A synopsis must fit its script by `least_match` (`core.scripts.matching`); 0 judges none. Films with fewer sentences or scenes
    are not judged.
    """

    least_match: Annotated[float, Ge(0), Le(100)] = 1.45
    least_sentences: Count = 10
    least_scenes: Count = 20


@dataclass(frozen=True, slots=True)
class FilterConfig:
    """Which links and rows a release keeps. What it drops goes to the table `rejects`, with the reason.

    A sentence is linked to every scene with a posterior of `several_scenes` or more, and to its best scene. It is dropped where
    the calibrated probability that at least one of them is right is below `min_probability`, or the probability that they tell it
    and no other scene does is below `min_completeness` (not asked of merged rows). With the decoder `dtw` each sentence has one
    scene and none is dropped. A row is dropped where it has fewer turns than `min_turns`, or where its turns have fewer words
    than `min_length_ratio` times its summary. Before all this, `told_curve` and `whole_curve` correct the two probabilities
    (`fabula fit scripts`).
    """

    several_scenes: PositiveShare = 0.15
    min_probability: Share = 0.9
    min_completeness: Share = 0.75
    min_turns: Count = 1
    min_length_ratio: Annotated[float, Ge(0), Le(100)] = 1.0
    told_curve: Curve = field(default=UNCHANGED, metadata=LATER)
    whole_curve: Curve = field(default=UNCHANGED, metadata=LATER)


@dataclass(frozen=True, slots=True)
class TablesConfig:
    """What the rows of a release are.

    `scenes`: a row has only the scenes that its sentences are linked to ("linked"), or every scene of the story is in a row, with
    the linked scene nearest to it by BestSplit ("merged", section 4).
    """

    scenes: Literal["linked", "merged"] = "linked"


@dataclass(frozen=True, slots=True)
class ScriptsConfig:
    """All settings of the pipeline, one part per stage. A stage's fingerprint covers the parts that it reads."""

    screenplays: ScreenplayConfig = field(default_factory=ScreenplayConfig)
    long_texts: LongTextConfig = field(default_factory=LongTextConfig)
    synopsis: SynopsisConfig = field(default_factory=SynopsisConfig)
    cast: CastConfig = field(default_factory=CastConfig)
    matching: MatchingConfig = field(default_factory=MatchingConfig)
    alignment: SceneAlignmentConfig = field(default_factory=SceneAlignmentConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    tables: TablesConfig = field(default_factory=TablesConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
    reader: ReaderConfig = field(default=NO_READER, metadata=LATER)

    def list_problems(self) -> list[Problem]:
        """Return a reader whom the aligner cannot hear."""
        if self.reader.model and self.alignment.decoder != "posterior":
            how = 'a reader is heard by alignment.decoder = "posterior" only; set that, or leave the model out'
            return [("reader.model", how)]
        return []
