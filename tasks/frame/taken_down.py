"""What a takedown list names in a plan and in a release: the door that every row passes before it leaves the store."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.dataset.takedown import Takedown, identify
from core.errors import ConfigError, StoreError
from infra.store.catalog import find_pipeline_of
from infra.store.manifests import Manifest, release_key
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.store.takedown import read_takedown
from infra.tables.columns import NAMING_COLUMNS, NamedInRow, list_named
from infra.tables.parquet import read_inner_columns
from tasks.frame.plan import RunPlan
from tasks.frame.release_spec import ReleasePlan

MOST_NAMED = 10


def check_tables(store: Store, plan: RunPlan, release: ReleasePlan) -> None:
    """Take a last look at every table of a release before it is published: nothing in them may be on the takedown list."""
    for path in release.requests:
        for name, _ in find_listed(store, f"{release.folder}/{path}", plan.withheld.takedown):
            raise StoreError(
                f"{release.folder}/{path}: {name} is on the takedown list, and stands in this table of the release that was "
                "about to be published; nothing was published. Report this: a pipeline's tables name what is out"
            )


def find_listed(store: Store, key: str, takedown: Takedown) -> Iterator[tuple[str, NamedInRow]]:
    """Yield what a table names that is on the takedown list, each time with the row that names it.

    Reads the columns that name units, rows, comments and people, and nothing where the list is empty.
    """
    for row in read_named(store, key) if takedown else ():
        if listed := _find_in_row(row, takedown):
            yield listed, row


def read_named(store: Store, key: str) -> Iterator[NamedInRow]:
    """Yield what each row of a table names; only the columns that name something are read."""
    yield from map(list_named, read_inner_columns(store, key, NAMING_COLUMNS))


def _find_in_row(row: NamedInRow, takedown: Takedown) -> str:
    comments = (takedown.find_comment(unit, comment) for unit in row.units for comment in row.comments)
    return next(filter(None, (*map(takedown.find, (row.id, *row.units, *row.people)), *comments)), "")


@dataclass(frozen=True, slots=True)
class Holders:
    """The units and the rows of a release that hold something."""

    units: set[str] = field(default_factory=set)
    rows: set[str] = field(default_factory=set)


def find_taken_down(store: Store, dataset: str, manifest: Manifest, takedown: Takedown) -> dict[str, Holders]:
    """Return what of a release is on a takedown list: the listed ids, each with where it is found."""
    found = {listed: Holders({unit}) for unit in manifest.splits if (listed := takedown.find(unit))}
    if takedown:
        folder = release_key(dataset, manifest.version)
        for file in manifest.tables:
            for listed, row in find_listed(store, f"{folder}/{file.path}", takedown):
                holders = found.setdefault(listed, Holders())
                holders.units.update(row.units)
                holders.rows.update(filter(None, (row.id,)))
    return found


def read_takedown_of(store: Store, dataset: str) -> tuple[str, Takedown]:
    """Return the pipeline that makes a dataset, and its takedown list."""
    pipeline = find_pipeline_of(store, dataset) or dataset
    return pipeline, read_takedown(store, pipeline)


def apply_command(store: Store, pipeline: str) -> str:
    """Return the command that takes what is on a pipeline's takedown list out of its releases, the store and published copies."""
    return f"fabula takedown apply --pipeline {pipeline} --store {store.url}"


def refuse_taken_down(store: Store, dataset: str, version: str | None = None, allowed: bool = False, name: str = "") -> None:
    """Refuse to hand out rows of a release that holds something that is taken down, unless the caller says that it is meant.

    Costs a listing where the takedown list is empty.

    `allowed`: the caller was told to go on all the same (`--with-taken-down`). `name`: only a unit or row of it counts, "" for
    all.
    """
    if allowed:
        return
    pipeline, takedown = read_takedown_of(store, dataset)
    if not takedown:
        return
    try:
        manifest = choose_release(store, dataset, version)
    except ConfigError:
        return  # whoever reads it says so
    found = find_taken_down(store, dataset, manifest, takedown)
    if name:
        found = {
            listed: holders
            for listed, holders in found.items()
            if identify(name) in map(identify, (listed, *holders.units, *holders.rows))
        }
    if not found:
        return
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    named = "; ".join(f"{each} ({takedown.reasons[each]})" for each in sorted(found)[:MOST_NAMED]) + more
    raise ConfigError(
        f"{name or dataset}{f' {version}' if version else ''}: it holds what is on the takedown list of {pipeline}: {named}. "
        f"Nothing was handed out. Take it out of all releases with `{apply_command(store, pipeline)}`, or say --with-taken-down"
    )
