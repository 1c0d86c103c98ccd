"""Seals: a changed bit is seen, and a JSON reader sees one member more."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.store.objects import encode_json
from infra.store.seal import open_seal, seal_json

OBJECTS = st.dictionaries(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=6), max_size=3)


@given(OBJECTS)
def test_values_go_round(value: dict[str, object]) -> None:
    assert json.loads(open_seal(seal_json(encode_json(value)))) == value


@given(OBJECTS.filter(bool), st.data())
def test_a_changed_bit_of_the_value_is_seen(value: dict[str, object], data: st.DataObject) -> None:
    content = seal_json(encode_json(value))
    body = content.rindex(b',\n "seal"')
    place, bit = data.draw(st.integers(0, body - 1)), data.draw(st.integers(0, 7))
    changed = content[:place] + bytes([content[place] ^ (1 << bit)]) + content[place + 1 :]
    with pytest.raises(ValueError, match="seal is not of this content"):
        open_seal(changed)


def test_other_readers_see_one_member_more() -> None:
    sealed = json.loads(seal_json(encode_json({"version": "v1"})))
    assert set(sealed) == {"version", "seal"}


@pytest.mark.parametrize("content", [b"[1]\n", b'"text"', b"{}", b'{"a": 1}', b"", b"\xff"])
def test_what_has_no_seal_stays_as_it_is(content: bytes) -> None:
    assert open_seal(content) == content
