"""Planning a run, for every pipeline: what the sources hold against what the last run left, and so what is to be built."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.dataset.takedown import Takedown, Withheld
from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from core.fingerprints import fingerprint
from core.references import Artifact, CatalogEntry, UnitFailure, UnitReference
from tasks.frame.build import UnitRequest, open_store
from tasks.frame.model import Discovery, PlanRequest, Unit
from tasks.frame.pipeline import Pipeline

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """What a run has to do."""

    requests: dict[str, UnitRequest]
    """A request for every complete unit of the sources."""
    to_build: tuple[str, ...]
    """The units that are new or changed, in order."""
    reused: dict[str, UnitReference]
    """The units that are as the last run left them."""
    earlier: dict[str, UnitReference]
    """The last good state of every unit that has one with the same `settings`: it stays released where the unit fails now."""
    settings: str
    """The fingerprint of what all units depend on."""
    failures: tuple[UnitFailure, ...]
    """Refused files, and units whose input failed before and is the same: they need no building."""
    signatures: dict[str, str]
    """What the catalog compares a unit by: while it stays, the unit's results do too."""
    paths: dict[str, tuple[str, ...]]
    """The files of each unit, for the quarantine."""
    waiting: tuple[WaitingUnit, ...]
    """The units that lack a half."""
    discovered: tuple[str, ...]
    """All units that the sources hold, waiting ones too."""
    refused: int
    """The number of files that are no unit's."""
    members: dict[str, tuple[str, ...]]
    """The small units of each shard; of another unit itself."""
    listing: dict[str, SourceFile]
    """Every file of the sources by its path."""
    withheld: Withheld = field(default_factory=Withheld)
    """What the takedown list keeps out: it counts as if the sources did not have it."""
    knowledge: Any = None
    """What the pipeline's release needs to know of the sources."""
    disclosed: Any = None
    """The settings that the release is made with and tells of, where those of the run name people."""
    limited: bool = False
    """Whether a limit leaves units of the sources out."""
    left_out: dict[str, str] = field(default_factory=dict)
    """The units that the settings leave out, each with the reason."""


def plan_run(
    pipeline: Pipeline,
    request: PlanRequest[Any],
    catalog: Mapping[str, CatalogEntry],
    limit: int | None = None,
) -> RunPlan:
    """List the sources, find their units, and compare them with the catalog.

    Args:
        pipeline: finds the units, and builds them, here or on a worker.
        request: the sources, the settings, and what is taken down; the store gets the records of record files.
        catalog: what the dataset's last run left, by unit.
        limit: at most so many units are looked at, in order; None: all.

    Raises:
        ConfigError: a source does not exist, or a setting or a table of the source is unusable.
        StoreError: a source could not be listed.
    """
    ingestion = pipeline.load_ingestion()
    found = ingestion.plan(request)
    made_from = [*found.made_from, *ingestion.checksum_resources(request.config, request.resources)]
    decided = [ingestion.result_settings(request.config), dict(ingestion.stage_versions)]
    settings = fingerprint("settings", 3, made_from, decided)
    units = [unit for unit in found.units if unit.id not in request.takedown]
    withheld = _withhold(units, found, request.takedown)

    def ask(unit: Unit) -> UnitRequest:
        entry = catalog.get(unit.id)
        usable = entry is not None and entry.reference is not None and entry.settings == settings
        return UnitRequest(
            pipeline=pipeline,
            unit=unit,
            sources=request.sources,
            store=request.store.url,
            config=request.config,
            resources=request.resources,
            shared=found.shared,
            earlier=entry.reference.artifacts if usable and entry and entry.reference else {},
            known=list_known(entry.reference) if entry is not None and entry.reference is not None else {},
        )

    return _compare(found, units, settings, catalog, limit, withheld, {unit.id: ask(unit) for unit in units})


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


def _compare(
    found: Discovery,
    units: Sequence[Unit],
    settings: str,
    catalog: Mapping[str, CatalogEntry],
    limit: int | None,
    withheld: Withheld,
    requests: dict[str, UnitRequest],
) -> RunPlan:
    refused = [*found.refused, *_list_unnamed(found)]
    rejected = [UnitFailure(file.path, (file.path,), "discovery", file.reason, "SourceError", True) for file in refused]
    waiting = tuple(unit for unit in found.waiting if unit.id not in withheld.takedown)
    failures = list(rejected)
    to_build: list[str] = []
    reused: dict[str, UnitReference] = {}
    signatures = {unit.id: _sign(unit, settings) for unit in units}
    for unit in units[:limit]:
        signature = signatures[unit.id]
        entry = catalog.get(unit.id)
        if entry is None or entry.signature != signature or _may_do_better(entry):
            to_build.append(unit.id)
        elif entry.failure is not None:
            failures.append(entry.failure)
        elif entry.reference is not None:
            reused[unit.id] = entry.reference
    members = {unit.id: unit.member_ids for unit in units}
    return RunPlan(
        requests=requests,
        to_build=tuple(to_build),
        reused=reused,
        earlier={
            unit.id: entry.reference
            for unit in units
            if (entry := catalog.get(unit.id)) is not None and entry.reference is not None and entry.settings == settings
        },
        settings=settings,
        failures=tuple(failures),
        signatures=signatures,
        paths={unit.id: tuple(dict.fromkeys(file.path for file in unit.files)) for unit in units},
        waiting=waiting,
        discovered=tuple(sorted([*(name for names in members.values() for name in names), *(unit.id for unit in waiting)])),
        refused=len(rejected),
        members=members,
        listing={file.path: file for file in found.listing},
        withheld=withheld,
        knowledge=found.knowledge,
        disclosed=found.disclosed,
        limited=limit is not None and limit < len(units),
        left_out={unit: reason for unit, reason in sorted(found.left_out.items()) if unit not in withheld.takedown},
    )


def _list_unnamed(found: Discovery) -> list[RefusedFile]:
    """Return the files that their source refuses and the pipeline does not name: nothing is absent without a word.

    Hidden files are nobody's, such as the sockets in a `.git`.
    """
    faulty = [file for file in found.listing if file.fault and not re.search(r"(?:^|/)\.[^./]", file.path)]
    if not faulty:
        return []
    owners: list[Unit | WaitingUnit] = [
        *found.units,
        *(member for unit in found.units for member in unit.members),
        *found.waiting,
    ]
    named = {file.path for owner in owners for file in owner.files} | {file.path for file in found.refused}
    named |= {part.path for unit in found.units for part in unit.records}
    refused = (RefusedFile(file.path, file.fault) for file in faulty if file.path not in named)
    return [RefusedFile(_show(file.path), _show(file.reason)) for file in refused]


def _show(text: str) -> str:
    """Return a text that can be written down, though it has the name of a file that is not in UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def _sign(unit: Unit, settings: str) -> str:
    """Return the signature of a unit: while it stays, the unit's results do too."""
    # Versions can be compared within one source only: where files came from counts, and computes nothing, since their content is
    # what the stages go by.
    listed = [(file.path, file.size, file.version, file.source, file.copies) for file in unit.files]
    made_from = [member.made_from for member in unit.members] if unit.members else [unit.made_from]
    names = [member.id for member in unit.members]
    return fingerprint("listing", 2, [settings], [listed, made_from, names])


def _may_do_better(entry: CatalogEntry) -> bool:
    """Tell whether a shard landed without some of its members for a reason that may have passed."""
    return entry.reference is not None and not all(failure.permanent for failure in entry.reference.failures)


def list_known(reference: UnitReference) -> dict[str, str]:
    """Return the SHA-256 by key of a landed unit's artifacts."""
    return {artifact.key: artifact.sha256 for artifact in reference.artifacts.values()}


@dataclass(frozen=True, slots=True)
class ArtifactCheck:
    """Artifacts of a unit to be compared with their SHA-256."""

    store: str
    artifacts: tuple[Artifact, ...]


def find_damaged(request: ArtifactCheck) -> tuple[str, ...]:
    """Return the keys of the artifacts that are missing or damaged.

    Raises:
        StoreError: the store failed.
    """
    store = open_store(request.store)
    found = ((artifact, store.read_if_there(artifact.key)) for artifact in request.artifacts)
    return tuple(artifact.key for artifact, content in found if content is None or content[1] != artifact.sha256)


def refuse_units(plan: RunPlan, failures: Sequence[UnitFailure], references: Mapping[str, UnitReference]) -> RunPlan:
    """Return a plan without units that a release cannot take; what they were before stands in for them, if that is another thing.

    `references` are those that the release could not take.
    """
    out = {failure.unit for failure in failures}
    named = (replace(failure, paths=plan.paths.get(failure.unit, ())) for failure in failures)
    return replace(
        plan,
        to_build=tuple(unit for unit in plan.to_build if unit not in out),
        reused={unit: found for unit, found in plan.reused.items() if unit not in out},
        earlier={
            unit: found
            for unit, found in plan.earlier.items()
            if unit not in out or found.artifacts != references[unit].artifacts
        },
        failures=(*plan.failures, *named),
    )


def replan(plan: RunPlan, damaged: Mapping[str, UnitReference]) -> RunPlan:
    """Return a plan that builds the units of damaged artifacts too, though nothing of them has changed.

    `damaged` has their references: what is found in the store with another SHA-256 is computed again.
    """
    again = tuple(dict.fromkeys([*plan.to_build, *damaged]))
    known = {unit: replace(plan.requests[unit], known=list_known(reference)) for unit, reference in damaged.items()}
    reused = {unit: found for unit, found in plan.reused.items() if unit not in again}
    return replace(plan, requests=plan.requests | known, to_build=again, reused=reused)
