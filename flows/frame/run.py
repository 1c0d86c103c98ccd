"""The frame of every pipeline's run: compute what is new, keep the ledger, quarantine what failed, conclude."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from prefect import get_run_logger
from prefect.runtime import flow_run

from core.errors import ConfigError, StoreError
from core.references import UnitFailure, UnitReference
from flows.frame.artifacts import ProgressArtifact, show_outcome
from flows.frame.progress import current_observer
from flows.frame.release import ReleaseOutcome
from flows.frame.units import map_units
from infra.orchestration.dask import Cluster
from infra.store.catalog import CatalogEntry, write_catalog
from infra.store.objects import Store
from infra.store.quarantine import clear_quarantine, quarantine_units
from infra.store.running import mark_run, unmark_run
from tasks.frame.ledger import RunSummary, add_checksums, describe_failure, list_entries, name_moment, write_run
from tasks.frame.planning import RunPlan
from tasks.frame.removals import find_removed, remember_units


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a pipeline on a store, for a dataset: its id, when it began (ISO 8601), and the clock then in seconds."""

    pipeline: str
    store: Store
    dataset: str
    id: str
    started: str
    clock: float


@dataclass(frozen=True, slots=True)
class Ingestion:
    """What came of a plan: `landed` units by id (`computed` names those that this run worked on), and the failures.

    `releasable` are the landed units and those whose last good state stands in for them: a file that went bad takes nothing out
    of a dataset. `removed` are the units that the dataset's last run found and the sources do not hold any more.
    """

    landed: dict[str, UnitReference]
    releasable: dict[str, UnitReference]
    computed: tuple[str, ...]
    failures: tuple[UnitFailure, ...]
    removed: tuple[str, ...]


def start_run(pipeline: str, store_url: str, dataset: str) -> Run:
    """Begin a run; its id sorts by time."""
    now = datetime.now(UTC)
    run = Run(pipeline, Store(store_url), dataset, name_moment(now), now.isoformat(), perf_counter())
    mark_run(run.store, pipeline, run.id)
    return run


def name_run() -> str:
    """Return the name of the flow run that is about to start: its dataset and where it comes from."""
    parameters = flow_run.get_parameters()
    return f"{parameters['dataset']} from {', '.join(parameters['source'])}"


def ingest_units(
    cluster: Cluster,
    run: Run,
    plan: RunPlan,
    catalog: Mapping[str, CatalogEntry],
    build: Callable[[Any], UnitReference],
) -> Ingestion:
    """Build the units that are new or changed, quarantine those that fail, and write the catalog.

    Raises:
        ConfigError: a worker lacks what the settings ask for; no unit can do better.
    """
    references, found = _compute(cluster, run.pipeline, plan, build)
    failures = add_checksums(found, plan.listing)
    computed = tuple(sorted(unit for unit, reference in references.items() if reference.computed))
    landed = plan.reused | references
    failures += add_checksums((failure for reference in landed.values() for failure in reference.failures), plan.listing)
    members = {member for unit in landed for member in plan.members[unit]}
    failed = {failure.unit for failure in failures}
    with _named(failed):
        quarantine_units(run.store, run.pipeline, failures, plan.failures, run.id, run.started)
        removed = find_removed(run.store, run.pipeline, run.dataset, plan)
        clear_quarantine(
            run.store, run.pipeline, members.union(plan.withheld.takedown.reasons, removed) - failed, failed, failures
        )
        entries = list_entries(catalog, plan, landed, failures)
        if entries != list(catalog.values()):
            write_catalog(run.store, run.pipeline, run.id, entries)
    return Ingestion(landed, plan.earlier | landed, computed, tuple(failures), removed)


@contextmanager
def _named(failed: Collection[str]) -> Iterator[None]:
    """Let a store that fails here (its disk is full) end the run with the failed units' names: it has no record of them."""
    try:
        yield
    except StoreError as error:
        more = f" and {len(failed) - 50} more" if len(failed) > 50 else ""
        raise StoreError(f"{error}. Units that did not land: {', '.join(sorted(failed)[:50]) or 'none'}{more}") from error


def conclude_run(run: Run, plan: RunPlan, ingestion: Ingestion, release: ReleaseOutcome | None, resume: str) -> RunSummary:
    """Write the run's record, show its outcome in the Prefect UI, and return it; `resume` is the command that runs it again."""
    summary = RunSummary(
        run.id,
        run.pipeline,
        len(plan.discovered) + plan.refused,
        _members(plan, ingestion, ingestion.computed),
        _members(plan, ingestion, set(ingestion.landed) - set(ingestion.computed)),
        tuple((unit.id, unit.missing) for unit in plan.waiting),
        ingestion.failures,
        release.url if release else None,
        release is not None and release.new,
        release.highlights if release else (),
        perf_counter() - run.clock,
        ingestion.removed,
    )
    remember_units(run.store, run.pipeline, run.dataset, plan)
    write_run(run.store, summary, (ingestion.landed[unit] for unit in ingestion.computed), resume)
    unmark_run(run.store, run.id)
    counts = ", ".join(f"{count} {name}" for name, count in summary.as_json()["units"].items())
    get_run_logger().info("%s", counts)
    show_outcome(summary, ingestion.landed)
    return summary


def _members(plan: RunPlan, ingestion: Ingestion, units: Iterable[str]) -> tuple[str, ...]:
    """Return the small units that landed within some units: those of a shard but for the ones that failed in it."""
    failed = {failure.unit for failure in ingestion.failures}
    return tuple(sorted(member for unit in units for member in plan.members[unit] if member not in failed))


def _compute(
    cluster: Cluster, pipeline: str, plan: RunPlan, build: Callable[[Any], UnitReference]
) -> tuple[dict[str, UnitReference], list[UnitFailure]]:
    references: dict[str, UnitReference] = {}
    failures = list(plan.failures)
    if not plan.requests:
        return references, failures
    observer = current_observer()
    observer.start("units", len(plan.requests))
    progress = ProgressArtifact(pipeline, len(plan.requests))
    for outcome in map_units(cluster, build, plan.requests):
        if outcome.result is not None:
            references[outcome.unit] = outcome.result
        elif isinstance(outcome.error, ConfigError):
            raise outcome.error
        elif outcome.error is not None:
            failures.append(describe_failure(outcome.unit, plan.paths[outcome.unit], outcome.error))
        observer.advance()
        progress.advance()
    return references, failures
