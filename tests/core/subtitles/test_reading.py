import json
from collections.abc import Callable
from random import Random

import pytest

from core.errors import SourceError
from core.reading.questions import Question
from core.subtitles.reading import (
    LINES,
    FilmText,
    draw_lines,
    gather_answers,
    is_strange,
    list_questions,
    read_answer,
    weigh_reader,
)

FILMS = [
    FilmText(f"f{number}", tuple(f"I saw Mr. {name} at {place}." for place in range(100)), f"The story of {name}.")
    for number in range(60)
    for name in [f"Name{number}."]
]
Reader = Callable[[Question], str]


def tell(question: Question) -> str:
    """Tell the truth."""
    told, lines = question.text.split("\n\nLines:\n")
    return "yes" if told.split()[-1].rstrip(".") + "." in lines else "no"


def weigh(reader: Reader) -> float:
    asked = list_questions(FILMS, "Tell.")
    found = gather_answers("model", asked, {question.digest: json.dumps({"same": reader(question)}) for _, question in asked})
    assert (found.questions, found.answers, found.unreadable) == (len(asked), len(asked), 0)
    assert found.own.keys() == {film.film for film in FILMS}
    return weigh_reader([found])


def test_a_reader_who_reads_is_believed_and_only_his_plain_no_counts() -> None:
    assert weigh(tell) > 0.8
    assert is_strange("no", 0.9)
    assert not any(is_strange(said, 0.9) for said in ("yes", "unsure", None))
    assert not is_strange("no", 0.0)


@pytest.mark.parametrize(
    "reader",
    [lambda _: "yes", lambda _: "no", lambda _: "unsure", lambda question: Random(question.digest).choice(["yes", "no"])],
    ids=["always-yes", "always-no", "unsure", "chance"],
)
def test_a_reader_who_does_not_read_is_not_heard(reader: Reader) -> None:
    assert weigh(reader) == 0.0


def test_a_third_of_the_films_is_asked_about_again_and_with_another_summary() -> None:
    asked = list_questions(FILMS, "Tell.")
    assert len({question.digest for _, question in asked}) == len(asked)
    others = [(about, question) for about, question in asked if not about.own]
    assert 0.2 < len(others) / 2 / len(FILMS) < 0.6
    assert all(tell(question) == "no" and len(question.unit.split()) == 2 for _, question in others)
    assert all(tell(question) == "yes" and question.unit == about.film for about, question in asked if about.own)
    assert [about.own for about, _ in list_questions(FILMS[:1], "Tell.")].count(False) == 0


def test_lines_are_drawn_evenly_and_the_second_draw_has_others() -> None:
    lines = [f"line {number:03d}" for number in range(400)]
    first, second = draw_lines(lines, second=False), draw_lines(lines, second=True)
    assert len(first) == len(second) == LINES
    assert not {*first} & {*second}
    assert first == sorted(first)
    assert (first[0], second[-1]) == ("line 000", "line 395")
    assert draw_lines(["a", "bb", "c"], second=False) == ["a"]
    assert draw_lines([], second=True) == []


@pytest.mark.parametrize("said", ["I cannot tell.", '{"same": 3}', '{"same": ["yes"]}', '{"other": "yes"}', "[" * 100_000])
def test_an_answer_that_is_none_is_told_and_says_nothing(said: str) -> None:
    with pytest.raises(SourceError, match="the answer"):
        read_answer(said)
    asked = list_questions(FILMS[:1], "Tell.")
    found = gather_answers("model", asked, {question.digest: said for _, question in asked})
    assert (found.answers, found.unreadable, found.own) == (len(asked), len(asked), {})
