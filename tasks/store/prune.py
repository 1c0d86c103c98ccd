"""Prunes a store: removes old objects that nothing refers to, in an order that is safe to interrupt at any point."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import PurePath

from core.errors import ConfigError, DamagedObjectError, StoreError
from infra.store import catalog, manifests
from infra.store.history import Publication, history_key, read_history
from infra.store.manifests import MANIFEST, SUMS, list_manifests, read_release, release_key
from infra.store.objects import ListedObject, Store
from infra.store.quarantine import RECORD
from infra.store.releases import find_latest
from infra.store.running import UNREADABLE, RunningRun, list_running
from tasks.frame.ledger import name_moment
from tasks.frame.taken_down import apply_command
from tasks.store.void import VoidObjects

DAY = 24 * 3600
_LATEST = datetime.max.replace(microsecond=0, tzinfo=UTC).timestamp()
"""The latest representable time. It stands for the time of an object if its backend reports none, so that the object is kept."""
_OWN = re.compile(r"artifacts/[^/]+/[^/]+/[^/]+/(?:.*/)?[0-9a-f]{16,64}\.[a-z0-9.]+$|landing/[^/]+/[^/]+/[0-9a-f]{64}/")
"""Other objects beside these were not written by fabula, but for example by a file browser."""
_VERSION = re.compile(r"[0-9a-f]{16}")
_RUN = re.compile(r"runs/\d{8}T\d{6}-\d{6}\.json")
_BENCHMARKS = "benchmarks"
"""Here `lab` keeps what summarisers made of a release, in <dataset>/<version>/."""
_MOST_NAMED = 5
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
    pointers: dict[str, str]
    running: frozenset[str]


@dataclass(slots=True)
class _Names:
    """What the catalogs that stay name: artifacts and landed files by key, the units and stages of each pipeline.

    `latest` are the keys that the latest catalogs name, and `latest_units` their units: of what was taken down, no other stays.
    `spared` are pipelines with a catalog that cannot be read, and why: nobody knows what it names. "" stands for all pipelines.
    """

    keys: set[str] = field(default_factory=set)
    latest: set[str] = field(default_factory=set)
    latest_units: set[tuple[str, str]] = field(default_factory=set)
    units: set[tuple[str, str]] = field(default_factory=set)
    stages: set[tuple[str, str]] = field(default_factory=set)
    spared: dict[str, str] = field(default_factory=dict)


def plan_prune(store: Store, rules: PruneRules) -> PrunePlan:
    """Find what can be removed: releases beyond those to keep, and objects that no kept catalog and no kept release needs.

    What is on a takedown list goes at once, whatever its age: releases that hold it, and all that tells of it. Only the latest
    release stays with it until a run has made the next one, unless nothing is left to make one of.

    What `latest.json` names stays, and the splits of all releases (`history.json`). While runs are in progress, releases and what
    belongs to the runs' pipelines stay too: a run may be about to use again what nothing names. Where a catalog, a history or a
    quarantine record is damaged, what it may have named stays.

    Datasets that fabula did not make stay, and so does every file of a release that its manifest does not name.
    """
    _check_store(store)
    running = list_running(store)
    void = VoidObjects(store)
    releases, kept_since, remarks = _plan_releases(store, rules, void)
    remarks = [*map(_describe_running, running), *remarks]
    releases += _find_benchmarks(store, rules, releases)
    if rules.dataset is not None:
        return PrunePlan(() if running else tuple(releases), tuple(remarks), _pointers(store), _ids(running))
    pipelines = {name: catalog.find_pipeline_of(store, name) or "" for name in catalog.list_cataloged(store)}
    kept, catalogs = _plan_catalogs(store, rules, kept_since, void)
    names = _read_names(store, [entry.key for entry in kept], pipelines)
    remarks += [f"{why}; artifacts and landed files of {name or 'all pipelines'} stay" for name, why in names.spared.items()]
    spared = {run.pipeline for run in running} | set(names.spared)
    if not spared.isdisjoint({UNREADABLE, ""}):
        spared |= {"", *pipelines.values(), *store.list_folders("artifacts"), *store.list_folders("landing")}
    datasets = {name for name, pipeline in pipelines.items() if pipeline in spared}
    half = inf if void and not running else rules.now - DAY  # they may hold what was taken down
    records = _group(void.find_records())
    gone = {entry.key for entries in records.values() for entry in entries}
    failures = [store.read_derived(key, RECORD) for key in store.list_keys("quarantine") if key not in gone]
    held = {failure.checksum for failure in failures if failure is not None}
    if None in failures:
        remarks.append("a quarantine record is damaged: landed files stay until the next run has made it anew")
    find = partial(_find_unneeded, store, rules, void, names, held, remarks)
    old = _old(store.list_objects("runs"), rules.cutoff)
    runs = tuple(entry for entry in old if _RUN.fullmatch(entry.key) and entry.key not in gone)
    removals = [
        *(() if running else releases),
        *_by_folder("catalogs of runs", catalogs, datasets),
        *_by_folder("artifacts", find("artifacts"), spared),
        *_by_folder("landed files", () if None in failures else find("landing"), spared),
        *(Removal(f"{what}, of what was taken down", tuple(entries)) for what, entries in records.items()),
        Removal("records of runs", runs),
        Removal("half-written files", tuple(_old(store.list_objects("", temporary=True), half))),
    ]
    return PrunePlan(tuple(removal for removal in removals if removal.objects), tuple(remarks), _pointers(store), _ids(running))


def _is_ours(store: Store, dataset: str) -> bool:
    """Tell whether fabula made a dataset: it has a catalog, a folder named like a release's version, or a manifest of fabula's.

    A history or a pointer alone says nothing: other programs write a `latest.json` too.
    """
    if _has_run(store, dataset) or any(map(_VERSION.fullmatch, store.list_folders(f"datasets/{dataset}"))):
        return True
    return any(read_release(store, dataset, version) is not None for version in list_manifests(store, dataset))


def _check_store(store: Store) -> None:
    """Raise ConfigError where nothing says that a folder is a store of fabula."""
    own = catalog.list_cataloged(store) or store.list_keys("running") or any(map(_RUN.fullmatch, store.list_keys("runs")))
    if not own and not any(_is_ours(store, dataset) for dataset in store.list_folders("datasets")):
        raise ConfigError(
            f"{store.url} is no store of fabula: it has neither a catalog nor a record of a run nor a release with a manifest of "
            "fabula's. Nothing was removed; check --store"
        )


def _describe_running(run: RunningRun) -> str:
    if run.pipeline == UNREADABLE:
        return f"running/{run.run_id}.json is damaged: it may be the mark of any run in progress, so everything stays as it is"
    return f"run {run.run_id} of {run.pipeline} is in progress: releases and {run.pipeline} stay as they are"


def prune_store(store: Store, plan: PrunePlan) -> Iterator[Removal]:
    """Remove what a plan lists, and yield each part once it is removed. An interruption damages nothing that is to be kept."""
    own = {entry.key for removal in plan.removals for entry in removal.objects}
    before = {key: sha256 for key, sha256 in plan.pointers.items() if key not in own}
    for removal in plan.removals:
        for start in range(0, len(removal.objects), _BATCH):
            now = {key: sha256 for key, sha256 in _pointers(store).items() if key not in own}
            if now != before or _ids(list_running(store)) != plan.running:
                raise StoreError(
                    f"store {store.url}: a run started or ended in the meantime; the rest was not removed. Call the command again"
                )
            store.delete_all([entry.key for entry in removal.objects[start : start + _BATCH]])
        yield removal


def _plan_releases(store: Store, rules: PruneRules, void: VoidObjects) -> tuple[list[Removal], list[str], list[str]]:
    """Return the releases to remove, the moments (ISO 8601) at which those that stay were published, and remarks."""
    found: dict[str, dict[str, list[ListedObject]]] = defaultdict(lambda: defaultdict(list))
    others: list[ListedObject] = []
    for entry in store.list_objects("datasets"):
        parts = entry.key.split("/")
        if len(parts) > 3:
            found[parts[1]][parts[2]].append(entry)
        else:
            others.append(entry)
    datasets = [dataset for dataset in sorted(found) if _is_ours(store, dataset)]
    if rules.dataset is not None and rules.dataset not in datasets:
        raise ConfigError(f"store {store.url} has no dataset {rules.dataset!r}; it has {', '.join(datasets) or 'none'}")
    removals: list[Removal] = []
    moments: list[str] = []
    remarks = [f"datasets/{name} was not made by fabula: it stays" for name in sorted(found.keys() - {*datasets})]
    for dataset in datasets:
        versions, history, pointer = found[dataset], read_history(store, dataset), find_latest(store, dataset)
        latest = pointer.version if pointer is not None else None
        if not history.sound:
            remarks.append(f"{history_key(dataset)} is damaged: releases of {dataset} stay until a run has made it anew")
        dates = {
            version: history.releases.get(version) or Publication(run=0, started=_published(files), moved=False)
            for version, files in versions.items()
        }
        dated = sorted(versions, key=lambda version: (dates[version].order, version), reverse=True)
        told = {version: read_release(store, dataset, version) for version in dated}
        pipeline, takedown = void.list_of(dataset)
        out = {version: void.find_in_release(dataset, release) for version, release in told.items() if release}
        holds = {version: names for version, names in out.items() if names}
        complete = [version for version in dated if told[version] is not None and version not in holds]
        damaged = sorted(version for version in dated if told[version] is None and any(map(_is_manifest, versions[version])))
        remarks += [f"{release_key(dataset, version)}/manifest.json is damaged: this release stays" for version in damaged]
        # Where the pointer, or the release that it names, is lost, one more stays instead.
        stay = {latest, *[version for version in complete if version != latest][: rules.keep_releases - (latest in complete)]}
        # The last run has found nothing to make a release of.
        last = latest in holds and store.exists(catalog.pointer_key(dataset))
        last = last and not any(entry.reference for entry in catalog.read_catalog(store, dataset).values())
        if latest in holds and not last:
            remarks.append(
                f"{release_key(dataset, str(latest))} is the latest: it stays until a run has made the next one, though it has "
                f"{', '.join(holds[str(latest)][:_MOST_NAMED])}, on the takedown list: {apply_command(store, pipeline)}"
            )
        for version in dated:
            key, files, manifest, why = release_key(dataset, version), versions[version], told[version], ""
            if version == latest and not last:
                why = "it is the latest"
            elif version in stay and version not in holds:
                why = f"it is among the last {rules.keep_releases}"
            elif version not in holds and (manifest or not takedown) and max(file.modified for file in files) >= rules.cutoff:
                why = _tell_young(rules)
            if why or version in damaged or not history.sound or rules.dataset not in (None, dataset):
                moments.append(dates[version].started)
                remarks += [f"{key} stays: {why}"] if why and len(dated) > 1 else []
                continue
            if manifest is None and _VERSION.fullmatch(version) is None:
                remarks.append(f"{key} is no release of fabula: it stays")
                continue
            if manifest is not None:
                named = {MANIFEST, SUMS, *(file.path for file in manifest.files)}
                files = [file for file in files if file.key.split("/", 3)[3] in named]
            # The manifest goes first: without it, no run takes the remaining files for a release.
            ordered = sorted(files, key=_is_manifest, reverse=True)
            ordered += [other for other in others if version == latest and other.key == manifests.pointer_key(dataset)]
            because = ", which holds what was taken down" if version in holds else ""
            removals.append(Removal(f"{'' if manifest else 'unfinished '}release {key}{because}", tuple(ordered)))
    return removals, moments, remarks


def _find_benchmarks(store: Store, rules: PruneRules, releases: Sequence[Removal]) -> list[Removal]:
    """Return the benchmarks of releases that are removed now, or are gone: they hold text of the releases' rows."""
    held = {"/".join(each.objects[0].key.split("/")[1:3]): each.what.endswith("taken down") for each in releases if each.objects}
    found = []
    for dataset in store.list_folders(_BENCHMARKS):
        for version in store.list_folders(f"{_BENCHMARKS}/{dataset}"):
            name = f"{dataset}/{version}"
            gone = name in held or not store.list_keys(release_key(dataset, version))
            objects = tuple(_old(store.list_objects(f"{_BENCHMARKS}/{name}"), inf if held.get(name) else rules.cutoff))
            if gone and objects and rules.dataset in (None, dataset):
                found.append(Removal(f"benchmarks {_BENCHMARKS}/{name}", objects))
    return found


def _plan_catalogs(
    store: Store, rules: PruneRules, moments: list[str], void: VoidObjects
) -> tuple[list[ListedObject], list[ListedObject]]:
    """Return the catalogs that stay (the latest, young ones, those that kept releases were made by), and those to remove."""
    runs = {name_moment(datetime.fromisoformat(moment)) for moment in moments if moment}  # "": nothing tells it
    stay: list[ListedObject] = []
    out: list[ListedObject] = []
    for dataset in catalog.list_cataloged(store):
        catalogs, pointer = catalog.list_catalogs(store, dataset), catalog.read_pointer(store, dataset)
        latest = pointer.path if pointer is not None else None
        lost = latest not in {entry.key for entry in catalogs}  # the next run reads the last one that it can
        behind = {max(before) for run in runs if (before := [entry.key for entry in catalogs if PurePath(entry.key).stem <= run])}
        for entry in catalogs:
            young = entry.key in behind or entry.modified >= rules.cutoff
            kept = lost or entry.key == latest or (young and not void.is_catalog(dataset, entry.key))
            (stay if kept else out).append(entry)
    return stay, out


def _read_names(store: Store, catalogs: Iterable[str], pipelines: Mapping[str, str]) -> _Names:
    """Return what some catalogs name; `pipelines` says which pipeline makes each dataset."""
    names = _Names()
    for dataset, pipeline in pipelines.items():
        pointer = catalog.read_pointer(store, dataset)
        if not store.exists(pointer.path) if pointer is not None else _has_run(store, dataset):
            names.spared[pipeline] = f"catalog/{dataset}/latest.json names no catalog"
    for key in catalogs:
        dataset = key.split("/")[1]
        pointer = catalog.read_pointer(store, dataset)
        latest = pointer if pointer is not None and pointer.path == key else None
        try:
            entries = catalog.read_entries(store, key, latest.sha256 if latest is not None else "")
        except DamagedObjectError:
            names.spared[pipelines[dataset]] = f"{key} is damaged"
            continue
        if entries is None:
            names.spared[pipelines[dataset]] = f"{key} was written by another version of fabula"
        for reference in (entry.reference for entry in entries or () if entry.reference is not None):
            named = {*reference.inputs, *(artifact.key for artifact in reference.artifacts.values())}
            names.keys |= named
            if latest is not None:
                names.latest |= named
                names.latest_units.add((pipelines[dataset], reference.unit))
            for artifact in reference.artifacts.values():
                pipeline = artifact.key.split("/")[1]
                names.units.add((pipeline, reference.unit))
                names.stages.add((pipeline, artifact.stage))
    return names


def _has_run(store: Store, dataset: str) -> bool:
    """Tell whether a run has left a catalog of a dataset; the watcher may have left its notes alone."""
    return bool(catalog.list_catalogs(store, dataset)) or store.exists(catalog.pointer_key(dataset))


def _find_unneeded(
    store: Store, rules: PruneRules, void: VoidObjects, names: _Names, held: set[str], remarks: list[str], area: str
) -> Iterator[ListedObject]:
    """Yield the artifacts, or the landed files, that go: old ones that no kept catalog names, and those of what was taken down.

    The latter go whatever old catalogs name. `held` are the checksums of files that quarantine records name.
    """
    young: Counter[str] = Counter()
    for entry in store.list_objects(area):
        if _OWN.match(entry.key) is None or entry.key in names.latest:
            continue
        _, pipeline, first, second = entry.key.split("/")[:4]  # of an artifact stage and unit, of a landed file unit and checksum
        out = void.is_folder(pipeline, second if area == "artifacts" else first)
        if area == "landing":
            needed = second in held
        else:  # sentence vectors belong to a stage that no catalog lists; they are kept as long as their unit
            needed = (pipeline, first) not in names.stages and (pipeline, second) in (names.latest_units if out else names.units)
        if needed or (entry.key in names.keys and not out):
            continue
        if out or entry.modified < rules.cutoff:
            yield entry
        else:
            young[pipeline] += 1
    what = "artifacts" if area == "artifacts" else "landed files"
    remarks += [f"{count:,} {what} of {name} that nothing needs stay: {_tell_young(rules)}" for name, count in young.items()]


def _tell_young(rules: PruneRules) -> str:
    return f"younger than {rules.older_than:g} days (--older-than)"


def _group(entries: Iterable[tuple[str, ListedObject]]) -> dict[str, list[ListedObject]]:
    grouped: dict[str, list[ListedObject]] = defaultdict(list)
    for what, entry in entries:
        grouped[what].append(entry)
    return grouped


def _old(entries: Iterable[ListedObject], cutoff: float) -> Iterator[ListedObject]:
    return (entry for entry in entries if entry.modified < cutoff)


def _by_folder(what: str, entries: Iterable[ListedObject], spared: set[str]) -> Iterator[Removal]:
    found = _group((entry.key.split("/")[1], entry) for entry in entries)
    return (Removal(f"{what} of {name}", tuple(found[name])) for name in sorted(found) if name not in spared)


def _is_manifest(file: ListedObject) -> bool:
    return file.key.endswith("/manifest.json")


def _published(files: list[ListedObject]) -> str:
    """Return when a release was written (ISO 8601), if the dataset's history does not list it."""
    written = min(files, key=lambda file: (not _is_manifest(file), -file.modified))
    return datetime.fromtimestamp(min(written.modified, _LATEST), UTC).isoformat()


def _pointers(store: Store) -> dict[str, str]:
    """Return the checksums of all pointers of the store. They change whenever a run makes progress."""
    keys = [f"{area}/{name}/latest.json" for area in ("catalog", "datasets") for name in store.list_folders(area)]
    # A missing one does not count: when prune removes a dataset's only, unfinished release, its folder goes too.
    return {key: found[1] for key in keys if (found := store.read_if_there(key)) is not None}


def _ids(running: Iterable[RunningRun]) -> frozenset[str]:
    return frozenset(run.run_id for run in running)
