import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import find_nearest, identify_unit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C1E031", "c1e031"),
        ("the-matrix", "The_Matrix"),
        ("the-matrix", "  The \N{EN DASH} Matrix "),
        ("tt99000017", "99000017"),
        ("tt99000017", "TT99000017"),
        ("tt0000123", "123"),
        ("ren\N{LATIN SMALL LETTER E WITH ACUTE}", "RENE\N{COMBINING ACUTE ACCENT}"),
        ("straße", "STRASSE"),
    ],
)
def test_spellings_of_one_unit_have_one_identity(one: str, other: str) -> None:
    assert identify_unit(one) == identify_unit(other)


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
