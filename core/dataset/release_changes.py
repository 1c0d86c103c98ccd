"""What differs between two releases of a dataset: rows that came, went, moved or changed, and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.dataset.takedown import Takedown

Change = Literal["added", "removed", "moved", "changed"]
Cause = Literal["new unit", "unit is gone", "input", "setting", "algorithm", "takedown", "review", "unknown"]

DIALOGUE = "turns"
TEXT = "summary"


@dataclass(frozen=True, slots=True)
class RowPrint:
    """A row in short: its unit, a digest of the value of each column, and what a takedown may call it.

    `names` are its id, its unit, the small unit that it is of where this is a shard, and authors who speak in it.
    """

    unit: str
    columns: Mapping[str, int]
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row that differs: `moved` is the same summary with other turns; `columns` are those that differ, of rows in both.

    `names` are what a takedown may call the row.
    """

    id: str
    unit: str
    change: Change
    columns: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class UnitTrace:
    """What a unit's rows were made from: the checksums of its landed files, and the fingerprint of each of its artifacts."""

    inputs: frozenset[str]
    fingerprints: Mapping[str, str]


def compare_rows(old: Mapping[str, RowPrint], new: Mapping[str, RowPrint]) -> Iterator[RowChange]:
    """Yield what differs between two releases' rows by id, in the order of the new release, then what it lacks.

    Columns that only one of the releases has do not count: they say that the table has changed, not the row.
    """
    for name, row in new.items():
        before = old.get(name)
        if before is None:
            yield RowChange(name, row.unit, "added")
            continue
        differing = tuple(column for column, digest in row.columns.items() if before.columns.get(column, digest) != digest)
        if differing:
            moved = DIALOGUE in differing and TEXT not in differing
            yield RowChange(name, row.unit, "moved" if moved else "changed", differing)
    for name, row in old.items():
        if name not in new:
            yield RowChange(name, row.unit, "removed", names=row.names)


def compare_settings(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, tuple[object, object]]:
    """Return the settings that differ, old and new value by name; None where a release does not have one."""
    names = dict.fromkeys([*old, *new])
    return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}


def find_causes(
    change: RowChange,
    units: tuple[frozenset[str], frozenset[str]],
    traces: tuple[UnitTrace | None, UnitTrace | None],
    settings_differ: bool,
    takedown: Takedown,
    reviews: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> tuple[Cause, ...]:
    """Return why a row differs.

    A unit's input has changed if its files have. With the same input, an artifact of another fingerprint was made with other
    settings or by another version of a stage: the first where settings differ. With the same artifacts only the rules of the
    release can differ, which are settings too.

    Args:
        change: the row.
        units: the units of the old release and of the new one.
        traces: what the row's unit was made from in the old release and in the new one; None where that is not known.
        settings_differ: whether any setting differs.
        takedown: the takedown list.
        reviews: digests of what readers have decided of the rows of this unit, by row, in the old release and in the new one. A
            row whose own decision differs has changed because of it. Where the unit has other decisions and nothing else differs,
            they are the cause too: rows with the same sentences follow, and the rows to train on are chosen anew.
    """
    if change.change == "removed" and any(name in takedown for name in (change.id, change.unit, *change.names)):
        return ("takedown",)
    if change.unit not in units[0]:
        return ("new unit",)
    if change.unit not in units[1]:
        return ("unit is gone",)
    decided: list[Cause] = ["review"] if reviews[0].get(change.id) != reviews[1].get(change.id) else []
    before, after = traces
    if before is None or after is None:
        return (*decided, "setting", "unknown") if settings_differ else (*(decided or ["unknown"]),)
    causes: list[Cause] = ["input"] if before.inputs != after.inputs else []
    if settings_differ:
        causes.append("setting")
    elif not causes and before.fingerprints != after.fingerprints:
        causes.append("algorithm")
    if not causes and reviews[0] != reviews[1]:
        return ("review",)
    return (*decided, *causes) or ("unknown",)


def count_changes(changes: Sequence[tuple[RowChange, tuple[Cause, ...]]]) -> dict[tuple[Change, str], int]:
    """Return the number of rows by change and causes ("input, setting"), the most frequent first."""
    return dict(Counter((row.change, ", ".join(causes)) for row, causes in changes).most_common())
