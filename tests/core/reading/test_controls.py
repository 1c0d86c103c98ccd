"""How far a reader is believed: by the faults that he finds beyond chance, and by how he agrees with himself."""

from random import Random

import pytest

from core.reading.controls import MOST, weigh_marks


def weigh(knows: float, marks: float, count: int = 400, seed: int = 1) -> float:
    """Weigh a reader who knows a place with a probability, and else marks it by chance; a fifth of the places are faulty."""
    draw = Random(seed)

    def read(fault: bool) -> bool:
        return fault if draw.random() < knows else draw.random() < marks

    faults = [draw.random() < 0.2 for _ in range(count)]
    return weigh_marks(
        [read(True) for _ in range(count)], [read(False) for _ in range(count)], [(read(f), read(f)) for f in faults]
    )


@pytest.mark.parametrize("marks", [0.1, 0.3, 0.6])
def test_the_weight_is_the_probability_that_a_reader_knows(marks: float) -> None:
    assert weigh(0.9, marks) == pytest.approx(0.9, abs=0.08)
    assert weigh(0.75, marks) == pytest.approx(0.75, abs=0.12)
    assert weigh(0.25, marks) == 0.0
    assert weigh(0.0, marks) == 0.0


def test_one_who_is_always_right_is_not_believed_wholly() -> None:
    assert weigh(1.0, 0.5) == MOST


@pytest.mark.parametrize("said", [True, False])
def test_one_answer_for_all_is_no_reading(said: bool) -> None:
    assert weigh_marks([said] * 50, [said] * 50, [(said, said)] * 50) == 0.0


def test_a_few_places_prove_little() -> None:
    twice = [(True, True), (False, False)] * 5
    assert weigh_marks([True] * 4, [False] * 9, twice) == 0.0
    assert weigh_marks([True] * 9, [False] * 9, twice[:4]) == 0.0
    assert 0.0 < weigh_marks([True] * 9, [False] * 9, twice) < weigh(1.0, 0.5)


def test_one_who_finds_the_faults_and_contradicts_himself_elsewhere_is_not_heard() -> None:
    assert weigh_marks([True] * 50, [False] * 50, [(True, False), (False, True), (False, False)] * 20) == 0.0
