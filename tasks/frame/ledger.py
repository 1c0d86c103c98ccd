"""The ledger of a run: what was asked, what became of every unit, and what the catalog and the run's record say of it."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.dataset.rejects import RejectedRows
from core.dataset.units import SourceFile, identify_unit, is_shard
from core.errors import ConfigError
from core.references import CatalogEntry, Notice, UnitFailure, UnitReference
from infra.orchestration.time_limit import UNIT_SECONDS
from infra.store.objects import Store
from tasks.frame.model import Resources, Sources
from tasks.frame.plan import RunPlan

MAX_HASHED_BYTES = 64 * 2**20
"""The largest file that is read for the checksum of its failure: no pipeline lands a larger one."""
_BARE_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class _Units:
    """The units that the sources of a dataset's last run held, and those among them that travel in no shard.

    `alone` is None where the list was written by a fabula that did not tell them apart.
    """

    units: list[str]
    alone: list[str] | None = None


UNITS = TypeAdapter(_Units)
MOST_REMOVED = 0.2
"""The share of a dataset's units that may leave it in one run without a word from its keeper."""
LEAST_REMOVED = 2
MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCall:
    """What a user or a schedule asks of a run.

    `source` are folders, URLs or wikis, taken together. Settings come from the profile, over them `config_file` (TOML), over both
    `settings` (by section). `resources` are places on this machine of what the settings need. `workers` and `scheduler` say where
    units are built, `unit_seconds` how long one may take. `limit`: at most so many units, in order. `allow_empty`: a
    release without rows may follow one that has some; `allow_removal`: one without many of its units, this time. `copied_from`
    are the sources that the run's record names, where `source` are copies that will be gone.
    """

    source: tuple[str, ...]
    store: str
    dataset: str
    profile: str = "default"
    config_file: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    resources: Resources = field(default_factory=dict)
    workers: int | None = None
    scheduler: str | None = None
    limit: int | None = None
    unit_seconds: float = UNIT_SECONDS
    in_process: bool = False
    allow_empty: bool = False
    allow_removal: bool = False
    copied_from: tuple[str, ...] = ()

    def describe(self, pipeline: str) -> str:
        """Return the command that makes the same call again."""
        words = ["fabula", "run", pipeline]
        for name, value in (
            ("source", self.copied_from or self.source),
            ("store", self.store),
            ("profile", self.profile),
            ("config", self.config_file),
            ("set", tuple(f"{name}={_write_toml(value)}" for name, value in _flatten(self.settings))),
            ("dataset", self.dataset),
            ("workers", self.workers),
            ("scheduler", self.scheduler or None),
            ("limit", self.limit),
            ("unit-seconds", None if self.unit_seconds == UNIT_SECONDS else f"{self.unit_seconds:g}"),
            *self.resources.items(),
        ):
            for each in value if isinstance(value, tuple) else (value,):
                if each is not None:
                    words += [f"--{name.replace('_', '-')}", str(each)]
        given = {"allow-empty": self.allow_empty, "allow-removal": self.allow_removal, "in-process": self.in_process}
        words += [f"--{name}" for name, said in given.items() if said]
        return shlex.join(words)


def _flatten(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return nested settings as (dotted name, value); a table with names that TOML has to quote is a value."""
    flat: list[tuple[str, Any]] = []
    for name, value in settings.items():
        if isinstance(value, Mapping) and value and all(map(_BARE_NAME.fullmatch, value)):
            flat += _flatten(value, f"{prefix}{name}.")
        elif value is not None:  # TOML has no word for it, and the command no way to say it
            flat.append((f"{prefix}{name}", value))
    return flat


def _write_toml(value: Any) -> str:
    """Return a value as TOML on one line."""
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            return f"{{{', '.join(f'{_write_toml(name)} = {_write_toml(part)}' for name, part in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(_write_toml, value))}]"
        case float():
            return repr(value)
    return json.dumps(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a run did.

    `waiting` has (unit, missing half); `removed` are units that the last run of the dataset found and the sources hold no more,
    which `discovered` does not count; `release` is where the dataset is now, None where nothing landed. `latest`: the dataset's
    pointer names this release. `refused` says why none was published although units have landed. `limited`: the run had left out
    units of its sources. `rows` counts the rows of its tables, the default one first; `rejects` are those that it left out.
    `stale` are units that failed now, and whose last good state stays released. `notices` are what a person should look at, with
    its unit. `left_out` are units that the settings leave out, with the reason.
    """

    run_id: str
    pipeline: str
    discovered: int
    dataset: str = ""
    profile: str = "default"
    computed: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    waiting: tuple[tuple[str, str], ...] = ()
    quarantined: tuple[UnitFailure, ...] = ()
    release: str | None = None
    new_release: bool = False
    latest: bool = True
    refused: str = ""
    limited: bool = False
    seconds: float = 0.0
    removed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    rejects: tuple[RejectedRows, ...] = ()
    notices: tuple[tuple[str, Notice], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def highlights(self) -> list[tuple[str, str]]:
        """The rows of a new release by table, for a person; none where it is as it was."""
        return [(table, f"{count:,} rows") for table, count in self.rows.items() if count and self.new_release]

    @property
    def landed(self) -> int:
        """Units whose results are in the store, from this run or an earlier one."""
        return len(self.computed) + len(self.reused)

    @property
    def overtaken(self) -> bool:
        """Whether a later run has released meanwhile, so that the pointer does not name this run's release."""
        return not self.latest and not self.limited

    @property
    def fell_short(self) -> bool:
        """Whether the dataset is not brought up to date: nothing landed, its release was refused, or a later run was first."""
        return self.landed == 0 or self.overtaken or bool(self.refused)

    def count_briefly(self) -> str:
        """Return the counts that are not 0 in one line: "3 new, 5 unchanged, 1 in quarantine"."""
        counts = {
            "new": len(self.computed),
            "unchanged": len(self.reused),
            "waiting": len(self.waiting),
            "in quarantine": len(self.quarantined),
            "removed": len(self.removed),
        }
        rows = [f"{count:,} {table}" for table, count in list(self.rows.items())[:1]]
        return ", ".join([*(f"{count:,} {name}" for name, count in counts.items() if count), *rows]) or "nothing found"

    def explain_empty(self) -> str:
        """Return why the dataset has no rows, "" where it has some."""
        if self.refused:
            return self.refused
        if self.release is None:
            held = f"{len(self.quarantined)} are in quarantine and {len(self.waiting)} wait for their other half"
            return (
                f"no release: none of {self.discovered} units has landed; {held}" if self.discovered else "no release: no units"
            )
        name = next(iter(self.rows), "")
        if not name or self.rows[name]:
            return ""
        dropped = sum(rows.count for rows in self.rejects)
        why = f"all {dropped:,} candidates were left out, for the reasons below" if dropped else "the units gave no candidates"
        return f"the dataset has 0 {name}: {why}"

    def as_json(self) -> dict[str, Any]:
        """Return the object that `--json` prints, the same for every pipeline."""
        return {
            "run_id": self.run_id,
            "pipeline": self.pipeline,
            "dataset": self.dataset,
            "profile": self.profile,
            "units": {
                "discovered": self.discovered,
                "computed": len(self.computed),
                "reused": len(self.reused),
                "waiting": len(self.waiting),
                "quarantined": len(self.quarantined),
                "removed": len(self.removed),
            },
            "rows": dict(self.rows),
            "rejects": [asdict(rows) for rows in self.rejects],
            "waiting": [{"unit": unit, "missing": missing} for unit, missing in self.waiting],
            "quarantined": [asdict(failure) for failure in self.quarantined],
            "stale": list(self.stale),
            "notices": [{"unit": unit, **asdict(notice)} for unit, notice in self.notices],
            "empty": self.explain_empty() or None,
            "release": self.release,
            "latest": self.release is not None and self.latest,
            "seconds": round(self.seconds, 3),
        }


def name_moment(moment: datetime) -> str:
    """Return the id of a run that begins at a moment (UTC); ids sort by time."""
    return f"{moment:{_MOMENT}}"


def follow_runs(store: Store, now: datetime) -> datetime:
    """Return when a run begins (UTC): now, or just after the last run where the clock stood later then.

    So ids are in the order of the runs though the clock was set back. A run that is further ahead than `CLOCKS_DIFFER` counts as
    one whose clock was wrong.
    """
    until = name_moment(now + CLOCKS_DIFFER)
    names = (key.rsplit("/", 1)[-1].removesuffix(".json") for key in store.list_keys("runs"))
    last = max((name for name in names if _RUN_ID.fullmatch(name) and name <= until), default="")
    if last < name_moment(now):
        return now
    return datetime.strptime(f"{last}+0000", f"{_MOMENT}%z") + timedelta(microseconds=1)


CLOCKS_DIFFER = timedelta(days=366)
"""How far a run may lie ahead of the clock and still count as the last one."""
_MOMENT = "%Y%m%dT%H%M%S-%f"
_RUN_ID = re.compile(r"\d{8}T\d{6}-\d{6}")


def add_checksums(failures: Iterable[UnitFailure], listing: Iterable[SourceFile], sources: Sources) -> list[UnitFailure]:
    """Return the failures with the SHA-256 of each one's first file, so that a record tells which state of the file it means.

    A file that never landed has none: one that discovery refused, or one that is larger than any that lands. It may be huge, and
    every run would read it.
    """
    files = {file.path: file for file in listing}
    checksum = cache(lambda path: sources.checksum(files[path]))

    def add(failure: UnitFailure) -> UnitFailure:
        file = files.get(failure.paths[0]) if failure.paths and not failure.checksum else None
        if file is None or failure.stage == "discovery" or file.size > MAX_HASHED_BYTES:
            return failure
        return replace(failure, checksum=checksum(file.path))

    return [add(failure) for failure in failures]


def list_entries(
    catalog: Mapping[str, CatalogEntry], plan: RunPlan, landed: Mapping[str, UnitReference], failures: Iterable[UnitFailure]
) -> list[CatalogEntry]:
    """Return the catalog after this run: its own units as they are now, others as they were, none that is taken down."""
    # Also what is taken down after the source has lost it: prune is to find what it was made from.
    out = plan.withheld
    entries = {unit: entry for unit, entry in catalog.items() if unit not in out.entries and unit not in out}
    for unit, reference in landed.items():
        signature = plan.signatures[unit]
        entries[unit] = CatalogEntry(unit=unit, settings=plan.settings, signature=signature, reference=reference)
    for failure in failures:
        # Only input that is to blame is remembered; a worker that died or a store that failed gets another chance.
        if failure.unit in plan.signatures and failure.permanent:
            entries[failure.unit] = CatalogEntry(
                unit=failure.unit,
                settings=plan.settings,
                signature=plan.signatures[failure.unit],
                reference=plan.earlier.get(failure.unit),
                failure=failure,
            )
    return list(entries.values())


def write_run(store: Store, summary: RunSummary, references: Iterable[UnitReference], resume: str) -> None:
    """Write `runs/<run id>.json`: counts, durations, quarantined and waiting units, and the command that resumes the run."""
    durations: Counter[str] = Counter()
    for reference in references:
        durations.update(reference.seconds)
    record = summary.as_json() | {
        "computed": list(summary.computed),
        "removed": list(summary.removed),
        "seconds_by_stage": {stage: round(seconds, 3) for stage, seconds in durations.items()},
        "resume": resume,
    }
    store.write_json(f"runs/{summary.run_id}.json", record)


def find_removed(store: Store, dataset: str, plan: RunPlan) -> tuple[str, ...]:
    """Return the units of the dataset's last run that its sources do not hold any more, by id.

    A unit that is taken down is not among them, nor one that the settings leave out, nor one whose half is gone: it waits.
    """
    known = store.read_derived(units_key(dataset), UNITS)
    gone = set(known.units if known is not None else ()).difference(plan.discovered)
    return tuple(sorted(unit for unit in gone if unit not in plan.withheld and unit not in plan.found.left_out))


def refuse_removal(store: Store, dataset: str, plan: RunPlan, entries: Mapping[str, CatalogEntry]) -> None:
    """Stop a run whose sources lack much of what the last one had: a mistyped source is likelier than so large a loss.

    Only units that have landed count (`entries` is the catalog), however their ids are spelt.

    Raises:
        ConfigError: more than a fifth of the units is gone, and more than one.
    """
    known = store.read_derived(units_key(dataset), UNITS)
    references = {unit: entry.reference for unit, entry in entries.items() if entry.reference is not None}
    failed = {failure.unit for reference in references.values() for failure in reference.failures}
    in_shards = any(map(is_shard, references))
    had = [unit for unit in (known.units if known else ()) if (unit not in failed if in_shards else unit in references)]
    halves = {unit.id for unit in plan.found.waiting}  # what has landed and waits again has lost a half, and leaves the dataset
    there = {identify_unit(unit) for unit in plan.discovered if unit not in halves}
    lacking = {*find_removed(store, dataset, plan), *halves}
    gone = [unit for unit in had if unit in lacking and identify_unit(unit) not in there]
    if len(gone) < LEAST_REMOVED or len(gone) <= MOST_REMOVED * len(had):
        return
    named = ", ".join(gone[:MOST_NAMED]) + (f" and {len(gone) - MOST_NAMED:,} more" if len(gone) > MOST_NAMED else "")
    raise ConfigError(
        f"the sources lack {len(gone):,} of the {len(had):,} units that {dataset} had in the last run (or a half of each): "
        f"{named}. Nothing was changed. Check --source and what settings say of ids; name another --store or --dataset for "
        "other material. "
        "--allow-removal releases without them"
    )


def remember_units(store: Store, dataset: str, plan: RunPlan) -> None:
    """Write down which units the sources hold, for the next run; a list that is the same stays as it is."""
    units = _Units(list(plan.discovered), sorted(unit for unit in plan.members if not is_shard(unit)))
    if store.read_derived(units_key(dataset), UNITS) != units:
        store.write_json(units_key(dataset), asdict(units))


def units_key(dataset: str) -> str:
    """Return the key of the list of units that a dataset's sources held."""
    return f"catalog/{dataset}/units.json"


ANNOUNCED = TypeAdapter(dict[str, str])
"""The signature of every unit that was announced, by id."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A unit that a run would compute; `changed` where an earlier run has looked at it, `paths` are its files."""

    unit: str
    changed: bool
    paths: tuple[str, ...]


def find_arrivals(store: Store, dataset: str, plan: RunPlan, catalog: Mapping[str, CatalogEntry]) -> list[Arrival]:
    """Return the units of a plan that are to be computed and have not been announced in this state, by id.

    A unit that fails for a passing reason stays in the plan; it is not announced again until its files or the settings change.
    """
    announced = store.read_derived(announced_key(dataset), ANNOUNCED) or {}
    return [
        Arrival(unit, unit in catalog, plan.list_paths(unit))
        for unit in sorted(plan.to_build)
        if announced.get(unit) != plan.signatures[unit]
    ]


def remember_announced(store: Store, dataset: str, plan: RunPlan) -> None:
    """Write down that all units to be computed are announced; those that have landed meanwhile are forgotten."""
    announced = {unit: plan.signatures[unit] for unit in sorted(plan.to_build)}
    known = store.read_derived(announced_key(dataset), ANNOUNCED)
    if announced != known and (announced or known is not None or store.exists(announced_key(dataset))):
        store.write_json(announced_key(dataset), announced)


def announced_key(dataset: str) -> str:
    """Return the key of what the watcher has announced of a dataset."""
    return f"catalog/{dataset}/announced.json"
