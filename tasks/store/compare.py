"""Reads two releases of a dataset and says what differs between them, and why."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from core.dataset.release_changes import (
    Cause,
    RowChange,
    RowPrint,
    UnitTrace,
    compare_rows,
    compare_settings,
    count_changes,
    find_causes,
)
from core.dataset.takedown import Takedown
from core.dataset.units import find_shard
from core.errors import ConfigError, DamagedObjectError
from core.fingerprints import flatten_settings
from infra.store.catalog import find_pipeline_of, list_catalogs, read_entries
from infra.store.history import read_history
from infra.store.manifests import Manifest, list_manifests, release_key
from infra.store.objects import Store, open_seal
from infra.store.releases import choose_release, read_default_config
from infra.store.takedown import read_takedown
from infra.tables.columns import PROVENANCE, UNIT_COLUMNS, list_named
from infra.tables.parquet import read_rows

_RECORD = TypeAdapter(dict[str, Any])
_PROVENANCE = frozenset(column.name for column in PROVENANCE)
_NAMES = ("id", "film")
"""Columns that name a row."""
_UNITS = tuple(sorted(UNIT_COLUMNS - {"retells"}, reverse=True))
"""Columns that name the unit of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two releases of a dataset: the rows of the default config that differ, each with the causes, and the settings that do.

    `renamed` are the units that have another source, licence or attribution in rows that are else the same.
    """

    dataset: str
    old: str
    new: str
    table: str
    rows: tuple[int, int]
    changes: list[tuple[RowChange, tuple[Cause, ...]]]
    settings: dict[str, tuple[object, object]]
    units: tuple[frozenset[str], frozenset[str]]
    renamed: frozenset[str]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "dataset": self.dataset,
            "old": self.old,
            "new": self.new,
            "table": self.table,
            "rows": {"old": self.rows[0], "new": self.rows[1]},
            "units": {"added": sorted(self.units[1] - self.units[0]), "removed": sorted(self.units[0] - self.units[1])},
            "renamed": sorted(self.renamed),
            "settings": {name: {"old": old, "new": new} for name, (old, new) in self.settings.items()},
            "counts": [
                {"change": change, "why": why, "rows": count} for (change, why), count in count_changes(self.changes).items()
            ],
            "changes": [
                {"id": row.id, "unit": row.unit, "change": row.change, "columns": list(row.columns), "why": list(causes)}
                for row, causes in self.changes
            ],
        }


def compare_releases(store: Store, dataset: str, old: str | None = None, new: str | None = None) -> Comparison:
    """Compare two releases of a dataset.

    `old` None: the one that `new` followed. `new` None: the latest.
    """
    new = new or choose_release(store, dataset).version
    if old is None:
        told = read_history(store, dataset).releases.get(new)
        if told is None or told.parent is None:
            raise ConfigError(f"release {new} of {dataset} followed no other; name both: fabula diff {dataset} OLD NEW")
        old = told.parent
        if old not in list_manifests(store, dataset):
            raise ConfigError(f"release {new} of {dataset} followed {old}, which was removed: by a takedown or `fabula prune`")
    manifests = choose_release(store, dataset, old), choose_release(store, dataset, new)
    table, rows, origins = _read_rows(store, dataset, manifests[1])
    _, before, earlier = _read_rows(store, dataset, manifests[0], table)
    units = frozenset(manifests[0].splits), frozenset(manifests[1].splits)
    settings = compare_settings(*(dict(flatten_settings(manifest.says.get("configuration"))) for manifest in manifests))
    traces = _trace(store, dataset, old), _trace(store, dataset, new)
    pipeline = find_pipeline_of(store, dataset)
    takedown = read_takedown(store, pipeline) if pipeline else Takedown()
    # The digests of what readers had decided when each was made, by unit and row; an older release tells none.
    reviews = [dict[str, dict[str, str]](manifest.says.get("reviews") or {}) for manifest in manifests]
    changes = [
        (
            row,
            find_causes(
                row,
                units,
                (traces[0].get(row.unit), traces[1].get(row.unit)),
                bool(settings),
                takedown,
                (reviews[0].get(row.unit, {}), reviews[1].get(row.unit, {})),
            ),
        )
        for row in compare_rows(before, rows)
    ]
    return Comparison(
        dataset=dataset,
        old=old,
        new=new,
        table=table,
        rows=(len(before), len(rows)),
        changes=changes,
        settings=settings,
        units=units,
        renamed=frozenset(rows[name].unit for name in rows.keys() & before.keys() if origins[name] != earlier[name]),
    )


def _read_rows(
    store: Store, dataset: str, manifest: Manifest, table: str | None = None
) -> tuple[str, dict[str, RowPrint], dict[str, int]]:
    """Return the name of a config (None: the default one), its rows by id, and digests of where each comes from."""
    folder = release_key(dataset, manifest.version)
    paths = [file.path for file in manifest.files if file.path.startswith("data/")]
    config = table or read_default_config(store, folder) or (paths[0].split("/")[1] if paths else "")
    found: dict[str, RowPrint] = {}
    origins: dict[str, int] = {}
    for path in paths:
        if path.startswith(f"data/{config}/"):
            for number, row in enumerate(read_rows(store, f"{folder}/{path}")):
                name = next((str(row[column]) for column in _NAMES if column in row), f"{path}#{number}")
                digests = {key: _digest(row[key]) for key in row if key not in _PROVENANCE}
                found[name] = RowPrint(_find_unit(row, manifest), digests, frozenset(_list_names(name, row)))
                origins[name] = _digest([row.get(key) for key in sorted(_PROVENANCE)])
    return config, found, origins


def _find_unit(row: Mapping[str, Any], manifest: Manifest) -> str:
    """Return the unit that a row is of, as the manifest names it: for a small unit the shard that it travels in."""
    names = [str(row[column]) for column in _UNITS if row.get(column) is not None]
    whole = next((name for name in names if name in manifest.splits), None)
    shards = (find_shard(name, manifest.splits) for name in names)
    return whole or next(filter(None, shards), names[0] if names else "")


def _list_names(name: str, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a takedown may call a row: its id, its units, the pseudonyms of its authors, its comments."""
    named = list_named(row)
    yield from (name, *named.units, *named.people)
    yield from (form for unit in named.units for each in named.comments for form in (f"{unit}_{each}", f"t1_{each}"))


def _digest(value: object) -> int:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def find_run_of(store: Store, dataset: str, version: str) -> tuple[str, dict[str, Any]] | None:
    """Return the id and the record of the first run that made, or found, a release; damaged records say nothing."""
    for key, content in sorted(store.read_all(store.list_keys("runs")).items()):
        try:
            record = _RECORD.validate_json(open_seal(content))
        except ValueError:
            continue
        made = str(record.get("release") or "").rstrip("/").rsplit("/", 1)[-1]
        if record.get("dataset") == dataset and made == version:
            return key.rsplit("/", 1)[-1].removesuffix(".json"), record
    return None


def _trace(store: Store, dataset: str, version: str) -> dict[str, UnitTrace]:
    """Return what each unit of a release was made from, as the catalog of the run that made it tells; empty where none does."""
    run = find_run_of(store, dataset, version)
    if run is None:
        return {}
    catalogs = [entry.key for entry in list_catalogs(store, dataset)]
    seen = [key for key in catalogs if key.rsplit("/", 1)[-1].removesuffix(".parquet") <= run[0]]
    try:
        entries = read_entries(store, seen[-1]) if seen else None
    except DamagedObjectError:
        return {}
    return {
        entry.unit: UnitTrace(
            frozenset(key.split("/")[3] for key in entry.reference.inputs),
            {stage: artifact.fingerprint for stage, artifact in entry.reference.artifacts.items()},
        )
        for entry in entries or ()
        if entry.reference is not None
    }
