import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.common_subsequences import measure_common_subsequences


def measure_literally(text: list[int], other: list[int]) -> int:
    before = [0] * (len(other) + 1)
    for code in text:
        row = [0]
        for place, wanted in enumerate(other):
            row.append(before[place] + 1 if code == wanted else max(before[place + 1], row[place]))
        before = row
    return before[-1]


SIZES = st.lists(st.integers(0, 200), max_size=4)


@settings(deadline=None)  # the first call compiles
@given(st.integers(1, 9), SIZES, SIZES, st.integers(0, 99))
def test_lengths_equal_those_of_the_full_table(n_codes: int, sizes: list[int], other_sizes: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    texts, others = ([random.integers(0, n_codes, size) for size in lengths] for lengths in (sizes, other_sizes))
    flat, other_flat = (np.concatenate([np.zeros(0, np.int64), *side]) for side in (texts, others))
    bounds, other_bounds = (np.cumsum([0, *lengths]) for lengths in (sizes, other_sizes))
    found = measure_common_subsequences(flat, bounds, other_flat, other_bounds, n_codes)
    assert found.shape == (len(sizes), len(other_sizes))
    assert found.tolist() == [[measure_literally(text.tolist(), other.tolist()) for other in others] for text in texts]
