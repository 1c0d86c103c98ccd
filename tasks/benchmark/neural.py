"""Neural summarisers as systems of a benchmark: BertSumExt, encoder-decoders, and CRD3's extractor and abstractor."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from core.benchmark.dialogue import SummarisedDialogue
from core.benchmark.system import Candidate, Dialogues, Workbench
from core.summarisation.views import Example, Line
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import checksum_model
from infra.models.summarisers.bertsum import BertSumSummariser
from infra.models.summarisers.examples import Truncation
from infra.models.summarisers.generation import GenerationSummariser
from infra.models.summarisers.rewriting import RewriteSummariser
from infra.models.summarisers.settings import BertSumConfig, GenerationConfig, RewriteConfig
from infra.models.training import TrainingCurve
from tasks.benchmark.systems import Implementation


class GenerationSystem:
    """A `System` that writes summaries with an encoder-decoder."""

    def __init__(self, config: GenerationConfig, bench: Workbench) -> None:
        """Choose the settings; the benchmark's seed replaces theirs."""
        self._bench = bench
        seeded = replace(config, training=replace(config.training, seed=bench.seed))
        self._summariser = GenerationSummariser(seeded, bench.checkpoints)

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Fine-tune the model, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        examples = _read_examples(train)
        curve = self._summariser.train(examples, _read_examples(validation), self._bench.tell)
        cut = self._summariser.measure_truncation([example.lines for example in examples])
        return {"training": describe_curve(curve), "truncation": _describe_truncation(cut, "tokens")}

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Write a summary of each dialogue."""
        written = self._summariser.summarise([show_lines(dialogue) for dialogue in dialogues])
        return [Candidate(tuple(split_by_rules(text))) for text in written]


class BertSumSystem:
    """A `System` that extracts sentences with BertSumExt."""

    def __init__(self, config: BertSumConfig, bench: Workbench) -> None:
        """Choose the settings; the benchmark's seed replaces theirs."""
        self._bench = bench
        seeded = replace(config, training=replace(config.training, seed=bench.seed))
        self._summariser = BertSumSummariser(seeded, bench.checkpoints)

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train the model, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        examples = _read_examples(train)
        curve = self._summariser.train(examples, _read_examples(validation), self._bench.tell)
        cut = self._summariser.measure_truncation([example.lines for example in examples])
        return {"training": describe_curve(curve), "truncation": _describe_truncation(cut, "tokens")}

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Extract the summary of each dialogue."""
        return [_make_candidate(found) for found in self._summariser.extract([show_lines(dialogue) for dialogue in dialogues])]


class RewriteSystem:
    """A `System` of CRD3's table 5: extraction alone, or extraction and rewriting."""

    def __init__(self, config: RewriteConfig, bench: Workbench, abstract: bool) -> None:
        """Choose the settings; the benchmark's seed replaces theirs."""
        self._bench = bench
        parts = {name: replace(getattr(config, name), seed=bench.seed) for name in ("extractor", "abstractor", "policy")}
        self._summariser = RewriteSummariser(replace(config, **parts), bench.checkpoints, abstract)

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Train all parts, or read what the checkpoints have; return how it went and what of the inputs is cut."""
        examples = _read_examples(train)
        curves = self._summariser.train(examples, _read_examples(validation), self._bench.tell)
        cut = self._summariser.measure_truncation([example.lines for example in examples])
        trainings = {name: describe_curve(curve) for name, curve in curves.items()}
        return {"training": trainings, "truncation": _describe_truncation(cut, "turns")}

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Summarise each dialogue."""
        return [_make_candidate(found) for found in self._summariser.summarise([show_lines(dialogue) for dialogue in dialogues])]


def show_lines(dialogue: SummarisedDialogue) -> tuple[Line, ...]:
    """Return the turns of a dialogue; several speakers in chorus are named with commas between them."""
    return tuple(Line(", ".join(turn.speakers), turn.text) for turn in dialogue.turns)


def describe_curve(curve: TrainingCurve) -> dict[str, Any]:
    """Return how a training went as JSON values; its losses are in the curves of the result."""
    told = asdict(curve)
    losses = told.pop("losses")
    return {"steps": len(losses), "first_loss": losses[0], "last_loss": losses[-1], **told, "epochs": list(told["epochs"])}


def _read_examples(dialogues: Dialogues) -> list[Example]:
    """Return the dialogues that have both turns and a summary."""
    found = [Example(show_lines(dialogue), dialogue.sentences) for dialogue in dialogues]
    return [example for example in found if example.lines and example.summary.strip()]


def _describe_truncation(truncation: Truncation, unit: str) -> dict[str, Any]:
    return {"split": "train", "unit": unit, **asdict(truncation)}


def _make_candidate(found: Sequence[tuple[str, int]]) -> Candidate:
    return Candidate(tuple(text for text, _ in found), tuple(dict.fromkeys(turn for _, turn in found)))


GENERATION = Implementation(
    settings=GenerationConfig, make=GenerationSystem, identify=lambda settings: checksum_model(settings.model)
)
BERTSUM = Implementation(settings=BertSumConfig, make=BertSumSystem, identify=lambda settings: checksum_model(settings.model))
CRD3_EXTRACTIVE = Implementation(settings=RewriteConfig, make=lambda config, bench: RewriteSystem(config, bench, abstract=False))
CRD3_COMBINED = Implementation(settings=RewriteConfig, make=lambda config, bench: RewriteSystem(config, bench, abstract=True))
