"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from core.errors import ConfigError, EmptyReleaseError, StoreError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run
from flows.frame.ingestion import Mapper
from flows.frame.observer import Observer
from infra.store.history import Publication
from infra.store.manifests import read_release
from infra.store.objects import Store
from infra.store.releases import find_latest, move_pointer, place_units
from infra.store.takedown import read_takedown
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan
from tasks.frame.publish import PlannedRelease, ReleaseFacts, plan_landed, publish_tables
from tasks.frame.release import (
    UnfitUnitsError,
    count_rows,
    explain_files,
    find_unfit,
    summarise_tables,
    tell_reading,
    write_shard,
)
from tasks.frame.release_spec import RELEASE, SUMMARISE, Landed, ReleasePlan, ShardReference, Summary
from tasks.frame.report import plan_report, write_report_part
from tasks.frame.taken_down import TakedownGrewError, check_tables

logger = logging.getLogger(__name__)

Written = TypeVar("Written")


@dataclass(frozen=True, slots=True)
class ReleaseOutcome:
    """A release: where it is, whether this run made it, and a few of its figures by name (none where it is as it was).

    `latest`: the pointer names it. `main` is the table that a user comes for, whether it has rows or not.
    """

    url: str
    version: str
    new: bool
    latest: bool
    highlights: tuple[tuple[str, str], ...]
    main: str


def release_units(
    run: Run, plan: RunPlan, releasable: Mapping[str, UnitReference], mapper: Mapper, observer: Observer
) -> ReleaseOutcome | None:
    """Write and publish the release of the landed units, unless the latest one holds the same; None where nothing has landed.

    Raises:
        UnfitUnitsError: the release cannot take some units; nothing is published then.
        TakedownGrewError: something was put on the takedown list since the release was planned.
        EmptyReleaseError: it would have no rows, although the latest has some.
    """
    if not releasable:
        return None
    store, dataset = run.store, run.call.dataset
    prepare = partial(plan_landed, store, dataset, run.pipeline, run.config, plan, releasable)
    planned = prepare()
    while not place_units(store, dataset, run.id, planned.release.splits, planned.release.placed):
        logger.info("another run has placed units in splits meanwhile: the release is planned again")
        planned = prepare()
    release, main = planned.release, planned.tables[0].name
    url = store.locate(release.folder)
    if release.unchanged:
        return ReleaseOutcome(url, release.version, False, True, (), main)
    shards: list[ShardReference] = []
    publication = Publication(run=run.number, started=run.started, parent=release.parent, limited=plan.limited)
    if release.complete:  # some release before the latest, or the latest one whose pointer is damaged: its files stay as they are
        _refuse_empty(run, plan, release, main, ())
        _check_takedown(run, plan, release)
        latest = move_pointer(store, dataset, release.version, publication, release.splits, release.gone)
    else:
        shards = _write_parts(mapper, observer, "release", write_shard, release.requests)
        facts = _describe(run.pipeline, planned, shards)
        report = _write_parts(mapper, observer, "report", write_report_part, plan_report(release, planned.reporter))
        _refuse_empty(run, plan, release, main, shards)
        _check_takedown(run, plan, release)
        latest = publish_tables(store, release, shards, replace(facts, report=report), publication)
        observer.show_statistics(dataset, url, facts.figures)
    if not latest:
        _tell_pointer(store, release, url, publication)
    highlights = tuple((table, f"{count:,} rows") for table, count in count_rows(shards).items() if count)
    return ReleaseOutcome(url, release.version, not release.current, latest, highlights, main)


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


def _refuse_empty(run: Run, plan: RunPlan, planned: ReleasePlan, main: str, shards: Sequence[ShardReference]) -> None:
    """Keep a release whose main table has no rows from taking the place of one that has some, unless the takedown list wants it.

    Whatever went wrong (a model, a setting, a worker), a good dataset is not lost by it.

    Raises:
        EmptyReleaseError: it would.
    """
    latest = find_latest(run.store, planned.dataset)
    if run.call.allow_empty or latest is None or latest.manifest is None:
        return
    before = sum(file.rows for file in latest.manifest.files if file.path.startswith(f"data/{main}/"))
    rows = sum(shard.rows + sum(shard.withheld.values()) for shard in shards if shard.table == main)
    if not shards and (own := read_release(run.store, planned.dataset, planned.version)) is not None:
        rows = sum(file.rows for file in own.files if file.path.startswith(f"data/{main}/"))
    if before and not rows and any(unit not in plan.withheld.takedown for unit in latest.manifest.splits):
        raise EmptyReleaseError(
            f"the release would have 0 {main}, and the latest ({latest.version}) has {before:,}: it stays, and nothing was "
            "published. See what the units and the settings lack; --allow-empty publishes it all the same"
        )


def _check_takedown(run: Run, plan: RunPlan, planned: ReleasePlan) -> None:
    """Make sure, just before a release is published, that nothing of it is on the takedown list by now.

    Raises:
        TakedownGrewError: something was put on the list since the release was planned.
    """
    if plan.withheld.takedown.has_grown(read_takedown(run.store, run.pipeline.name)):
        logger.info("the takedown list has grown while the release was made: it is planned again")
        raise TakedownGrewError
    check_tables(run.store, plan, planned)
