"""What a release holds and what it left out, read from its manifest and its table `rejects`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.rejects import RejectedRows
from infra.store.manifests import read_release, release_key
from infra.store.objects import Store
from infra.tables.parquet import read_rows
from tasks.frame.release_spec import ReleaseSpec

REJECTS = "rejects"
"""The table of what a release left out; every row has a `reason`."""


def describe_release(
    store: Store, dataset: str, version: str, spec: ReleaseSpec[Any], config: Any
) -> tuple[dict[str, int], Sequence[RejectedRows]]:
    """Return the rows of each table of a release, and the rows that it left out by reason, with the setting that decides."""
    manifest = read_release(store, dataset, version)
    if manifest is None:
        return {}, ()
    counts: Counter[str] = Counter()
    written = []
    for file in manifest.files:
        if file.path.endswith(".parquet"):
            table = file.path.removeprefix("data/").split("/")[0]
            counts[table] += file.rows
            written.append((table, f"{release_key(dataset, version)}/{file.path}", file.rows))
    return dict(counts), explain_tables(store, written, spec, config)


def explain_tables(
    store: Store, written: Iterable[tuple[str, str, int]], spec: ReleaseSpec[Any], config: Any
) -> Sequence[RejectedRows]:
    """Return the rows that a release left out by reason, of its files: each with its table, its key and its number of rows."""
    rejects = [key for table, key, rows in written if table == REJECTS and rows]

    def read() -> Iterator[Mapping[str, Any]]:
        for key in rejects:
            yield from read_rows(store, key, ("reason",), spec.reject_columns)

    return spec.explain_rejects(config, read()) if rejects else ()
