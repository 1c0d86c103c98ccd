"""Assigns small units to shards. The shard depends on the unit's identity alone, so a new unit changes only its own shard."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from core.dataset.units import identify_unit
from core.errors import ConfigError

_SHARD = re.compile(r"shard-\d{4}-of-(\d{4})")


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
    return _SHARD.fullmatch(unit) is not None


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
    return {int(match[1]) for name in names if (match := _SHARD.fullmatch(name)) is not None}


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
