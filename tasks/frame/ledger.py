"""The ledger of a run: what became of every unit, for the catalog, the run's record and whoever started it."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from traceback import format_exception_only
from typing import Any

from core.errors import FabulaError, SourceError
from core.references import UnitFailure, UnitReference
from core.units import SourceFile
from infra.sources.opening import open_source
from infra.store.catalog import CatalogEntry
from infra.store.objects import Store
from tasks.frame.planning import RunPlan


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run did.

    `waiting` has (unit, missing half); `removed` are units that the last run of the dataset found and the sources hold no more,
    which `discovered` does not count; `release` is where the dataset is now, None where nothing landed; `highlights` are a few
    figures of it by name.
    """

    run_id: str
    pipeline: str
    discovered: int
    computed: tuple[str, ...]
    reused: tuple[str, ...]
    waiting: tuple[tuple[str, str], ...]
    quarantined: tuple[UnitFailure, ...]
    release: str | None
    new_release: bool
    highlights: tuple[tuple[str, str], ...]
    seconds: float
    removed: tuple[str, ...] = ()

    @property
    def landed(self) -> int:
        """Units whose results are in the store, from this run or an earlier one."""
        return len(self.computed) + len(self.reused)

    def as_json(self) -> dict[str, Any]:
        """Return the object that `--json` prints, the same for every pipeline."""
        return {
            "run_id": self.run_id,
            "pipeline": self.pipeline,
            "units": {
                "discovered": self.discovered,
                "computed": len(self.computed),
                "reused": len(self.reused),
                "waiting": len(self.waiting),
                "quarantined": len(self.quarantined),
                "removed": len(self.removed),
            },
            "release": self.release,
            "seconds": round(self.seconds, 3),
        }


def name_moment(moment: datetime) -> str:
    """Return the id of a run that begins at a moment (UTC); ids sort by time."""
    return f"{moment:%Y%m%dT%H%M%S}-{moment.microsecond:06d}"


def describe_failure(unit: str, paths: Sequence[str], error: BaseException) -> UnitFailure:
    """Return the quarantine entry of a unit that ended with `error`."""
    reason = str(error) if isinstance(error, FabulaError) else _explain(unit, error)
    return UnitFailure(unit, tuple(paths), "build", reason, type(error).__name__, isinstance(error, SourceError))


def add_checksums(failures: Iterable[UnitFailure], listing: Mapping[str, SourceFile]) -> list[UnitFailure]:
    """Return the failures with the SHA-256 of each one's first file, so that a record tells which state of the file it means."""
    checksums: dict[str, str] = {}

    def add(failure: UnitFailure) -> UnitFailure:
        file = listing.get(failure.paths[0]) if failure.paths and not failure.checksum else None
        if file is None:
            return failure
        if file.path not in checksums:
            checksums[file.path] = open_source(file.source).checksum(file)
        return replace(failure, checksum=checksums[file.path])

    return [add(failure) for failure in failures]


def list_entries(
    catalog: Mapping[str, CatalogEntry],
    plan: RunPlan,
    landed: Mapping[str, UnitReference],
    failures: Iterable[UnitFailure],
) -> list[CatalogEntry]:
    """Return the catalog after this run: its own units as they are now, others as they were, none that is taken down."""
    # Also what is taken down after the source has lost it: prune is to find what it was made from.
    out = plan.withheld
    entries = {unit: entry for unit, entry in catalog.items() if unit not in out.entries and unit not in out.takedown}
    for unit, reference in landed.items():
        entries[unit] = CatalogEntry(unit, plan.settings, plan.signatures[unit], reference, None)
    for failure in failures:
        if failure.unit not in plan.signatures:
            continue
        # Only input that is to blame is remembered; a worker that died or a store that failed gets another chance.
        if failure.permanent:
            signature = plan.signatures[failure.unit]
            last = plan.earlier.get(failure.unit)
            entries[failure.unit] = CatalogEntry(failure.unit, plan.settings, signature, last, failure)
    return list(entries.values())


def write_run(store: Store, summary: RunSummary, references: Iterable[UnitReference], resume: str) -> None:
    """Write `runs/<run id>.json`: counts, durations, quarantined and waiting units, and the command that resumes the run."""
    durations: Counter[str] = Counter()
    for reference in references:
        durations.update(reference.seconds)
    record = summary.as_json() | {
        "waiting": [{"unit": unit, "missing": missing} for unit, missing in summary.waiting],
        "quarantined": [asdict(failure) for failure in summary.quarantined],
        "computed": list(summary.computed),
        "removed": list(summary.removed),
        "seconds_by_stage": {stage: round(seconds, 3) for stage, seconds in durations.items()},
        "resume": resume,
    }
    store.write_json(f"runs/{summary.run_id}.json", record)


def describe_call(pipeline: str, options: Mapping[str, object]) -> str:
    """Return the command that makes the same call again; options without a value are left out, lists repeat theirs."""
    words = ["fabula", "run", pipeline]
    for name, value in options.items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if each is not None:
                words += [f"--{name.replace('_', '-')}", str(each)]
    return shlex.join(words)


def _explain(unit: str, error: BaseException) -> str:
    said = "".join(format_exception_only(error)).strip()
    return f"{unit}: {said}; this is no fault of the input that fabula knows: run again, and report it if it stays"
