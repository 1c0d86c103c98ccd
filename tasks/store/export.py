"""Writes the rows of a release in another form: JSON Lines for every pipeline, and the forms that a pipeline has of its own."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import ConfigError
from infra.store.catalog import find_pipeline_of
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.tables.parquet import read_rows
from tasks.frame.release_spec import EXPORTS, Released
from tasks.pipelines import find_pipeline
from tasks.store.index import write_index

JSONL = "jsonl"
INDEX_ONLY = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A release that was exported: its version, where the files are, and how many there are."""

    version: str
    url: str
    files: int


def list_forms(store: Store, dataset: str) -> tuple[str, ...]:
    """Return the forms in which a dataset can be exported."""
    return (JSONL, INDEX_ONLY, *_find_exports(store, dataset))


def _find_exports(store: Store, dataset: str) -> Mapping[str, Callable[[Released], Iterator[tuple[str, bytes]]]]:
    name = find_pipeline_of(store, dataset)
    return (find_pipeline(name).find(EXPORTS) if name else None) or {}


def export_release(store: Store, dataset: str, form: str, target: Store, version: str | None = None) -> Export:
    """Write a release in another form into an empty folder.

    Args:
        store: where the release is.
        dataset: its name.
        form: `jsonl`, or a form of its pipeline.
        target: the folder that gets the files.
        version: of the release; None: the latest.

    Raises:
        ConfigError: there is no such release or form, or the folder is not empty.
        StoreError: a store failed.
    """
    manifest = choose_release(store, dataset, version)
    forms = list_forms(store, dataset)
    if form not in forms:
        raise ConfigError(f"dataset {dataset} has no form {form!r}; it can be exported as {', '.join(forms)}")
    if target.list_keys(""):
        raise ConfigError(f"{target.url} is not empty; name a new folder, so that no file of another export stays among these")
    released = Released(store=store, folder=release_key(dataset, manifest.version), manifest=manifest)
    write = write_jsonl if form == JSONL else _find_exports(store, dataset)[form]
    files = 0
    for key, content in write(released):
        target.write(key, content)
        files += 1
    return Export(version=manifest.version, url=target.url, files=files)


def export_index(
    store: Store,
    dataset: str,
    target: Store,
    version: str | None = None,
    sources: Sequence[str] = (),
    resources: Mapping[str, str] | None = None,
) -> Export:
    """Write the index of a release, which has no text of its source (`tasks.store.index`).

    Raises:
        ConfigError: as `write_index`, or the version is not the latest one.
        StoreError: a store or a source failed.
    """
    if version not in (None, (latest := choose_release(store, dataset)).version):
        raise ConfigError(f"an index is made of the latest release, {latest.version}, since the source stands for that one")
    index, files = write_index(store, dataset, target, sources, resources)
    return Export(version=index.version, url=target.url, files=files)


def write_jsonl(released: Released) -> Iterator[tuple[str, bytes]]:
    """Yield a file of JSON Lines for each Parquet file of a release: its path and its bytes, a row a line."""
    for file in released.manifest.files:
        if file.path.endswith(".parquet"):
            rows = read_rows(released.store, f"{released.folder}/{file.path}")
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            yield file.path.removesuffix(".parquet") + ".jsonl", text.encode("utf-8", "surrogatepass")
