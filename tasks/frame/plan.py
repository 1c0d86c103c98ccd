"""Planning a run, for every pipeline: what the sources hold against what the last run left, and so what is to be built."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from core.dataset.takedown import Takedown, Withheld
from core.dataset.units import RefusedFile
from core.fingerprints import fingerprint
from core.references import CatalogEntry, UnitFailure, UnitReference
from tasks.frame.build import UnitRequest
from tasks.frame.model import INGESTION, Discovery, PlanRequest, Unit
from tasks.frame.pipeline import Pipeline

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class RunPlan:
    """What a run has to do: what its sources hold, compared with what the last run left."""

    found: Discovery
    """What the sources hold, but for the waiting and left-out units that are taken down."""
    requests: dict[str, UnitRequest]
    """A request for every complete unit of the sources."""
    signatures: dict[str, str]
    """What the catalog compares a unit by: while it stays, the unit's results do too."""
    settings: str
    """The fingerprint of what all units depend on."""
    to_build: tuple[str, ...]
    """The units that are new or changed, in order."""
    reused: dict[str, UnitReference]
    """The units that are as the last run left them."""
    earlier: dict[str, UnitReference]
    """The last good state of every unit that has one with the same `settings`: it stays released where the unit fails now."""
    failures: tuple[UnitFailure, ...]
    """Refused files, and units whose input failed before and is the same: they need no building."""
    withheld: Withheld = field(default_factory=Withheld)
    """What the takedown list keeps out: it counts as if the sources did not have it."""
    limited: bool = False
    """Whether a limit leaves units of the sources out."""

    @cached_property
    def members(self) -> dict[str, tuple[str, ...]]:
        """The small units of each shard; of another unit itself."""
        return {unit: request.unit.member_ids for unit, request in self.requests.items()}

    @cached_property
    def discovered(self) -> tuple[str, ...]:
        """All units that the sources hold, waiting ones too."""
        waiting = (unit.id for unit in self.found.waiting)
        return tuple(sorted([*(name for names in self.members.values() for name in names), *waiting]))

    def list_paths(self, unit: str) -> tuple[str, ...]:
        """Return the files of a unit, none where it is unknown."""
        files = self.requests[unit].unit.files if unit in self.requests else ()
        return tuple(dict.fromkeys(file.path for file in files))


def plan_run(
    pipeline: Pipeline, request: PlanRequest[Any], catalog: Mapping[str, CatalogEntry], limit: int | None = None
) -> RunPlan:
    """List the sources, find their units, and compare them with the catalog.

    `catalog` is what the dataset's last run left, by unit. `limit`: at most so many units are looked at, in order.
    """
    ingestion = pipeline.load(INGESTION)
    found = ingestion.plan(request)
    made_from = [*found.made_from, *ingestion.checksum_resources(request.config, request.resources)]
    decided = [ingestion.result_settings(request.config), dict(ingestion.stage_versions)]
    settings = fingerprint("settings", 3, made_from, decided)
    units = [unit for unit in found.units if unit.id not in request.takedown]
    withheld = _withhold(units, found, request.takedown)

    entries = {unit.id: catalog[unit.id] for unit in units if unit.id in catalog}
    earlier = {
        unit: entry.reference for unit, entry in entries.items() if entry.reference is not None and entry.settings == settings
    }

    def ask(unit: Unit) -> UnitRequest:
        entry, good = entries.get(unit.id), earlier.get(unit.id)
        return UnitRequest(
            pipeline=pipeline,
            unit=unit,
            sources=request.sources,
            store=request.store.url,
            config=request.config,
            resources=request.resources,
            shared=found.shared,
            earlier=good.artifacts if good is not None else {},
            known=list_known(entry.reference) if entry is not None and entry.reference is not None else {},
        )

    held = replace(
        found,
        waiting=tuple(unit for unit in found.waiting if unit.id not in request.takedown),
        refused=(*found.refused, *_list_unnamed(found)),
        left_out={unit: reason for unit, reason in sorted(found.left_out.items()) if unit not in request.takedown},
    )
    failures = [UnitFailure(file.path, (file.path,), "discovery", file.reason, "SourceError", True) for file in held.refused]
    to_build: list[str] = []
    reused: dict[str, UnitReference] = {}
    signatures = {unit.id: _sign(unit, settings) for unit in units}
    for unit in units[:limit]:
        entry = entries.get(unit.id)
        # A shard that landed without some of its members, for a reason that may have passed, is built again.
        incomplete = entry and entry.reference and not all(failure.permanent for failure in entry.reference.failures)
        if entry is None or entry.signature != signatures[unit.id] or incomplete:
            to_build.append(unit.id)
        elif entry.failure is not None:
            failures.append(entry.failure)
        elif entry.reference is not None:
            reused[unit.id] = entry.reference
    return RunPlan(
        found=held,
        requests={unit.id: ask(unit) for unit in units},
        signatures=signatures,
        settings=settings,
        to_build=tuple(to_build),
        reused=reused,
        earlier=earlier,
        failures=tuple(failures),
        withheld=withheld,
        limited=limit is not None and limit < len(units),
    )


def _withhold(units: Sequence[Unit], found: Discovery, takedown: Takedown) -> Withheld:
    """Return what the takedown list keeps out: units, waiting units, members of shards, and rows of those that stay."""
    members = {unit.id: unit.member_ids for unit in units}
    complete, waiting = ({unit.id for unit in part if unit.id in takedown} for part in (found.units, found.waiting))
    listed = {unit: unit for unit in (*complete, *waiting)} | {unit: listed for unit, (_, listed) in found.taken_down.items()}
    if taken := {unit: takedown.reason(name) for unit, name in sorted(listed.items())}:
        logger.info("%d units are on the takedown list and stay out: %s", len(taken), ", ".join([*taken][:10]))
    empty = {shard for shard, _ in found.taken_down.values() if shard not in members}
    rows = takedown.find_rows(members)
    used = {*found.listed, *listed.values(), *(name for names in rows.values() for name in names.reasons)}
    return Withheld(takedown, taken, rows, frozenset(taken.keys() | empty), frozenset(filter(None, map(takedown.find, used))))


def _list_unnamed(found: Discovery) -> list[RefusedFile]:
    """Return the files that their source refuses and the pipeline does not name: nothing is absent without a word.

    Hidden files are nobody's, such as the sockets in a `.git`.
    """
    faulty = [file for file in found.listing if file.fault and not re.search(r"(?:^|/)\.[^./]", file.path)]
    if not faulty:
        return []
    named = {file.path for unit in found.units for file in unit.files}  # those of a shard are its members'
    named |= {file.path for unit in found.waiting for file in unit.files} | {file.path for file in found.refused}
    return [RefusedFile(_show(file.path), _show(file.fault)) for file in faulty if file.path not in named]


def _show(text: str) -> str:
    """Return a text that can be written down, though it has the name of a file that is not in UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def _sign(unit: Unit, settings: str) -> str:
    """Return the signature of a unit: while it stays, the unit's results do too."""
    # Versions can be compared within one source only, so the signature covers where files came from. If only that changes,
    # nothing is computed again, since the stages go by content.
    listed = [(file.path, file.size, file.version, file.source, file.copies) for file in unit.files]
    made_from = [member.made_from for member in unit.members]
    made_from += [unit.made_from] if unit.made_from or not unit.members else []
    names = [member.id for member in unit.members]
    return fingerprint("listing", 2, [settings], [listed, made_from, names])


def list_known(reference: UnitReference) -> dict[str, str]:
    """Return the SHA-256 by key of a landed unit's artifacts."""
    return {artifact.key: artifact.sha256 for artifact in reference.artifacts.values()}
