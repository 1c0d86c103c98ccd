import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.numbering import look_up_all, number_keys

KEYS = st.lists(st.integers(0, 40) | st.integers(0, 2**63 - 1), max_size=200)


@settings(deadline=None)  # the first call compiles
@given(KEYS, KEYS)
def test_keys_are_numbered_in_order_of_appearance(keys: list[int], others: list[int]) -> None:
    known = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    numbers, table, count = number_keys(np.array(keys, np.int64))
    assert (numbers.tolist(), count) == ([known[key] for key in keys], len(known))
    found = look_up_all(table, np.array([*keys, *others, -1], np.int64)).tolist()
    assert found == [known.get(key, -1) for key in (*keys, *others, -1)]
