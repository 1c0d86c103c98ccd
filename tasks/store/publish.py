"""Copies a release to another store, or in one commit to a dataset repository of the Hugging Face Hub."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.dataset.takedown import Takedown
from core.errors import ConfigError, StoreError
from infra.store.history import Publication, read_history
from infra.store.hub import HubRepository, has_checksum
from infra.store.manifests import MANIFEST, SUMS, ReleaseFile, list_manifests, pointer_key, read_release, read_sums, release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, find_latest, move_pointer, name_latest
from tasks.frame.taken_down import find_taken_down

_BLOCK = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A release that was copied: where it is, how many files and bytes were copied, how many files were there already.

    `latest`: the target does not have a later one. On the Hub, `removed` counts files of earlier releases that have left, and
    `commit` is the address of the commit, "" where nothing was new.
    """

    url: str
    version: str
    copied: int
    bytes: int
    kept: int
    latest: bool = True
    removed: int = 0
    commit: str = ""


def publish_copy(
    store: Store, dataset: str, version: str | None, target: Store, tell: Callable[[str], None] = lambda _: None
) -> Copy:
    """Copy a release with its checksums and its manifest to another store, and move the pointer there.

    Files that are there already, with the right checksum, are kept: a copy that was broken off goes on where it stopped. Each
    file is compared with the manifest while it is copied, and the manifest comes last, so that the target never shows half a
    release.

    `tell` is called with the path of each file before it is copied.
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
    """Remove the releases of a published copy that hold what is taken down, with the pointer if it names one; return them."""
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
    with store.reading(key) as source, target.writing(key) as stream:
        shutil.copyfileobj(source, stream, _BLOCK)
        if stream.stored.sha256 != file.sha256:
            raise _tell_damage(store, key)
    return stream.stored.size


def _tell_damage(store: Store, key: str) -> StoreError:
    return StoreError(
        f"store {store.url}: {key} is damaged, its SHA-256 is not that of the manifest; nothing of it was published. "
        "`fabula verify` names all that is damaged"
    )


_OURS = re.compile(
    r"(data/[^/]+/(train|validation|test)|(?P<table>[^/]+)/(?P=table))-\d{5}-of-\d{5}\.parquet|report/(index|rows)/[\d-]+\.json\.gz"
)
"""Tables and parts of a report, by the names that releases give them: those that the release lacks are of an earlier one.

They leave the repository. What else its owner has put there stays."""


def publish_to_hub(
    store: Store, dataset: str, version: str | None, url: str, tell: Callable[[str], None] = lambda _: None
) -> Copy:
    """Put a release into a repository in one commit, tagged with its version; a repository that is not there is made, private.

    Every file is compared with the manifest before it is sent. Tables of an earlier release leave in the same commit, so that
    nobody reads two releases at once.

    `url` is `hf://datasets/USER/NAME`. `tell` is called with what is done.
    """
    manifest = choose_release(store, dataset, version)
    repository = HubRepository(url)
    folder = release_key(dataset, manifest.version)
    tell(f"asking {repository.url}")
    repository.create()
    there = repository.list_files()
    with TemporaryDirectory(prefix="fabula-publish-") as temporary:
        files = {}
        for file in manifest.files:
            tell(f"checking {file.path}")
            place = _fetch(store, f"{folder}/{file.path}", Path(temporary, file.path))
            if not has_checksum(place, file.sha256):
                raise _tell_damage(store, f"{folder}/{file.path}")
            files[file.path] = place
        for name in (MANIFEST, SUMS):
            files[name] = _fetch(store, f"{folder}/{name}", Path(temporary, name))
        new = {path: place for path, place in files.items() if path not in there or not has_checksum(place, there[path])}
        removed = sorted(path for path in there if path not in files and _OURS.fullmatch(path))
        size = sum(place.stat().st_size for place in new.values())
        tell(f"sending {len(new)} files ({size:,} bytes)")
        commit = repository.commit(new, removed, f"{dataset} {manifest.version}") if new or removed else ""
        repository.tag(manifest.version)
    return Copy(
        url=repository.url,
        version=manifest.version,
        copied=len(new),
        bytes=size,
        kept=len(files) - len(new),
        removed=len(removed),
        commit=commit,
    )


def _fetch(store: Store, key: str, place: Path) -> Path:
    """Return an object of the store as a file: its own where the store is a folder, else a copy at `place`."""
    own = Path(store.locate(key))
    if own.is_file():
        return own
    place.parent.mkdir(parents=True, exist_ok=True)
    with store.reading(key) as source, place.open("wb") as target:
        shutil.copyfileobj(source, target)
    return place
