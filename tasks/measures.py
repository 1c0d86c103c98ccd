"""Measures of a released dataset, one file a call: they add up."""

from collections.abc import Iterator

from core.errors import ConfigError
from core.metrics.dataset_measures import DatasetMeasures, MeasureSettings, measure_pairs
from core.metrics.dataset_size import SummaryPair
from infra.release import read_manifest, release_key
from infra.store import Store
from infra.tables import read_rows


def list_files(store_url: str, dataset: str, config: str | None) -> list[str]:
    """Return the keys of the files of a dataset's config (default: its first with pairs of dialogue and summary).

    Raises:
        ConfigError: no such dataset or config.
    """
    store = Store(store_url)
    manifest = read_manifest(store, dataset)
    if manifest is None:
        raise ConfigError(f"store {store.url} has no dataset {dataset!r}; `fabula datasets` lists those it has")
    paths = [file["path"] for file in manifest["files"] if file["path"].startswith("data/")]
    configs = list(dict.fromkeys(path.split("/")[1] for path in paths))
    chosen = config or next((name for name in ("pairs", "scripts", "subtitles") if name in configs), None)
    if chosen not in configs:
        raise ConfigError(f"dataset {dataset} has no config {config!r}; it has {', '.join(configs)}")
    folder = release_key(dataset, manifest["version"])
    return [f"{folder}/{path}" for path in paths if path.startswith(f"data/{chosen}/")]


def measure_file(store_url: str, key: str) -> DatasetMeasures:
    """Measure the pairs of one Parquet file, read a row group at a time.

    Raises:
        ConfigError: its rows are no pairs (no `turns` or no `summary`).
        StoreError: the file cannot be read.
    """
    return measure_pairs(_read_pairs(Store(store_url), key), MeasureSettings())


def _read_pairs(store: Store, key: str) -> Iterator[SummaryPair]:
    for row in read_rows(store, key, ("turns", "summary")):
        turns = row["turns"]
        speakers = frozenset(speaker for turn in turns for speaker in turn["speakers"])
        yield SummaryPair(tuple(turn["text"] for turn in turns), (row["summary"],), speakers)
