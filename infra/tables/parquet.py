"""Tables of releases: rows with their provenance, written as Parquet files and read in parts."""

import atexit
import gc
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO, Any, TypeAlias
from weakref import WeakSet

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import ConfigError, DamagedObjectError
from infra.store.objects import ObjectWriter, Store, describe_damage
from infra.tables.columns import leave_meanings_out

Schema: TypeAlias = pa.Schema

COMPRESSION_LEVEL = 3
"""Of zstd: overlapping pairs repeat their dialogue, and level 1 does not look far enough back to see it."""
GROUP_BYTES = 8 * 2**20
"""A row group of a release is closed at so many bytes before compression."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a unit's rows come from: the files, their licence, and whom to credit."""

    source: str
    license: str
    attribution: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A unit's rows in one table. `outcomes` has a value a row to count by (alignments: chunk size and reason), or is empty."""

    table: pa.Table
    outcomes: Sequence[Hashable] = ()

    @property
    def counts(self) -> Counter[Any]:
        """How many rows there are of each outcome."""
        return Counter(self.outcomes)

    @property
    def credits(self) -> set[tuple[str, str]]:
        """Whom the rows credit, each with the licence; empty where the table says neither."""
        if not {"attribution", "license"} <= set(self.table.column_names):
            return set()
        named = [self.table.column(name) for name in ("attribution", "license")]
        alone = [pc.unique(column).to_pylist() for column in named]
        if max(map(len, alone)) <= 1:  # grouping takes some milliseconds
            return set(zip(*alone, strict=True))
        found = self.table.select(["attribution", "license"]).group_by(["attribution", "license"]).aggregate([])
        return set(zip(found.column("attribution").to_pylist(), found.column("license").to_pylist(), strict=True))

    def find(self, names: Container[str]) -> list[str]:
        """Return the `id` of the rows that are among `names`; none where the table has no ids."""
        if not names or "id" not in self.table.column_names:
            return []
        return [name for name in self.table.column("id").to_pylist() if name in names]

    def without(self, names: Collection[str]) -> "Rows":
        """Return the rows whose `id` is none of `names`."""
        if not names:
            return self
        stays = [name not in names for name in self.table.column("id").to_pylist()]
        outcomes = [outcome for outcome, kept in zip(self.outcomes, stays, strict=True) if kept] if self.outcomes else ()
        return Rows(self.table.filter(pa.array(stays, pa.bool_())), outcomes)


def write_tables(stream: ObjectWriter, schema: Schema, parts: Iterable[Rows], page_checksums: bool = False) -> int:
    """Write the parts one after the other as one Parquet file and return the number of rows.

    Small parts share a row group: one of a few rows costs as much time, and as much of a reader's, as one of thousands. At most
    `GROUP_BYTES` and one part are held at a time. With `page_checksums` a reader may see that the rows are damaged.
    """
    count = 0
    target = pa.PythonFile(stream, mode="w")
    with pq.ParquetWriter(
        target,
        leave_meanings_out(schema),
        compression="zstd",
        compression_level=COMPRESSION_LEVEL,
        write_page_checksum=page_checksums,
    ) as writer:
        for table in _join_parts(rows.table for rows in parts):
            count += len(table)
            writer.write_table(table)
    return count


def _join_parts(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    held: list[pa.Table] = []
    size = 0
    for table in tables:
        if not len(table):  # `datasets` cannot read a row group without rows
            continue
        held.append(table)
        size += table.nbytes
        if size >= GROUP_BYTES:
            yield pa.concat_tables(held)
            held, size = [], 0
    if held:
        yield pa.concat_tables(held)


class _Watched:
    """A stream that keeps the error that reading it raised: such an error is the backend's, any other is of the bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.failure: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except Exception as error:
            self.failure = error
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_handed_out: "WeakSet[_Watched]" = WeakSet()
_LET_GO_SECONDS = 0.5


@atexit.register
def _wait_for_readers() -> None:
    """Wait until Arrow's threads have let go of the streams that they read: one that does so after the interpreter aborts it."""
    end = time.monotonic() + _LET_GO_SECONDS
    while _handed_out and time.monotonic() < end:
        gc.collect()
        time.sleep(0.002)


@contextmanager
def _opened(store: Store, key: str) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file.

    Raises:
        DamagedObjectError: it is none, or a part that is read is damaged.
        StoreError: the backend failed.
    """
    with store.reading(key) as opened:
        stream = _Watched(opened)
        _handed_out.add(stream)
        try:
            yield pq.ParquetFile(stream)
        except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
            if stream.failure is not None:
                raise stream.failure from None
            raise DamagedObjectError(
                f"store {store.url}: {key} is damaged ({describe_damage(error)}); restore it from a backup. `fabula verify` "
                "names all damaged files of a release"
            ) from error


def _check_columns(file: pq.ParquetFile, key: str, columns: Sequence[str]) -> None:
    if missing := [name for name in columns if name not in file.schema_arrow.names]:
        raise ConfigError(f"{key} has no column {', '.join(missing)}; its columns are {', '.join(file.schema_arrow.names)}")


def match_rows(store: Store, key: str, column: str, value: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that have a value in a column, with all columns, or some; none where it lacks the column.

    Of row groups without such a row only that column is read.

    Raises:
        ConfigError: the file lacks one of `columns`.
    """
    # Not `read_table`: its dataset layer may wait for ever at damaged bytes. No threads of Arrow's, here and below: one that lets
    # go of the Python stream while the process ends aborts it.
    with _opened(store, key) as file:
        _check_columns(file, key, columns or ())
        for group in range(file.num_row_groups if column in file.schema_arrow.names else 0):
            wanted = pc.equal(file.read_row_group(group, columns=[column], use_threads=False).column(column), value)
            if pc.any(wanted).as_py():
                yield from file.read_row_group(group, columns=columns, use_threads=False).filter(wanted).to_pylist()


def read_rows(
    store: Store,
    key: str,
    columns: Sequence[str] | None = None,
    where_there: Sequence[str] = (),
    places: Sequence[int] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield rows of a Parquet file, those at some `places` in ascending order or all; a row group is held at a time.

    The rows have all columns, or some; those of `where_there` are left out where the file lacks them.

    Raises:
        ConfigError: the file lacks one of `columns`.
    """
    with _opened(store, key) as file:
        names = None
        if columns is not None:
            _check_columns(file, key, columns)
            names = [*columns, *(name for name in where_there if name in file.schema_arrow.names)]
        places = range(file.metadata.num_rows) if places is None else places
        first = 0
        for group in range(file.num_row_groups):
            last = first + file.metadata.row_group(group).num_rows
            if wanted := places[bisect_left(places, first) : bisect_left(places, last)]:
                table = file.read_row_group(group, columns=names, use_threads=False)
                yield from table.take([place - first for place in wanted]).to_pylist()
            first = last


def read_inner_columns(store: Store, key: str, columns: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield those of some columns that a Parquet file has, by rows; `pieces.author` is one inside a list of objects."""
    with _opened(store, key) as file:
        paths = (file.schema.column(place).path for place in range(len(file.schema)))
        wanted = sorted(path for path in paths if path.replace(".list.element", "") in columns)
        for group in range(file.num_row_groups if wanted else 0):
            yield from file.read_row_group(group, columns=wanted, use_threads=False).to_pylist()


def read_columns(store: Store, key: str) -> frozenset[str]:
    """Return the names of a Parquet file's columns."""
    with _opened(store, key) as file:
        return frozenset(file.schema_arrow.names)


def assemble(schema: Schema, table: pa.Table, columns: Mapping[str, pa.Array], provenance: Provenance) -> pa.Table:
    """Put `columns`, the provenance and the other columns of `table` into the order and types of `schema`."""
    count = len(next(iter(columns.values()), table))
    filled = dict(columns) | {name: repeated(value, count) for name, value in asdict(provenance).items()}
    arrays = [filled[name] if name in filled else table.column(name) for name in schema.names]
    return pa.Table.from_arrays([array.cast(field.type) for array, field in zip(arrays, schema, strict=True)], schema=schema)


def repeated(value: str, count: int) -> pa.Array:
    """Return a column of one text."""
    return pa.repeat(pa.scalar(value, pa.string()), count)
