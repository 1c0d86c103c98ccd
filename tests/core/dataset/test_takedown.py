from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from core.dataset.takedown import Takedown, split_row
from core.dataset.units import identify_unit

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)


def as_members(*units: str) -> dict[str, tuple[str, ...]]:
    return {unit: (unit,) for unit in units}


def find_rows(takedown: Takedown, members: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, str]]:
    return {unit: dict(rows.reasons) for unit, rows in takedown.find_rows(members).items()}


def test_a_row_belongs_to_the_unit_whose_id_it_begins_with_and_is_found_in_its_shard() -> None:
    takedown = Takedown({"C1E001_2_0_0017": "a", "C1E0010_2_0_0000": "b", "the-film_0003": "c", "C1E002": "d"})
    rows = find_rows(takedown, as_members("C1E001", "C1E002", "the-film", "the"))
    assert rows == {"C1E001": {"C1E001_2_0_0017": "a"}, "the-film": {"the-film_0003": "c"}}
    assert "C1E002" in takedown
    assert "C1E001" not in takedown
    takedown = Takedown({"t3_abc_1": "a", "t3_abc": "b"})
    found = find_rows(takedown, {"shard-0000-of-0002": ("t3_abc",), "shard-0001-of-0002": ("t3_ab",)})
    assert found == {"shard-0000-of-0002": {"t3_abc_1": "a"}}


@settings(max_examples=40)
@given(st.sets(NAMES, min_size=1), st.sets(NAMES))
def test_every_row_id_extends_the_id_of_its_unit_and_is_no_unit_id(units: set[str], listed: set[str]) -> None:
    rows = find_rows(Takedown(dict.fromkeys(listed, "why")), as_members(*units))
    strangers = [each for each in listed if identify_unit(each) not in set(map(identify_unit, units))]
    for unit, names in rows.items():
        for name in names:
            assert name.startswith(unit)
            assert not name[len(unit)].isalnum()
            starts = [(each, start) for each in strangers for start in split_row(each)]
            own = identify_unit(unit)
            assert name[len(unit) :] in {each[len(start) :] for each, start in starts if identify_unit(start) == own}


def test_all_spellings_of_an_id_mean_the_same_and_a_text_is_known_under_another_name() -> None:
    takedown = Takedown({"99000017": "a", "c1e001": "b", "The_Film": "c", "c1e002_2_0_0017": "d"})
    for unit in ("tt99000017", "TT99000017", "99000017", "C1E001", "the-film"):
        assert unit in takedown
    assert takedown.reason("tt99000017") == "a"
    assert "C1E0011" not in takedown
    assert find_rows(takedown, as_members("C1E002")) == {"C1E002": {"C1E002_2_0_0017": "d"}}
    takedown = Takedown({"C1E001": "a"}, {"5e": "C1E001"})
    assert takedown.find_copies({"C1E001": ["5e"], "C1E009": ["00", "5e"], "C1E003": ["33"]}) == {"C1E009": "C1E001"}
