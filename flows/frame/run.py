"""A run of any pipeline, from its sources to a release. It knows neither Prefect nor Dask: a mapper builds the units.

plan_run            what the sources hold, compared with the catalog          tasks.frame.plan
build_units         every new or changed unit, by the mapper                  flows.frame.ingestion
record_units        quarantine, catalog: a unit that fails has its reason
release_units       splits, shards, statistics, manifest, pointer             flows.frame.release
conclude            runs/<id>.json, the outcome

Each step goes on with what the one before returns; where that does not hold any more, the run plans again (flows.frame.run).
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from time import perf_counter

from core.dataset.rejects import RejectedRows
from core.errors import DamagedArtifactError, FabulaError, StoreError, TakedownGrewError, UnfitUnitsError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run, begin_run
from flows.frame.ingestion import Built, Mapper, build_units
from flows.frame.observer import Illustration, Observer
from infra.store.catalog import Catalog, open_catalog, write_catalog
from infra.store.objects import Store
from infra.store.quarantine import clear_quarantine, quarantine_units
from infra.store.running import unmark_run
from infra.store.takedown import add_takedown, read_takedown
from tasks.frame.ledger import (
    RunCall,
    RunSummary,
    add_checksums,
    find_removed,
    list_entries,
    refuse_removal,
    remember_units,
    write_run,
)
from tasks.frame.model import PlanRequest
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan, plan_run
from tasks.frame.planning_again import find_damaged, find_renamed, refuse_units, replan

logger = logging.getLogger(__name__)
MOST_ATTEMPTS = 4
"""Times that units are built and released in one run: once more each time that something of it is found damaged in the store."""
MOST_CHANGES = 20
"""Times that a run plans its release again since the takedown list has grown meanwhile."""
MOST_NAMED = 50
"""Units that did not land which the error of a failing store names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What came of a plan: `landed` units by id (`computed` names those that this run worked on), and the failures.

    `releasable` are the landed units and those whose last good state stands in for them: a file that went bad takes nothing out
    of a dataset. `removed` are the units that the dataset's last run found and the sources do not hold any more.
    """

    landed: dict[str, UnitReference]
    releasable: dict[str, UnitReference]
    computed: tuple[str, ...]
    failures: tuple[UnitFailure, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOutcome:
    """A release: where it is (None: there is none), whether this run made it, and whether the pointer names it.

    `rows` counts the rows of its tables, the one that a user comes for first; `rejects` are those that it left out. `refused`
    says why it was not published.
    """

    url: str | None = None
    new: bool = False
    latest: bool = True
    rows: Mapping[str, int] = field(default_factory=dict)
    rejects: tuple[RejectedRows, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondHalf:
    """What a run makes of landed units: `flows.frame.release`.

    It knows the first half, which finds it by its name: to read or to load the first, nobody needs the second.
    """

    check_units: Callable[[Run, Collection[str]], None]
    """Checks that every unit that the run may release has a place, before any is built."""
    release_units: Callable[[Run, RunPlan, Mapping[str, UnitReference], Mapper, Observer], ReleaseOutcome]
    """Makes the release of the landed units."""
    illustrate: Callable[[Store, Pipeline, RunSummary, Mapping[str, UnitReference]], Illustration]
    """Returns what a run with a release has to show."""


def run_pipeline(pipeline: Pipeline, call: RunCall, mapper: Mapper, observer: Observer) -> RunSummary:
    """Bring a store up to date with the sources, and release what has landed."""
    run = begin_run(pipeline, call)
    try:
        return _run(run, mapper, observer)
    finally:
        with suppress(FabulaError):  # a store that has failed keeps the mark, which says that this process is gone
            unmark_run(run.store, run.id)


def _run(run: Run, mapper: Mapper, observer: Observer) -> RunSummary:
    pipeline, call = run.pipeline, run.call
    observer.start("sources", 0)
    catalog = open_catalog(run.store, call.dataset, pipeline.name)
    plan = _plan(run, catalog)
    if not call.allow_removal:
        refuse_removal(run.store, call.dataset, plan, catalog.entries)
    half: SecondHalf = import_module("flows.frame.release").SECOND_HALF
    half.check_units(run, {*plan.to_build, *plan.reused, *plan.earlier})
    before: dict[str, UnitReference] = {}
    attempts = changes = 0
    while attempts < MOST_ATTEMPTS and changes < MOST_CHANGES:
        built = build_units(plan, mapper, observer, run.call.unit_seconds, before)
        before = built.references
        if built.damaged:
            attempts += 1
            for key in built.damaged:  # parts of record files: the next plan makes them anew
                run.store.tell_damage(key, "missing, or its SHA-256 is not that of its name", "its file is divided again")
            run.store.delete_all(built.damaged)
            plan = _plan(run, catalog)
            continue
        if withhold_more(run, plan, built):
            changes += 1
            plan = _plan(run, catalog)
            continue
        ingested = record_units(run, catalog, plan, built)
        try:
            release = half.release_units(run, plan, ingested.releasable, mapper, observer)
        except DamagedArtifactError as error:
            attempts += 1
            plan = plan_repair(run, plan, ingested, mapper, observer, error)
        except UnfitUnitsError as error:
            if len(error.failures) == len(ingested.releasable) > 1:  # then it is not the units that are to blame
                raise
            attempts += 1
            plan = refuse_units(plan, error.failures, ingested.releasable)
        except TakedownGrewError:
            changes += 1
            plan = _plan(run, catalog)
        else:
            return _conclude(half, run, plan, ingested, release, observer)
    if changes == MOST_CHANGES:
        raise StoreError(
            f"store {run.store.url}: the takedown list of {pipeline.name} grew {MOST_CHANGES} times while this run made a "
            "release, so nothing was published; run again once the list is complete"
        )
    raise StoreError(
        f"store {run.store.url}: what was written anew was damaged again, {MOST_ATTEMPTS} times; check the disk or the bucket: "
        f"`fabula doctor --store {run.store.url}` says what is damaged now"
    )


def _plan(run: Run, catalog: Catalog) -> RunPlan:
    request = PlanRequest(
        sources=run.sources,
        store=run.store,
        config=run.config,
        profile=run.call.profile,
        resources=run.resources,
        takedown=read_takedown(run.store, run.pipeline.name),
    )
    return plan_run(run.pipeline, request, catalog.entries, run.call.limit)


def _conclude(
    half: SecondHalf, run: Run, plan: RunPlan, ingested: Ingested, release: ReleaseOutcome, observer: Observer
) -> RunSummary:
    """Write the run's record, show its outcome, and return it."""
    summary = RunSummary(
        run_id=run.id,
        pipeline=run.pipeline.name,
        dataset=run.call.dataset,
        profile=run.call.profile,
        discovered=len(plan.discovered) + len(plan.found.refused),
        computed=_members(plan, ingested, ingested.computed),
        reused=_members(plan, ingested, set(ingested.landed) - set(ingested.computed)),
        waiting=tuple((unit.id, unit.missing) for unit in plan.found.waiting),
        quarantined=ingested.failures,
        release=release.url,
        new_release=release.new,
        latest=release.latest,
        refused=release.refused,
        limited=plan.limited,
        seconds=perf_counter() - run.clock,
        removed=ingested.removed,
        stale=tuple(sorted({failure.unit for failure in ingested.failures} & set(ingested.releasable))),
        notices=tuple((unit, notice) for unit, landed in sorted(ingested.landed.items()) for notice in landed.notices),
        left_out=tuple(plan.found.left_out.items()),
        rows=release.rows,
        rejects=release.rejects,
    )
    remember_units(run.store, run.call.dataset, plan)
    computed = (ingested.landed[unit] for unit in ingested.computed)
    write_run(run.store, summary, computed, run.call.describe(run.pipeline.name))
    unmark_run(run.store, run.id)
    logger.info("%s", ", ".join(f"{count} {name}" for name, count in summary.as_json()["units"].items()))
    observer.conclude(summary, ingested.landed, partial(half.illustrate, run.store, run.pipeline, summary, ingested.landed))
    return summary


def _members(plan: RunPlan, ingested: Ingested, units: Iterable[str]) -> tuple[str, ...]:
    """Return the small units that landed within some units: those of a shard but for the ones that failed in it."""
    failed = {failure.unit for failure in ingested.failures}
    return tuple(sorted(member for unit in units for member in plan.members[unit] if member not in failed))


def record_units(run: Run, catalog: Catalog, plan: RunPlan, built: Built) -> Ingested:
    """Put together what has landed, quarantine the units that failed, and write the catalog."""
    landed = {**plan.reused, **built.references}
    found = [*built.failures, *(failure for reference in landed.values() for failure in reference.failures)]
    failures = add_checksums(found, plan.found.listing, run.sources)
    failed = {failure.unit for failure in failures}
    with _named(failed):
        quarantine_units(run.store, run.call.dataset, failures, plan.failures, run.id, run.started)
        removed = find_removed(run.store, run.call.dataset, plan)
        members = {member for unit in landed for member in plan.members[unit]}
        gone = members.union(removed) - failed
        clear_quarantine(run.store, run.call.dataset, gone, failed, failures, plan.withheld)
        entries = list_entries(catalog.entries, plan, landed, failures)
        if not catalog.sound or entries != list(catalog.entries.values()):  # else the catalog before says the same, and is whole
            write_catalog(run.store, run.call.dataset, run.pipeline.name, run.id, entries)
            run.store.delete_all(catalog.damaged)
    return Ingested(
        landed=landed,
        releasable=plan.earlier | landed,
        computed=tuple(sorted(unit for unit, reference in built.references.items() if reference.computed)),
        failures=tuple(failures),
        removed=removed,
    )


@contextmanager
def _named(failed: Collection[str]) -> Iterator[None]:
    """Let a store that fails here (its disk is full) end the run with the failed units' names: it has no record of them."""
    try:
        yield
    except StoreError as error:
        more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
        named = ", ".join(sorted(failed)[:MOST_NAMED]) or "none"
        raise StoreError(f"{error}. Units that did not land: {named}{more}") from error


def withhold_more(run: Run, plan: RunPlan, built: Built) -> bool:
    """Look at the takedown list once the units are built; tell whether it keeps out more than the plan knows.

    A unit that has the text of one on the list goes on the list too.
    """
    name = run.pipeline.name
    renamed = find_renamed(plan, plan.earlier | plan.reused | built.references)
    takedown = plan.withheld.takedown
    for unit, listed in sorted(renamed.items()):
        logger.warning(
            "%s has the text of %s, which is on the takedown list; it stays out too, and was put on the list", unit, listed
        )
        time = datetime.now(UTC).isoformat(timespec="seconds")
        add_takedown(run.store, name, [unit], takedown.reasons[listed], time, copy_of=listed)
    return bool(renamed) or takedown.has_grown(read_takedown(run.store, name))


def plan_repair(
    run: Run, plan: RunPlan, ingested: Ingested, mapper: Mapper, observer: Observer, error: DamagedArtifactError
) -> RunPlan:
    """Find every damaged artifact that the release rests on, and plan to build the units of all of them anew.

    Raises:
        DamagedArtifactError: a unit cannot be built, since its input is bad by now, or beyond the limit of this run.
    """
    checks = {unit: (run.store.url, [*reference.artifacts.values()]) for unit, reference in ingested.releasable.items()}
    observer.start("check", len(checks))
    damaged: dict[str, UnitReference] = {}
    bad = {failure.unit for failure in ingested.failures}
    for outcome in mapper.map_units(find_damaged, checks):
        observer.advance()
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
