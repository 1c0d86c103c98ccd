"""Releases: a folder of files that never change, a manifest over them, and a pointer that is written last."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import yaml

from core.errors import ConfigError
from core.units import UNIT_ID
from infra.store.objects import Store, StoredObject, encode_json


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """One file of a release: its path in it, SHA-256, size in bytes and rows (0 for files that are no tables)."""

    path: str
    sha256: str
    size: int
    rows: int = 0


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


def release_key(dataset: str, version: str) -> str:
    """Return the folder of a release in the store."""
    return f"datasets/{dataset}/{version}"


def read_manifest(store: Store, dataset: str) -> dict[str, Any] | None:
    """Return the manifest of the latest release, None before the first and where somebody has removed it."""
    pointer = store.read_json_if_there(f"datasets/{dataset}/latest.json")
    return None if pointer is None else store.read_json_if_there(f"{pointer['path']}/manifest.json")


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


def read_placements(store: Store, dataset: str) -> dict[str, str]:
    """Return the split of every unit that any release of the dataset placed, also those that the latest does not know."""
    manifest = read_manifest(store, dataset)
    placed: dict[str, str] = dict(_read_history(store, dataset)["splits"])
    return placed | (manifest["splits"] if manifest else {})


def move_pointer(store: Store, dataset: str, version: str, parent: str | None, splits: Mapping[str, str], started: str) -> bool:
    """Let the pointer name a complete release, unless a run that started later has published another; return whether it does.

    Args:
        store: where the release is.
        dataset: its name.
        version: its version.
        parent: the version that it follows.
        splits: what this release and those before it placed; it is kept though the pointer may go back to an older release.
        started: when the run began that moves the pointer (ISO 8601).
    """
    folder = release_key(dataset, version)
    history = _read_history(store, dataset)
    late = history["started"] > started
    store.write_json(
        f"datasets/{dataset}/history.json",
        {
            "started": max(history["started"], started),
            "splits": {**read_placements(store, dataset), **splits},
            "releases": {**history["releases"], version: started},
        },
    )
    if late:
        return False
    manifest = hashlib.sha256(store.read(f"{folder}/manifest.json")).hexdigest()
    pointer = {"version": version, "path": folder, "manifest_sha256": manifest, "parent": parent}
    store.write_json(f"datasets/{dataset}/latest.json", pointer)
    return True


def _read_history(store: Store, dataset: str) -> dict[str, Any]:
    history: dict[str, Any] | None = store.read_json_if_there(f"datasets/{dataset}/history.json")
    return {"started": "", "splits": {}, "releases": {}} | (history or {})


def read_release_times(store: Store, dataset: str) -> dict[str, str]:
    """Return by version when the run began that published it last (ISO 8601), as far as the dataset's history says."""
    times: dict[str, str] = _read_history(store, dataset)["releases"]
    return times


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
    folder = release_key(dataset, version)
    written = [_as_file(path, store.write(f"{folder}/{path}", text.encode())) for path, text in documents.items()]
    files = sorted([*tables, *written], key=lambda file: file.path)
    manifest = {"name": dataset, "version": version, **facts, "files": [asdict(file) for file in files]}
    # The manifest is what makes a release complete: it comes after everything that it names.
    content = encode_json(manifest)
    sums = [*((file.sha256, file.path) for file in files), (hashlib.sha256(content).hexdigest(), "manifest.json")]
    store.write(f"{folder}/SHA256SUMS", "".join(f"{sha256}  {path}\n" for sha256, path in sums).encode())
    store.write(f"{folder}/manifest.json", content)
    return move_pointer(store, dataset, version, facts["parent"], facts["splits"], started)


def digest_contents(contents: Sequence[str], configuration: object) -> str:
    """Return a release's version: 16 hexadecimal digits over the checksums of its contents, in order, and its configuration."""
    text = json.dumps([list(contents), configuration], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _as_file(path: str, stored: StoredObject) -> ReleaseFile:
    return ReleaseFile(path, stored.sha256, stored.size)
