"""The takedown list of a pipeline in the store: `takedown/<pipeline>.tsv`, a line an id."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO

from core.errors import ConfigError, StoreError
from core.takedown import Takedown
from infra.store.objects import Store

_COLUMNS = ("id", "time", "reason")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")  # a unit's id, perhaps with a row's place in it


@dataclass(frozen=True, slots=True)
class TakedownLine:
    """An id that is out, since when (ISO 8601) and why."""

    id: str
    time: str
    reason: str


def read_takedown(store: Store, pipeline: str) -> Takedown:
    """Return what is to stay out of a pipeline's releases; `StoreError` where the list is damaged."""
    return Takedown({line.id: line.reason for line in list_takedown(store, pipeline)})


def list_takedown(store: Store, pipeline: str) -> list[TakedownLine]:
    """Return the list by id; empty where there is none.

    Raises:
        StoreError: it is not the table that was written. It is never taken for an empty one: that would publish what is out.
    """
    key = _key(pipeline)
    found = store.read_if_there(key)
    if found is None:
        return []
    try:
        rows = list(csv.reader(StringIO(found[0].decode("utf-8"), newline=""), delimiter="\t"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise _damaged(store, key, str(error)) from error
    if not rows or tuple(rows[0]) != _COLUMNS:
        raise _damaged(store, key, f"its first line is {rows[0] if rows else 'missing'}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(_COLUMNS) or _ID.fullmatch(row[0]) is None:
            raise _damaged(store, key, f"line {number} is {row}")
    return [TakedownLine(*row) for row in sorted(rows[1:])]


def add_takedown(store: Store, pipeline: str, names: Iterable[str], reason: str, time: str) -> list[str]:
    """Put ids on the list, and return those that were not on it; the others get the new reason.

    Args:
        store: where the list is.
        pipeline: whose releases they are to stay out of.
        names: ids of units or pairs.
        reason: why, in one line; a release's manifest counts by it, so it is public.
        time: now (ISO 8601).

    Raises:
        ConfigError: a name that no unit or pair can have, or a reason of several lines.
    """
    for name in names:
        if _ID.fullmatch(name) is None:
            raise ConfigError(f"{name!r} is no id of a unit or pair; ids look like C1E001, tt0133093 or C1E001_2_0_0017")
    if not reason.strip() or not reason.isprintable():
        raise ConfigError(f"reason {reason!r}: expected one line that says why, such as --reason 'asked for by its author'")
    lines = {line.id: line for line in list_takedown(store, pipeline)}
    new = [name for name in dict.fromkeys(names) if name not in lines]
    for name in names:
        lines[name] = TakedownLine(name, lines[name].time if name in lines else time, reason)
    _write(store, pipeline, lines.values())
    return new


def remove_takedown(store: Store, pipeline: str, names: Iterable[str]) -> None:
    """Take ids off the list: the next run may publish them again.

    Raises:
        ConfigError: an id that is not on it; nothing is changed then.
    """
    lines = {line.id: line for line in list_takedown(store, pipeline)}
    if missing := [name for name in names if name not in lines]:
        raise ConfigError(f"{missing[0]} is not on the takedown list of {pipeline}; `fabula takedown list` shows what is")
    _write(store, pipeline, (line for line in lines.values() if line.id not in set(names)))


def _write(store: Store, pipeline: str, lines: Iterable[TakedownLine]) -> None:
    text = StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((line.id, line.time, line.reason) for line in sorted(lines, key=lambda line: line.id))
    store.write(_key(pipeline), text.getvalue().encode())


def _key(pipeline: str) -> str:
    return f"takedown/{pipeline}.tsv"


def _damaged(store: Store, key: str, found: str) -> StoreError:
    return StoreError(
        f"store {store.url}: {key} is no table of {', '.join(_COLUMNS)} with tabs between them ({found}); mend it or restore it"
    )
