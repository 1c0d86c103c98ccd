"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from core.dataset.report import Quality
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
from tasks.frame.publish import ReleaseFacts, plan_landed, publish_tables
from tasks.frame.release import UnfitUnitsError, count_rows, explain_tables, find_unfit, summarise_tables, write_shard
from tasks.frame.release_spec import RELEASE, SUMMARISE, Landed, ReleasePlan, Reporter, ShardReference, Summary
from tasks.frame.report import ReportPart, plan_report, write_report_part
from tasks.frame.taken_down import TakedownGrewError, check_tables

logger = logging.getLogger(__name__)

Written = TypeVar("Written")
Describe = Callable[[Sequence[ShardReference]], ReleaseFacts]


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
    main: str = ""


def release_dataset(
    mapper: Mapper,
    observer: Observer,
    store: Store,
    plan: ReleasePlan,
    reporter: Reporter,
    describe: Describe,
    publication: Publication,
    approve: Callable[[Sequence[ShardReference]], None],
) -> ReleaseOutcome:
    """Write and publish a planned release, unless the latest one holds exactly the same.

    Args:
        mapper: writes the shards.
        observer: is told of the progress and the statistics.
        store: holds the units' artifacts and gets the release.
        plan: what to write.
        reporter: what the report shows.
        describe: makes the statistics of the written shards, and what else the release tells.
        publication: the run that publishes; a later run's release is never replaced by this one.
        approve: called when all tables are written, just before anything is published, with the shards that were written (none
            where the release was complete before); its error stops that.

    Raises:
        UnfitUnitsError: the release cannot take some units; nothing is published then.
    """
    url = store.locate(plan.folder)
    if plan.unchanged:
        return ReleaseOutcome(url, plan.version, False, True, ())
    if plan.complete:
        approve(())
        # some release before the latest, or the latest one whose pointer is damaged: its files stay as they are
        latest = move_pointer(store, plan.dataset, plan.version, publication, plan.splits, plan.gone)
        _tell_pointer(store, plan, url, publication, latest)
        return ReleaseOutcome(url, plan.version, not plan.current, latest, ())
    shards = _write_tables(mapper, observer, plan)
    facts = replace(describe(shards), report=_write_report(mapper, observer, plan, reporter), words=reporter.spec)
    approve(shards)
    latest = publish_tables(store, plan, shards, facts, publication)
    _tell_pointer(store, plan, url, publication, latest)
    observer.show_statistics(plan.dataset, url, facts.figures)
    return ReleaseOutcome(url, plan.version, not plan.current, latest, count_rows(shards))


def _tell_pointer(store: Store, plan: ReleasePlan, url: str, publication: Publication, latest: bool) -> None:
    """Warn where the pointer does not name the release."""
    if latest:
        return
    named = find_latest(store, plan.dataset)
    stays = f"latest.json of {plan.dataset} still names {named.version if named is not None else 'no release'}"
    if publication.limited:
        logger.warning("%s is complete, but this run had a limit and left units out: %s. Load it by its folder", url, stays)
    else:
        logger.warning("%s is complete, but a later run has released meanwhile: %s. Run again for a newer one", url, stays)


def _write_tables(mapper: Mapper, observer: Observer, plan: ReleasePlan) -> list[ShardReference]:
    return _write_parts(mapper, observer, "release", write_shard, plan.requests)


def _write_report(mapper: Mapper, observer: Observer, plan: ReleasePlan, reporter: Reporter) -> list[ReportPart]:
    return _write_parts(mapper, observer, "report", write_report_part, plan_report(plan, reporter))


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


def release_units(
    run: Run, plan: RunPlan, releasable: Mapping[str, UnitReference], mapper: Mapper, observer: Observer
) -> ReleaseOutcome | None:
    """Plan the release of the landed units, then write and publish it; return None where nothing has landed.

    Raises:
        UnfitUnitsError: the release cannot take some units; nothing is published then.
        TakedownGrewError: something was put on the takedown list since the release was planned.
        EmptyReleaseError: it would have no rows, although the latest has some.
    """
    if not releasable:
        return None
    prepare = partial(plan_landed, run.store, run.call.dataset, run.pipeline, run.config, plan, releasable)
    ready = prepare()
    while not place_units(run.store, run.call.dataset, run.id, ready.release.splits, ready.release.placed):
        logger.info("another run has placed units in splits meanwhile: the release is planned again")
        ready = prepare()
    planned = ready.release
    describe = partial(_describe, run.pipeline, replace(ready.landed, splits=planned.splits), planned, ready.quality)
    publication = Publication(run=run.number, started=run.started, parent=planned.parent, limited=plan.limited)
    main = ready.tables[0].name

    def approve(shards: Sequence[ShardReference]) -> None:
        _refuse_empty(run, plan, planned, main, shards)
        _check_takedown(run, plan, planned)

    outcome = release_dataset(mapper, observer, run.store, planned, ready.reporter, describe, publication, approve)
    return replace(outcome, main=main)


def _describe(
    pipeline: Pipeline,
    landed: Landed[Any],
    planned: ReleasePlan,
    quality: Sequence[Quality],
    shards: Sequence[ShardReference],
) -> ReleaseFacts:
    """Return what a release tells beside its tables."""
    spec, summary = pipeline.load(RELEASE), _summarise(pipeline, landed, shards)
    written = [(shard.table, f"{planned.folder}/{shard.path}", shard.rows) for shard in shards]
    return ReleaseFacts(
        statistics=summary.statistics,
        figures=summary.figures,
        rejects=explain_tables(landed.store, written, spec, landed.config),
        description=spec.description,
        provenance=landed.config.provenance,
        quality=[*quality, *summary.quality],
        papers=spec.paper_tables(json.loads(json.dumps(summary.statistics)), list(planned.splits)),  # as `stats.json` has them
    )


def _summarise(pipeline: Pipeline, landed: Landed[Any], shards: Sequence[ShardReference]) -> Summary:
    """Return the release's statistics; UnfitUnitsError where single units are to blame that there are none."""
    summarise = pipeline.find(SUMMARISE) or summarise_tables
    try:
        return summarise(landed, shards)
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
