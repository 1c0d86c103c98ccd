"""Datasets in their roles: a system is pre-trained on one, trained on another, and tested on a third."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.errors import ConfigError, StoreError
from flows.frame.ingestion import InProcessMapper, UnitOutcome
from flows.frame.observer import Nobody
from lab.summarisation.benchmark import run_benchmark
from lab.summarisation.dialogue import Budget
from lab.summarisation.plan import BenchmarkCall, SystemRun, plan_benchmark
from lab.summarisation.results import read_result
from lab.summarisation.rows import OtherUnits, SplitRows, open_release
from lab.summarisation.run import run_system
from tasks.pipelines import TRANSCRIPTS
from tests.tasks.conftest import Example
from tests.tiny_transformer import save_tiny_encoder

pytest.importorskip("torch", reason="the extra `lab` is not installed")
NAME = TRANSCRIPTS.name


@pytest.fixture(scope="module")
def call(episodes: Example, tmp_path_factory: pytest.TempPathFactory) -> BenchmarkCall:
    """A benchmark of a tiny BertSumExt on the pairs of a release."""
    release = open_release(episodes.store.url, NAME)
    texts = [row.text for row in SplitRows(release, "train")]
    model = save_tiny_encoder(tmp_path_factory.mktemp("model"), texts)
    few = {"train_rows": 24, "validation_rows": 8, "training": {"epochs": 1, "learning_rate": 0.001}}
    tiny = {"model": model, "max_input": 64, "layers": 1, "inner": 16, "sentences": 2, **few}
    systems = {"tiny": {"system": "bertsum", **tiny}}
    return BenchmarkCall(store=episodes.store.url, dataset=NAME, systems=systems, config="pairs", limit=3, bert=False)


def plan(call: BenchmarkCall, **roles: str) -> SystemRun:
    return plan_benchmark(replace(call, systems={"tiny": {**call.systems["tiny"], **roles}})).runs[0]


def test_a_system_is_pre_trained_trained_and_tested_on_three_releases(call: BenchmarkCall, episodes: Example) -> None:
    run = plan(call, train=NAME, pretrain=NAME)
    assert run.settings["training"]["learning_rate"] == 0.001
    run_system(run)
    found = read_result(episodes.store, NAME, run.release.version, run.run)
    version = f"{NAME}@{run.release.version}"
    assert (found["train"], found["pretrain"], found["config"]) == (version, version, "pairs")
    assert (run.train.config, run.release.config) == ("train_on", "pairs")
    prepared = found["prepared"]
    assert (prepared["trained_on"], prepared["pretrained"]["on"]) == (version, version)
    assert prepared["truncation_summarised"]["dialogues"] == 3
    assert prepared["truncation_summarised"]["cut"] > 0
    both = prepared["training"]["steps"] + prepared["pretrained"]["training"]["steps"]
    assert [point["step"] for point in found["curves"]] == list(range(1, both + 1))


def test_each_role_is_part_of_what_a_training_is(call: BenchmarkCall) -> None:
    plain, trained, both = plan(call), plan(call, train=NAME), plan(call, train=NAME, pretrain=NAME)
    assert len({plain.training, trained.training, both.training}) == 3
    assert plan(call, train=f"{NAME}@{plain.release.version}").training == trained.training
    with pytest.raises(ConfigError, match="nowhere"):
        plan(call, train="nowhere")


class NotingMapper(InProcessMapper):
    """Notes what it maps; where it is `full`, nothing can be trained, as if the store had no room."""

    def __init__(self, full: bool = False) -> None:
        self.mapped: list[tuple[str, list[str]]] = []
        self.full = full

    def map_units(self, function: Any, requests: Mapping[str, Any], seconds: float | None = None) -> Any:
        self.mapped.append((function.__name__, list(requests)))
        if self.full and function.__name__ == "train_system":
            return iter(UnitOutcome(unit, None, StoreError("no room")) for unit in requests)
        return super().map_units(function, requests, seconds)


def test_systems_that_only_summarise_in_another_way_are_trained_once(call: BenchmarkCall, episodes: Example) -> None:
    tiny = call.systems["tiny"]
    slow = {**tiny, "training": {"epochs": 1, "learning_rate": 0.0005}}
    asked = replace(call, systems={"tiny": tiny, "short": {**tiny, "sentences": 1}, "slow": slow}, budget=Budget(tokens=20))
    plan = plan_benchmark(asked)
    first, second, other = plan.runs
    assert first.training == second.training != other.training
    assert len({run.run for run in plan.runs}) == 3
    assert plan_benchmark(replace(asked, budget=Budget(tokens=30))).runs[0].training == first.training
    mapper = NotingMapper()
    assert not run_benchmark(asked, mapper, Nobody()).failed
    assert mapper.mapped == [("train_system", ["tiny"]), ("run_system", ["tiny", "short", "slow"])]
    results = [read_result(episodes.store, NAME, run.release.version, run.run) for run in plan.runs]
    told = [result["prepared"]["training"] for result in results if result is not None]
    assert told[0] == told[1] != told[2]
    assert all(result is not None and result["curves"] for result in results)


def test_a_training_that_several_systems_share_fails_for_all_of_them(call: BenchmarkCall) -> None:
    fresh = {**call.systems["tiny"], "training": {"epochs": 1, "learning_rate": 0.002}}
    systems = {name: {**fresh, "sentences": most} for name, most in (("a", 1), ("b", 2))}
    outcome = run_benchmark(replace(call, systems=systems), NotingMapper(full=True), Nobody())
    assert outcome.failed == dict.fromkeys("ab", "no room")
    assert outcome.board is None


def test_units_that_are_summarised_are_not_learned(call: BenchmarkCall) -> None:
    rows = SplitRows(open_release(call.store, NAME), "train")
    unit = next(iter(rows)).unit
    others = OtherUnits(rows, frozenset((unit,)))
    assert len(others) == sum(row.unit != unit for row in rows) < len(rows)
    with pytest.raises(ConfigError, match="found no rows to train on"):
        run_system(plan(replace(call, split="train"), train=NAME))  # all that it could learn is what it should summarise
