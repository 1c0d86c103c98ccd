"""Neural systems on a benchmark's workbench, with tiny models that the tests make."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.scripts.views import Line
from lab.summarisation.dialogue import Budget, SpokenTurn, SummarisedDialogue
from lab.summarisation.neural.examples import Example
from lab.summarisation.system import ReportingSystem, System, Workbench
from tests.lab.summarisation.neural import test_rewriting, tiny
from tests.tiny_transformer import save_tiny_summariser

pytest.importorskip("torch", reason="the extra `lab` is not installed")
from lab.summarisation.neural import systems as neural


def make_dialogue(number: int, example: Example) -> SummarisedDialogue:
    """Return a row of a release."""
    turns = tuple(SpokenTurn(tuple(line.speaker.split(", ")), line.text) for line in example.lines)
    return SummarisedDialogue(id=f"u{number}_0", unit=f"u{number}", split="train", turns=turns, sentences=example.sentences)


ROWS = [make_dialogue(number, example) for number, example in enumerate(tiny.make_examples())]
FINDS = [make_dialogue(number, example) for number, example in enumerate(test_rewriting.TRAIN[:32])]


@pytest.fixture
def bench(tmp_path: Path) -> tuple[Workbench, list[Mapping[str, float]]]:
    """A workbench whose checkpoints stand in a store, and what it is told."""
    told: list[Mapping[str, float]] = []

    def tell(_: int, figures: Mapping[str, float]) -> None:
        told.append(figures)

    def refuse(*_: object) -> Any:
        raise AssertionError("neural systems ask for no sentence vectors")

    budget = Budget(unit="sentence", tokens=60)
    return Workbench(budget=budget, embed=refuse, checkpoints=tiny.keep_in(tmp_path), tell=tell, seed=7), told


def make_generation(folder: Path, bench: Workbench) -> System:
    model = save_tiny_summariser(folder, tiny.list_texts(tiny.make_examples()))
    return neural.GENERATION.make(tiny.configure(model), bench)


def make_rewriting(implementation: neural.Implementation) -> Callable[[Path, Workbench], System]:
    config = test_rewriting.configure()
    parts = {name: replace(getattr(config, name), epochs=1) for name in ("extractor", "abstractor", "policy")}
    return lambda _, bench: implementation.make(replace(config, **parts), bench)


@pytest.mark.parametrize(
    ("make", "trainings", "selects"),
    [
        (make_generation, {""}, False),
        (make_rewriting(neural.CRD3_EXTRACTIVE), {"extractor", "policy"}, True),
        (make_rewriting(neural.CRD3_COMBINED), {"extractor", "abstractor", "policy"}, True),
    ],
)
def test_a_system_learns_tells_its_curves_and_summarises(
    bench: tuple[Workbench, list[Mapping[str, float]]],
    tmp_path: Path,
    make: Callable[[Path, Workbench], System],
    trainings: set[str],
    selects: bool,
) -> None:
    rows = FINDS if "extractor" in trainings else ROWS
    system = make(tmp_path / "model", bench[0])
    facts = system.prepare(rows, rows[:4])
    json.dumps(facts)
    assert facts["truncation_trained"]["dialogues"] == len(rows)
    assert facts["truncation_trained"]["lost"] == 0
    parts = [facts["training"]] if trainings == {""} else [facts["training"][name] for name in sorted(trainings)]
    assert sum(part["steps"] for part in parts) == len(bench[1])
    assert {name.rpartition(" ")[0] for figures in bench[1] for name in figures} == trainings
    found = system.summarise(rows[:6])
    assert len(found) == 6
    assert all(candidate.text for candidate in found)
    assert all(bool(candidate.turns) == selects for candidate in found)
    assert isinstance(system, ReportingSystem)
    assert system.report()["truncation_summarised"]["dialogues"] == 6
    again = make(tmp_path / "model", bench[0])  # as in another process: what was learned is read, and not learned again
    assert again.prepare(rows, rows[:4]) == facts
    assert again.summarise(rows[:6]) == found


def test_speakers_in_chorus_are_named_with_commas() -> None:
    row = SummarisedDialogue(
        id="a", unit="a", split="test", turns=(SpokenTurn(("Anna", "Dov"), "We go."),), sentences=("They go.",)
    )
    assert neural.show_lines(row) == (Line("Anna, Dov", "We go."),)
