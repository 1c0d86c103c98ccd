"""Prunes a store: removes old objects that nothing refers to, in an order that is safe to interrupt at any point."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

from core.errors import ConfigError, StoreError
from infra.store.catalog import find_latest, list_catalogs, read_entries
from infra.store.objects import ListedObject, Store
from infra.store.releases import read_release_times, release_key
from infra.store.running import RunningRun, list_running
from tasks.frame.ledger import name_moment

DAY = 24 * 3600
_LATEST = datetime.max.replace(microsecond=0, tzinfo=UTC).timestamp()
"""The latest representable time. It stands for the time of an object if its backend reports none, so that the object is kept."""
_BATCH = 1000
"""Objects removed between two checks for concurrent runs; S3 removes as many in one request."""


@dataclass(frozen=True, slots=True)
class PruneRules:
    """What to keep: the last `keep_releases` releases of a dataset (at least 1), and everything younger than `older_than` days.

    With `dataset`, only releases of this dataset are removed. `now` is in seconds since 1970.
    """

    now: float
    keep_releases: int = 3
    older_than: float = 7.0
    dataset: str | None = None

    @property
    def cutoff(self) -> float:
        """Objects written after this time are kept (seconds since 1970)."""
        return self.now - self.older_than * DAY


@dataclass(frozen=True, slots=True)
class Removal:
    """Objects that are removed together, and a description of them."""

    what: str
    objects: tuple[ListedObject, ...]

    @property
    def size(self) -> int:
        """The total size in bytes."""
        return sum(entry.size for entry in self.objects)


@dataclass(frozen=True, slots=True)
class PrunePlan:
    """The removals in order, and remarks on old objects that are kept. `pointers` and `running` are the state it was made for."""

    removals: tuple[Removal, ...]
    remarks: tuple[str, ...]
    pointers: dict[str, str | None]
    running: frozenset[str]


@dataclass(slots=True)
class _Names:
    """What the kept catalogs refer to: keys of artifacts and landed files, and (pipeline, unit) and (pipeline, stage)."""

    keys: set[str] = field(default_factory=set)
    units: set[tuple[str, str]] = field(default_factory=set)
    stages: set[tuple[str, str]] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)


def plan_prune(store: Store, rules: PruneRules) -> PrunePlan:
    """Find what can be removed: releases beyond those to keep, and objects that no kept catalog and no kept release needs.

    The latest releases and the splits of all releases (`history.json`) are kept. While runs are in progress, all releases and all
    objects of the runs' pipelines are kept too: a run may be about to reuse an object that nothing refers to yet.

    Raises:
        ConfigError: the dataset does not exist.
    """
    running = list_running(store)
    busy = {run.pipeline for run in running}
    releases, kept_since = _plan_releases(store, rules)
    remarks = [
        f"run {run.run_id} of {run.pipeline} is in progress: all releases and everything of {run.pipeline} are kept"
        for run in running
    ]
    if rules.dataset is not None:
        return PrunePlan(() if running else tuple(releases), tuple(remarks), _pointers(store), _ids(running))
    kept, catalogs = _plan_catalogs(store, rules, kept_since)
    names = _read_names(store, kept)
    remarks += [
        f"{pipeline}: a catalog was written by another version of fabula; all artifacts are kept until the next run"
        for pipeline in sorted(names.unreadable)
    ]
    spared = busy | names.unreadable
    removals = [
        *(() if running else releases),
        *_by_pipeline("catalogs of runs", catalogs, busy),
        *_by_pipeline("artifacts", _find_artifacts(store, rules, names), spared),
        *_by_pipeline("landed files", _find_landed(store, rules, names), spared),
        Removal("records of runs", tuple(_old(store.list_objects("runs"), rules.cutoff))),
        Removal("half-written files", tuple(_old(store.list_objects("", temporary=True), rules.now - DAY))),
    ]
    return PrunePlan(tuple(removal for removal in removals if removal.objects), tuple(remarks), _pointers(store), _ids(running))


def prune_store(store: Store, plan: PrunePlan) -> Iterator[Removal]:
    """Remove what a plan lists, and yield each part once it is removed. An interruption damages nothing that is to be kept.

    Raises:
        StoreError: a run started or ended in the meantime, or the store failed. The rest is kept; make a new plan for it.
    """
    for removal in plan.removals:
        for start in range(0, len(removal.objects), _BATCH):
            if _pointers(store) != plan.pointers or _ids(list_running(store)) != plan.running:
                raise StoreError(
                    f"store {store.url}: a run started or ended in the meantime; the rest was not removed. Call the command again"
                )
            store.delete_all([entry.key for entry in removal.objects[start : start + _BATCH]])
        yield removal


def _plan_releases(store: Store, rules: PruneRules) -> tuple[list[Removal], list[str]]:
    """Return the releases to remove, and the publication times (ISO 8601) of the releases to keep."""
    by_version: dict[tuple[str, str], list[ListedObject]] = defaultdict(list)
    for entry in store.list_objects("datasets"):
        parts = entry.key.split("/")
        if len(parts) > 3:
            by_version[parts[1], parts[2]].append(entry)
    datasets = sorted({dataset for dataset, _ in by_version})
    if rules.dataset is not None and rules.dataset not in datasets:
        raise ConfigError(f"store {store.url} has no dataset {rules.dataset!r}; it has {', '.join(datasets) or 'none'}")
    removals: list[Removal] = []
    moments: list[str] = []
    for dataset in datasets:
        latest = (store.read_json_if_there(f"datasets/{dataset}/latest.json") or {}).get("version")
        known = read_release_times(store, dataset)
        dated = sorted(
            ((known.get(version) or _published(files), version) for (of, version), files in by_version.items() if of == dataset),
            reverse=True,
        )
        complete = [version for _, version in dated if _manifest(by_version[dataset, version]) is not None]
        # If the pointer or its release is lost, one more release is kept instead.
        stay = {latest, *[version for version in complete if version != latest][: rules.keep_releases - (latest in complete)]}
        for moment, version in dated:
            files = by_version[dataset, version]
            if version in stay or (rules.dataset or dataset) != dataset or max(file.modified for file in files) >= rules.cutoff:
                moments.append(moment)
                continue
            finished = "release" if version in complete else "unfinished release"
            # The manifest goes first: without it, no run takes the remaining files for a release.
            ordered = sorted(files, key=lambda file: not file.key.endswith("/manifest.json"))
            removals.append(Removal(f"{finished} {release_key(dataset, version)}", tuple(ordered)))
    return removals, moments


def _plan_catalogs(store: Store, rules: PruneRules, moments: list[str]) -> tuple[list[str], list[ListedObject]]:
    """Return the catalogs to keep (the latest, the young, and those of the runs that made kept releases), and those to remove."""
    pipelines = {entry.key.split("/")[1] for entry in store.list_objects("catalog")}
    runs = {name_moment(datetime.fromisoformat(moment)) for moment in moments}
    stay: list[str] = []
    out: list[ListedObject] = []
    for pipeline in sorted(pipelines):
        catalogs = list_catalogs(store, pipeline)
        latest = find_latest(store, pipeline)
        behind = {max(before) for run in runs if (before := [entry.key for entry in catalogs if _run_of(entry) <= run])}
        for entry in catalogs:
            if entry.key == latest or entry.key in behind or entry.modified >= rules.cutoff:
                stay.append(entry.key)
            else:
                out.append(entry)
    return stay, out


def _read_names(store: Store, catalogs: Iterable[str]) -> _Names:
    names = _Names()
    for key in catalogs:
        pipeline = key.split("/")[1]
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
    for entry in _old(store.list_objects("artifacts"), rules.cutoff):
        if entry.key.count("/") < 4:
            continue  # not written by fabula, but for example by a file browser
        _, pipeline, stage, unit = entry.key.split("/")[:4]
        # Sentence vectors belong to a stage that no catalog lists; they are kept as long as their unit.
        beside = (pipeline, stage) not in names.stages and (pipeline, unit) in names.units
        if entry.key not in names.keys and not beside:
            yield entry


def _find_landed(store: Store, rules: PruneRules, names: _Names) -> Iterator[ListedObject]:
    held = {str(store.read_json(key).get("checksum")) for key in store.list_keys("quarantine")}
    for entry in _old(store.list_objects("landing"), rules.cutoff):
        if entry.key.count("/") >= 4 and entry.key not in names.keys and entry.key.split("/")[3] not in held:
            yield entry


def _old(entries: Iterable[ListedObject], cutoff: float) -> Iterator[ListedObject]:
    return (entry for entry in entries if entry.modified < cutoff)


def _by_pipeline(what: str, entries: Iterable[ListedObject], spared: set[str]) -> Iterator[Removal]:
    found: dict[str, list[ListedObject]] = defaultdict(list)
    for entry in entries:
        found[entry.key.split("/")[1]].append(entry)
    return (Removal(f"{what} of {name}", tuple(found[name])) for name in sorted(found) if name not in spared)


def _manifest(files: Iterable[ListedObject]) -> ListedObject | None:
    return next((file for file in files if file.key.endswith("/manifest.json")), None)


def _published(files: list[ListedObject]) -> str:
    """Return when a release was written (ISO 8601), if the dataset's history does not list it."""
    written = _manifest(files) or max(files, key=lambda file: file.modified)
    return datetime.fromtimestamp(min(written.modified, _LATEST), UTC).isoformat()


def _run_of(catalog: ListedObject) -> str:
    return catalog.key.rsplit("/", 1)[1].removesuffix(".parquet")


def _pointers(store: Store) -> dict[str, str | None]:
    """Return the checksums of all pointers of the store. They change whenever a run makes progress."""
    keys = chain(
        (f"catalog/{name}/latest.json" for name in store.list_folders("catalog")),
        (f"datasets/{name}/latest.json" for name in store.list_folders("datasets")),
    )
    return {key: found[1] if (found := store.read_if_there(key)) else None for key in keys}


def _ids(running: Iterable[RunningRun]) -> frozenset[str]:
    return frozenset(run.run_id for run in running)
