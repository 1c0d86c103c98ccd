"""The units and rows that a store knows of a pipeline: what an id on the command line means, and which texts a unit has."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import ConfigError
from core.references import UnitReference
from core.takedown import split_row
from core.units import find_nearest, identify_unit
from infra.store.catalog import find_pipeline_of, list_cataloged, read_catalog
from infra.store.history import read_history
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import find_latest
from infra.store.takedown import list_names
from tasks.frame.ledger import UNITS, units_key
from tasks.frame.withholding import list_contents

SMALL_BYTES = 1024
"""Smaller files do not identify a unit, unless they are its text: several units may have the same placeholder or cast."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The datasets of a pipeline in a store, and the ids of all units that they hold, held, or wait for, by identity."""

    store: Store
    pipeline: str
    datasets: tuple[str, ...]
    units: dict[str, str]

    def resolve(self, names: Sequence[str]) -> list[str]:
        """Return ids of units and rows as the store spells them.

        Raises:
            ConfigError: the store has no such unit or row; the message names the nearest.
        """
        rows: dict[str, dict[str, str]] = {}
        found: list[str] = []
        unknown: list[str] = []
        for name in names:
            unit = self.units.get(identify_unit(name)) or self._find_row(name, rows)
            if unit:
                found.append(unit)
            else:
                unknown.append(self._describe(name, rows))
        if unknown:
            has = ", ".join(self.datasets) or f"none of {self.pipeline}: check --store and --pipeline"
            raise ConfigError(
                f"store {self.store.url} knows {'; '.join(unknown)}. Datasets that were searched: {has}. Correct the id; "
                "--force adds one that the store does not know yet"
            )
        return found

    def spell(self, names: Sequence[str]) -> list[str]:
        """Return ids of units as the store spells them; those that it does not know stay as they are."""
        return [self.units.get(identify_unit(name), name) for name in names]

    def find_texts(self, units: Sequence[str]) -> dict[str, list[str]]:
        """Return the SHA-256 of the landed files that tell each of these units from all others; none where it never landed."""
        wanted = set(units)
        owners: dict[str, set[str]] = defaultdict(set)
        found: dict[str, list[tuple[str, bool, UnitReference]]] = defaultdict(list)
        for dataset in self.datasets:
            for entry in read_catalog(self.store, dataset).values():
                if entry.reference is None:
                    continue
                members = (entry.unit,) if identify_unit(entry.unit) in self.units else ()
                for unit, sums in list_contents(entry.reference, members).items():
                    for place, sha256 in enumerate(sums):
                        owners[sha256].add(unit)
                        if unit in wanted:
                            found[unit].append((sha256, place == 0, entry.reference))
        sizes = self._read_sizes({reference.unit for files in found.values() for _, _, reference in files})
        return {
            unit: sorted(
                {
                    sha256
                    for sha256, text, _ in files
                    if len(owners[sha256]) == 1 and (text or sizes.get(sha256, SMALL_BYTES) >= SMALL_BYTES)
                }
            )
            for unit, files in found.items()
        }

    def _read_sizes(self, folders: set[str]) -> dict[str, int]:
        listed = (entry for folder in folders for entry in self.store.list_objects(f"landing/{self.pipeline}/{folder}"))
        return {entry.key.split("/")[3]: entry.size for entry in listed}

    def _find_row(self, name: str, rows: dict[str, dict[str, str]]) -> str | None:
        """Return a row's id as the tables spell it, None where no table has it; `rows` keeps what was read of each unit."""
        for start in split_row(name):
            unit = self.units.get(identify_unit(start))
            if unit is not None:
                if unit not in rows:
                    rows[unit] = {identify_unit(row): row for row in self._read_rows(unit)}
                return rows[unit].get(identify_unit(unit + name[len(start) :]))
        return None

    def _read_rows(self, unit: str) -> Iterator[str]:
        """Yield the ids of a unit's rows in the latest releases."""
        for dataset in self.datasets:
            latest = find_latest(self.store, dataset)
            if latest is None or latest.manifest is None:
                continue
            for path in (file.path for file in latest.manifest.files if file.path.endswith(".parquet")):
                with self.store.reading(f"{release_key(dataset, latest.version)}/{path}") as stream:
                    file = pq.ParquetFile(stream)
                    if "id" in file.schema_arrow.names:
                        ids = file.read(columns=["id"]).column("id")
                        yield from ids.filter(pc.starts_with(ids, unit)).to_pylist()

    def _describe(self, name: str, rows: dict[str, dict[str, str]]) -> str:
        unit = next((unit for start in split_row(name) if (unit := self.units.get(identify_unit(start)))), "")
        near = find_nearest(name, rows[unit].values() if unit in rows else self.units.values())
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        return f"no unit or row {name!r}{meant}"


def read_names(store: Store, pipeline: str) -> KnownNames:
    """Return what a store knows of a pipeline: units of the last run's sources and of all releases, and its takedown list."""
    datasets = tuple(name for name in list_cataloged(store) if find_pipeline_of(store, name) == pipeline)
    units: dict[str, str] = {}
    for dataset in datasets:
        listed = store.read_derived(units_key(dataset), UNITS)
        for unit in (*read_history(store, dataset).splits, *(listed.units if listed is not None else ())):
            units[identify_unit(unit)] = unit
    for name in list_names(store, pipeline):
        units.setdefault(identify_unit(name), name)
    return KnownNames(store, pipeline, datasets, units)
