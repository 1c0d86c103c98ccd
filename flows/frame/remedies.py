"""Planning a run again: after an artifact is found damaged, or the takedown list has grown."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from core.errors import DamagedArtifactError
from core.references import UnitReference
from flows.frame.beginning import Run
from flows.frame.ingestion import Built, Progress
from flows.frame.recording import Ingested
from infra.store.takedown import add_takedown, read_takedown
from tasks.frame.mapper import Mapper
from tasks.frame.planning import RunPlan
from tasks.frame.rebuilding import ArtifactCheck, find_damaged, replan
from tasks.frame.taken_down import find_renamed

logger = logging.getLogger(__name__)


def withhold_more(run: Run, plan: RunPlan, built: Built) -> bool:
    """Look at the takedown list once the units are built; tell whether it keeps out more than the plan knows.

    A unit that has the text of one on the list goes on the list too.
    """
    name = run.pipeline.name
    renamed = find_renamed(plan, plan.earlier | plan.reused | built.references)
    takedown = plan.withheld.takedown
    for unit, listed in sorted(renamed.items()):
        logger.warning(
            "%s has the text of %s, which is on the takedown list; it stays out too, and was put on the list",
            unit,
            listed,
        )
        time = datetime.now(UTC).isoformat(timespec="seconds")
        add_takedown(run.store, name, [unit], takedown.reasons[listed], time, copy_of=listed)
    return bool(renamed) or takedown.has_grown(read_takedown(run.store, name))


def remove_damaged(run: Run, damaged: Sequence[str]) -> None:
    """Remove damaged parts of record files: the next plan makes them anew."""
    for key in damaged:
        run.store.tell_damage(key, "missing, or its SHA-256 is not that of its name", "its file is divided again")
    run.store.delete_all(damaged)


def plan_repair(
    run: Run, plan: RunPlan, ingested: Ingested, mapper: Mapper, progress: Progress, error: DamagedArtifactError
) -> RunPlan:
    """Find every damaged artifact that the release rests on, and plan to build the units of all of them anew.

    Raises:
        DamagedArtifactError: a unit cannot be built, since its input is bad by now, or beyond the limit of this run.
    """
    checks = {
        unit: ArtifactCheck(run.store.url, tuple(reference.artifacts.values())) for unit, reference in ingested.releasable.items()
    }
    progress.start("check", len(checks))
    damaged: dict[str, UnitReference] = {}
    bad = {failure.unit for failure in ingested.failures}
    for outcome in mapper.map_units(find_damaged, checks):
        progress.advance()
        if outcome.error is not None:
            raise outcome.error
        if not outcome.result:
            continue
        if outcome.unit in bad or outcome.unit not in plan.signatures:
            raise DamagedArtifactError(outcome.unit, outcome.result[0], "missing or damaged")
        damaged[outcome.unit] = ingested.releasable[outcome.unit]
        for key in outcome.result:
            logger.warning("%s: the artifact %s is missing or damaged; the unit is built anew", outcome.unit, key)
    if not damaged:
        raise error
    return replan(plan, damaged)
