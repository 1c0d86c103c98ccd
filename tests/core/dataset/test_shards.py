"""Shards of a release keep the units' order and the limits on bytes and units, and divide no unit."""

from hypothesis import given
from hypothesis import strategies as st

from core.dataset.shards import plan_shards


@given(st.lists(st.integers(0, 50)), st.integers(1, 100), st.integers(1, 7))
def test_shards_keep_order_size_and_number(sizes: list[int], max_bytes: int, max_units: int) -> None:
    units = [(f"u{place}", size) for place, size in enumerate(sizes)]
    shards = plan_shards(units, max_bytes, max_units)
    assert [unit for shard in shards for unit in shard] == [unit for unit, _ in units]
    known = dict(units)
    assert all(len(shard) <= max_units for shard in shards)
    assert all(len(shard) == 1 or sum(known[unit] for unit in shard) <= max_bytes for shard in shards if shard)
    assert all(shards) or shards == [[]]
