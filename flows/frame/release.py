"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.references import UnitFailure
from flows.frame.observer import Observer
from infra.store.history import Publication
from infra.store.objects import Store
from infra.store.releases import find_latest, move_pointer
from tasks.frame.mapper import Mapper
from tasks.frame.release import ReleaseFacts, ReleasePlan, ShardReference, count_rows, publish_tables, write_shard
from tasks.frame.unfit import UnfitUnitsError

logger = logging.getLogger(__name__)

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
    describe: Describe,
    publication: Publication,
    approve: Callable[[], None],
) -> ReleaseOutcome:
    """Write and publish a planned release, unless the latest one holds exactly the same.

    Args:
        mapper: writes the shards.
        observer: is told of the progress and the statistics.
        store: holds the units' artifacts and gets the release.
        plan: what to write.
        describe: makes the statistics of the written shards, and what else the release tells.
        publication: the run that publishes; a later run's release is never replaced by this one.
        approve: called when all tables are written, just before anything is published; its error stops that.

    Raises:
        UnfitUnitsError: the release cannot take some units; nothing is published then.
    """
    url = store.locate(plan.folder)
    if plan.unchanged:
        return ReleaseOutcome(url, plan.version, False, True, ())
    if plan.complete:
        approve()
        # some release before the latest, or the latest one whose pointer is damaged: its files stay as they are
        latest = move_pointer(store, plan.dataset, plan.version, publication, plan.splits, plan.gone)
        _tell_pointer(store, plan, url, publication, latest)
        return ReleaseOutcome(url, plan.version, not plan.current, latest, ())
    shards = _write_tables(mapper, observer, plan)
    facts = describe(shards)
    approve()
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
    observer.start("release", len(plan.requests))
    shards: list[ShardReference] = []
    unfit: dict[str, UnitFailure] = {}
    for outcome in mapper.map_units(write_shard, plan.requests):
        observer.advance()
        if isinstance(outcome.error, UnfitUnitsError):
            for failure in outcome.error.failures:
                unfit.setdefault(failure.unit, failure)
        elif outcome.error is not None or outcome.result is None:
            raise outcome.error or RuntimeError(f"{outcome.unit}: no result")
        else:
            shards.append(outcome.result)
    if unfit:
        raise UnfitUnitsError(tuple(unfit[unit] for unit in sorted(unfit)))
    places = {path: number for number, path in enumerate(plan.requests)}
    return sorted(shards, key=lambda shard: places[shard.path])
