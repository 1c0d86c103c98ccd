"""Shards: those of small units, which are built together, and those of a release, which has few files of similar size."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from core.dataset.units import identify_unit
from core.errors import ConfigError

SHARD_BYTES = 24 * 2**20
"""Text per shard, in bytes before compression. A worker holds one row group of it at a time, and a reader opens few files."""

SHARD_UNITS = 2000
"""Units per shard at most. This keeps the request to a worker small and leaves work for every worker."""


def plan_shards(sizes: Iterable[tuple[str, int]], max_bytes: int = SHARD_BYTES, max_units: int = SHARD_UNITS) -> list[list[str]]:
    """Group units in order into shards of limited size. A unit is never divided, so one above `max_bytes` gets its own shard.

    Args:
        sizes: (unit id, bytes) in the release's order.
        max_bytes: the bytes that a shard may hold.
        max_units: the units that a shard may hold.

    Returns:
        The unit ids of each shard. Without units, one empty shard, so that every split has a file with the schema.
    """
    shards: list[list[str]] = [[]]
    filled = 0
    for unit, size in sizes:
        if shards[-1] and (filled + size > max_bytes or len(shards[-1]) == max_units):
            shards.append([])
            filled = 0
        shards[-1].append(unit)
        filled += size
    return shards


_SHARD_ID = re.compile(r"shard-\d{4}-of-(\d{4})")


def name_shard(unit: str, count: int) -> str:
    """Return the id of a unit's shard, one of `count`, for example `shard-0007-of-0064`; all spellings of an id have one shard.

    Raises:
        ConfigError: `count` is not from 1 to 9,999.
    """
    if not 1 <= count <= 9_999:
        raise ConfigError(f"the number of shards is {count}; expected a number from 1 to 9,999")
    digest = hashlib.sha256(identify_unit(unit).encode("utf-8", "surrogatepass")).digest()
    return f"shard-{int.from_bytes(digest[:8], 'big') % count:04}-of-{count:04}"


def is_shard(unit: str) -> bool:
    """Tell by its id whether a unit is a shard."""
    return _SHARD_ID.fullmatch(unit) is not None


def check_count(names: Iterable[str], placed: Iterable[str]) -> None:
    """Check that units travel in as many shards as those of the releases before: a unit has the split of its shard.

    Raises:
        ConfigError: with another number of shards, units would move to other splits.
    """
    before = _count_shards(placed)
    if other := sorted(_count_shards(names) - before) if before else ():
        raise ConfigError(
            f"shards = {other[0]}: the releases of this dataset have their units in {max(before)} shards. A unit has the split "
            "of its shard, so with another number test units would come into training; "
            f"set shards = {max(before)}, or begin a new dataset with --dataset NAME"
        )


def _count_shards(names: Iterable[str]) -> set[int]:
    return {int(match[1]) for name in names if (match := _SHARD_ID.fullmatch(name)) is not None}


def group_units(units: Iterable[str], count: int) -> dict[str, tuple[str, ...]]:
    """Return the units of each non-empty shard, shards and units sorted by id. A unit's shard does not depend on other units.

    Raises:
        ConfigError: `count` is not from 1 to 9,999.
    """
    shards: dict[str, list[str]] = defaultdict(list)
    for unit in sorted(set(units)):
        shards[name_shard(unit, count)].append(unit)
    return {shard: tuple(shards[shard]) for shard in sorted(shards)}


def find_shard(unit: str, names: Collection[str]) -> str | None:
    """Return the shard among `names` that a small unit travels in; None where there is none."""
    return next((shard for count in sorted(_count_shards(names)) if (shard := name_shard(unit, count)) in names), None)
