import math
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from core.errors import SourceError
from core.reading.belief import (
    LEAST_TESTED,
    MOST,
    Reading,
    bound_share,
    count_reading,
    gather_answers,
    group_sentences,
    list_notices,
    name_decider,
    read_entries,
    summarise_reading,
    weigh_marks,
    weigh_reader,
)
from core.reading.questions import Question


def test_a_reader_weighs_what_the_worse_of_both_tests_tells_by_wilsons_bound() -> None:
    assert weigh_reader([True] * 40, [True] * 40, 0.9) == MOST
    assert weigh_reader([True] * 18 + [False] * 2, [True] * 18, 0.9) == pytest.approx(math.sqrt(19 / 22))
    assert weigh_reader([True] * 18, [True] * 14 + [False] * 4, 0.9) == pytest.approx(15 / 20 / 0.9)
    assert weigh_reader([True] * 3, [True] * 9, 0.9, least_twice=3) == pytest.approx(math.sqrt(4 / 5))
    assert bound_share([True] * 8 + [False] * 2) == pytest.approx(0.5408, abs=1e-4)


def test_who_is_not_surely_right_is_not_heard() -> None:
    assert weigh_reader([True] * 4, [True] * 18, 0.9) == 0.0
    assert weigh_reader([True] * 18, [True] * 4, 0.9) == 0.0
    assert weigh_reader([True] * 4 + [False] * 14, [True] * 18, 0.9) == 0.0
    assert weigh_reader([True] * 18, [True] * 9 + [False] * 9, 0.9) == 0.0


@pytest.mark.parametrize("n_sentences", range(1, 60))
def test_every_sentence_is_asked_about_and_enough_of_a_short_summary_twice(n_sentences: int) -> None:
    groups = group_sentences(n_sentences, 8, 2)
    counts = Counter(sentence for group in groups for sentence in group)
    assert set(counts) == set(range(n_sentences))
    assert all(len(group) <= 8 for group in groups)
    assert all(one.start < other.start and one.stop < other.stop for one, other in pairwise(groups))
    twice = sum(count > 1 for count in counts.values())
    assert twice >= LEAST_TESTED if n_sentences >= LEAST_TESTED + 2 else len(groups) == 1
    if n_sentences > 20:  # a long one shares no more than it must
        assert all(one.stop - other.start == 2 for one, other in pairwise(groups))


def ask(text: str) -> Question:
    return Question("kind", 1, "unit", "Read.", text, {}, 10)


def test_answers_are_gathered_by_sentence_and_those_that_are_none_are_counted() -> None:
    asked = [(name, ask(name)) for name in ("first", "second", "third", "fourth")]
    answers = {question.digest: name for name, question in asked[:3]}

    def read(answer: str, asked_of: str) -> dict[int, str]:
        if answer == "second":
            raise SourceError("the answer is none")
        return {0: answer.upper(), 1: asked_of}

    votes, answered, unreadable = gather_answers(asked, answers, read)
    assert votes == {0: [("first", "FIRST"), ("third", "THIRD")], 1: [("first", "first"), ("third", "third")]}
    assert (answered, unreadable) == (3, 1)


@pytest.mark.parametrize("answer", ["no", "{}", '{"spans": 3}', '{"spans": [3]}', "[" * 100_000 + "{}", '{"a": ' * 100_000 + "}"])
def test_an_answer_without_entries_is_told(answer: str) -> None:
    with pytest.raises(SourceError, match="has no spans"):
        read_entries(answer, "spans")


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


def test_who_marks_all_alike_or_few_places_or_contradicts_himself_is_not_heard_and_nobody_is_believed_wholly() -> None:
    assert weigh(1.0, 0.5) == MOST
    for said in (True, False):
        assert weigh_marks([said] * 50, [said] * 50, [(said, said)] * 50) == 0.0
    twice = [(True, True), (False, False)] * 5
    assert weigh_marks([True] * 4, [False] * 9, twice) == 0.0
    assert weigh_marks([True] * 9, [False] * 9, twice[:4]) == 0.0
    assert 0.0 < weigh_marks([True] * 9, [False] * 9, twice) < weigh(1.0, 0.5)
    assert weigh_marks([True] * 50, [False] * 50, [(True, False), (False, True), (False, False)] * 20) == 0.0


def test_units_that_were_asked_about_count_and_without_answers_there_is_no_weight() -> None:
    counts = [
        {"turns": 9, **count_reading(Reading("m", 10, 10, 0, 0.9))},
        {"turns": 5, **count_reading(Reading("m", 6, 5, 1, 0.0))},
        {"turns": 3},
    ]
    told, figures = summarise_reading("a/b", counts)
    assert told == {
        "model": "a/b", "units": 2, "heard": 1, "questions": 16, "answers": 15, "unreadable": 1, "weight": 0.6,
    }  # fmt: skip
    assert [row["value"] for row in figures] == [
        "a/b",
        "16 about 2 units; 15 have an answer, 1 of these cannot be read",
        "9 of 15 answers are expected to be right; heard in 1 of 2 units",
    ]
    assert summarise_reading("m", [count_reading(Reading("m", 4, 0, 0, 0.0))])[0]["weight"] is None
    assert summarise_reading("m", [{"turns": 3}])[0]["questions"] == 0


def test_a_person_is_told_what_is_missing_and_a_row_names_the_model_as_a_review_by_it_does() -> None:
    assert name_decider("some/model") == "model some-model"
    assert list_notices(Reading("model", 4, 4, 0, 0.9), "scripts") == []
    told = list_notices(Reading("model", 4, 3, 1, 0.0), "scripts")
    assert [(notice.count, notice.what) for notice in told] == [
        (1, "question(s) without an answer"),
        (1, "answer(s) that cannot be read"),
        (3, "answer(s) of a reader who is not believed"),
    ]
    assert "fabula read scripts --model model" in told[0].advice
