"""Finding the unit of an id on the takedown list."""

from hypothesis import given
from hypothesis import strategies as st

from core.takedown import Takedown

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)


def as_members(*units: str) -> dict[str, tuple[str, ...]]:
    return {unit: (unit,) for unit in units}


def test_a_row_belongs_to_the_unit_whose_id_it_begins_with() -> None:
    takedown = Takedown({"C1E001_2_0_0017": "a", "C1E0010_2_0_0000": "b", "the-film_0003": "c", "C1E002": "d"})
    rows = takedown.find_rows(as_members("C1E001", "C1E002", "the-film", "the"))
    assert rows == {"C1E001": {"C1E001_2_0_0017": "a"}, "the-film": {"the-film_0003": "c"}}
    assert "C1E002" in takedown
    assert "C1E001" not in takedown


def test_a_row_of_a_small_unit_is_found_in_its_shard() -> None:
    takedown = Takedown({"t3_abc_1": "a", "t3_abc": "b"})
    assert takedown.find_rows({"shard-0000-of-0002": ("t3_abc",), "shard-0001-of-0002": ("t3_ab",)}) == {
        "shard-0000-of-0002": {"t3_abc_1": "a"}
    }


@given(st.sets(NAMES, min_size=1), st.sets(NAMES))
def test_every_row_id_extends_the_id_of_its_unit_and_is_no_unit_id(units: set[str], listed: set[str]) -> None:
    rows = Takedown(dict.fromkeys(listed, "why")).find_rows(as_members(*units))
    for unit, names in rows.items():
        for name in names:
            assert name in listed - units
            assert name.startswith(unit)
            assert not name[len(unit)].isalnum()
