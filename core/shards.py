"""Which units share a file of a release: in order, filled up to a size, so that files stay few and of an even length."""

from collections.abc import Iterable

SHARD_BYTES = 24 * 2**20
"""Text of one shard, in bytes before compression: a worker holds one row group of it at a time and a reader opens few files."""

SHARD_UNITS = 2000
"""Units of one shard, however small: so what a worker is asked for stays small, and there is work for every worker."""


def plan_shards(sizes: Iterable[tuple[str, int]], limit: int = SHARD_BYTES, most: int = SHARD_UNITS) -> list[list[str]]:
    """Group units in order into shards of at most `limit` bytes each; a unit is never divided, so a larger one stands alone.

    Args:
        sizes: (unit id, bytes) in the release's order.
        limit: bytes a shard may hold.
        most: units a shard may hold.

    Returns:
        Unit ids by shard; one empty shard where there are no units, so that every split has a file with the schema.
    """
    shards: list[list[str]] = [[]]
    filled = 0
    for unit, size in sizes:
        if shards[-1] and (filled + size > limit or len(shards[-1]) == most):
            shards.append([])
            filled = 0
        shards[-1].append(unit)
        filled += size
    return shards
