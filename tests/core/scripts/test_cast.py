import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.scripts.cast import read_cast
from core.scripts.scenes import CastMember


def one(character):
    (member,) = read_cast("cast.json", json.dumps([{"actor": "A. Actor", "character": character}]))
    return member.name, member.alter_egos


@pytest.mark.parametrize(
    ("character", "name", "alter_egos"),
    [
        ("Anna Bell", "Anna Bell", ()),
        ("Anna Bell / The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell/The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell | The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell\\The Fox", "Anna Bell", ("The Fox",)),
        ('Robert "Bobby" Drake', 'Robert "Bobby" Drake', ("Robert Drake", "Bobby Drake", "Bobby")),
        ("Samuel 'George' Fox", "Samuel 'George' Fox", ("Samuel Fox", "George Fox", "George")),
        ('"Bud" Fox', '"Bud" Fox', ("Bud Fox", "Bud")),
        ("Anna (voice)", "Anna", ()),
        ("Anna (as A. Nother)", "Anna", ()),
        ("Anna (uncredited) (archive footage)", "Anna", ()),
        ("Anna (The Fox)", "Anna", ("The Fox",)),
        ("Bernard Bell aka Blue", "Bernard Bell", ("Blue",)),
        ("Anna as The Fox", "Anna", ("The Fox",)),
        ("Mike O'Donnell", "Mike O'Donnell", ()),
        ("Women's Room Fan", "Women's Room Fan", ()),
        ("Waiter #2", "Waiter #2", ()),
        ("  Anna \n Bell ", "Anna Bell", ()),
    ],
)
def test_names_and_alter_egos(character, name, alter_egos):
    assert one(character) == (name, alter_egos)


def test_a_character_with_two_actors_is_one_member():
    rows = [{"actor": "A", "character": "Anna"}, {"actor": "B", "character": "ANNA / Fox"}]
    assert read_cast("c", json.dumps(rows)) == (CastMember("Anna", ("Fox",), "A, B"),)


def test_missing_fields_are_left_out():
    rows = [
        {"actor": "A"},
        {"character": None},
        {"character": ""},
        5,
        None,
        "Ben",
        {"role": "Carl"},
        {"character": ["Dora", "Eve"]},
    ]
    assert [member.name for member in read_cast("c", json.dumps(rows))] == ["Ben", "Carl", "Dora", "Eve"]
    assert read_cast("c", '{"cast": [{"character": "Anna"}]}') == (CastMember("Anna"),)
    assert read_cast("c", "[]") == ()


@pytest.mark.parametrize("text", ["", "{", "5", "{}", '"x"', "[" * 100_000, "9" * 5_000])
def test_refuses_text_that_is_not_a_cast_list(text):
    with pytest.raises(SourceError, match=r"cast\.json"):
        read_cast("cast.json", text)


@given(st.recursive(st.none() | st.text(max_size=20) | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["actor", "character", "role", "name", "cast"]), inner)))  # fmt: skip
def test_any_json_gives_members_or_a_source_error(value):
    try:
        members = read_cast("c", json.dumps(value))
    except SourceError:
        return
    assert all(member.name and member.name not in member.alter_egos for member in members)
