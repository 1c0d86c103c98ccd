"""Krippendorff's alpha against the worked examples of his "Computing Krippendorff's Alpha-Reliability" (2011)."""

import pytest

from core.metrics.krippendorff import differ_as_numbers, differ_nominally, measure_alpha


def read_units(*readers: str) -> list[list[int]]:
    """Return the answers by unit; a point is a missing one."""
    rows = [reader.split() for reader in readers]
    return [[int(row[place]) for row in rows if row[place] != "."] for place in range(len(rows[0]))]


BINARY = read_units("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
LETTERS = [list(pair) for pair in zip("aabbdcccedda", "babbbccceddd", strict=True)]
FOUR = read_units(
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def test_two_readers_and_two_values_as_in_section_a() -> None:
    assert measure_alpha(BINARY, differ_nominally) == pytest.approx(0.095, abs=0.0005)


def test_two_readers_and_labels_as_in_section_b() -> None:
    assert measure_alpha(LETTERS, differ_nominally) == pytest.approx(0.692, abs=0.0005)


def test_four_readers_with_gaps_as_in_sections_c_and_d() -> None:
    assert measure_alpha(FOUR, differ_nominally) == pytest.approx(0.743, abs=0.0005)
    assert measure_alpha(FOUR, differ_as_numbers) == pytest.approx(0.849, abs=0.0005)


def test_agreement_is_one_and_nothing_can_be_said_where_no_answers_differ() -> None:
    assert measure_alpha([[1, 1], [2, 2]], differ_nominally) == 1
    assert measure_alpha([[1, 1], [1, 1]], differ_nominally) is None
    assert measure_alpha([[1, 2], [3]], differ_nominally) is None
