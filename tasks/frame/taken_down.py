"""A last look at the tables of a release, before it is published: nothing in them may be on the takedown list."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import FabulaError, StoreError
from core.takedown import Takedown, split_row
from core.units import identify_unit
from infra.store.objects import Store
from infra.tables.columns import UNIT_COLUMNS
from tasks.frame.planning import RunPlan
from tasks.frame.release import ReleasePlan


class TakedownGrewError(FabulaError):
    """Units or rows of the release that is being made were put on the takedown list meanwhile: it has to be planned again."""


def check_tables(store: Store, plan: RunPlan, release: ReleasePlan) -> None:
    """Look at every table of a release for units and rows that are on the takedown list.

    Reads the columns that name units and rows, and nothing where the list is empty.

    Raises:
        StoreError: one stands in a table; the message names it.
    """
    takedown = plan.withheld.takedown
    if not takedown.reasons:
        return
    rows = {name for names in plan.withheld.rows.values() for name in names}
    known = {identify_unit(member) for members in plan.members.values() for member in members}
    for path in release.requests:
        with store.reading(f"{release.folder}/{path}") as stream:
            for name in _find_listed(pq.ParquetFile(stream), takedown, rows, known):
                raise StoreError(
                    f"{release.folder}/{path}: {name} is on the takedown list, and stands in this table of the release that was "
                    "about to be published; nothing was published. Report this: a pipeline's tables name units that are out"
                )


def _find_listed(file: pq.ParquetFile, takedown: Takedown, rows: set[str], known: set[str]) -> Iterator[str]:
    names = [name for name in file.schema_arrow.names if name == "id" or name in UNIT_COLUMNS]
    if not names:
        return
    table = file.read(columns=names)
    units = [name for name in names if name != "id"]
    for name in units:
        yield from (value for value in pc.unique(table.column(name)).to_pylist() if value is not None and value in takedown)
    if "id" not in names:
        return
    ids = table.column("id")
    if rows:
        yield from ids.filter(pc.is_in(ids, pa.array(sorted(rows), pa.string()))).to_pylist()
    if not units:
        yield from (name for name in ids.to_pylist() if _is_listed(name, takedown, known))


def _is_listed(row: str, takedown: Takedown, known: set[str]) -> bool:
    """Tell whether a row's unit is on the list: of the beginnings of its id that are a unit, the longest counts."""
    for start in (row, *split_row(row)):
        if identify_unit(start) in known:
            return False
        if start in takedown:
            return True
    return False
