"""A run of any pipeline, from its sources to a release. It knows neither Prefect nor Dask: a mapper builds the units.

plan_run            what the sources hold, compared with the catalog          tasks.frame.planning
mapper.map_units    build_unit for every new or changed unit                  tasks.frame.building
quarantine, catalog a unit that fails is named with its reason
release_units       splits, shards, statistics, manifest, pointer             flows.frame.release
conclude            runs/<id>.json, the outcome
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from core.errors import ConfigError, DamagedArtifactError, SchedulerLostError, StoreError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run, begin_run
from flows.frame.illustration import illustrate_run
from flows.frame.observer import Observer
from flows.frame.release import ReleaseOutcome, release_units
from infra.store.catalog import Catalog, open_catalog, write_catalog
from infra.store.history import read_history
from infra.store.quarantine import clear_quarantine, quarantine_units
from infra.store.running import unmark_run
from infra.store.takedown import add_takedown, read_takedown
from tasks.frame.building import ArtifactCheck, build_unit, find_damaged
from tasks.frame.ledger import (
    RunCall,
    RunSummary,
    add_checksums,
    describe_failure,
    find_removed,
    list_entries,
    remember_units,
    write_run,
)
from tasks.frame.mapper import Mapper
from tasks.frame.pipeline import Pipeline
from tasks.frame.planning import RunPlan, plan_run, refuse_units, replan
from tasks.frame.rejects import describe_release
from tasks.frame.release import (
    check_splits,
)
from tasks.frame.taken_down import TakedownGrewError, find_renamed, has_grown
from tasks.frame.unfit import UnfitUnitsError

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 4
"""Times that units are built and released in one run: once more each time that something of it is found damaged in the store."""

MOST_CHANGES = 20
"""Times that a run plans its release again since the takedown list has grown meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What came of building units: the references by id, the failures, and the keys of damaged parts of record files."""

    references: dict[str, UnitReference]
    failures: list[UnitFailure]
    damaged: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
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


def run_pipeline(pipeline: Pipeline, call: RunCall, mapper: Mapper, observer: Observer) -> RunSummary:
    """Bring a store up to date with the sources, and release what has landed.

    Raises:
        ConfigError: the call or the settings are wrong, or a worker lacks what they need.
        StoreError: a source could not be listed, or the store failed.
    """
    run = begin_run(pipeline, call)
    observer.start("sources", 0)
    catalog = open_catalog(run.store, call.dataset, pipeline.name)
    plan = _plan(run, catalog)
    check_splits(run.store, call.dataset, {*plan.to_build, *plan.reused, *plan.earlier}, run.config.split)
    before: dict[str, UnitReference] = {}
    attempts = changes = 0
    while attempts < MOST_ATTEMPTS and changes < MOST_CHANGES:
        built = _build(run, plan, mapper, observer, before)
        before = built.references
        if built.damaged:
            attempts += 1
            plan = _divide_again(run, catalog, built.damaged)
            continue
        if _withhold_more(run, plan, built):
            changes += 1
            plan = _plan(run, catalog)
            continue
        ingestion = _ingest(run, plan, built)
        _remember(run, catalog, plan, ingestion)
        try:
            release = release_units(run, plan, ingestion.releasable, mapper, observer)
        except DamagedArtifactError as error:
            attempts += 1
            plan = _build_damaged(run, plan, ingestion, mapper, observer, error)
        except UnfitUnitsError as error:
            if len(error.failures) == len(ingestion.releasable) > 1:  # then it is not the units that are to blame
                raise
            attempts += 1
            plan = refuse_units(plan, error.failures, ingestion.releasable)
        except TakedownGrewError:
            changes += 1
            plan = _plan(run, catalog)
        else:
            return _conclude(run, plan, ingestion, release, observer)
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
    return plan_run(
        run.pipeline,
        sources=run.call.source,
        store=run.store,
        config=run.config,
        profile=run.call.profile,
        resources=run.resources,
        catalog=catalog.entries,
        limit=run.call.limit,
    )


def _withhold_more(run: Run, plan: RunPlan, built: Built) -> bool:
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
    return bool(renamed) or has_grown(plan, read_takedown(run.store, name))


def _divide_again(run: Run, catalog: Catalog, damaged: Sequence[str]) -> RunPlan:
    """Remove damaged parts of record files, and plan again: that makes them anew."""
    for key in damaged:
        run.store.tell_damage(key, "missing, or its SHA-256 is not that of its name", "its file is divided again")
    run.store.delete_all(damaged)
    return _plan(run, catalog)


def _remember(run: Run, catalog: Catalog, plan: RunPlan, ingestion: Ingestion) -> None:
    """Write the catalog, unless the one before says the same and is whole."""
    entries = list_entries(catalog.entries, plan, ingestion.landed, ingestion.failures)
    if catalog.sound and entries == list(catalog.entries.values()):
        return
    with _named({failure.unit for failure in ingestion.failures}):
        write_catalog(run.store, run.call.dataset, run.pipeline.name, run.id, entries)
        run.store.delete_all(catalog.damaged)


def _build_damaged(
    run: Run, plan: RunPlan, ingestion: Ingestion, mapper: Mapper, observer: Observer, error: DamagedArtifactError
) -> RunPlan:
    """Find every damaged artifact that the release rests on, and plan to build the units of all of them anew.

    Raises:
        DamagedArtifactError: a unit cannot be built, since its input is bad by now, or beyond the limit of this run.
    """
    checks = {
        unit: ArtifactCheck(run.store.url, tuple(reference.artifacts.values()))
        for unit, reference in ingestion.releasable.items()
    }
    observer.start("check", len(checks))
    damaged: dict[str, UnitReference] = {}
    bad = {failure.unit for failure in ingestion.failures}
    for outcome in mapper.map_units(find_damaged, checks):
        observer.advance()
        if outcome.error is not None:
            raise outcome.error
        if not outcome.result:
            continue
        if outcome.unit in bad or outcome.unit not in plan.signatures:
            raise DamagedArtifactError(outcome.unit, outcome.result[0], "missing or damaged")
        damaged[outcome.unit] = ingestion.releasable[outcome.unit]
        for key in outcome.result:
            logger.warning("%s: the artifact %s is missing or damaged; the unit is built anew", outcome.unit, key)
    if not damaged:
        raise error
    return replan(plan, damaged)


def _ingest(run: Run, plan: RunPlan, built: Built) -> Ingestion:
    """Put together what has landed, and quarantine the units that failed."""
    dataset = run.call.dataset
    references, found = built.references, built.failures
    failures = add_checksums(found, plan.listing)
    landed = {**plan.reused, **references}
    failures += add_checksums((failure for reference in landed.values() for failure in reference.failures), plan.listing)
    members = {member for unit in landed for member in plan.members[unit]}
    failed = {failure.unit for failure in failures}
    with _named(failed):
        quarantine_units(run.store, dataset, failures, plan.failures, run.id, run.started)
        removed = find_removed(run.store, dataset, plan)
        gone = members.union(removed) - failed
        clear_quarantine(run.store, dataset, gone, failed, failures, plan.withheld.takedown)
    return Ingestion(
        landed=landed,
        releasable=plan.earlier | landed,
        computed=tuple(sorted(unit for unit, reference in references.items() if reference.computed)),
        failures=tuple(failures),
        removed=removed,
    )


def _build(run: Run, plan: RunPlan, mapper: Mapper, observer: Observer, before: Mapping[str, UnitReference]) -> Built:
    """Build the units that are new or changed; ConfigError where a worker lacks what the settings ask for.

    `before` are the references of an earlier attempt of this run: what that has computed is found now, and counts as computed.
    """
    built = Built(references={}, failures=list(plan.failures), damaged=[])
    if not plan.to_build:
        return built
    observer.start("units", len(plan.to_build))
    requests = {unit: plan.requests[unit] for unit in plan.to_build}
    for outcome in mapper.map_units(build_unit, requests, run.call.unit_seconds):
        if outcome.result is not None:
            built.references[outcome.unit] = (
                outcome.result if outcome.result.computed else before.get(outcome.unit, outcome.result)
            )
        elif isinstance(outcome.error, ConfigError | SchedulerLostError):
            raise outcome.error
        elif isinstance(outcome.error, DamagedArtifactError):
            built.damaged.append(outcome.error.key)
        elif outcome.error is not None:
            built.failures.append(describe_failure(outcome.unit, plan.paths[outcome.unit], outcome.error))
        observer.advance(outcome.unit)
    return built


def _conclude(run: Run, plan: RunPlan, ingestion: Ingestion, release: ReleaseOutcome | None, observer: Observer) -> RunSummary:
    """Write the run's record, show its outcome, and return it."""
    summary = RunSummary(
        run_id=run.id,
        pipeline=run.pipeline.name,
        dataset=run.call.dataset,
        profile=run.call.profile,
        discovered=len(plan.discovered) + plan.refused,
        computed=_members(plan, ingestion, ingestion.computed),
        reused=_members(plan, ingestion, set(ingestion.landed) - set(ingestion.computed)),
        waiting=tuple((unit.id, unit.missing) for unit in plan.waiting),
        quarantined=ingestion.failures,
        release=release.url if release else None,
        new_release=release is not None and release.new,
        latest=release is None or release.latest,
        limited=plan.limited,
        highlights=release.highlights if release else (),
        seconds=perf_counter() - run.clock,
        removed=ingestion.removed,
        stale=tuple(sorted({failure.unit for failure in ingestion.failures} & set(ingestion.releasable))),
        notices=tuple((unit, notice) for unit, landed in sorted(ingestion.landed.items()) for notice in landed.notices),
        left_out=tuple(plan.left_out.items()),
        **_describe_rows(run, release),
    )
    remember_units(run.store, run.call.dataset, plan)
    computed = (ingestion.landed[unit] for unit in ingestion.computed)
    write_run(run.store, summary, computed, run.call.describe(run.pipeline.name))
    unmark_run(run.store, run.id)
    logger.info("%s", ", ".join(f"{count} {name}" for name, count in summary.as_json()["units"].items()))
    if release is not None:
        before = _find_parent(run, release)
        observer.illustrate(lambda: illustrate_run(run.store, run.implementation, summary, ingestion.landed, before))
    observer.conclude(summary, ingestion.landed)
    return summary


def _find_parent(run: Run, release: ReleaseOutcome) -> str | None:
    """Return the version that a new release follows; None for the first one, and where nothing is new."""
    entry = read_history(run.store, run.call.dataset).releases.get(release.version) if release.new else None
    return entry.parent if entry is not None else None


def _describe_rows(run: Run, release: ReleaseOutcome | None) -> dict[str, Any]:
    """Return the rows of the release by table, the default one first, and those that were left out."""
    if release is None:
        return {}
    rows, rejects = describe_release(run.store, run.call.dataset, release.version, run.implementation, run.config)
    return {"rows": {release.main: rows.pop(release.main, 0), **rows}, "rejects": tuple(rejects)}


def _members(plan: RunPlan, ingestion: Ingestion, units: Iterable[str]) -> tuple[str, ...]:
    """Return the small units that landed within some units: those of a shard but for the ones that failed in it."""
    failed = {failure.unit for failure in ingestion.failures}
    return tuple(sorted(member for unit in units for member in plan.members[unit] if member not in failed))


@contextmanager
def _named(failed: Collection[str]) -> Iterator[None]:
    """Let a store that fails here (its disk is full) end the run with the failed units' names: it has no record of them."""
    try:
        yield
    except StoreError as error:
        more = f" and {len(failed) - 50} more" if len(failed) > 50 else ""
        raise StoreError(f"{error}. Units that did not land: {', '.join(_first(failed)) or 'none'}{more}") from error


def _first(failed: Collection[str]) -> Sequence[str]:
    return sorted(failed)[:50]
