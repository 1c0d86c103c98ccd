"""Shards of a release: in order, filled up to a size or a number, no unit divided."""

from hypothesis import given
from hypothesis import strategies as st

from core.shards import plan_shards


@given(st.lists(st.integers(0, 50)), st.integers(1, 100), st.integers(1, 7))
def test_shards_keep_order_size_and_number(sizes: list[int], limit: int, most: int) -> None:
    units = [(f"u{place}", size) for place, size in enumerate(sizes)]
    shards = plan_shards(units, limit, most)
    assert [unit for shard in shards for unit in shard] == [unit for unit, _ in units]
    known = dict(units)
    assert all(len(shard) <= most for shard in shards)
    assert all(len(shard) == 1 or sum(known[unit] for unit in shard) <= limit for shard in shards if shard)
    assert all(shards) or shards == [[]]
