"""Groups the units of a release into shards, so that a release has few files of similar size."""

from collections.abc import Iterable

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
