"""Ingestion, the first half of a run: every new or changed unit of a plan is built.

tasks.frame.planning    what the sources hold, compared with the catalog: `Ingestion.plan` of the pipeline
tasks.frame.building    one unit, somewhere: `Ingestion.build` of the pipeline, which lands files and runs stages
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from core.errors import ConfigError, DamagedArtifactError, SchedulerLostError
from core.references import UnitFailure, UnitReference
from tasks.frame.building import build_unit, describe_failure
from tasks.frame.mapper import Mapper
from tasks.frame.planning import RunPlan


class Progress(Protocol):
    """Watches the steps of a run."""

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
        ConfigError: a worker lacks what the settings ask for.
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
            built.failures.append(describe_failure(unit, plan.paths[unit], error))
        progress.advance(unit)
    return built
