"""A run of any pipeline, from its sources to a release. It knows neither Prefect nor Dask: a mapper builds the units.

plan_run            what the sources hold, compared with the catalog          tasks.frame.plan
build_units         every new or changed unit, by the mapper                  flows.frame.ingestion
record_units        quarantine, catalog: a unit that fails has its reason
release_units       splits, shards, statistics, manifest, pointer             flows.frame.release
conclude            runs/<id>.json, the outcome

Each step goes on with what the one before returns; where that does not hold any more, the run plans again (flows.frame.run).
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from time import perf_counter
from typing import Any

from core.dataset.release_changes import count_changes
from core.errors import DamagedArtifactError, EmptyReleaseError, FabulaError, StoreError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run, begin_run
from flows.frame.ingestion import Built, Mapper, build_units
from flows.frame.observer import Illustration, Observer
from flows.frame.release import ReleaseOutcome, release_units
from infra.store.catalog import Catalog, open_catalog, write_catalog
from infra.store.history import read_history
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
from tasks.frame.release import UnfitUnitsError, check_splits, describe_release, find_damaged, refuse_units, replan
from tasks.frame.release_spec import DRAW, RELEASE
from tasks.frame.taken_down import TakedownGrewError, find_renamed
from tasks.store.compare import compare_releases

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
    check_splits(run.store, call.dataset, {*plan.to_build, *plan.reused, *plan.earlier}, run.config.split)
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
            release = release_units(run, plan, ingested.releasable, mapper, observer)
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
        except EmptyReleaseError as error:
            return _conclude(run, plan, ingested, None, observer, str(error))
        else:
            return _conclude(run, plan, ingested, release, observer)
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
    run: Run, plan: RunPlan, ingested: Ingested, release: ReleaseOutcome | None, observer: Observer, refused: str = ""
) -> RunSummary:
    """Write the run's record, show its outcome, and return it; `refused` says why a release was not published."""
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
        release=release.url if release else None,
        new_release=release is not None and release.new,
        latest=release is None or release.latest,
        refused=refused,
        limited=plan.limited,
        highlights=release.highlights if release else (),
        seconds=perf_counter() - run.clock,
        removed=ingested.removed,
        stale=tuple(sorted({failure.unit for failure in ingested.failures} & set(ingested.releasable))),
        notices=tuple((unit, notice) for unit, landed in sorted(ingested.landed.items()) for notice in landed.notices),
        left_out=tuple(plan.found.left_out.items()),
        **_describe_rows(run, release),
    )
    remember_units(run.store, run.call.dataset, plan)
    computed = (ingested.landed[unit] for unit in ingested.computed)
    write_run(run.store, summary, computed, run.call.describe(run.pipeline.name))
    unmark_run(run.store, run.id)
    logger.info("%s", ", ".join(f"{count} {name}" for name, count in summary.as_json()["units"].items()))
    observer.conclude(summary, ingested.landed, partial(illustrate_run, run.store, run.pipeline, summary, ingested.landed))
    return summary


def _describe_rows(run: Run, release: ReleaseOutcome | None) -> dict[str, Any]:
    """Return the rows of the release by table, the default one first, and those that were left out."""
    if release is None:
        return {}
    rows, rejects = describe_release(run.store, run.call.dataset, release.version, run.pipeline.load(RELEASE), run.config)
    return {"rows": {release.main: rows.pop(release.main, 0), **rows}, "rejects": tuple(rejects)}


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


MOST_COMPARED = 100_000
"""Rows of a release up to which it is compared with the one before: both are read for it."""


def illustrate_run(store: Store, pipeline: Pipeline, summary: RunSummary, landed: Mapping[str, UnitReference]) -> Illustration:
    """Return what a run with a release has to show. Pictures are of its first unit that was built, or else that landed."""
    if summary.release is None:
        return Illustration()
    unit = next((unit for unit in (*summary.computed, *sorted(landed)) if unit in landed), None)
    draw = pipeline.find(DRAW)
    small = sum(summary.rows.values()) <= MOST_COMPARED
    return Illustration(
        changes=_describe_changes(store, summary.dataset, summary.release) if summary.new_release and small else (),
        pictures=draw(store, landed[unit]) if draw is not None and unit is not None else (),
    )


def _describe_changes(store: Store, dataset: str, release: str) -> list[str]:
    """Return what a new release changed in the one that it follows; nothing where it is the first."""
    version = PurePosixPath(release).name
    entry = read_history(store, dataset).releases.get(version)
    if entry is None or entry.parent is None:
        return []
    found = compare_releases(store, dataset, entry.parent, version)
    changed = [f"rows {change} because of {why}: {count:,}" for (change, why), count in count_changes(found.changes).items()]
    settings = [f"{name}: {old!r} before, now {new!r}" for name, (old, new) in found.settings.items()]
    return [f"{found.rows[0]:,} rows of {found.table} before, {found.rows[1]:,} now", *changed, *settings]
