"""Neural summarisers as systems of a benchmark: BertSumExt, encoder-decoders, and CRD3's extractor and abstractor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from core.scripts.views import Line
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder
from lab.summarisation.dialogue import Budget, Candidate, SummarisedDialogue
from lab.summarisation.neural.bertsum import BertSumSummariser
from lab.summarisation.neural.examples import Example, measure_truncation
from lab.summarisation.neural.generation import GenerationSummariser
from lab.summarisation.neural.rewriting import RewriteSummariser
from lab.summarisation.neural.settings import BertSumConfig, GenerationConfig, RewriteConfig
from lab.summarisation.selecting.trained_selection import draw
from lab.summarisation.system import Dialogues, Workbench
from lab.summarisation.systems import Implementation
from lab.training.network import TellStep, TrainingCurve

Lines = tuple[Line, ...]
Write = Callable[[Sequence[Lines]], list[Candidate]]
Summariser = GenerationSummariser | BertSumSummariser | RewriteSummariser
NeuralConfig = GenerationConfig | BertSumConfig | RewriteConfig


class NeuralSystem:
    """A `System` of a summariser: it knows what of the dialogues was cut, in the summariser's `unit`s."""

    def __init__(self, summariser: Summariser, write: Write, config: NeuralConfig, bench: Workbench) -> None:
        """Join a summariser, what it summarises with, its settings and a workbench."""
        self._summariser = summariser
        self._write = write
        self._config = config
        self._bench = bench
        self._sizes: list[int] = []
        self._steps = 0

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train all networks, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        return self._learn(train, validation)

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Summarise each dialogue."""
        lines = [show_lines(dialogue) for dialogue in dialogues]
        self._sizes += self._summariser.measure_sizes(lines)
        return self._write(lines)

    def report(self) -> Mapping[str, Any]:
        """Return what was cut of the dialogues that were summarised."""
        return {"truncation_summarised": self._describe_truncation(self._sizes)}

    def _learn(self, train: Dialogues, validation: Dialogues, **stage: str) -> Mapping[str, Any]:
        examples, held_out = (
            read_examples(rows, most, self._bench.seed)
            for rows, most in ((train, self._config.train_rows), (validation, self._config.validation_rows))
        )
        before = self._steps

        def tell_after(step: int, figures: Mapping[str, float]) -> None:
            self._bench.tell(before + step, figures)

        curves = self._summariser.train(examples, held_out, thin(tell_after), **stage)
        if isinstance(curves, TrainingCurve):
            self._steps += len(curves.losses)
            training = describe_curve(curves)
        else:
            training = {name: describe_curve(curve) for name, curve in curves.items()}
        sizes = self._summariser.measure_sizes([example.lines for example in examples])
        return {"training": training, "truncation_trained": self._describe_truncation(sizes)}

    def _describe_truncation(self, sizes: Sequence[int]) -> Mapping[str, Any]:
        return {"unit": self._summariser.unit, **measure_truncation(sizes, self._summariser.limit())}


class TransformerSystem(NeuralSystem):
    """A `System` of one network of transformers, which may be pre-trained on another dataset."""

    def pretrain(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train the network, or read what the checkpoints have; `prepare` goes on from it."""
        return self._learn(train, validation, stage="pre-training")


def make_generation(config: GenerationConfig, bench: Workbench) -> TransformerSystem:
    """Return a system that writes with an encoder-decoder; the benchmark's seed replaces that of the settings."""
    seeded = replace(config, training=replace(config.training, seed=bench.seed))
    summariser = GenerationSummariser(seeded, bench.checkpoints)

    def write(dialogues: Sequence[Lines]) -> list[Candidate]:
        return [Candidate(tuple(split_by_rules(text))) for text in summariser.summarise(dialogues)]

    return TransformerSystem(summariser, write, config, bench)


def make_bertsum(config: BertSumConfig, bench: Workbench) -> TransformerSystem:
    """Return a system that extracts with BertSumExt; the benchmark's seed replaces that of the settings."""
    seeded = replace(config, training=replace(config.training, seed=bench.seed))
    summariser = BertSumSummariser(seeded, bench.checkpoints)
    return TransformerSystem(summariser, lambda lines: list(map(_make_candidate, summariser.extract(lines))), config, bench)


def make_rewriting(config: RewriteConfig, bench: Workbench, abstract: bool) -> NeuralSystem:
    """Return a system of CRD3's table 5: extraction alone, or extraction and rewriting; seeds are the benchmark's."""
    parts = {name: replace(getattr(config, name), seed=bench.seed) for name in ("extractor", "abstractor", "policy")}
    summariser = RewriteSummariser(replace(config, **parts), bench.checkpoints, abstract)
    return NeuralSystem(summariser, lambda lines: list(map(_make_candidate, summariser.summarise(lines))), config, bench)


def select_learned(config: NeuralConfig, _: Budget) -> object:
    """Return the settings that a training depends on; how long selections are is none of them."""
    return {name: value for name, value in asdict(config).items() if name not in config.DECODING}


def thin(tell: TellStep) -> TellStep:
    """Return what tells every step up to 999, then every tenth up to 9,999, and so on, and every figure of validation rows."""

    def tell_some(step: int, figures: Mapping[str, float]) -> None:
        if step % 10 ** max(len(str(step)) - 3, 0) == 0 or len(figures) > 1:
            tell(step, figures)

    return tell_some


def show_lines(dialogue: SummarisedDialogue) -> Lines:
    """Return the turns of a dialogue; several speakers in chorus are named with commas between them."""
    return tuple(Line(", ".join(turn.speakers), turn.text) for turn in dialogue.turns)


def describe_curve(curve: TrainingCurve) -> dict[str, Any]:
    """Return how a training went as JSON values; its losses are in the curves of the result."""
    told = asdict(curve)
    losses = told.pop("losses")
    return {"steps": len(losses), "first_loss": losses[0], "last_loss": losses[-1], **told, "epochs": list(told["epochs"])}


def read_examples(dialogues: Dialogues, most: int | None, seed: int) -> list[Example]:
    """Return the dialogues of a split that have turns and a summary, as many as the settings allow (None: all)."""
    rows = draw(dialogues, most, seed)
    return [Example(show_lines(row), row.sentences) for row in rows if row.turns and row.summary.strip()]


def _make_candidate(found: Sequence[tuple[str, int]]) -> Candidate:
    return Candidate(tuple(text for text, _ in found), tuple(dict.fromkeys(turn for _, turn in found)))


def _checksum_model(config: GenerationConfig | BertSumConfig) -> str:
    return SentenceEmbedder(config.model).checksum


GENERATION = Implementation(
    settings=GenerationConfig, make=make_generation, identify=_checksum_model, select_learned=select_learned
)
BERTSUM = Implementation(settings=BertSumConfig, make=make_bertsum, identify=_checksum_model, select_learned=select_learned)
CRD3_EXTRACTIVE = Implementation(
    settings=RewriteConfig, make=partial(make_rewriting, abstract=False), select_learned=select_learned
)
CRD3_COMBINED = Implementation(settings=RewriteConfig, make=partial(make_rewriting, abstract=True), select_learned=select_learned)
