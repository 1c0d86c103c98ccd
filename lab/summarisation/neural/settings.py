"""Settings of the neural summarisers.

In each, `train_rows` and `validation_rows` are the most rows that a benchmark draws from a split with its seed; None: all.
`DECODING` names the settings that decide how a trained network summarises; no training depends on them.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from annotated_types import Ge, Gt, Le

from core.scripts.views import View
from infra.models.sentence_embedder import PACKAGED_MODEL
from lab.training.network import TrainingConfig

DRAWN = ("train_rows", "validation_rows")
"""Settings that say what is learned, not how: the data of a training say it better."""
MOST_TOKENS = 1_024
"""Tokens of a dialogue that a model reads. Reference: SumTitles, section 6.3."""
EXTRACTED_SENTENCES = 6
"""Sentences of an extracted summary. Reference: SumTitles, section 6.3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BertSumTraining(TrainingConfig):
    """How BertSumExt is trained."""

    learning_rate: Annotated[float, Gt(0), Le(1)] = 5e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteTraining(TrainingConfig):
    """How the extractor and the abstractor of Chen and Bansal are trained: Adam and no decay, as in their program."""

    batch: Annotated[int, Ge(1), Le(65_536)] = 32
    learning_rate: Annotated[float, Gt(0), Le(1)] = 1e-3
    warm_up: Annotated[float, Ge(0), Le(1)] = 0.0
    decay: bool = False
    weight_decay: Annotated[float, Ge(0), Le(1)] = 0.0
    clip: Annotated[float, Gt(0), Le(1e6)] = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTraining(RewriteTraining):
    """How the extractor is trained by policy gradient."""

    learning_rate: Annotated[float, Gt(0), Le(1)] = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationConfig:
    """Settings of a sequence-to-sequence summariser. Lengths are in the model's tokens.

    `model`: a folder or a name of transformers. `prefix` stands before every dialogue; T5 gets "summarize: " where it is None.
    The fine-tuning is BART's for CNN/DailyMail, without its least length: the summaries here are short.

    Reference: SumTitles, sections 6.2 and 6.3; Lewis et al., 2019.
    """

    DECODING: ClassVar[tuple[str, ...]] = ("beams", "length_penalty", "no_repeat_ngram")
    model: str = "facebook/bart-large"
    view: View = "both"
    prefix: str | None = None
    max_input: Annotated[int, Ge(8), Le(65_536)] = MOST_TOKENS
    max_output: Annotated[int, Ge(2), Le(4_096)] = 140
    label_smoothing: Annotated[float, Ge(0), Le(1)] = 0.1
    beams: Annotated[int, Ge(1), Le(64)] = 4
    length_penalty: Annotated[float, Ge(-10), Le(10)] = 2.0
    no_repeat_ngram: Annotated[int, Ge(0), Le(16)] = 3
    batch: Annotated[int, Ge(1), Le(1_024)] = 8
    train_rows: Annotated[int, Ge(1)] | None = None
    validation_rows: Annotated[int, Ge(1)] | None = None
    training: TrainingConfig = field(default_factory=TrainingConfig)


@dataclass(frozen=True, slots=True, kw_only=True)
class BertSumConfig:
    """Settings of BertSumExt.

    `model`: a folder or a name of transformers; the default is the encoder of the packaged sentence model, without a download.
    `layers`, `heads` and `inner` are the inter-sentence layers'. `oracle` is the most sentences that the oracle marks.

    Reference: Liu and Lapata, 2019; SumTitles, sections 6.1 and 6.3.
    """

    DECODING: ClassVar[tuple[str, ...]] = ("sentences",)
    model: str = PACKAGED_MODEL
    view: View = "speakers"
    max_input: Annotated[int, Ge(8), Le(65_536)] = MOST_TOKENS
    sentences: Annotated[int, Ge(1), Le(1_000)] = EXTRACTED_SENTENCES
    layers: Annotated[int, Ge(1), Le(24)] = 2
    heads: Annotated[int, Ge(1), Le(64)] = 8
    inner: Annotated[int, Ge(1), Le(65_536)] = 2_048
    dropout: Annotated[float, Ge(0), Le(0.9)] = 0.1
    oracle: Annotated[int, Ge(1), Le(1_000)] = EXTRACTED_SENTENCES
    batch: Annotated[int, Ge(1), Le(1_024)] = 8
    train_rows: Annotated[int, Ge(1)] | None = None
    validation_rows: Annotated[int, Ge(1)] | None = None
    training: BertSumTraining = field(default_factory=BertSumTraining)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteConfig:
    """Settings of CRD3's architecture: sizes of Chen and Bansal, 2018, and of their program. Lengths are in words.

    `extractor`, `abstractor` and `policy` are three trainings, one after the other. `discount` is γ of the rewards, `stop_weight`
    the weight of the reward for stopping. `beams` candidates of each sentence are reranked, and `diversity` is what a rank
    among the followers of one candidate costs in log-probability. `batch` dialogues are read together outside of trainings.

    Reference: Chen and Bansal, 2018, section 5 and its supplement; CRD3, section 5.1.
    """

    DECODING: ClassVar[tuple[str, ...]] = ("beams", "diversity")
    view: View = "plain"
    vocabulary: Annotated[int, Ge(1), Le(1_000_000)] = 30_000
    embedding: Annotated[int, Ge(2), Le(4_096)] = 128
    filters: Annotated[int, Ge(1), Le(4_096)] = 100
    hidden: Annotated[int, Ge(2), Le(4_096)] = 256
    hops: Annotated[int, Ge(1), Le(8)] = 1
    max_turn: Annotated[int, Ge(5), Le(10_000)] = 100
    max_sentence: Annotated[int, Ge(2), Le(1_000)] = 30
    max_turns: Annotated[int, Ge(1), Le(10_000)] = 100
    max_extracted: Annotated[int, Ge(1), Le(1_000)] = 12
    beams: Annotated[int, Ge(1), Le(64)] = 5
    diversity: Annotated[float, Ge(0), Le(100)] = 1.0
    discount: Annotated[float, Gt(0), Le(1)] = 0.95
    stop_weight: Annotated[float, Ge(0), Le(100)] = 1.0
    batch: Annotated[int, Ge(1), Le(1_024)] = 32
    train_rows: Annotated[int, Ge(1)] | None = None
    validation_rows: Annotated[int, Ge(1)] | None = None
    extractor: RewriteTraining = field(default_factory=RewriteTraining)
    abstractor: RewriteTraining = field(default_factory=RewriteTraining)
    policy: PolicyTraining = field(default_factory=PolicyTraining)
