"""Manifests, checksums and pointers of releases: what they say, and whether a release is whole."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from math import isinf
from typing import Any

from pydantic import TypeAdapter

from core.dataset.splits import Split
from infra.store.objects import ListedObject, Store, encode_json, open_seal


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """One file of a release: its path in it, SHA-256, size in bytes and rows (0 for files that are no tables)."""

    path: str
    sha256: str = ""
    size: int = 0
    rows: int = 0

    @property
    def table(self) -> str:
        """The name of the table that it is a part of."""
        return self.path.removeprefix("data/").split("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A manifest that can be read: version, files and splits, its SHA-256, and all that it says."""

    version: str
    files: list[ReleaseFile]
    splits: dict[str, Split] = field(default_factory=dict)
    sha256: str
    says: dict[str, Any]

    @property
    def tables(self) -> list[ReleaseFile]:
        """The files that are Parquet tables."""
        return [file for file in self.files if file.path.endswith(".parquet")]


@dataclass(frozen=True, slots=True)
class ReleasePointer:
    """What `latest.json` says: version and folder of the latest release, its manifest's SHA-256, the version that it followed.

    `run` is the number of the run that moved the pointer, `gone` the splits of units of earlier releases that this one lacks;
    `limited`: the run had left out units of its source.
    """

    version: str
    path: str
    manifest_sha256: str = ""
    parent: str | None = None
    run: int = 0
    gone: dict[str, Split] = field(default_factory=dict)
    limited: bool = False


POINTER = TypeAdapter(ReleasePointer)
_MANIFEST = TypeAdapter(Manifest)
_ANYTHING = TypeAdapter(dict[str, Any])
SUMS = "SHA256SUMS"
MANIFEST = "manifest.json"


def release_key(dataset: str, version: str) -> str:
    """Return the folder of a release in the store."""
    return f"datasets/{dataset}/{version}"


def pointer_key(dataset: str) -> str:
    """Return the key of the pointer to a dataset's latest release."""
    return f"datasets/{dataset}/latest.json"


def parse_manifest(content: bytes) -> Manifest | None:
    """Return a manifest, None where these bytes are none."""
    try:
        says = _ANYTHING.validate_json(open_seal(content))
        return _MANIFEST.validate_python({**says, "says": says, "sha256": hashlib.sha256(content).hexdigest()})
    except ValueError:
        return None


def read_release(store: Store, dataset: str, version: str, manifest_sha256: str = "") -> Manifest | None:
    """Return the manifest of a release; None where it is missing or damaged, or not of this SHA-256 where one is given.

    Without a SHA-256 that of the release's own SHA256SUMS counts, where there is one.
    """
    folder = release_key(dataset, version)
    found = store.read_if_there(f"{folder}/{MANIFEST}")
    if found is None:
        return None
    manifest = parse_manifest(found[0])
    if manifest is None or manifest.version != version:
        return None
    if manifest_sha256:
        return manifest if manifest.sha256 == manifest_sha256 else None
    told = read_sums(store, folder).get(MANIFEST)
    return manifest if told in (None, manifest.sha256) else None


def read_sums(store: Store, folder: str) -> dict[str, str]:
    """Return the SHA-256 by path that a release's SHA256SUMS tells; lines that cannot be read are left out."""
    found = store.read_if_there(f"{folder}/{SUMS}" if folder else SUMS)
    if found is None:
        return {}
    lines = (line.split("  ", 1) for line in found[0].decode("utf-8", "replace").splitlines())
    return {parts[1]: parts[0] for parts in lines if len(parts) == 2}


def list_manifests(store: Store, dataset: str) -> dict[str, ListedObject]:
    """Return the manifest object of every release that has one, damaged or not, by version, oldest first."""
    listed = sorted(store.list_objects(f"datasets/{dataset}"), key=lambda entry: (entry.modified, entry.key))
    parts = ((entry.key.split("/"), entry) for entry in listed)
    return {part[2]: entry for part, entry in parts if len(part) == 4 and part[3] == MANIFEST}


def name_time(entry: ListedObject) -> str:
    """Return when an object was written (ISO 8601, UTC), "" where the backend does not say."""
    return "" if isinf(entry.modified) else datetime.fromtimestamp(entry.modified, UTC).isoformat()


def write_manifest(store: Store, dataset: str, manifest: dict[str, Any], files: Sequence[ReleaseFile]) -> None:
    """Write checksums and manifest; the manifest is what makes a release complete, so it comes last."""
    folder = release_key(dataset, manifest["version"])
    content = encode_json({**manifest, "files": [asdict(file) for file in files]})
    store.write(f"{folder}/{SUMS}", _describe_sums(files, hashlib.sha256(content).hexdigest()))
    store.write(f"{folder}/{MANIFEST}", content)


def _describe_sums(files: Sequence[ReleaseFile], manifest_sha256: str) -> bytes:
    sums = [*((file.sha256, file.path) for file in files), (manifest_sha256, MANIFEST)]
    return "".join(f"{sha256}  {path}\n" for sha256, path in sums).encode()


def find_faults(store: Store, dataset: str, manifest: Manifest) -> dict[str, str]:
    """Return the files of a release that are not as its manifest says, with what is wrong.

    It takes one listing and one read: a file of the right size is taken for whole.
    """
    folder = release_key(dataset, manifest.version)
    sizes = {entry.key.removeprefix(f"{folder}/"): entry.size for entry in store.list_objects(folder)}
    faults = {}
    for file in manifest.files:
        if file.path not in sizes:
            faults[file.path] = "missing"
        elif sizes[file.path] != file.size:
            faults[file.path] = f"{sizes[file.path]:,} bytes and not {file.size:,}"
    found = store.read_if_there(f"{folder}/{SUMS}")
    if found is None or found[0] != _describe_sums(manifest.files, manifest.sha256):
        faults[SUMS] = "missing" if found is None else "not what the manifest says"
    return faults
