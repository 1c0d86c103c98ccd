"""Publishes a release in a dataset repository of the Hugging Face Hub, as one commit."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import StoreError
from infra.store.hub import HubRepository, has_checksum
from infra.store.manifests import MANIFEST, SUMS, release_key
from infra.store.objects import Store
from infra.store.releases import choose_release

_OURS = re.compile(
    r"(data/[^/]+/(train|validation|test)|(?P<table>[^/]+)/(?P=table))-\d{5}-of-\d{5}\.parquet|report/(index|rows)/[\d-]+\.json\.gz"
)
"""Tables and parts of a report, by the names that releases give them: those that the release lacks are of an earlier one.

They leave the repository. What else its owner has put there stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubCopy:
    """A release on the Hub: its address, the files and bytes that were sent, and how many files were there or have left.

    `commit` is its address, "" where nothing was new.
    """

    url: str
    version: str
    copied: int
    bytes: int
    kept: int
    removed: int
    commit: str


def publish_to_hub(
    store: Store, dataset: str, version: str | None, url: str, tell: Callable[[str], None] = lambda _: None
) -> HubCopy:
    """Put a release into a repository in one commit, tagged with its version; a repository that is not there is made, private.

    Every file is compared with the manifest before it is sent. Tables of an earlier release leave in the same commit, so that
    nobody reads two releases at once.

    Args:
        store: where the release is.
        dataset: its name.
        version: its version; None: the latest.
        url: `hf://datasets/USER/NAME`.
        tell: is called with what is done.

    Raises:
        ConfigError: there is no such release, no token, or the server refuses it.
        StoreError: a file is not what the manifest says, a store failed, or the server.
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
                raise StoreError(
                    f"store {store.url}: {folder}/{file.path} is damaged, its SHA-256 is not that of the manifest; nothing was "
                    "published. `fabula verify` names all that is damaged"
                )
            files[file.path] = place
        for name in (MANIFEST, SUMS):
            files[name] = _fetch(store, f"{folder}/{name}", Path(temporary, name))
        new = {path: place for path, place in files.items() if path not in there or not has_checksum(place, there[path])}
        removed = sorted(path for path in there if path not in files and _OURS.fullmatch(path))
        size = sum(place.stat().st_size for place in new.values())
        tell(f"sending {len(new)} files ({size:,} bytes)")
        commit = repository.commit(new, removed, f"{dataset} {manifest.version}") if new or removed else ""
        repository.tag(manifest.version)
    return HubCopy(
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
