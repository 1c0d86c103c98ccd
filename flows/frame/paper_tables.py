"""The papers' tables for a release of any pipeline."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from core.dataset.paper_tables import PaperTable, tabulate_sumtitles
from core.errors import ConfigError
from flows.frame.computing import Compute
from flows.frame.measures import MeasureOptions, measure_dataset
from infra.store.catalog import find_pipeline_of
from infra.store.objects import Store
from tasks.pipelines import find_pipeline
from tasks.store.measures import list_pair_configs, read_statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTables:
    """The tables of a release, and the figures that were measured for them by config."""

    tables: tuple[PaperTable, ...]
    measured: dict[str, dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """Return them as JSON values."""
        return {"tables": [asdict(table) for table in self.tables], "measured": self.measured}


def make_paper_tables(store: str, dataset: str, config: str | None, options: MeasureOptions, compute: Compute) -> PaperTables:
    """Return the tables of the pipeline's own paper, from `stats.json`, and of each config of pairs tables 1 and 2 of SumTitles.

    Raises:
        ConfigError: no such dataset or config, or BERTScore lacks the extra `embeddings`.
        StoreError: the store failed.
    """
    opened = Store(store)
    statistics, units = read_statistics(opened, dataset)
    name = find_pipeline_of(opened, dataset)
    if name is None:
        raise ConfigError(f"store {store} does not say which pipeline makes {dataset}; look at it where it was made")
    own = tuple(find_pipeline(name).load_release().paper_tables(statistics, units))
    configs = [config] if config else list_pair_configs(opened, dataset)
    measured = {each: measure_dataset(store, dataset, each, options, compute) for each in configs}
    pairs = tabulate_sumtitles({f"this release: {each}": found for each, found in measured.items()}) if measured else ()
    if options.limit is not None:
        pairs = tuple(replace(table, note=f"At most {options.limit} pairs of each config. {table.note}") for table in pairs)
    return PaperTables(tables=(*own, *pairs), measured=measured)
