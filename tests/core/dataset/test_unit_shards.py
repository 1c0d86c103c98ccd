import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.unit_shards import group_units, name_shard
from core.dataset.units import UNIT_ID
from core.errors import ConfigError

UNITS = st.lists(st.text("ab019-", min_size=1, max_size=5), unique=True)


@given(UNITS, st.integers(1, 9_999))
def test_every_unit_is_in_one_shard_and_shards_are_ordered(units, count):
    shards = group_units(units, count)
    assert sorted(unit for shard in shards.values() for unit in shard) == sorted(units)
    assert list(shards) == sorted(shards)
    assert len(shards) <= count
    assert all(UNIT_ID.fullmatch(shard) and list(members) == sorted(members) for shard, members in shards.items())


@given(UNITS, st.text("xyz", min_size=1, max_size=5), st.integers(1, 99))
def test_a_new_unit_changes_its_own_shard_only(units, new, count):
    before, after = group_units(units, count), group_units([new, *units], count)
    changed = {shard for shard in after if after[shard] != before.get(shard)}
    assert changed == {name_shard(new, count)}
    assert before.keys() <= after.keys()


def test_ids_are_stable_over_versions_and_shards_are_even():
    assert name_shard("tt0209475", 64) == "shard-0016-of-0064"
    sizes = [len(shard) for shard in group_units((f"tt{number:07}" for number in range(64_000)), 64).values()]
    assert len(sizes) == 64
    assert 850 < min(sizes) <= max(sizes) < 1_150


@pytest.mark.parametrize("count", [0, -1, 10_000])
def test_refuses_an_invalid_number_of_shards(count):
    with pytest.raises(ConfigError, match="expected a number from 1 to 9,999"):
        name_shard("a", count)
