"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any, TypeVar

from core.dataset.release_changes import count_changes
from core.dataset.splits import assign_splits
from core.errors import ConfigError, StoreError, TakedownGrewError, UnfitUnitsError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run
from flows.frame.ingestion import Mapper
from flows.frame.observer import Illustration, Observer
from flows.frame.run import ReleaseOutcome, SecondHalf
from infra.store.history import Publication, read_history
from infra.store.manifests import read_release
from infra.store.objects import Store
from infra.store.releases import find_latest, move_pointer, place_units, read_placements
from infra.store.takedown import read_takedown
from tasks.frame.ledger import RunSummary
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan
from tasks.frame.publish import PlannedRelease, ReleaseFacts, plan_landed, publish_tables
from tasks.frame.release import count_rows, explain_files, find_unfit, summarise_tables, tell_reading, write_shard
from tasks.frame.release_spec import DRAW, RELEASE, SUMMARISE, Landed, ReleasePlan, ShardReference, Summary
from tasks.frame.report import plan_report, write_report_part
from tasks.frame.taken_down import check_tables
from tasks.store.compare import compare_releases

logger = logging.getLogger(__name__)

Written = TypeVar("Written")

MOST_COMPARED = 100_000
"""Rows of a release up to which it is compared with the one before: both are read for it."""


def check_units(run: Run, units: Collection[str]) -> None:
    """Check that every unit that a run may release has a place, before any is built."""
    assign_splits(list(units), run.config.split, read_placements(run.store, run.call.dataset))


def release_units(
    run: Run, plan: RunPlan, releasable: Mapping[str, UnitReference], mapper: Mapper, observer: Observer
) -> ReleaseOutcome:
    """Write and publish the release of the landed units, unless the latest one holds the same, or nothing has landed.

    Raises:
        UnfitUnitsError: the release cannot take some units; nothing is published then.
        TakedownGrewError: something was put on the takedown list since the release was planned.
    """
    if not releasable:
        return ReleaseOutcome()
    store, dataset = run.store, run.call.dataset
    prepare = partial(plan_landed, store, dataset, run.pipeline, run.config, plan, releasable)
    planned = prepare()
    while not place_units(store, dataset, run.id, planned.release.splits, planned.release.placed):
        logger.info("another run has placed units in splits meanwhile: the release is planned again")
        planned = prepare()
    release, main, url = planned.release, planned.tables[0].name, store.locate(planned.release.folder)
    if release.unchanged:
        return _tell_outcome(run, release, main, url, True)
    publication = Publication(run=run.number, started=run.started, parent=release.parent, limited=plan.limited)
    shards: list[ShardReference] = []
    if not release.complete:
        shards = _write_parts(mapper, observer, "release", write_shard, release.requests)
        facts = _describe(run.pipeline, planned, shards)
        report = _write_parts(mapper, observer, "report", write_report_part, plan_report(release, planned.reporter))
    if refused := _refuse_empty(run, plan, release, main, shards):
        return ReleaseOutcome(refused=refused)
    _check_takedown(run, plan, release)
    if release.complete:  # some release before the latest, or the latest one whose pointer is damaged: its files stay as they are
        latest = move_pointer(store, dataset, release.version, publication, release.splits, release.gone)
    else:
        latest = publish_tables(store, release, shards, replace(facts, report=report), publication)
        observer.show_statistics(dataset, url, facts.figures)
    if not latest:
        _tell_pointer(store, release, url, publication)
    return _tell_outcome(run, release, main, url, latest)


def _tell_outcome(run: Run, plan: ReleasePlan, main: str, url: str, latest: bool) -> ReleaseOutcome:
    """Return what has become of a release whose table `main` a user comes for."""
    manifest = read_release(run.store, plan.dataset, plan.version)
    files = manifest.tables if manifest is not None else []
    rows = {main: 0} | count_rows(files)
    rejects = explain_files(run.store, plan.folder, files, run.pipeline.load(RELEASE), run.config)
    return ReleaseOutcome(url=url, new=not plan.current, latest=latest, rows=rows, rejects=tuple(rejects))


def _tell_pointer(store: Store, plan: ReleasePlan, url: str, publication: Publication) -> None:
    """Warn that the pointer does not name the release."""
    named = find_latest(store, plan.dataset)
    stays = f"latest.json of {plan.dataset} still names {named.version if named is not None else 'no release'}"
    if publication.limited:
        logger.warning("%s is complete, but this run had a limit and left units out: %s. Load it by its folder", url, stays)
    else:
        logger.warning("%s is complete, but a later run has released meanwhile: %s. Run again for a newer one", url, stays)


def _write_parts(
    mapper: Mapper, observer: Observer, step: str, write: Callable[[Any], Written], requests: Mapping[str, Any]
) -> list[Written]:
    """Write parts of a release on workers, and return what was written in the order of the requests.

    Raises:
        UnfitUnitsError: the release cannot take some units.
    """
    observer.start(step, len(requests))
    written: dict[str, Written] = {}
    unfit: dict[str, UnitFailure] = {}
    for outcome in mapper.map_units(write, requests):
        observer.advance()
        if isinstance(outcome.error, UnfitUnitsError):
            for failure in outcome.error.failures:
                unfit.setdefault(failure.unit, failure)
        elif outcome.error is not None or outcome.result is None:
            raise outcome.error or RuntimeError(f"{outcome.unit}: no result")
        else:
            written[outcome.unit] = outcome.result
    if unfit:
        raise UnfitUnitsError(tuple(unfit[unit] for unit in sorted(unfit)))
    return [written[name] for name in requests]


def _describe(pipeline: Pipeline, planned: PlannedRelease, shards: Sequence[ShardReference]) -> ReleaseFacts:
    """Return what a release tells beside its tables and the parts of its report."""
    spec, landed, release = pipeline.load(RELEASE), planned.landed, planned.release
    summary = _summarise(pipeline, landed, shards)
    return ReleaseFacts(
        statistics=summary.statistics,
        figures=summary.figures,
        rejects=explain_files(landed.store, release.folder, shards, spec, landed.config),
        description=spec.description,
        provenance=landed.config.provenance,
        quality=[*planned.quality, *summary.quality],
        words=planned.reporter.spec,
    )


def _summarise(pipeline: Pipeline, landed: Landed[Any], shards: Sequence[ShardReference]) -> Summary:
    """Return the release's statistics; UnfitUnitsError where single units are to blame that there are none."""
    summarise = pipeline.find(SUMMARISE) or summarise_tables
    try:
        return tell_reading(summarise(landed, shards), landed)
    except (StoreError, ConfigError, MemoryError):
        raise
    except Exception as error:  # whatever is wrong with one unit
        if unfit := find_unfit(summarise, landed, error):
            raise UnfitUnitsError(unfit) from error
        raise


def _refuse_empty(run: Run, plan: RunPlan, planned: ReleasePlan, main: str, shards: Sequence[ShardReference]) -> str:
    """Return why a release whose main table has no rows may not follow one that has some, "" where it may.

    Whatever went wrong (a model, a setting, a worker), a good dataset is not lost by it. The takedown list may empty it.
    """
    latest = find_latest(run.store, planned.dataset)
    if run.call.allow_empty or latest is None or latest.manifest is None:
        return ""
    before = sum(file.rows for file in latest.manifest.files if file.path.startswith(f"data/{main}/"))
    rows = sum(shard.rows + sum(shard.withheld.values()) for shard in shards if shard.table == main)
    if not shards and (own := read_release(run.store, planned.dataset, planned.version)) is not None:
        rows = sum(file.rows for file in own.files if file.path.startswith(f"data/{main}/"))
    if before and not rows and any(unit not in plan.withheld.takedown for unit in latest.manifest.splits):
        return (
            f"the release would have 0 {main}, and the latest ({latest.version}) has {before:,}: it stays, and nothing was "
            "published. See what the units and the settings lack; --allow-empty publishes it all the same"
        )
    return ""


def _check_takedown(run: Run, plan: RunPlan, planned: ReleasePlan) -> None:
    """Make sure, just before a release is published, that nothing of it is on the takedown list by now.

    Raises:
        TakedownGrewError: something was put on the list since the release was planned.
    """
    if plan.withheld.takedown.has_grown(read_takedown(run.store, run.pipeline.name)):
        logger.info("the takedown list has grown while the release was made: it is planned again")
        raise TakedownGrewError
    check_tables(run.store, plan, planned)


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


SECOND_HALF = SecondHalf(check_units=check_units, release_units=release_units, illustrate=illustrate_run)
