import json
from collections.abc import Callable
from random import Random

import pytest

from core.errors import SourceError
from core.rooms.reading import (
    CONTROLS,
    Controls,
    Group,
    Shown,
    gather_places,
    group_sentences,
    list_questions,
    parse_controls,
    rate_place,
    read_places,
    weigh_reader,
)
from infra.prompts import read_room_controls

Reader = Callable[[Shown], str]
TEXTS = [f"The hall number {number} is {'long and grey' if number % 5 else 'a question'}." for number in range(400)]
MEMBERS = [f"m{number // 50}" for number in range(400)]
OWN = Controls(
    tuple(f"The cave {number} is long and grey." for number in range(9)),
    tuple(f"Is the cave {number} a question?" for number in range(9)),
)


def tell(shown: Shown) -> str:
    """Tell the truth."""
    return "yes" if "grey" in shown.text else "no"


def answer(group: Group, reader: Reader) -> str:
    said = [{"sentence": number, "place": reader(shown)} for number, shown in enumerate(group, 1)]
    return json.dumps({"sentences": said})


def weigh(reader: Reader) -> float:
    asked = list_questions(group_sentences(TEXTS, MEMBERS, range(400), OWN), "Find the places.")
    found = gather_places("model", asked, {question.digest: answer(group, reader) for group, question in asked})
    assert (found.questions, found.answers, found.unreadable) == (len(asked), len(asked), 0)
    assert found.places.keys() == {*range(400)}
    return weigh_reader([found])


def test_a_reader_who_reads_is_believed_and_only_a_whole_description_is_likely() -> None:
    assert weigh(tell) > 0.9
    assert rate_place("yes", 0.9) == pytest.approx(0.91)
    assert rate_place("part", 0.9) == rate_place("no", 0.9) == pytest.approx(0.01)
    found = parse_controls(read_room_controls())
    assert len({*found.rooms}) == len(found.rooms) == len({*found.others}) == len(found.others) == 20


@pytest.mark.parametrize(
    "reader",
    [
        lambda _: "yes",
        lambda _: "no",
        lambda shown: Random(str(shown)).choice(["yes", "part", "no"]),
        lambda shown: "yes" if len(shown.text) % 2 else "no",
        lambda shown: "yes" if shown.before else "no",
    ],
    ids=["always-yes", "always-no", "chance", "by-length", "by-neighbour"],
)
def test_a_reader_who_does_not_read_is_not_heard(reader: Reader) -> None:
    assert weigh(reader) == 0.0


def test_every_question_has_sentences_of_our_own_with_neighbours_of_the_text() -> None:
    groups = group_sentences(TEXTS, MEMBERS, range(400), OWN)
    for group in groups:
        own = [shown for shown in group if shown.place is None]
        assert sorted(shown.known for shown in own) == [False] * CONTROLS + [True] * CONTROLS
        assert all({shown.before, shown.after} <= {*TEXTS, ""} for shown in group)
        assert all(TEXTS[shown.place] == shown.text for shown in group if shown.place is not None)
    asked = [shown.place for group in groups for shown in group if shown.place is not None]
    assert {*asked} == {*range(400)}
    assert 1.1 < len(asked) / 400 < 1.3
    assert not any(len(places) != len({*places}) for places in ([shown.text for shown in group] for group in groups))


def test_neighbours_are_of_the_same_member_and_a_text_is_asked_about_once() -> None:
    texts, members = ["A hall.", "A cave.", "A hall.", "A yard."], ["a", "a", "b", "b"]
    shown = {
        each.place: each for group in group_sentences(texts, members, range(4), OWN) for each in group if each.place is not None
    }
    assert sorted(shown) == [0, 1, 3]
    assert (shown[1].before, shown[1].after, shown[3].before) == ("A hall.", "", "A hall.")
    assert group_sentences(texts, members, [], OWN) == []
    questions = list_questions(group_sentences(texts, members, [3], OWN), "Find the places.")
    assert {name for _, question in questions for name in question.unit.split()} <= {"a", "b"}


@pytest.mark.parametrize(
    "said",
    [
        '{"sentences": [{"sentence": 2, "place": "yes"}]}',
        '{"sentences": [{"sentence": 1, "place": "perhaps"}]}',
        '{"sentences": [{"sentence": true, "place": "yes"}]}',
        '{"sentences": [{"sentence": [1], "place": "yes"}]}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_told_and_says_nothing(said: str) -> None:
    group = (Shown("A hall.", "", "", "m", 0),)
    with pytest.raises(SourceError, match="the answer"):
        read_places(said, group)
    asked = list_questions([group], "Find the places.")
    found = gather_places("model", asked, {asked[0][1].digest: said})
    assert (found.answers, found.unreadable, found.places) == (1, 1, {})
