"""Measuring a dataset: no dataset is made, so it runs on Dask alone, without a Prefect flow."""

from functools import partial

from core.metrics.dataset_measures import DatasetMeasures, MeasureSettings, report_measures
from flows.progress import current_observer
from infra.dask import Cluster
from tasks.measures import list_files, measure_file


def measure_dataset(
    store: str, dataset: str, config: str | None, workers: int | None, scheduler: str | None
) -> dict[str, object]:
    """Return the measures of section 5 of SumTitles for a dataset's config, as JSON values.

    Raises:
        ConfigError: no such dataset or config, or its rows are no pairs.
    """
    files = list_files(store, dataset, config)
    observer = current_observer()
    observer.start("files", len(files))
    total = DatasetMeasures()
    with Cluster(workers, scheduler) as cluster:
        for measures in cluster.map_unordered(partial(measure_file, store), files):
            total += measures
            observer.advance()
    return report_measures(total, MeasureSettings())
