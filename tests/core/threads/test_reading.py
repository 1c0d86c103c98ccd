"""Reading of dialogues by a model: what it is asked, what its answers change, and readers who must change nothing."""

import json
from collections.abc import Callable
from random import Random

import pytest

from core.errors import SourceError
from core.reading.controls import Counts
from core.threads.reading import Group, Marks, Shown, choose_turns, gather_marks, list_questions, read_marks, weigh_reader

Reader = Callable[[Shown, int], bool]
"""Tells whether it stumbles over a turn."""
TOPICS = ("lantern", "kettle", "goat", "ladder", "violin", "pumpkin", "anchor", "carpet")
WORDS = ("rusty", "wooden", "copper", "crooked", "painted", "hollow", "borrowed", "silent")


def make_dialogues(count: int = 80) -> list[Shown]:
    """Return dialogues, each about a thing of its own; the word "strange" stands in a fifth of the replies."""
    draw, made = Random(5), []
    for number in range(count):
        thing = f"{TOPICS[number % 8]}{chr(97 + number // 8)}"
        turns = []
        for turn in range(2 * draw.randint(2, 5)):
            odd = "strange " if turn % 2 and draw.random() < 0.2 else ""
            turns.append(f"My {odd}{thing} was {draw.choice(WORDS)}{thing} and {draw.choice(WORDS)}{thing}.")
        made.append(Shown(f"t3_{number}_0", tuple(turns)))
    return made


def stumbles(shown: Shown, turn: int) -> bool:
    """Tell the truth: a reader stumbles over a reply that is strange, or is about another thing than the post."""
    thing = shown.turns[0].split()[1]
    return "strange" in shown.turns[turn] or thing not in shown.turns[turn]


def answer(group: Group, reader: Reader) -> str:
    entries = [
        {
            "dialogue": number,
            "stumbles": [{"turn": turn, "why": "beside"} for turn in shown.replies if reader(shown, turn)],
            "rest": "good",
        }
        for number, shown in enumerate(group, 1)
    ]
    return json.dumps({"dialogues": entries})


def weigh(reader: Reader) -> float:
    asked = list_questions(make_dialogues(), "Find the turns.")
    found = gather_marks("model", asked, {question.digest: answer(group, reader) for group, question in asked})
    assert found.counts == Counts("model", len(asked), len(asked), 0)
    assert found.marks.keys() == {shown.id for shown in make_dialogues()}
    return weigh_reader(found.trials)


def test_a_reader_who_reads_is_believed() -> None:
    assert weigh(stumbles) > 0.8


def test_a_reader_who_is_sometimes_wrong_is_believed_less() -> None:
    def err(shown: Shown, turn: int) -> bool:
        return stumbles(shown, turn) != (Random(f"{shown}{turn}").random() < 0.06)

    assert 0.4 < weigh(err) < weigh(stumbles)


@pytest.mark.parametrize(
    "reader",
    [
        lambda *_: False,
        lambda *_: True,
        lambda _, turn: turn == 1,
        lambda shown, turn: turn == shown.replies[-1],
        lambda shown, turn: Random(f"{shown}{turn}").random() < 0.3,
        lambda shown, turn: len(shown.turns[turn]) % 2 == 0,
        lambda shown, turn: "strange" in shown.turns[turn],
    ],
    ids=["always-good", "always-bad", "always-first", "always-last", "chance", "by-length", "obeys-a-word"],
)
def test_a_reader_who_does_not_read_is_not_heard(reader: Reader) -> None:
    assert weigh(reader) == 0.0


def test_a_dialogue_with_a_planted_reply_stands_in_another_question() -> None:
    dialogues = make_dialogues()
    own = {shown.id: shown.turns for shown in dialogues}
    asked = list_questions(dialogues, "Find the turns.")
    planted = [(group, shown) for group, _ in asked for shown in group if shown.planted is not None]
    assert 0.2 * len(dialogues) < len(planted) < 0.5 * len(dialogues)
    for group, shown in planted:
        assert [other.id for other in group].count(shown.id) == 1
        assert stumbles(shown, shown.planted or 0)
        changed = [turn for turn, text in enumerate(shown.turns) if text != own[shown.id][turn]]
        assert changed == [shown.planted]
        said = [text for other in group for text in other.turns]
        assert said.count(shown.turns[changed[0]]) == 1, "its own dialogue is not shown beside it"
    first = [shown.id for group, _ in asked for shown in group if shown.planted is None]
    assert sorted(first) == sorted(own)


def test_a_dialogue_that_goes_leaves_most_questions_as_they_are() -> None:
    dialogues = make_dialogues()
    before = {question.digest for _, question in list_questions(dialogues, "Find the turns.")}
    gone = []
    for place in range(0, 80, 10):
        rest = [*dialogues[:place], *dialogues[place + 1 :]]
        gone.append(len(before - {question.digest for _, question in list_questions(rest, "Find the turns.")}))
    assert sum(gone) / len(gone) < len(before) / 3


def test_a_shard_of_one_dialogue_is_asked_about_once() -> None:
    ((group, question),) = list_questions(make_dialogues(1), "Find the turns.")
    assert [shown.planted for shown in group] == [None]
    assert question.unit == "t3_0_0"
    assert list_questions([], "Find the turns.") == []


@pytest.mark.parametrize(
    "said",
    [
        "I cannot tell.",
        '{"dialogues": 3}',
        '{"dialogues": [{"dialogue": 2, "stumbles": [], "rest": "good"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [], "rest": "fair"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [{"turn": 2, "why": "torn"}], "rest": "good"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [{"turn": true, "why": "torn"}], "rest": "good"}]}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_told_and_says_nothing(said: str) -> None:
    group = (Shown("t3_0_0", ("a", "b", "c", "d")),)
    with pytest.raises(SourceError, match="the answer"):
        read_marks(said, group)
    asked = list_questions(group, "Find the turns.")
    found = gather_marks("model", asked, {asked[0][1].digest: said})
    assert (found.counts, found.marks) == (Counts("model", 1, 1, 1), {})


def test_replies_go_by_the_weight_of_the_reader_and_the_post_joins_up() -> None:
    scores = [1.1, 0.2, 2.5, 0.0, 0.4]  # probabilities .75, .55, .92, .5, .6
    marks = Marks((1,), reads_well=True)
    assert choose_turns(scores, marks, 0.9, 4) == [[0, 2], [3], [4], [5]]
    assert choose_turns(scores, marks, 0.3, 4) == [[0], [1], [2], [3], [4], [5]]
    assert choose_turns(scores, Marks((3,), True), 0.9, 4) == [[0], [1], [2, 4], [5]]
    assert choose_turns(scores, Marks((5,), True), 0.9, 4) == [[0], [1], [2], [3]]
    assert choose_turns(scores, Marks((1, 5), True), 0.9, 4) is None, "two turns are left"
    assert choose_turns(scores, Marks((), False), 0.9, 4) is None
    assert choose_turns(scores, Marks((), False), 0.2, 4) == [[turn] for turn in range(6)]
    assert choose_turns([1.0], Marks((), True), 0.9, 4) == [[0], [1]], "a dialogue of two turns was one before"
