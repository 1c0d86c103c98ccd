"""How a reader is weighed by what he says twice and where the aligner is sure."""

import math
from collections import Counter
from itertools import pairwise

import pytest

from core.errors import SourceError
from core.reading.belief import LEAST_TESTED, MOST, bound_share, gather_answers, group_sentences, read_entries, weigh_reader
from core.reading.questions import Question


def test_a_reader_weighs_what_the_worse_of_both_tests_tells() -> None:
    assert weigh_reader([True] * 40, [True] * 40, 0.9) == MOST
    assert weigh_reader([True] * 18 + [False] * 2, [True] * 18, 0.9) == pytest.approx(math.sqrt(19 / 22))
    assert weigh_reader([True] * 18, [True] * 14 + [False] * 4, 0.9) == pytest.approx(15 / 20 / 0.9)


@pytest.mark.parametrize(
    ("twice", "sure"),
    [
        ([True] * 4, [True] * 18),
        ([True] * 18, [True] * 4),
        ([True] * 4 + [False] * 14, [True] * 18),
        ([True] * 18, [True] * 9 + [False] * 9),
    ],
    ids=["hardly read twice", "hardly sure", "not with himself", "not with the aligner"],
)
def test_who_is_not_surely_right_is_not_heard(twice: list[bool], sure: list[bool]) -> None:
    assert weigh_reader(twice, sure, 0.9) == 0.0


def test_fewer_sentences_read_twice_may_do() -> None:
    assert weigh_reader([True] * 3, [True] * 9, 0.9, least_twice=3) == pytest.approx(math.sqrt(4 / 5))


def test_the_bound_of_a_share_is_wilsons() -> None:
    # By hand: n = 10, share .8, z = 1.645: (.8 + .1353 − 1.645 · √(.016 + .006765)) / 1.2706.
    assert bound_share([True] * 8 + [False] * 2) == pytest.approx(0.5408, abs=1e-4)


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
