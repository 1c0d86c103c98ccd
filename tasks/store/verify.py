"""Compares the files of releases with their checksums."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ConfigError
from infra.store.manifests import MANIFEST, SUMS, find_faults, list_manifests, read_release, release_key
from infra.store.objects import Store
from infra.store.releases import find_latest


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
    """Return the releases to look at: of these datasets, or of all where none is named; one version of each, or every one.

    Raises:
        ConfigError: the store has no such dataset or release, or no release at all.
    """
    known = store.list_folders("datasets")
    if unknown := [name for name in datasets if name not in known]:
        raise ConfigError(
            f"store {store.url} has no dataset {', '.join(map(repr, unknown))}; it has {', '.join(known) or 'none'}"
        )
    found = [(name, each) for name in datasets or known for each in _list_of(store, name)]
    if version is not None:
        found = [(name, each) for name, each in found if each == version]
    if not found:
        wanted = "no release" if version is None else f"no release {version}"
        raise ConfigError(f"store {store.url} has {wanted} of {', '.join(datasets) or 'any dataset'}")
    return found


def _list_of(store: Store, dataset: str) -> list[str]:
    """Return the versions of a dataset; the one that its pointer names is among them even where its manifest is missing."""
    versions = list(list_manifests(store, dataset))
    latest = find_latest(store, dataset)
    return versions if latest is None or latest.version in versions else [*versions, latest.version]


def verify_release(store: Store, dataset: str, version: str) -> Verdict:
    """Read every file of a release and compare it with the manifest, and the manifest with SHA256SUMS.

    Raises:
        StoreError: the store failed.
    """
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
