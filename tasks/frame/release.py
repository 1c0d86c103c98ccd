"""A release's tables, for every pipeline: planned as shards, written one shard a call, published with a manifest."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import pyarrow as pa

from core.dataset.shards import plan_shards
from core.dataset.splits import SPLITS, Split, SplitConfig, assign_splits, natural_key
from core.dataset.takedown import Takedown, Withheld
from core.errors import ConfigError, DamagedArtifactError, StoreError
from core.references import Artifact, UnitFailure
from core.review.decisions import Decision
from infra.store.history import read_history
from infra.store.manifests import Manifest, find_faults, read_release, release_key
from infra.store.objects import Store
from infra.store.releases import LatestRelease, digest_contents, find_latest, read_claimed, read_placements
from infra.tables.codecs import check_table
from infra.tables.parquet import Provenance, Rows, Schema, write_tables
from tasks.frame.release_spec import Landed, ReleaseSpec
from tasks.frame.reviews import digest_decisions
from tasks.frame.unfit import UnfitUnitsError, describe_unfit

RELEASE_VERSION = 7
"""Raised when the files of a release change though the artifacts that they are made from do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseUnit:
    """A landed unit as a release needs it.

    `artifacts` are by stage those that its rows are read from, and `checksums` those that the release's version covers. `size`
    is its text in bytes, `facts` what its rows say beyond its artifacts (the earlier episode that a recap retells, gold links).
    `withheld` are its rows that the takedown list keeps out: tables without a column `id` heed it themselves. `reviews` is what
    readers have decided of its rows.
    """

    unit: str
    artifacts: Mapping[str, Artifact]
    checksums: tuple[str, ...]
    size: int
    provenance: Provenance
    facts: Mapping[str, str | None] = field(default_factory=dict)
    withheld: Takedown = field(default_factory=Takedown)
    reviews: tuple[Decision, ...] = ()

    def read(self, store: Store, stage: str) -> bytes:
        """Return the bytes of a stage's artifact; errors as in `read_artifact`."""
        return read_artifact(store, self.unit, self.artifacts[stage])


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """A table of a release: its rows for one unit, and where they go.

    A `config` has a file per split under `data/<name>/`; another table goes to `<name>/` as a whole. `build` must be a function
    that a worker can import, or a partial of one. `expansion` is the rows' size relative to the unit's text: shards are cut so.
    `units` are those that the table has rows of (None: all). `split` is their split then, whatever an earlier release said: a
    unit that people have marked for evaluation leaves training. `description` says in the card what a config holds ("": nothing).
    """

    name: str
    schema: Schema
    build: Callable[[Store, ReleaseUnit], Rows]
    config: bool
    expansion: float
    units: frozenset[str] | None = None
    split: Split | None = None
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRequest:
    """A shard to write: `path` is the file's place in the release, `release` the release's key in the store."""

    store: str
    release: str
    path: str
    table: TableSpec
    units: tuple[ReleaseUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardReference:
    """A written shard of `table` and `split` ("" outside the configs), and what its rows count together (`Rows.counts`).

    `withheld` counts the rows that the takedown list kept out of it, by reason. `credits` are whom its rows name, each with the
    licence.
    """

    path: str
    table: str
    split: str
    sha256: str
    size: int
    rows: int
    counts: dict[Any, int]
    withheld: dict[str, int] = field(default_factory=dict)
    credits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """A release to be: `requests` by file path are its tables, `splits` those of its units, `parent` the version before.

    `placed` is what was placed by earlier releases, or claimed by runs in progress, when it was planned. `gone` are the splits of
    units among these that this one lacks. Parent and gone units are of this store: they go into the pointer and the history,
    and not into the release, whose files are the same in every store. `withheld` counts the units that the takedown list keeps
    out, by reason; the history remembers their splits. `reviews` has by unit and row a digest of what readers have decided.
    `current`: the latest release is just this one. `complete`: all its files are there. `sound`: nothing of what the store
    remembers of the dataset (its pointer, its history) is damaged.
    """

    dataset: str
    version: str
    folder: str
    parent: str | None
    current: bool
    complete: bool
    sound: bool
    splits: dict[str, Split]
    placed: dict[str, Split]
    gone: dict[str, Split]
    requests: dict[str, ShardRequest]
    configuration: object
    withheld: dict[str, int] = field(default_factory=dict)
    reviews: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def unchanged(self) -> bool:
        """Whether there is nothing to do: no file to write and no pointer to move."""
        return self.current and self.complete and self.sound


def read_artifact(store: Store, unit: str, artifact: Artifact) -> bytes:
    """Return the bytes of a unit's artifact.

    Raises:
        DamagedArtifactError: it is missing, or its bytes are not those that were written.
        StoreError: the store failed.
    """
    found = store.read_if_there(artifact.key)
    if found is None or found[1] != artifact.sha256:
        raise DamagedArtifactError(unit, artifact.key, "missing" if found is None else "damaged")
    return found[0]


def list_release_units(landed: Landed[Any], spec: ReleaseSpec[Any]) -> dict[str, ReleaseUnit]:
    """Return the landed units as a release needs them."""
    told, provenance = spec.facts(landed), landed.config.provenance
    read = spec.read_stages or spec.released_stages
    covered = tuple(dict.fromkeys((*spec.released_stages, *read)))
    return {
        unit: ReleaseUnit(
            unit=unit,
            artifacts={stage: reference.artifacts[stage] for stage in read},
            checksums=tuple(f"{stage} {reference.artifacts[stage].sha256}" for stage in covered),
            size=reference.counts["characters"],
            provenance=Provenance(spec.source or "; ".join(reference.sources), provenance.license, provenance.attribution),
            facts=told.get(unit, {}),
            reviews=tuple(landed.reviews.get(unit, ())),
        )
        for unit, reference in landed.references.items()
    }


def check_splits(store: Store, dataset: str, units: Collection[str], config: SplitConfig) -> None:
    """Check that every unit that a run may release has a place, before any is built.

    Raises:
        ConfigError: a unit is in no list or arc, the pattern of the groups does not match its id, or units travel in another
            number of shards than in the releases before.
    """
    assign_splits(list(units), config, read_placements(store, dataset))


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

    Args:
        store: where the dataset's earlier releases are.
        dataset: its name.
        units: every landed unit.
        tables: what the release consists of.
        config: how units are divided; what an earlier release placed stays where it was.
        configuration: every setting as JSON values; it goes into the version and the manifest.
        withheld: what the takedown list keeps out.
        told: what the statistics tell beyond the units, as JSON values.
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
        [[table.name, table.description, str(table.schema), path, members] for path, (table, members) in paths.items()],
    ]
    version = digest_contents(contents, [RELEASE_VERSION, configuration])
    folder = release_key(dataset, version)
    requests = {
        path: ShardRequest(store=store.url, release=folder, path=path, table=table, units=tuple(units[unit] for unit in members))
        for path, (table, members) in paths.items()
    }
    current = latest is not None and latest.version == version
    written = _find_written(store, dataset, version, latest)
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
        reviews=digest_decisions({name: unit.reviews for name, unit in units.items()}),
    )


def _find_written(store: Store, dataset: str, version: str, latest: LatestRelease | None) -> Manifest | None:
    """Return the manifest of a version where it is there and whole."""
    if latest is not None and latest.version == version:
        return latest.manifest
    return read_release(store, dataset, version)


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
    return [
        unit.unit,
        split,
        unit.checksums,
        provenance,
        dict(unit.facts),
        withheld,
        *([reviews] if reviews else []),
    ]


def write_shard(request: ShardRequest) -> ShardReference:
    """Write one Parquet file of a release; the same request gives the same bytes, so a second try does no harm.

    Raises:
        StoreError: an artifact is missing or the store failed.
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


def count_rows(shards: Sequence[ShardReference]) -> tuple[tuple[str, str], ...]:
    """Return the rows of each table, for a person: `pairs` and `23,375 rows`."""
    rows: dict[str, int] = defaultdict(int)
    for shard in shards:
        rows[shard.table] += shard.rows
    return tuple((table, f"{count:,} rows") for table, count in rows.items())


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


@lru_cache(maxsize=4)
def open_store(url: str) -> Store:
    """Return a store; a worker that writes many files of a release opens it once."""
    return Store(url)
