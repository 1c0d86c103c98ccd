"""Planning a run, for every pipeline: what the source holds against what the last run left, and so what is to be computed."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.fingerprints import fingerprint
from core.references import UnitFailure, UnitReference
from core.takedown import Takedown, Withheld
from core.units import RefusedFile, SourceFile, WaitingUnit
from infra.store.catalog import CatalogEntry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A complete unit as discovery found it: the files it is made from, and the request that would compute it.

    `members` are the small units that travel in it where it is a shard; empty: it stands for itself.
    """

    unit: str
    files: tuple[SourceFile, ...]
    request: Any
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run has to do.

    `requests` by unit are computed, `reused` are as the last run left them. `failures` need no computing: refused files, units
    whose input failed before and is the same. `signatures` and `paths` by unit go into the catalog and the quarantine.
    `discovered` are all units that the source holds, waiting ones too; `refused` the number of files that are none. `members` are
    the units of each shard, or the unit itself. `earlier` is the last good state, by the same `settings`, of every unit that has
    one: it stays released where the unit fails now, or is beyond the limit. `listing` is every file of the sources by its path.
    `withheld` is what the takedown list keeps out: it counts as if the source did not have it.
    """

    requests: dict[str, Any]
    reused: dict[str, UnitReference]
    earlier: dict[str, UnitReference]
    settings: str
    failures: tuple[UnitFailure, ...]
    signatures: dict[str, str]
    paths: dict[str, tuple[str, ...]]
    waiting: tuple[WaitingUnit, ...]
    discovered: tuple[str, ...]
    refused: int
    members: dict[str, tuple[str, ...]]
    listing: dict[str, SourceFile]
    withheld: Withheld = field(default_factory=Withheld)


def plan_units(
    listing: Iterable[SourceFile],
    candidates: Iterable[Candidate],
    waiting: Iterable[WaitingUnit],
    refused: Iterable[RefusedFile],
    settings: str,
    catalog: Mapping[str, CatalogEntry],
    limit: int | None,
    takedown: Takedown,
    left_out: Mapping[str, str] | None = None,
) -> RunPlan:
    """Compare the units of the sources with the catalog.

    Args:
        listing: all files of the sources.
        candidates: the complete units, in order.
        waiting: the incomplete ones.
        refused: files that are no unit's.
        settings: fingerprint of all that the units' results depend on besides their files.
        catalog: what the last run left, by unit.
        limit: at most so many units are looked at; None: all.
        takedown: units that are not computed, and rows that no release gets.
        left_out: small units among these that the source has, and the shard that each is not in therefore.
    """
    every, rejected, incomplete = list(candidates), list(refused), list(waiting)
    out = {unit for unit in (*(each.unit for each in every), *(each.id for each in incomplete)) if unit in takedown}
    complete = [candidate for candidate in every if candidate.unit not in out]
    pending = tuple(unit for unit in incomplete if unit.id not in out)
    failures = [UnitFailure(file.path, (file.path,), "discovery", file.reason, "SourceError", True) for file in rejected]
    requests: dict[str, Any] = {}
    reused: dict[str, UnitReference] = {}
    signatures: dict[str, str] = {}
    known = ((candidate.unit, catalog.get(candidate.unit)) for candidate in complete)
    earlier = {
        unit: entry.reference
        for unit, entry in known
        if entry is not None and entry.reference is not None and entry.settings == settings
    }
    members = {candidate.unit: candidate.members or (candidate.unit,) for candidate in complete}
    for candidate in complete[:limit]:
        # Versions can be compared within one source only: where files came from counts, and computes nothing, since their
        # content is what the stages go by.
        listed = [(file.path, file.size, file.version, file.source, file.copies) for file in candidate.files]
        signature = signatures[candidate.unit] = fingerprint("listing", 1, [settings], listed)
        entry = catalog.get(candidate.unit)
        if entry is None or entry.signature != signature or _may_do_better(entry):
            requests[candidate.unit] = candidate.request
        elif entry.failure is not None:
            failures.append(entry.failure)
        elif entry.reference is not None:
            reused[candidate.unit] = entry.reference
    return RunPlan(
        requests,
        reused,
        earlier,
        settings,
        tuple(failures),
        signatures,
        {candidate.unit: tuple(file.path for file in candidate.files) for candidate in complete},
        pending,
        tuple(sorted([*(unit for units in members.values() for unit in units), *(unit.id for unit in pending)])),
        len(rejected),
        members,
        {file.path: file for file in listing},
        _withhold(takedown, out, left_out or {}, members),
    )


def _withhold(
    takedown: Takedown, units: Iterable[str], left_out: Mapping[str, str], members: Mapping[str, tuple[str, ...]]
) -> Withheld:
    out = {*units, *left_out}
    if out:
        logger.info("%d units are on the takedown list and stay out: %s", len(out), ", ".join(sorted(out)[:10]))
    entries = out | {shard for shard in left_out.values() if shard not in members}
    return Withheld(takedown, tuple(sorted(out)), takedown.find_rows(members), frozenset(entries))


def _may_do_better(entry: CatalogEntry) -> bool:
    """Say whether a shard landed without some of its units for a reason that may have passed."""
    return entry.reference is not None and not all(failure.permanent for failure in entry.reference.failures)
