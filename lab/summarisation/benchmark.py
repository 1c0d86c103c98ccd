"""A benchmark: plan, embed, run each system, and put the runs side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flows.frame.ingestion import Mapper
from flows.frame.observer import Observer
from infra.store.objects import Store
from lab.summarisation.board.board import Board
from lab.summarisation.board.compare import compare_runs, write_page
from lab.summarisation.plan import BenchmarkCall, BenchmarkPlan, SystemRun, check_against, plan_benchmark
from lab.summarisation.run import (
    RunReference,
    embed_unit,
    find_shared,
    is_stored,
    list_units,
    run_system,
    train_system,
)
from lab.summarisation.systems import find_system


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOutcome:
    """What became of a benchmark.

    `board` has the runs that were asked for, `page` is the place of the page with all runs of the release; both are None where
    no system ran. `left_out` and `failed` are labels of systems with the reasons.
    """

    plan: BenchmarkPlan
    board: Board | None
    page: str | None
    computed: tuple[str, ...]
    reused: tuple[str, ...]
    left_out: Mapping[str, str]
    failed: Mapping[str, str]


def run_benchmark(call: BenchmarkCall, mapper: Mapper, observer: Observer, against: str | None = None) -> BenchmarkOutcome:
    """Run every system of a call that has no stored result yet.

    A system that fails does not end the others.
    """
    observer.start("plan", 0)
    plan = plan_benchmark(call)
    check_against(plan, against)
    missing = [run for run in plan.runs if not is_stored(run)]
    with_vectors = [run for run in missing if find_system(run.system).vectors]
    failed: dict[str, str] = {}
    if with_vectors:
        requests = {unit: (with_vectors[0], unit) for unit in list_units(with_vectors[0])}
        observer.start("vectors", len(requests))
        for embedded in mapper.map_units(embed_unit, requests):
            if embedded.error is not None:
                raise embedded.error
            observer.advance(embedded.unit)
    failed |= _train_shared(missing, mapper, observer)
    able = {run.label: run for run in plan.runs if run.label not in failed}
    observer.start("systems", len(able))
    references: list[RunReference] = []
    for outcome in mapper.map_units(run_system, able):
        if outcome.result is None:
            failed[outcome.unit] = _tell(outcome.error)
        else:
            references.append(outcome.result)
        observer.advance(outcome.unit)
    board = page = None
    if references:
        store, version = Store(call.store), plan.release.version
        if against in failed:
            against = None  # the others are put side by side all the same
        board, *_ = compare_runs(store, call.dataset, version, against, {reference.run for reference in references})
        page = write_page(store, compare_runs(store, call.dataset, version, against))
    return BenchmarkOutcome(
        plan=plan,
        board=board,
        page=page,
        computed=tuple(reference.label for reference in references if not reference.reused),
        reused=tuple(reference.label for reference in references if reference.reused),
        left_out=plan.left_out,
        failed=failed,
    )


def _train_shared(runs: Sequence[SystemRun], mapper: Mapper, observer: Observer) -> dict[str, str]:
    """Train once what several runs share; return the labels of the runs whose training failed, with the reason."""
    failed: dict[str, str] = {}
    if shared := find_shared(runs):
        observer.start("trainings", len(shared))
        for outcome in mapper.map_units(train_system, shared):
            if outcome.error is not None:
                training = shared[outcome.unit].training
                failed |= {run.label: _tell(outcome.error) for run in runs if run.training == training}
            observer.advance(outcome.unit)
    return failed


def _tell(error: BaseException | None) -> str:
    return str(error) or type(error).__name__
