"""A release's tables, for every pipeline: planned as shards, written one shard a call, read again from its manifest."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pyarrow as pa

from core.dataset.rejects import RejectedRows
from core.dataset.splits import SPLITS, Split, SplitConfig, assign_splits, natural_key
from core.dataset.takedown import Withheld
from core.dataset.units import plan_shards
from core.errors import ConfigError, StoreError, UnfitUnitsError
from core.reading.belief import FOUND, READING, summarise_reading
from core.reading.questions import NO_READER
from core.references import UnitFailure, UnitReference
from core.review.decisions import Decision
from infra.store.history import read_history
from infra.store.manifests import Manifest, ReleaseFile, find_faults, read_release, release_key
from infra.store.objects import Store
from infra.store.releases import digest_contents, find_latest, read_claimed
from infra.tables.codecs import check_table
from infra.tables.columns import leave_meanings_out
from infra.tables.parquet import Provenance, Rows, read_rows, write_tables
from tasks.frame.build import explain_misfit, open_store
from tasks.frame.release_spec import (
    Landed,
    ReleasePlan,
    ReleaseSpec,
    ReleaseUnit,
    ShardReference,
    ShardRequest,
    Summary,
    TableSpec,
)


def describe_unfit(unit: str, what: str, error: Exception) -> UnitFailure:
    """Return the failure of a unit that a release cannot take: `what` of it ended with `error`."""
    reason = (
        f"{unit}: {what} ({explain_misfit(error)}), so it stays out of the release; look at its files, and report it if they are "
        "in order"
    )
    return UnitFailure(unit, (), "release", reason, type(error).__name__, permanent=True)


def find_unfit(
    summarise: Callable[[Landed[Any], Sequence[ShardReference]], Summary], landed: Landed[Any], error: Exception
) -> tuple[UnitFailure, ...]:
    """Return the units whose statistics alone raise the error that the statistics of all raise; none if every unit does."""
    found = []
    for unit, reference in landed.references.items():
        try:
            summarise(replace(landed, references={unit: reference}), ())
        except Exception as other:  # whatever it was
            if (type(other), str(other)) == (type(error), str(error)):
                found.append(describe_unfit(unit, "its statistics cannot be computed", other))
    return tuple(found) if len(found) < max(len(landed.references), 2) else ()


RELEASE_VERSION = 7
"""Raised when the files of a release change though the artifacts that they are made from do not."""


def list_release_units(landed: Landed[Any], spec: ReleaseSpec[Any]) -> dict[str, ReleaseUnit]:
    """Return the landed units as a release needs them."""
    told, provenance = spec.facts(landed), landed.config.provenance
    read = spec.read_stages or spec.released_stages
    covered = tuple(dict.fromkeys((*spec.released_stages, *read)))
    return {
        unit: ReleaseUnit(
            unit=unit,
            artifacts={stage: reference.artifacts[stage] for stage in (*read, *_list_read(reference))},
            checksums=tuple(f"{stage} {reference.artifacts[stage].sha256}" for stage in (*covered, *_list_read(reference))),
            size=reference.counts["characters"],
            provenance=Provenance(spec.source or "; ".join(reference.sources), provenance.license, provenance.attribution),
            facts=told.get(unit, {}),
            reviews=tuple(landed.reviews.get(unit, ())),
        )
        for unit, reference in landed.references.items()
    }


def _list_read(reference: UnitReference) -> list[str]:
    """Return what a unit has from a model that reads: rows and statistics tell of it."""
    return [name for name in (READING, FOUND) if name in reference.artifacts]


def tell_reading(summary: Summary, landed: Landed[Any]) -> Summary:
    """Return statistics that also tell what the reader of the settings was asked, and how far it is believed."""
    model = getattr(landed.config, "reader", NO_READER).model
    if not model:
        return summary
    told, figures = summarise_reading(model, (reference.counts for reference in landed.references.values()), summary.belief)
    return replace(summary, statistics={**summary.statistics, READING: told}, figures=[*summary.figures, *figures])


def plan_release(
    store: Store,
    dataset: str,
    units: Mapping[str, ReleaseUnit],
    tables: Sequence[TableSpec],
    config: SplitConfig,
    configuration: object,
    withheld: Withheld | None = None,
    told: object = None,
) -> ReleasePlan:
    """Plan the release of the given units: splits, version and shards.

    The version covers everything that any file of the release depends on, so that two stores with the same version have the same
    bytes: the dataset's name, settings, what statistics tell, what is taken down, the writer of the Parquet files, every unit
    with its split, and every file with its schema and its units.

    What an earlier release placed stays where it was. `configuration` is every setting, and `told` what the statistics tell
    beyond the units, as JSON values.
    """
    out = withheld or Withheld()
    units = {
        name: replace(unit, withheld=out.rows[name]) if name in out.rows else unit
        for name, unit in units.items()
        if name not in out
    }
    latest = find_latest(store, dataset)
    placed = read_claimed(store, dataset)
    marked = {unit: table.split for table in tables if table.split for unit in table.units or () if unit in units}
    splits = assign_splits([unit for unit in units if unit not in marked], config, placed) | marked
    splits = {unit: splits[unit] for unit in sorted(splits, key=natural_key)}
    paths = {path: (table, members) for table in tables for path, members in _shards(table, splits, units)}
    reasons = dict(sorted(Counter(out.units.values()).items()))
    contents = [
        [dataset, pa.__version__, told, reasons],
        [_identify(units[unit], split) for unit, split in splits.items()],
        [
            [table.name, table.description, str(leave_meanings_out(table.schema)), path, members]
            for path, (table, members) in paths.items()
        ],
    ]
    version = digest_contents(contents, [RELEASE_VERSION, configuration])
    folder = release_key(dataset, version)
    requests = {
        path: ShardRequest(store=store.url, release=folder, path=path, table=table, units=tuple(units[unit] for unit in members))
        for path, (table, members) in paths.items()
    }
    current = latest is not None and latest.version == version
    written = latest.manifest if latest is not None and latest.version == version else read_release(store, dataset, version)
    return ReleasePlan(
        dataset=dataset,
        version=version,
        folder=folder,
        parent=None if latest is None else latest.parent if current else latest.version,
        current=current,
        complete=written is not None and not _tell_faults(store, dataset, written),
        sound=(latest is None or latest.sound) and read_history(store, dataset).sound,
        splits=splits,
        placed=placed,
        gone={unit: split for unit, split in placed.items() if unit not in splits and unit not in out},
        requests=requests,
        configuration=configuration,
        withheld=reasons,
        reviews={name: digest_decisions(unit.reviews) for name, unit in units.items() if unit.reviews},
    )


def _tell_faults(store: Store, dataset: str, manifest: Manifest) -> bool:
    """Warn of what is missing or damaged in a release; return whether something is."""
    faults = find_faults(store, dataset, manifest)
    for path, fault in faults.items():
        store.tell_damage(f"{release_key(dataset, manifest.version)}/{path}", fault, "the release is written anew")
    return bool(faults)


def _identify(unit: ReleaseUnit, split: Split) -> list[object]:
    """Return everything that a unit's rows are made from, as JSON values."""
    provenance = (unit.provenance.source, unit.provenance.license, unit.provenance.attribution)
    reviews, withheld = [asdict(decision) for decision in unit.reviews], dict(unit.withheld.reasons)
    return [unit.unit, split, unit.checksums, provenance, dict(unit.facts), withheld, *([reviews] if reviews else [])]


def digest_decisions(decisions: Iterable[Decision]) -> dict[str, str]:
    """Return a short digest of what was decided of each row.

    A row has several decisions where annotators have seen several of its texts; its digest is of them all.
    """
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for decision in decisions:
        told = asdict(decision)
        rows[decision.item].append(told | {"basis": told.pop("digest")})  # as versions of releases have named it so far
    return {item: hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12] for item, told in rows.items()}


def write_shard(request: ShardRequest) -> ShardReference:
    """Write one Parquet file of a release; the same request gives the same bytes, so a second try does no harm.

    Raises:
        UnfitUnitsError: the rows of some units do not fit the table; no file is left then.
    """
    store = open_store(request.store)
    counts: Counter[Any] = Counter()
    withheld: Counter[str] = Counter()
    unfit: list[UnitFailure] = []
    credited: set[tuple[str, str]] = set()

    def build() -> Iterator[Rows]:
        for unit in request.units:
            try:
                every = request.table.build(store, unit)
                check_table(every.table, request.table.schema)
            except (StoreError, ConfigError, MemoryError):
                raise
            except Exception as error:  # whatever is wrong with one unit
                unfit.append(describe_unfit(unit.unit, f"its rows do not fit the table {request.table.name}", error))
                continue
            out = every.find(unit.withheld)
            withheld.update(map(unit.withheld.reason, out))
            rows = every.without(out)
            counts.update(rows.counts)
            credited.update(rows.credits)
            yield rows
        if unfit:
            raise UnfitUnitsError(tuple(unfit))

    with store.writing(f"{request.release}/{request.path}") as stream:
        rows = write_tables(stream, request.table.schema, build())
    stored = stream.stored
    split = request.path.rsplit("/", 1)[1].split("-", 1)[0] if request.table.config else ""
    return ShardReference(
        path=request.path,
        table=request.table.name,
        split=split,
        sha256=stored.sha256,
        size=stored.size,
        rows=rows,
        counts=dict(counts),
        withheld=dict(withheld),
        credits=tuple(sorted(credited)),
    )


def summarise_tables(_: Landed[Any], shards: Sequence[ShardReference]) -> Summary:
    """Return the rows of each table: the statistics of a pipeline that has no others."""
    rows = count_rows(shards)
    figures = [{"metric": f"rows of {table}", "value": str(count)} for table, count in rows.items()]
    return Summary({"rows": rows}, figures)


def count_rows(files: Iterable[ShardReference | ReleaseFile]) -> dict[str, int]:
    """Return the rows of each table."""
    rows: Counter[str] = Counter()
    for file in files:
        rows[file.table] += file.rows
    return dict(rows)


def _shards(table: TableSpec, splits: Mapping[str, Split], units: Mapping[str, ReleaseUnit]) -> Iterator[tuple[str, list[str]]]:
    members = [unit for unit in splits if table.units is None or unit in table.units]
    if table.config and table.split is not None:
        groups = {f"data/{table.name}/{table.split}": members}
    elif table.config:
        groups = {f"data/{table.name}/{split}": [unit for unit in members if splits[unit] == split] for split in SPLITS}
    else:
        groups = {f"{table.name}/{table.name}": members}
    for prefix, group in groups.items():
        shards = plan_shards((unit, int(units[unit].size * table.expansion)) for unit in group)
        for number, members in enumerate(shards):
            yield f"{prefix}-{number:05d}-of-{len(shards):05d}.parquet", members


REJECTS = "rejects"
"""The table of what a release left out; every row has a `reason`."""


def explain_files(
    store: Store, folder: str, files: Iterable[ShardReference | ReleaseFile], spec: ReleaseSpec[Any], config: Any
) -> Sequence[RejectedRows]:
    """Return the rows that the release in a folder left out by reason, of its tables."""
    keys = [f"{folder}/{file.path}" for file in files if file.table == REJECTS and file.rows]
    rows = (row for key in keys for row in read_rows(store, key, ("reason",), spec.reject_columns))
    return spec.explain_rejects(config, rows) if keys else ()
