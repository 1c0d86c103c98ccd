import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID, check_dataset_name, find_nearest, group_units, identify_unit, name_shard, plan_shards
from core.errors import ConfigError


def test_spellings_of_one_unit_have_one_identity() -> None:
    assert identify_unit("C1E031") == identify_unit("c1e031")
    assert identify_unit("the-matrix") == identify_unit("The_Matrix")
    assert identify_unit("the-matrix") == identify_unit("  The \N{EN DASH} Matrix ")
    assert identify_unit("tt99000017") == identify_unit("99000017")
    assert identify_unit("tt99000017") == identify_unit("TT99000017")
    assert identify_unit("tt0000123") == identify_unit("123")
    assert identify_unit("ren\N{LATIN SMALL LETTER E WITH ACUTE}") == identify_unit("RENE\N{COMBINING ACUTE ACCENT}")
    assert identify_unit("straße") == identify_unit("STRASSE")


@pytest.mark.parametrize(
    ("one", "other"),
    [("C1E031.5", "C1E031-5"), ("C1E031", "C1E0310"), ("tt99000017", "tt99000018"), ("C1E031", "C1E031-1"), ("ab", "a-b")],
)
def test_different_units_have_different_identities(one: str, other: str) -> None:
    assert identify_unit(one) != identify_unit(other)


@given(st.text(max_size=20))
def test_an_identity_is_that_of_every_spelling(name: str) -> None:
    identity = identify_unit(name)
    assert identify_unit(identity) == identity
    for form in ("NFC", "NFD"):
        assert identify_unit(unicodedata.normalize(form, name)) == identity


def test_the_nearest_known_names_of_a_misspelt_one() -> None:
    known = ["C2E001", "C2E010", "C1E101", "the-lamp"]
    assert find_nearest("c2e0O1", known)[0] == "C2E001"
    assert find_nearest("The Lmap", known) == ["the-lamp"]
    assert find_nearest("zzz", known) == []


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x" * 101, "é"])
def test_names_that_are_no_folder_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="expected 1 to 100 letters"):
        check_dataset_name(name)


@given(st.lists(st.integers(0, 50)), st.integers(1, 100), st.integers(1, 7))
def test_shards_keep_order_size_and_number(sizes: list[int], max_bytes: int, max_units: int) -> None:
    units = [(f"u{place}", size) for place, size in enumerate(sizes)]
    shards = plan_shards(units, max_bytes, max_units)
    assert [unit for shard in shards for unit in shard] == [unit for unit, _ in units]
    known = dict(units)
    assert all(len(shard) <= max_units for shard in shards)
    assert all(len(shard) == 1 or sum(known[unit] for unit in shard) <= max_bytes for shard in shards if shard)
    assert all(shards) or shards == [[]]


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
