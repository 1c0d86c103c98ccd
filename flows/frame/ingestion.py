"""Ingestion, the first half of a run: every new or changed unit of a plan is built.

tasks.frame.plan    what the sources hold, compared with the catalog: `Ingestion.plan` of the pipeline
tasks.frame.build    one unit, somewhere: `Ingestion.build` of the pipeline, which lands files and runs stages
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from core.errors import ConfigError, DamagedArtifactError, SchedulerLostError
from core.references import UnitFailure, UnitReference
from infra.orchestration.time_limit import time_limit
from tasks.frame.build import build_unit, describe_failure
from tasks.frame.plan import RunPlan

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class UnitOutcome(Generic[Result]):
    """What became of a unit: its result, or the error that ended its last attempt."""

    unit: str
    result: Result | None
    error: BaseException | None


class Mapper(Protocol):
    """Calls one function of `tasks/` on many requests, somewhere."""

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        """Yield an outcome for every request, in any order.

        `function` takes a request and returns a reference; it must be safe to call twice. A request that takes longer than
        `seconds` is broken off with a `TimeLimitError`.
        """


class InProcessMapper:
    """Calls the function in this process, one request after the other: for debugging, for tests and for tiny data."""

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        """Yield the outcomes in the order of the requests. An error of one unit does not end the others."""
        for unit, request in requests.items():
            try:
                with time_limit(seconds):
                    result = function(request)
            except Exception as error:
                yield UnitOutcome(unit, None, error)
            else:
                yield UnitOutcome(unit, result, None)


class Progress:
    """Watches the steps of a run. This one does nothing: others say only what they do."""

    def start(self, step: str, total: int) -> None:
        """Note that a step of `total` parts begins; 0: nobody knows how many."""

    def advance(self, part: str = "") -> None:
        """Note that one part of the current step is done, perhaps with its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What came of building units: the references by id, the failures, and the keys of damaged parts of record files."""

    references: dict[str, UnitReference]
    failures: list[UnitFailure]
    damaged: list[str]


def build_units(
    plan: RunPlan, mapper: Mapper, progress: Progress, seconds: float | None, before: Mapping[str, UnitReference]
) -> Built:
    """Build the units that are new or changed, each within `seconds`.

    `before` are the references of an earlier attempt of this run: what that has computed is found now, and counts as computed.

    Raises:
        SchedulerLostError: the mapper has lost its workers for good.
    """
    built = Built(references={}, failures=list(plan.failures), damaged=[])
    if not plan.to_build:
        return built
    progress.start("units", len(plan.to_build))
    requests = {unit: plan.requests[unit] for unit in plan.to_build}
    for outcome in mapper.map_units(build_unit, requests, seconds):
        unit, found, error = outcome.unit, outcome.result, outcome.error
        if found is not None:
            built.references[unit] = found if found.computed else before.get(unit, found)
        elif isinstance(error, ConfigError | SchedulerLostError):
            raise error
        elif isinstance(error, DamagedArtifactError):
            built.damaged.append(error.key)
        elif error is not None:
            built.failures.append(describe_failure(unit, plan.list_paths(unit), error))
        progress.advance(unit)
    return built
