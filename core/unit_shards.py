"""Small units travel in shards: a unit's id alone says in which, so a new unit changes one shard and no other."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from core.errors import ConfigError


def name_shard(unit: str, count: int) -> str:
    """Return the id of the shard, of `count`, that a unit travels in: `shard-0007-of-0064`.

    Raises:
        ConfigError: `count` is no number from 1 to 9,999.
    """
    if not 1 <= count <= 9_999:
        raise ConfigError(f"{count} shards; expected a number from 1 to 9,999")
    digest = hashlib.sha256(unit.encode("utf-8", "surrogatepass")).digest()
    return f"shard-{int.from_bytes(digest[:8], 'big') % count:04}-of-{count:04}"


def group_units(units: Iterable[str], count: int) -> dict[str, tuple[str, ...]]:
    """Return the units of each shard that has any, both in order; the order and number of the other units do not matter.

    Raises:
        ConfigError: `count` is no number from 1 to 9,999.
    """
    shards: dict[str, list[str]] = defaultdict(list)
    for unit in sorted(set(units)):
        shards[name_shard(unit, count)].append(unit)
    return {shard: tuple(shards[shard]) for shard in sorted(shards)}
