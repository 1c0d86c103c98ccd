"""Copies a release to another store, so that readers of that one find it as they find it here."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.dataset.takedown import Takedown
from core.errors import ConfigError, StoreError
from infra.store.history import Publication, read_history
from infra.store.manifests import MANIFEST, SUMS, ReleaseFile, list_manifests, pointer_key, read_release, read_sums, release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, find_latest, move_pointer, name_latest
from tasks.frame.taken_down import find_taken_down

_BLOCK = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A release that was copied: where it is, how many files and bytes were copied, how many were there already.

    `latest`: the pointer of the target names it. It does not where the target has a later one.
    """

    url: str
    version: str
    copied: int
    bytes: int
    kept: int
    latest: bool


def publish_copy(
    store: Store, dataset: str, version: str | None, target: Store, tell: Callable[[str], None] = lambda _: None
) -> Copy:
    """Copy a release with its checksums and its manifest to another store, and move the pointer there.

    Files that are there already, with the right checksum, are kept: a copy that was broken off goes on where it stopped. Each
    file is compared with the manifest while it is copied, and the manifest comes last, so that the target never shows half a
    release.

    Args:
        store: where the release is.
        dataset: its name.
        version: its version; None: the latest.
        target: where it goes; the folders are the same as here.
        tell: is called with the path of each file before it is copied.

    Raises:
        ConfigError: there is no such release, or the target is this store.
        StoreError: a file is not what the manifest says, or a store failed.
    """
    if target.url == store.url:
        raise ConfigError(f"{target.url} is the store that the release is in; name another one")
    manifest = choose_release(store, dataset, version)
    chosen = manifest.version
    folder = release_key(dataset, chosen)
    history = read_history(target, dataset)  # before the manifest is there, from which it would be derived
    there = {entry.key: entry.size for entry in target.list_objects(folder)}
    copied = size = 0
    for file in manifest.files:
        key = f"{folder}/{file.path}"
        if there.get(key) == file.size and target.hash(key)[0] == file.sha256:
            continue
        tell(file.path)
        size += _copy(store, target, key, file)
        copied += 1
    if read_sums(target, folder).get(MANIFEST) != manifest.sha256 or read_release(target, dataset, chosen) is None:
        for name in (SUMS, MANIFEST):
            target.write(f"{folder}/{name}", store.read(f"{folder}/{name}"))
    publication = read_history(store, dataset).releases.get(chosen) or Publication(run=0, started="")
    latest = find_latest(store, dataset)
    gone = latest.gone if latest is not None and latest.version == chosen else {}
    moved = move_pointer(target, dataset, chosen, replace(publication, moved=True), manifest.splits, gone, history)
    kept = len(manifest.files) - copied
    return Copy(url=target.locate(folder), version=chosen, copied=copied, bytes=size, kept=kept, latest=moved)


def withdraw_releases(target: Store, dataset: str, takedown: Takedown) -> list[str]:
    """Remove the releases of a published copy that hold what is taken down, with the pointer if it names one; return them.

    Raises:
        StoreError: the store failed; what was not removed yet stays.
    """
    latest = name_latest(target, dataset)
    gone = []
    for version in list_manifests(target, dataset):
        manifest = read_release(target, dataset, version)
        if manifest is None or not find_taken_down(target, dataset, manifest, takedown):
            continue
        folder = release_key(dataset, version)
        if version == latest:
            target.delete(pointer_key(dataset))
        target.delete(f"{folder}/{MANIFEST}")  # first: without it, nobody takes the rest for a release
        target.delete_all([f"{folder}/{SUMS}", *(f"{folder}/{file.path}" for file in manifest.files)])
        gone.append(version)
    return gone


def _copy(store: Store, target: Store, key: str, file: ReleaseFile) -> int:
    """Copy an object a block at a time; it stands in the target only if its bytes are what the manifest says."""
    digest, size = hashlib.sha256(), 0
    with store.reading(key) as source, target.writing(key) as stream:
        while block := source.read(_BLOCK):
            digest.update(block)
            size += stream.write(block) or 0
        if digest.hexdigest() != file.sha256:
            raise StoreError(
                f"store {store.url}: {key} is damaged, its SHA-256 is not that of the manifest; nothing of it was published. "
                "`fabula verify` names all that is damaged"
            )
    return size
