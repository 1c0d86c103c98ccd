"""Neural summarisers as systems of a benchmark: BertSumExt, encoder-decoders, and CRD3's extractor and abstractor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from core.scripts.views import Line
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder
from lab.summarisation.budget import Budget
from lab.summarisation.dialogue import Candidate, SummarisedDialogue
from lab.summarisation.neural.bertsum import BertSumSummariser
from lab.summarisation.neural.examples import Example, Truncation, join_truncations
from lab.summarisation.neural.generation import GenerationSummariser
from lab.summarisation.neural.rewriting import RewriteSummariser
from lab.summarisation.neural.settings import BertSumConfig, GenerationConfig, RewriteConfig
from lab.summarisation.selecting.trained_selection import draw
from lab.summarisation.system import Dialogues, Workbench
from lab.summarisation.systems import Implementation
from lab.training.network import TellStep, TrainingCurve

Lines = tuple[Line, ...]
Write = Callable[[Sequence[Lines]], list[Candidate]]


class NeuralSystem:
    """A `System` of a summariser: it knows what of the dialogues was cut, in `unit`s."""

    unit = "tokens"

    def __init__(self, summariser: GenerationSummariser | BertSumSummariser | RewriteSummariser, write: Write) -> None:
        """Join a summariser and what it summarises with."""
        self._measure_truncation = summariser.measure_truncation
        self._write = write
        self._seen: list[Truncation] = []

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Summarise each dialogue."""
        lines = [show_lines(dialogue) for dialogue in dialogues]
        self._seen.append(self._measure_truncation(lines))
        return self._write(lines)

    def report(self) -> Mapping[str, Any]:
        """Return what was cut of the dialogues that were summarised."""
        return {"truncation_summarised": {"unit": self.unit, **asdict(join_truncations(self._seen))}}

    def _describe(self, training: Mapping[str, Any], examples: Sequence[Example]) -> Mapping[str, Any]:
        cut = self._measure_truncation([example.lines for example in examples])
        return {"training": training, "truncation_trained": {"unit": self.unit, **asdict(cut)}}


class TransformerSystem(NeuralSystem):
    """A `System` of one network of transformers, which may be pre-trained on another dataset."""

    def __init__(
        self,
        summariser: GenerationSummariser | BertSumSummariser,
        write: Write,
        config: GenerationConfig | BertSumConfig,
        bench: Workbench,
    ) -> None:
        """Join a summariser, what it summarises with, its settings and a workbench."""
        super().__init__(summariser, write)
        self._train = summariser.train
        self._config = config
        self._bench = bench
        self._steps = 0

    def pretrain(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train the network, or read what the checkpoints have; `prepare` goes on from it."""
        return self._learn(train, validation, "pre-training")

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train the network, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        return self._learn(train, validation, "training")

    def _learn(self, train: Dialogues, validation: Dialogues, stage: str) -> Mapping[str, Any]:
        examples, held_out = _read_examples(train, validation, self._config, self._bench.seed)
        before = self._steps

        def tell_after(step: int, figures: Mapping[str, float]) -> None:
            self._bench.tell(before + step, figures)

        curve = self._train(examples, held_out, thin(tell_after), stage)
        self._steps += len(curve.losses)
        return self._describe(describe_curve(curve), examples)


class RewriteSystem(NeuralSystem):
    """A `System` of CRD3's table 5: extraction alone, or extraction and rewriting."""

    unit = "turns"

    def __init__(self, config: RewriteConfig, bench: Workbench, abstract: bool) -> None:
        """Choose the settings; the benchmark's seed replaces theirs."""
        self._config = config
        self._bench = bench
        parts = {name: replace(getattr(config, name), seed=bench.seed) for name in ("extractor", "abstractor", "policy")}
        summariser = RewriteSummariser(replace(config, **parts), bench.checkpoints, abstract)
        super().__init__(summariser, lambda lines: list(map(_make_candidate, summariser.summarise(lines))))
        self._train = summariser.train

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train all parts, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        examples, held_out = _read_examples(train, validation, self._config, self._bench.seed)
        curves = self._train(examples, held_out, thin(self._bench.tell))
        return self._describe({name: describe_curve(curve) for name, curve in curves.items()}, examples)


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


def select_learned(config: GenerationConfig | BertSumConfig | RewriteConfig, _: Budget) -> object:
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


def _read_examples(
    train: Dialogues, validation: Dialogues, config: GenerationConfig | BertSumConfig | RewriteConfig, seed: int
) -> tuple[list[Example], list[Example]]:
    """Return the dialogues of both splits that have turns and a summary, as many as the settings allow."""
    drawn = (
        list(dialogues) if most is None else draw(dialogues, most, seed)
        for dialogues, most in ((train, config.train_rows), (validation, config.validation_rows))
    )
    examples = ([Example(show_lines(row), row.sentences) for row in rows if row.turns and row.summary.strip()] for rows in drawn)
    first, second = examples
    return first, second


def _make_candidate(found: Sequence[tuple[str, int]]) -> Candidate:
    return Candidate(tuple(text for text, _ in found), tuple(dict.fromkeys(turn for _, turn in found)))


def _checksum_model(config: GenerationConfig | BertSumConfig) -> str:
    return SentenceEmbedder(config.model).checksum


GENERATION = Implementation(
    settings=GenerationConfig, make=make_generation, identify=_checksum_model, select_learned=select_learned
)
BERTSUM = Implementation(settings=BertSumConfig, make=make_bertsum, identify=_checksum_model, select_learned=select_learned)
CRD3_EXTRACTIVE = Implementation(
    settings=RewriteConfig, make=lambda config, bench: RewriteSystem(config, bench, abstract=False), select_learned=select_learned
)
CRD3_COMBINED = Implementation(
    settings=RewriteConfig, make=lambda config, bench: RewriteSystem(config, bench, abstract=True), select_learned=select_learned
)
