"""How far a summary is supported by its dialogue."""

import pytest

from core.metrics.coded_texts import RougeCoder
from lab.summarisation.measures import (
    find_names,
    list_name_parts,
    measure_coverage,
    measure_novelty,
    measure_support,
    measure_unique_overlap,
)


def test_coverage_and_density_are_those_of_the_fragments() -> None:
    code = RougeCoder()
    found = measure_coverage(code("the cat runs to the sea"), code("the cat sleeps to the end"))
    assert found.coverage == pytest.approx(4 / 6)
    assert found.density == pytest.approx((4 + 4) / 6)
    assert measure_coverage(code("the cat"), code("")).coverage == 0


def test_novelty_counts_repeats_and_overlap_does_not() -> None:
    document, summary = ["a", "b", "c"], ["a", "b", "a", "x", "x"]
    assert measure_novelty(document, summary, 1) == 2 / 5
    assert measure_unique_overlap(document, summary, 1) == 2 / 3
    assert measure_novelty(document, summary, 2) == 3 / 4
    assert measure_unique_overlap(document, summary, 2) == 1 / 4
    assert measure_novelty(document, ["a"], 2) is None
    assert measure_unique_overlap(document, [], 1) is None


def test_names_are_capitalised_words_inside_a_sentence() -> None:
    sentences = ["The dog sees Bram's boat and Old Mill.", "“Then I saw Nerissa.", "Tarrin sleeps."]
    assert find_names(sentences) == {"bram", "old", "mill", "nerissa"}


def test_support_is_a_share_and_not_defined_without_names() -> None:
    assert measure_support({"bram", "tarrin"}, {"bram"}) == 0.5
    assert measure_support((), {"bram"}) is None
    assert list_name_parts(["Dr. Al Green", "BRAM"]) == {"green", "bram"}
