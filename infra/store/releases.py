"""Releases: a folder of files that never change, a manifest over them, and a pointer that is written last."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import yaml

from core.errors import ConfigError
from core.splits import Split
from core.units import UNIT_ID
from infra.store.history import History, read_history, write_history
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
from infra.store.objects import Store, StoredObject


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestRelease:
    """The latest release of a dataset and the version that it followed.

    `manifest` is None where it is missing or damaged. `sound`: the pointer to it need not be written anew.
    """

    version: str
    parent: str | None
    manifest: Manifest | None
    sound: bool


def check_dataset_name(name: str) -> None:
    """Refuse a name that cannot be a folder of the store.

    Raises:
        ConfigError: it is none; the message says what a name may look like.
    """
    if UNIT_ID.fullmatch(name) is None:
        raise ConfigError(
            f"dataset {name!r}: a dataset's name has 1 to 100 letters, digits, dots, hyphens or underscores (A-Z, a-z, 0-9) and "
            "begins with a letter or digit"
        )


def find_latest(store: Store, dataset: str) -> LatestRelease | None:
    """Return the latest release of a dataset; None before the first.

    A damaged or missing pointer is derived, with a warning, from the dataset's history and the manifests that are there. Where
    the pointer is whole and the manifest that it names is not, a warning says so.

    Raises:
        StoreError: pointer and history are damaged and a manifest too, or the store failed.
    """
    key = pointer_key(dataset)
    anew = "the latest release by the dataset's history takes its place"
    pointer = store.read_derived(key, POINTER, anew)
    if pointer is None:
        manifest = find_newest(store, dataset)
        if manifest is None:
            return None
        if not store.exists(key):
            store.tell_damage(key, "it is missing", anew)
        return LatestRelease(version=manifest.version, parent=manifest.parent, manifest=manifest, sound=False)
    version, parent = pointer.version, pointer.parent
    manifest = read_release(store, dataset, version, pointer.manifest_sha256)
    if manifest is not None:
        return LatestRelease(version=version, parent=parent, manifest=manifest, sound=True)
    manifest = read_release(store, dataset, version)
    if manifest is not None:
        store.tell_damage(key, "it has another SHA-256 than the manifest that it names")
        return LatestRelease(version=version, parent=parent, manifest=manifest, sound=False)
    told = f"{release_key(dataset, version)}/{MANIFEST}"
    store.tell_damage(
        told, "it is missing or not what was written", "the release is written anew if it is still the one to publish"
    )
    if version not in read_history(store, dataset).releases:  # it names nothing that was ever published
        manifest = find_newest(store, dataset)
        version, parent = (manifest.version, manifest.parent) if manifest is not None else (version, parent)
    return LatestRelease(version=version, parent=parent, manifest=manifest, sound=False)


def find_newest(store: Store, dataset: str) -> Manifest | None:
    """Return the manifest of the release that was published last, of those whose manifest is whole; None where there is none."""
    listed = list_manifests(store, dataset)
    if not listed:
        return None
    known = read_history(store, dataset).releases
    ordered = sorted(listed, key=lambda version: (known.get(version) or name_time(listed[version]), version), reverse=True)
    whole = (manifest for version in ordered if (manifest := read_release(store, dataset, version)) is not None)
    return next(whole, None)


def read_manifest(store: Store, dataset: str) -> dict[str, Any] | None:
    """Return what the manifest of the latest release says, or the newest manifest that is whole; None where there is none."""
    latest = find_latest(store, dataset)
    if latest is None:
        return None
    manifest = latest.manifest or find_newest(store, dataset)
    return None if manifest is None else manifest.says


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
    return read_history(store, dataset).splits | told


def move_pointer(
    store: Store,
    dataset: str,
    version: str,
    parent: str | None,
    splits: Mapping[str, Split],
    started: str,
    derived: History | None = None,
) -> bool:
    """Let the pointer name a complete release, unless a run that started later has published another; return whether it does.

    Args:
        store: where the release is.
        dataset: its name.
        version: its version.
        parent: the version that it follows.
        splits: what this release and those before it placed; it is kept though the pointer may go back to an older release.
        started: when the run began that moves the pointer (ISO 8601).
        derived: the history as it was before the release was written, in case that it is damaged or missing.
    """
    history = read_history(store, dataset, derived)
    late = history.started > started
    write_history(
        store,
        dataset,
        replace(
            history,
            started=max(history.started, started),
            splits={**history.splits, **splits},
            releases={**history.releases, version: started},
        ),
    )
    if late:
        return False
    folder = release_key(dataset, version)
    manifest = hashlib.sha256(store.read(f"{folder}/{MANIFEST}")).hexdigest()
    store.write_json(pointer_key(dataset), asdict(ReleasePointer(version, folder, manifest, parent)))
    return True


def publish_release(
    store: Store,
    dataset: str,
    version: str,
    tables: Sequence[ReleaseFile],
    documents: Mapping[str, str],
    facts: Mapping[str, Any],
    started: str,
) -> bool:
    """Write the documents, the manifest and the checksums of a release whose tables are in place; then move the pointer.

    The pointer stays where a release of a run that started later has been published meanwhile: an older run never overwrites a
    newer one.

    Args:
        store: where the release is.
        dataset: its name.
        version: its version; the folder's name.
        tables: the Parquet files, already written.
        documents: further files as text by path.
        facts: what else the manifest says; `parent` and `splits` are required. Nothing of it may differ between two runs that
            make the same version: they may write it at the same time.
        started: when the run began (ISO 8601).

    Returns:
        Whether the pointer names this release now.
    """
    derived = read_history(store, dataset)
    folder = release_key(dataset, version)
    written = [_as_file(path, store.write(f"{folder}/{path}", text.encode())) for path, text in documents.items()]
    files = sorted([*tables, *written], key=lambda file: file.path)
    write_manifest(store, dataset, {"name": dataset, "version": version, **facts}, files)
    return move_pointer(store, dataset, version, facts["parent"], facts["splits"], started, derived)


def digest_contents(contents: Sequence[str], configuration: object) -> str:
    """Return a release's version: 16 hexadecimal digits over the checksums of its contents, in order, and its configuration."""
    text = json.dumps([list(contents), configuration], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _as_file(path: str, stored: StoredObject) -> ReleaseFile:
    return ReleaseFile(path, stored.sha256, stored.size)
