"""Pruning a store: what nothing names any more and is old enough goes, in an order that may be broken off anywhere."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

from core.errors import ConfigError, StoreError
from infra.store.catalog import find_latest, find_pipeline_of, list_cataloged, list_catalogs, read_entries
from infra.store.objects import ListedObject, Store
from infra.store.releases import read_release_times, release_key
from infra.store.running import RunningRun, list_running
from tasks.frame.ledger import name_moment
from tasks.frame.records import STAGE as RECORDS

DAY = 24 * 3600
_LATEST = datetime.max.replace(microsecond=0, tzinfo=UTC).timestamp()
"""The last moment that has a date: an object whose backend does not say when it was written counts as written then."""
_BATCH = 1000
"""Objects removed between two looks at what else goes on in the store; S3 removes as many in one request."""


@dataclass(frozen=True, slots=True)
class PruneRules:
    """What stays: the last `keep_releases` of a dataset (at least 1), and everything younger than `older_than` days.

    `dataset`: only this one's releases are looked at. `now` is the time in seconds since 1970.
    """

    now: float
    keep_releases: int = 3
    older_than: float = 7.0
    dataset: str | None = None

    @property
    def cutoff(self) -> float:
        """Objects written after this moment stay (seconds since 1970)."""
        return self.now - self.older_than * DAY


@dataclass(frozen=True, slots=True)
class Removal:
    """Objects that go together, and what they are."""

    what: str
    objects: tuple[ListedObject, ...]

    @property
    def size(self) -> int:
        """Their bytes together."""
        return sum(entry.size for entry in self.objects)


@dataclass(frozen=True, slots=True)
class PrunePlan:
    """What would go, in order, and remarks on what stays though it looks old. `pointers` is what the plan rests on."""

    removals: tuple[Removal, ...]
    remarks: tuple[str, ...]
    pointers: dict[str, str | None]
    running: frozenset[str]


@dataclass(slots=True)
class _Names:
    """What the catalogs that stay name: artifacts and landed files by key, the units and stages of each pipeline."""

    keys: set[str] = field(default_factory=set)
    units: set[tuple[str, str]] = field(default_factory=set)
    stages: set[tuple[str, str]] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)


def plan_prune(store: Store, rules: PruneRules) -> PrunePlan:
    """Find what may go: releases beyond those kept, and what neither a catalog that stays nor a release that stays rests on.

    What `latest.json` names stays, and the splits of all releases (`history.json`). While runs are in progress, releases and what
    belongs to the runs' pipelines stay too: a run may be about to use again what nothing names.

    Raises:
        ConfigError: no such dataset.
    """
    running = list_running(store)
    busy = {run.pipeline for run in running}
    releases, kept_since = _plan_releases(store, rules)
    remarks = [
        f"run {run.run_id} of {run.pipeline} is in progress: releases and {run.pipeline} stay as they are" for run in running
    ]
    if rules.dataset is not None:
        return PrunePlan(() if running else tuple(releases), tuple(remarks), _pointers(store), _ids(running))
    kept, catalogs = _plan_catalogs(store, rules, kept_since)
    pipelines = {dataset: find_pipeline_of(store, dataset) or dataset for dataset in list_cataloged(store)}
    names = _read_names(store, kept, pipelines)
    remarks += [
        f"{pipeline}: a catalog was written by another version of fabula; its artifacts stay until the next run"
        for pipeline in sorted(names.unreadable)
    ]
    spared = busy | names.unreadable
    removals = [
        *(() if running else releases),
        *_group("catalogs of runs", catalogs, {dataset for dataset, pipeline in pipelines.items() if pipeline in busy}),
        *_group("artifacts", _find_artifacts(store, rules, names), spared),
        *_group("landed files", _find_landed(store, rules, names), spared),
        Removal("records of runs", tuple(_old(store.list_objects("runs"), rules.cutoff))),
        Removal("half-written files", tuple(_old(store.list_objects("", temporary=True), rules.now - DAY))),
    ]
    return PrunePlan(tuple(removal for removal in removals if removal.objects), tuple(remarks), _pointers(store), _ids(running))


def prune_store(store: Store, plan: PrunePlan) -> Iterator[Removal]:
    """Remove what a plan says, and yield each part as it is done; whatever breaks it off, nothing that stays is damaged.

    Raises:
        StoreError: a run has begun or ended meanwhile, or the store failed: what is left stays, and can be planned anew.
    """
    for removal in plan.removals:
        for start in range(0, len(removal.objects), _BATCH):
            if _pointers(store) != plan.pointers or _ids(list_running(store)) != plan.running:
                raise StoreError(f"store {store.url}: a run has begun or ended meanwhile; what is left was not touched")
            store.delete_all([entry.key for entry in removal.objects[start : start + _BATCH]])
        yield removal


def _plan_releases(store: Store, rules: PruneRules) -> tuple[list[Removal], dict[str, list[str]]]:
    """Return the releases to remove, and by dataset the moments (ISO 8601) at which those that stay were published."""
    by_version: dict[tuple[str, str], list[ListedObject]] = defaultdict(list)
    for entry in store.list_objects("datasets"):
        parts = entry.key.split("/")
        if len(parts) > 3:
            by_version[parts[1], parts[2]].append(entry)
    datasets = sorted({dataset for dataset, _ in by_version})
    if rules.dataset is not None and rules.dataset not in datasets:
        raise ConfigError(f"store {store.url} has no dataset {rules.dataset!r}; it has {', '.join(datasets) or 'none'}")
    removals: list[Removal] = []
    moments: dict[str, list[str]] = defaultdict(list)
    for dataset in datasets:
        latest = (store.read_json_if_there(f"datasets/{dataset}/latest.json") or {}).get("version")
        known = read_release_times(store, dataset)
        dated = sorted(
            ((known.get(version) or _published(files), version) for (of, version), files in by_version.items() if of == dataset),
            reverse=True,
        )
        complete = [version for _, version in dated if _manifest(by_version[dataset, version]) is not None]
        # Where the pointer is lost, or what it names, one more stays instead.
        stay = {latest, *[version for version in complete if version != latest][: rules.keep_releases - (latest in complete)]}
        for moment, version in dated:
            files = by_version[dataset, version]
            if version in stay or (rules.dataset or dataset) != dataset or max(file.modified for file in files) >= rules.cutoff:
                moments[dataset].append(moment)
                continue
            finished = "release" if version in complete else "unfinished release"
            # The manifest first: a run never takes what is left without it for a release.
            ordered = sorted(files, key=lambda file: not file.key.endswith("/manifest.json"))
            removals.append(Removal(f"{finished} {release_key(dataset, version)}", tuple(ordered)))
    return removals, moments


def _plan_catalogs(store: Store, rules: PruneRules, moments: Mapping[str, Sequence[str]]) -> tuple[list[str], list[ListedObject]]:
    """Return the catalogs that stay (the latest, young ones, those that kept releases were made by), and those to remove."""
    stay: list[str] = []
    out: list[ListedObject] = []
    for dataset in list_cataloged(store):
        catalogs = list_catalogs(store, dataset)
        latest = find_latest(store, dataset)
        runs = {name_moment(datetime.fromisoformat(moment)) for moment in moments.get(dataset, ())}
        behind = {max(before) for run in runs if (before := [entry.key for entry in catalogs if _run_of(entry) <= run])}
        for entry in catalogs:
            if entry.key == latest or entry.key in behind or entry.modified >= rules.cutoff:
                stay.append(entry.key)
            else:
                out.append(entry)
    return stay, out


def _read_names(store: Store, catalogs: Iterable[str], pipelines: Mapping[str, str]) -> _Names:
    """Return what catalogs name; `pipelines` are by dataset. Several datasets of a pipeline share its artifacts."""
    names = _Names()
    for key in catalogs:
        pipeline = pipelines[key.split("/")[1]]
        entries = read_entries(store, key)
        if entries is None:
            names.unreadable.add(pipeline)
            continue
        for entry in entries:
            if entry.reference is None:
                continue
            names.units.add((pipeline, entry.unit))
            names.keys.update(artifact.key for artifact in entry.reference.artifacts.values())
            names.keys.update(entry.reference.inputs)
            names.stages.update((pipeline, stage) for stage in entry.reference.artifacts)
    return names


def _find_artifacts(store: Store, rules: PruneRules, names: _Names) -> Iterator[ListedObject]:
    found = [entry for entry in store.list_objects("artifacts") if entry.key.count("/") >= 4]  # others: a file browser's
    # How a file of records was divided last: without it the next run would read the whole file again.
    divided = {entry.key.rsplit("/", 1)[0]: entry.key for entry in sorted(found, key=lambda entry: entry.modified)}
    for entry in _old(found, rules.cutoff):
        _, pipeline, stage, unit = entry.key.split("/")[:4]
        # What no catalog names by its stage (sentence vectors) is a unit's own, and stays as long as the unit.
        beside = (pipeline, stage) not in names.stages and (pipeline, unit) in names.units
        latest = stage == RECORDS and divided[entry.key.rsplit("/", 1)[0]] == entry.key
        if entry.key not in names.keys and not beside and not latest:
            yield entry


def _find_landed(store: Store, rules: PruneRules, names: _Names) -> Iterator[ListedObject]:
    held = {str(store.read_json(key).get("checksum")) for key in store.list_keys("quarantine")}
    for entry in _old(store.list_objects("landing"), rules.cutoff):
        if entry.key.count("/") >= 4 and entry.key not in names.keys and entry.key.split("/")[3] not in held:
            yield entry


def _old(entries: Iterable[ListedObject], cutoff: float) -> Iterator[ListedObject]:
    return (entry for entry in entries if entry.modified < cutoff)


def _group(what: str, entries: Iterable[ListedObject], spared: set[str]) -> Iterator[Removal]:
    """Yield objects by the folder that they are in (a pipeline, a dataset), without those of `spared`."""
    found: dict[str, list[ListedObject]] = defaultdict(list)
    for entry in entries:
        found[entry.key.split("/")[1]].append(entry)
    return (Removal(f"{what} of {name}", tuple(found[name])) for name in sorted(found) if name not in spared)


def _manifest(files: Iterable[ListedObject]) -> ListedObject | None:
    return next((file for file in files if file.key.endswith("/manifest.json")), None)


def _published(files: list[ListedObject]) -> str:
    """Return when a release was written (ISO 8601), for one that the dataset's history does not know."""
    written = _manifest(files) or max(files, key=lambda file: file.modified)
    return datetime.fromtimestamp(min(written.modified, _LATEST), UTC).isoformat()


def _run_of(catalog: ListedObject) -> str:
    return catalog.key.rsplit("/", 1)[1].removesuffix(".parquet")


def _pointers(store: Store) -> dict[str, str | None]:
    """Return what every pointer of the store says: it changes whenever a run has got somewhere."""
    keys = chain(
        (f"catalog/{name}/latest.json" for name in store.list_folders("catalog")),
        (f"datasets/{name}/latest.json" for name in store.list_folders("datasets")),
    )
    return {key: found[1] if (found := store.read_if_there(key)) else None for key in keys}


def _ids(running: Iterable[RunningRun]) -> frozenset[str]:
    return frozenset(run.run_id for run in running)
