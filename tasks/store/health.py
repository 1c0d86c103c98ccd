"""The health of a store and of its releases: which objects are damaged or missing, and what becomes of each."""

import hashlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import zstandard
from pydantic import TypeAdapter

from core.dataset.units import identify_unit
from core.errors import ConfigError, DamagedObjectError, StoreError
from core.references import CatalogEntry
from infra.doctor import Check, State
from infra.pseudonym_key import FOLDER, find_pseudonym_keys
from infra.store import catalog, history, manifests
from infra.store.catalog import CatalogPointer, list_cataloged, list_catalogs, read_entries
from infra.store.cipher import SUFFIX, CannotOpenError, Cipher
from infra.store.manifests import MANIFEST, SUMS, Manifest, ReleasePointer, find_faults, list_manifests, read_release, release_key
from infra.store.objects import Store, describe_damage, open_seal
from infra.store.quarantine import RECORD
from infra.store.releases import find_latest
from infra.store.running import MARK
from infra.store.takedown import find_damage
from tasks.frame.ledger import ANNOUNCED, UNITS, announced_key, units_key

_ANEW = "the next run makes it anew"
_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class _RunRecord:
    run_id: str
    pipeline: str


_RUN_RECORD = TypeAdapter(_RunRecord)


@dataclass(slots=True)
class _Examination:
    """A store that is looked at; `deep`: data is read too. `looked` and `read` count objects, `bytes` what was read of data."""

    store: Store
    deep: bool
    looked: int = 0
    read: int = 0
    bytes: int = 0
    listed: dict[str, set[str]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    ciphers: list[Cipher] = field(default_factory=list)

    def check_json(self, key: str, shape: TypeAdapter[Any], outcome: str, required: bool = False) -> Generator[Check, None, Any]:
        """Look at a JSON object, which must be there if `required`; return its value, None where it is missing or damaged."""
        found = self.store.read_if_there(key)
        self.looked += found is not None
        try:
            if found is not None:
                return shape.validate_json(open_seal(found[0]))
        except ValueError as error:
            yield _finding("warning", key, f"damaged: {describe_damage(error)}", outcome)
        if found is None and required:
            yield _finding("warning", key, "missing", outcome)
        return None

    def has(self, key: str) -> bool:
        """Tell whether a unit's artifact or landed file is there; a pipeline's are listed once."""
        area = "/".join(key.split("/")[:2])
        if area not in self.listed:
            self.listed[area] = set(self.store.list_keys(area))
        return key in self.listed[area]

    def hash(self, key: str, unpack: bool = False) -> str:
        """Return the SHA-256 of an object, a block at a time; with `unpack` of what a .zst holds, "" where that is damaged."""
        digest = hashlib.sha256()
        self.read += 1
        with self.store.reading(key) as stream:
            source = zstandard.ZstdDecompressor().stream_reader(stream) if unpack else stream
            try:
                while block := source.read(_BLOCK):
                    self.bytes += len(block)
                    digest.update(block)
            except zstandard.ZstdError:
                return ""
        return digest.hexdigest()


def examine_store(url: str, deep: bool = False) -> Iterator[Check]:
    """Yield a check for everything in a store that is damaged or missing, and one at the end that says how much was looked at.

    A `problem` is what no run makes anew, or what readers of a release would meet; a `warning` is what a run makes anew.

    `deep`: compare the SHA-256 of artifacts, landed files and the files of releases; else only what names them is read.
    """
    work = _Examination(Store(url), deep)
    damaged = 0
    try:
        for part in (_examine_key, _examine_catalogs, _examine_releases, _examine_records, _examine_unnamed):
            for finding in part(work):
                damaged += 1
                yield finding
    except StoreError as error:  # the other checks of the doctor are still of use
        yield Check("store health", "problem", str(error), "let the store answer, then look again")
        return
    depth = f"{work.read:,} files of data read ({work.bytes / 2**20:,.1f} MiB)" if deep else "data was not read (--deep reads it)"
    told = f"{damaged:,} damaged or missing of {work.looked:,} objects; {depth}"
    yield Check("store health", "ok" if not damaged else "warning", told)


def _finding(state: State, key: str, what: str, outcome: str) -> Check:
    return Check("store health", state, f"{key}: {what}", outcome)


def _examine_catalogs(work: _Examination) -> Iterator[Check]:
    for dataset in list_cataloged(work.store):
        listed = [entry.key for entry in list_catalogs(work.store, dataset)]
        key = catalog.pointer_key(dataset)
        anew = "the next run reads the latest catalog that it can, and makes this one anew"
        pointer = yield from work.check_json(key, catalog.POINTER, anew, required=bool(listed))
        yield from work.check_json(units_key(dataset), UNITS, _ANEW)
        yield from work.check_json(announced_key(dataset), ANNOUNCED, "the watcher announces its units again")
        if pointer is not None and not catalog.names_own(pointer, dataset):
            yield _finding("warning", key, f"damaged: it names {pointer.path}, which is no catalog of this dataset", anew)
            pointer = None
        if pointer is not None and pointer.path not in listed:
            yield _finding("warning", pointer.path, "missing, though the pointer names it", anew)
        yield from _examine_entries(
            work, sorted(listed, key=lambda path: (pointer is None or path == pointer.path, path)), pointer
        )


def _examine_entries(work: _Examination, ordered: Sequence[str], pointer: CatalogPointer | None) -> Iterator[Check]:
    """Look at a dataset's catalogs, of which the last is the latest, and at what the last one that can be read names."""
    latest: list[CatalogEntry] = []
    for path in ordered:
        work.looked += 1
        try:
            entries = read_entries(work.store, path, pointer.sha256 if pointer is not None and pointer.path == path else "")
        except DamagedObjectError as error:
            anew = "the next run reads an older one, looks at all other units anew, and writes a new one"
            old = "no run reads it; remove it"
            yield _finding("warning", path, f"damaged: {error}", anew if path == ordered[-1] else old)
        else:
            latest = entries or []
    for entry in latest:
        yield from _examine_unit(work, entry)


def _examine_unit(work: _Examination, entry: CatalogEntry) -> Iterator[Check]:
    if entry.reference is None:
        return
    for artifact in entry.reference.artifacts.values():
        work.looked += 1
        there = work.has(artifact.key)
        if not there or (work.deep and work.hash(artifact.key) != artifact.sha256):
            what = "damaged: its SHA-256 is not that of the catalog" if there else "missing"
            yield _finding("warning", artifact.key, what, "the next run that reads it computes it again")
    for key in entry.reference.inputs:
        work.looked += 1
        work.seen.add(key)
        fault = "missing" if not work.has(key) else _find_landed_fault(work, key) if work.deep else ""
        if fault:
            yield _finding("warning", key, fault, "the next run that builds the unit copies it again from its source")


def _examine_unnamed(work: _Examination) -> Iterator[Check]:
    """Look at landed files that no catalog names: those of runs that were broken off, and of units that are gone."""
    for key in work.store.list_keys("landing") if work.deep else ():
        if key not in work.seen and key.count("/") == 4:
            work.looked += 1
            if fault := _find_landed_fault(work, key):
                outcome = "no run reads it unless its unit comes back, which copies it again; remove it"
                yield _finding("warning", key, fault, outcome)


def _find_landed_fault(work: _Examination, key: str) -> str:
    """Return what is wrong with a landed file, "" where it has the SHA-256 of its folder.

    A part of a record file has that of its lines. A sealed part tells by itself whether it is whole, to whoever has the key that
    it was sealed with.
    """
    if key.endswith(SUFFIX):
        return "" if any(_can_open(work, key, cipher) for cipher in work.ciphers) else "damaged, or sealed with another key"
    sha256 = key.split("/")[3]
    whole = work.hash(key) == sha256 or (key.endswith(".zst") and work.hash(key, unpack=True) == sha256)
    return "" if whole else "damaged: its SHA-256 is not that of its folder"


def _can_open(work: _Examination, key: str, cipher: Cipher) -> bool:
    work.read += 1
    try:
        with work.store.reading(key) as stream:
            opened = cipher.open(stream, key)
            while block := opened.read(_BLOCK):
                work.bytes += len(block)
    except CannotOpenError:
        return False
    return True


def _examine_key(work: _Examination) -> Iterator[Check]:
    """Look at the key of the pseudonyms, without which nothing of `threads` can be opened or made the same again."""
    work.looked += len(work.store.list_keys(FOLDER))
    try:
        work.ciphers = [Cipher(key) for key in find_pseudonym_keys(work.store)]
    except StoreError as error:
        yield Check("store health", "problem", str(error), "restore it from a backup")


def _examine_releases(work: _Examination) -> Iterator[Check]:
    store = work.store
    for dataset in store.list_folders("datasets"):
        listed = list_manifests(store, dataset)
        key = manifests.pointer_key(dataset)
        anew = "the next run derives it from history.json and the manifests"
        pointer = yield from work.check_json(key, manifests.POINTER, anew, required=bool(listed))
        yield from _examine_history(work, dataset, bool(listed), pointer)
        latest = pointer.version if pointer is not None else ""
        placed: dict[str, dict[str, str]] = {}
        again = "the next run writes the release again, if it is still the one to publish"
        if latest and latest not in listed:
            yield _finding("problem", f"{release_key(dataset, latest)}/{MANIFEST}", "missing, though the pointer names it", again)
        for version in listed:
            work.looked += 1
            manifest = read_release(store, dataset, version, pointer.manifest_sha256 if pointer and version == latest else "")
            restore = again if version == latest else "restore it from a backup, or remove the release"
            if manifest is not None:
                for unit, split in manifest.splits.items():
                    placed.setdefault(identify_unit(unit), {})[split] = version
                yield from _examine_release(work, dataset, manifest, restore)
            elif version == latest and read_release(store, dataset, version) is not None:
                yield _finding("warning", key, "damaged: it has another SHA-256 than the manifest that it names", anew)
            else:
                yield _finding("problem", f"{release_key(dataset, version)}/{MANIFEST}", "damaged", restore)
        if moved := {unit: splits for unit, splits in placed.items() if len(splits) > 1}:
            yield _describe_moved(dataset, moved)


def _describe_moved(dataset: str, moved: Mapping[str, Mapping[str, str]]) -> Check:
    """Say which units lie in different splits in different releases; each has the last release of each of its splits."""
    shown = "; ".join(
        f"{unit}: {', '.join(f'{split} in {version}' for split, version in splits.items())}"
        for unit, splits in list(moved.items())[:3]
    )
    return _finding(
        "warning",
        f"datasets/{dataset}",
        f"{len(moved):,} units lie in different splits in different releases ({shown})",
        "only gold links that arrive later move a unit, to test. Never test a model on another release than it was trained on; "
        f"`fabula prune --dataset {dataset} --keep-releases 1` removes earlier releases",
    )


def _examine_history(work: _Examination, dataset: str, required: bool, pointer: ReleasePointer | None) -> Iterator[Check]:
    key = history.history_key(dataset)
    derived = "the next run derives it from the manifests of the releases"
    damage = list(work.check_json(key, history.HISTORY, derived, required))
    parsed = None if damage else work.store.read_derived(key, history.HISTORY)
    if parsed is not None and (foreign := history.find_foreign(work.store, dataset, parsed, pointer)):
        damage.append(_finding("warning", key, f"damaged: {foreign}", derived))
    for found in damage:
        try:
            history.derive_history(work.store, dataset)
        except StoreError as error:
            yield Check("store health", "problem", f"{found.finding}; no run goes on", str(error))
        else:
            yield found


def _examine_release(work: _Examination, dataset: str, manifest: Manifest, restore: str) -> Iterator[Check]:
    folder = release_key(dataset, manifest.version)
    faults = find_faults(work.store, dataset, manifest)
    work.looked += len(manifest.files) + 1
    for path, fault in faults.items():
        yield _finding("problem", f"{folder}/{path}", fault, restore)
    for file in manifest.files if work.deep else ():
        if file.path not in faults and work.hash(f"{folder}/{file.path}") != file.sha256:
            what = "damaged: its SHA-256 is not that of the manifest"
            again = f"remove {folder}/{MANIFEST}, and the next run writes the release again, if it is still the one to publish"
            yield _finding("problem", f"{folder}/{file.path}", what, f"{again}; else restore it from a backup")


def _examine_records(work: _Examination) -> Iterator[Check]:
    store = work.store
    for key in store.list_keys("quarantine"):
        yield from work.check_json(key, RECORD, f"remove it: {_ANEW} if the unit still fails")
    for key in (*store.list_keys("running"), *store.list_keys("deciding")):
        yield from work.check_json(key, MARK, "runs ignore it and prune spares everything; remove it once no run is in progress")
    for key in store.list_keys("runs"):
        yield from work.check_json(key, _RUN_RECORD, "nothing rests on it; remove it")
    for key, damage in find_damage(store):
        work.looked += 1
        if damage:
            yield Check("store health", "problem", f"{key}: damaged; no run of this pipeline goes on", damage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What reading a whole release has found.

    `faults` are the files that are not what was published, with what is wrong; `foreign` are files that the manifest does not
    name. `files` and `bytes` count what was read.
    """

    dataset: str
    version: str
    files: int
    bytes: int
    faults: dict[str, str]
    foreign: tuple[str, ...] = ()


def list_versions(store: Store, datasets: Sequence[str], version: str | None) -> list[tuple[str, str]]:
    """Return the releases to look at: of these datasets, or of all where none is named; one version of each, or every one."""
    known = store.list_folders("datasets")
    if unknown := [name for name in datasets if name not in known]:
        raise ConfigError(
            f"store {store.url} has no dataset {', '.join(map(repr, unknown))}; it has {', '.join(known) or 'none'}"
        )
    found = []
    for name in datasets or known:
        versions = list(list_manifests(store, name))
        latest = find_latest(store, name)
        if latest is not None and latest.version not in versions:  # its manifest is missing
            versions.append(latest.version)
        found += [(name, each) for each in versions if version in (None, each)]
    if not found:
        wanted = "no release" if version is None else f"no release {version}"
        raise ConfigError(f"store {store.url} has {wanted} of {', '.join(datasets) or 'any dataset'}")
    return found


def verify_release(store: Store, dataset: str, version: str) -> Verdict:
    """Read every file of a release and compare it with the manifest, and the manifest with SHA256SUMS."""
    folder = release_key(dataset, version)
    manifest = read_release(store, dataset, version)
    if manifest is None:
        what = "missing" if not store.exists(f"{folder}/{MANIFEST}") else "damaged, or another than SHA256SUMS names"
        return Verdict(dataset=dataset, version=version, files=0, bytes=0, faults={MANIFEST: what})
    faults, size, read = find_faults(store, dataset, manifest), 0, 0
    for file in manifest.files:
        if file.path not in faults:
            sha256, length = store.hash(f"{folder}/{file.path}")
            read, size = read + 1, size + length
            if sha256 != file.sha256:
                faults[file.path] = "damaged: its SHA-256 is not that of the manifest"
    named = {file.path for file in manifest.files} | {MANIFEST, SUMS}
    there = (key.removeprefix(f"{folder}/") for key in store.list_keys(folder))
    foreign = tuple(path for path in there if path not in named)
    return Verdict(dataset=dataset, version=version, files=read, bytes=size, faults=faults, foreign=foreign)
