"""Releases: a folder of files that never change, a manifest over them, and a pointer that is written last."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import yaml
from pydantic import TypeAdapter

from core.dataset.splits import Split
from core.errors import ConfigError
from infra.store.history import History, Publication, history_key, read_history, write_history
from infra.store.manifests import (
    MANIFEST,
    POINTER,
    Manifest,
    ReleaseFile,
    ReleasePointer,
    list_manifests,
    name_time,
    pointer_key,
    read_release,
    release_key,
    write_manifest,
)
from infra.store.objects import Store
from infra.store.running import alone, claim_splits, read_claims


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestRelease:
    """The latest release of a dataset and the version that it followed.

    `manifest` is None where it is missing or damaged. `sound`: the pointer to it need not be written anew. `gone` are the splits
    of units that it lacks, as far as the pointer tells.
    """

    version: str
    parent: str | None
    manifest: Manifest | None
    gone: Mapping[str, Split] = field(default_factory=dict)
    sound: bool = False


def _refuse_path(kind: str, name: str) -> None:
    """Refuse a name that would lead into another folder of the store; any other may be one that is not there."""
    if "/" in name or name in ("", ".", ".."):
        raise ConfigError(f"{kind} {name!r}: that is a path; expected a name")


def tell_absent(store: Store, dataset: str) -> ConfigError:
    """Return the error of a dataset that a store does not have; it names those that it has."""
    known = ", ".join(name for name in store.list_folders("datasets") if name != dataset) or "none"  # it may have begun one
    return ConfigError(f"store {store.url} has no dataset {dataset!r}; it has {known}")


def find_latest(store: Store, dataset: str) -> LatestRelease | None:
    """Return the latest release of a dataset; None before the first.

    A damaged or missing pointer is derived, with a warning, from the dataset's history and the manifests that are there. Where
    the pointer is whole and the manifest that it names is not, a warning says so.
    """
    _refuse_path("dataset", dataset)
    key = pointer_key(dataset)
    anew = "the latest release by the dataset's history takes its place"
    pointer = store.read_derived(key, POINTER, anew)
    if pointer is None:
        newest = _take_newest(store, dataset)
        if newest is not None and not store.exists(key):
            store.tell_damage(key, "it is missing", anew)
        return newest
    version = pointer.version
    manifest = read_release(store, dataset, version, pointer.manifest_sha256)
    sound = manifest is not None
    if not sound and (manifest := read_release(store, dataset, version)) is not None:
        store.tell_damage(key, "it has another SHA-256 than the manifest that it names")
    found = LatestRelease(version=version, parent=pointer.parent, manifest=manifest, gone=pointer.gone, sound=sound)
    if manifest is not None:
        return found
    told = f"{release_key(dataset, version)}/{MANIFEST}"
    outcome = "the release is written anew if it is still the one to publish"
    store.tell_damage(told, "it is missing or not what was written", outcome)
    if version not in read_history(store, dataset).releases:  # it names nothing that was ever published
        newest = _take_newest(store, dataset)
        return found if newest is None else replace(newest, gone=pointer.gone)
    return found


def name_latest(store: Store, dataset: str) -> str | None:
    """Return the version that the pointer of a dataset names, without a look at the release; None where there is no pointer."""
    pointer = store.read_derived(pointer_key(dataset), POINTER, "nothing is told of a newer release")
    return None if pointer is None else pointer.version


def _take_newest(store: Store, dataset: str) -> LatestRelease | None:
    """Return the newest release whose manifest is whole, where the pointer names none that can be used."""
    manifest = find_newest(store, dataset)
    if manifest is None:
        return None
    told = read_history(store, dataset).releases.get(manifest.version)
    return LatestRelease(version=manifest.version, parent=told.parent if told is not None else None, manifest=manifest)


def find_newest(store: Store, dataset: str) -> Manifest | None:
    """Return the manifest of the release that the pointer named last, of those whose manifest is whole; None where there is none.

    Releases that the history does not know come last, by the time at which they were written.
    """
    listed = list_manifests(store, dataset)
    if not listed:
        return None
    known = read_history(store, dataset).releases

    def order(version: str) -> tuple[tuple[bool, int, str], str]:
        return (known.get(version) or Publication(run=0, started=name_time(listed[version]), moved=False)).order, version

    ordered = sorted(listed, key=order, reverse=True)
    whole = (manifest for version in ordered if (manifest := read_release(store, dataset, version)) is not None)
    return next(whole, None)


def read_manifest(store: Store, dataset: str) -> Manifest | None:
    """Return the manifest of the latest release, or the newest manifest that is whole; None where there is none."""
    latest = find_latest(store, dataset)
    return None if latest is None else latest.manifest or find_newest(store, dataset)


def choose_release(store: Store, dataset: str, version: str | None = None) -> Manifest:
    """Return the manifest of a release: of this version, or of the latest where none is named."""
    _refuse_path("dataset", dataset)
    if version is not None:
        _refuse_path("version", version)
    latest = find_latest(store, dataset) if version is None else None
    chosen = version if latest is None else latest.version
    if chosen is not None and (manifest := read_release(store, dataset, chosen)) is not None:
        return manifest
    listed = list_manifests(store, dataset)
    if latest is None and not listed:
        raise tell_absent(store, dataset)
    known = ", ".join(listed) or "none"
    raise ConfigError(f"store {store.url} has no whole release {chosen or ''} of {dataset}; its releases: {known}")


def read_default_config(store: Store, folder: str) -> str | None:
    """Return the config of a release that loads by default, as its card says; None where the card does not say."""
    found = store.read_if_there(f"{folder}/README.md")
    if found is None:
        return None
    try:
        header = yaml.safe_load(found[0].decode("utf-8").split("---")[1])
        return next((str(entry["config_name"]) for entry in header["configs"] if entry.get("default")), None)
    except (IndexError, KeyError, TypeError, ValueError, yaml.YAMLError):
        return None


def read_placements(store: Store, dataset: str) -> dict[str, Split]:
    """Return the split of every unit that any release of the dataset placed, also those that the latest does not know."""
    latest = find_latest(store, dataset)
    told = latest.manifest.splits if latest is not None and latest.manifest is not None else {}
    gone = latest.gone if latest is not None else {}
    return {**gone, **read_history(store, dataset).splits, **told}


def read_claimed(store: Store, dataset: str) -> dict[str, Split]:
    """Return the split of every unit that a release has placed, or that a run in progress is about to place."""
    return {**read_claims(store, dataset), **read_placements(store, dataset)}


def place_units(store: Store, dataset: str, run_id: str, splits: Mapping[str, Split], known: Mapping[str, Split]) -> bool:
    """Let a run place units of a dataset, unless another run has placed some since `known` was read; tell whether it may.

    `known` is what `read_claimed` returned when `splits` were decided. The run's mark tells others of the new units from now on.
    """
    new = {unit: split for unit, split in splits.items() if known.get(unit) != split}
    if not new:
        return True
    with alone(store, dataset):
        if read_claimed(store, dataset) != known:
            return False
        if not store.exists(history_key(dataset)):  # else others would derive it from the first release while that is half there
            write_history(store, dataset, read_history(store, dataset))
        claim_splits(store, run_id, dataset, new)
    return True


def move_pointer(
    store: Store,
    dataset: str,
    version: str,
    publication: Publication,
    splits: Mapping[str, Split],
    gone: Mapping[str, Split],
    derived: History | None = None,
) -> bool:
    """Let the pointer name a complete release; return whether it does.

    The pointer stays where a later run has published meanwhile, so that an older run never overwrites a newer one. For a run with
    a limit it stays where a run without a limit has published. All `splits` of this release and those of units that it lacks
    (`gone`) are kept, whatever the pointer names later. `derived` is the history as it was before the release was written, in
    case that it is damaged or missing.
    """
    with alone(store, dataset):
        history = read_history(store, dataset, derived)
        before = history.last
        late = before is not None and before.order > publication.order
        kept = late or (publication.limited and before is not None and not before.limited)
        told = history.releases.get(version)
        if told is None or not told.moved or not kept:  # what the pointer has named before keeps its place in the order
            told = replace(publication, moved=not kept)
        write_history(
            store,
            dataset,
            replace(history, splits={**history.splits, **gone, **splits}, releases={**history.releases, version: told}),
        )
        if kept:
            named = find_latest(store, dataset)  # perhaps the same release, which a later run has made of the same input
            return named is not None and named.version == version
        folder = release_key(dataset, version)
        manifest = hashlib.sha256(store.read(f"{folder}/{MANIFEST}")).hexdigest()
        pointer = ReleasePointer(
            version=version,
            path=folder,
            manifest_sha256=manifest,
            parent=publication.parent,
            run=publication.run,
            gone=dict(gone),
            limited=publication.limited,
        )
        store.write_json(pointer_key(dataset), asdict(pointer))
        return True


def publish_release(
    store: Store,
    dataset: str,
    version: str,
    tables: Sequence[ReleaseFile],
    documents: Mapping[str, str],
    facts: Mapping[str, Any],
    publication: Publication,
    gone: Mapping[str, Split] | None = None,
) -> bool:
    """Write the documents, the manifest and the checksums of a release whose tables are in place; return `move_pointer`'s answer.

    `documents` are further files as text by path. `facts` are what else the manifest says; `splits` is required. Nothing of it
    may differ between two runs that make the same version, in whatever store: they may write it at the same time.
    """
    derived = read_history(store, dataset)
    folder = release_key(dataset, version)
    written = {path: store.write(f"{folder}/{path}", text.encode()) for path, text in documents.items()}
    listed = [*tables, *(ReleaseFile(path, stored.sha256, stored.size) for path, stored in written.items())]
    files = sorted(listed, key=lambda file: file.path)
    write_manifest(store, dataset, {"name": dataset, "version": version, **facts}, files)
    return move_pointer(store, dataset, version, publication, facts["splits"], gone or {}, derived)


def digest_contents(contents: Sequence[object], configuration: object) -> str:
    """Return a release's version: 16 hexadecimal digits over what its contents are made from, and its configuration, as JSON."""
    text = json.dumps([list(contents), configuration], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PublishedCopy:
    """A place that a dataset was published to, its last version, and when (ISO 8601): what is taken down leaves it too."""

    url: str
    version: str
    time: str


_COPY = TypeAdapter(PublishedCopy)


def remember_copy(store: Store, dataset: str, copy: PublishedCopy) -> None:
    """Write down that a release was published."""
    digest = hashlib.sha256(copy.url.encode()).hexdigest()[:16]
    store.write_json(f"published/{dataset}/{digest}.json", asdict(copy))


def list_copies(store: Store, dataset: str) -> list[PublishedCopy]:
    """Return every place that a dataset was published to; a damaged record is passed over, with a warning."""
    found = (store.read_derived(key, _COPY, "publish there again") for key in store.list_keys(f"published/{dataset}"))
    return sorted((copy for copy in found if copy is not None), key=lambda copy: copy.url)
