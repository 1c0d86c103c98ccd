"""Settings of the `scripts` pipeline and its profiles. Constants that the paper fixes name the place where it does."""

from dataclasses import dataclass, field
from typing import Literal

from core.provenance import ProvenanceConfig
from core.scripts.cast_matching import CastConfig
from core.scripts.long_texts import LongTextConfig
from core.scripts.screenplays.config import ScreenplayConfig
from core.scripts.synopsis import SynopsisLines
from core.splits import SplitConfig

TUNED_ON = ("slumdog-millionaire", "the-crying-game", "s10_e01", "s10_e03")
"""Stories whose gold chose the default's weights: an evaluation leaves them out of its rates."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each similarity of a synopsis sentence and a scene counts; one with weight 0 is not computed.

    The first four are the paper's α, β, γ and δ. `docs/scripts.md` says what each of the others measures.
    """

    sim_max: float = 0.0
    sim_mean: float = 0.0
    jac: float = 0.0
    osj: float = 0.0
    bm25: float = 0.0
    coverage: float = 0.0
    story_max: float = 0.0
    clause_max: float = 0.0
    roles: float = 0.0
    location: float = 0.0
    length: float = 0.0
    diagonal: float = 0.0


@dataclass(frozen=True, slots=True)
class SceneAlignmentConfig:
    """How synopsis sentences find their scenes.

    `decoder`: `dtw` takes the map with the highest sum (algorithm 2), `posterior` the map whose links are the likeliest over all
    monotone maps. Only `posterior` reads the next two. `background` is the share of sentences whose similarities mislead: no
    sentence can then outvote all others. `neighbours` is what a scene gains of the similarity of the scenes beside it. `bm25_k1`
    and `bm25_b` are BM25's saturation and length normalisation.
    """

    weights: Weights = field(default_factory=lambda: Weights(osj=1.0, bm25=1.0, story_max=15.0, clause_max=15.0, roles=0.5))
    decoder: Literal["dtw", "posterior"] = "posterior"
    background: float = 0.05
    neighbours: float = 0.1
    bm25_k1: float = 2.0
    bm25_b: float = 0.75
    splitter: Literal["spacy", "regex", "lines"] = "regex"
    embedding_model: str = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class SynopsisConfig:
    """How synopses become sentences; `lines` says what a line of the file is (`auto` finds out)."""

    splitter: Literal["spacy", "regex", "lines"] = "spacy"
    lines: SynopsisLines = "auto"


@dataclass(frozen=True, slots=True)
class ScriptsConfig:
    """All settings of the pipeline, one part per stage; a stage's fingerprint covers the parts that it reads."""

    screenplays: ScreenplayConfig = field(default_factory=ScreenplayConfig)
    long_texts: LongTextConfig = field(default_factory=LongTextConfig)
    synopsis: SynopsisConfig = field(default_factory=SynopsisConfig)
    cast: CastConfig = field(default_factory=CastConfig)
    alignment: SceneAlignmentConfig = field(default_factory=SceneAlignmentConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)


def default_config() -> ScriptsConfig:
    """Return the best combination that was found (profile `default`)."""
    return ScriptsConfig()


def sumtitles_config() -> ScriptsConfig:
    """Return the paper's own method (profile `sumtitles`): its four similarities, names as wholes, RestrictedDTW.

    The paper gives no weights, no n and no least similarity: the weights are 1, as nothing speaks for others.

    Reference: SumTitles, section 4, algorithms 1 to 7.
    """
    return ScriptsConfig(
        cast=CastConfig(capitalised="any", least_similarity=0.3, name_parts=False),
        alignment=SceneAlignmentConfig(
            weights=Weights(sim_max=1.0, sim_mean=1.0, jac=1.0, osj=1.0), decoder="dtw", background=0.0, neighbours=0.0
        ),
    )
