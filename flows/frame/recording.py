"""What a store keeps of the units of a run, between their ingestion and their release: the quarantine and the catalog."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import StoreError
from core.references import UnitFailure, UnitReference
from flows.frame.beginning import Run
from flows.frame.ingestion import Built
from infra.store.catalog import Catalog, write_catalog
from infra.store.quarantine import clear_quarantine, quarantine_units
from tasks.frame.ledger import add_checksums, find_removed, list_entries
from tasks.frame.plan import RunPlan

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
        _write_catalog(run, catalog, plan, landed, failures)
    return Ingested(
        landed=landed,
        releasable=plan.earlier | landed,
        computed=tuple(sorted(unit for unit, reference in built.references.items() if reference.computed)),
        failures=tuple(failures),
        removed=removed,
    )


def _write_catalog(
    run: Run, catalog: Catalog, plan: RunPlan, landed: dict[str, UnitReference], failures: list[UnitFailure]
) -> None:
    """Write the catalog, unless the one before says the same and is whole."""
    entries = list_entries(catalog.entries, plan, landed, failures)
    if catalog.sound and entries == list(catalog.entries.values()):
        return
    write_catalog(run.store, run.call.dataset, run.pipeline.name, run.id, entries)
    run.store.delete_all(catalog.damaged)


@contextmanager
def _named(failed: Collection[str]) -> Iterator[None]:
    """Let a store that fails here (its disk is full) end the run with the failed units' names: it has no record of them."""
    try:
        yield
    except StoreError as error:
        more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
        named = ", ".join(sorted(failed)[:MOST_NAMED]) or "none"
        raise StoreError(f"{error}. Units that did not land: {named}{more}") from error
