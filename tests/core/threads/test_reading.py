import json
from collections.abc import Callable
from random import Random

import pytest

from core.errors import SourceError
from core.threads.reading import (
    Group,
    Marks,
    Shown,
    choose_sentences,
    gather_marks,
    list_questions,
    read_marks,
    show_mended,
    weigh_reader,
)

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
            said = f"My {odd}{thing} was {draw.choice(WORDS)}{thing} and {draw.choice(WORDS)}{thing}."
            turns.append((said, f"So was the {thing}.") if turn % 3 else (said,))
        made.append(Shown(f"t3_{number}_0", tuple(turns)))
    return made


def stumbles(shown: Shown, turn: int) -> bool:
    """Tell the truth: a reader stumbles over a reply that is strange, or is about another thing than the post."""
    thing, said = shown.turns[0][0].split()[1], " ".join(shown.turns[turn])
    return "strange" in said or thing not in said


def answer(group: Group, reader: Reader) -> str:
    entries = [
        {
            "dialogue": number,
            "stumbles": [
                {"sentence": place, "why": "beside"}
                for place, (turn, _) in enumerate(shown.places, 1)
                if turn % 2 and reader(shown, turn)
            ],
            "rest": "good",
        }
        for number, shown in enumerate(group, 1)
    ]
    return json.dumps({"dialogues": entries})


def weigh(reader: Reader, count: int = 80) -> float:
    dialogues = make_dialogues(count)
    asked = list_questions(dialogues, "Find the turns.")
    found = gather_marks("model", asked, {question.digest: answer(group, reader) for group, question in asked})
    assert (found.questions, found.answers, found.unreadable) == (len(asked), len(asked), 0)
    assert found.marks.keys() == {shown.id for shown in dialogues}
    return weigh_reader(found.trials)


def test_a_reader_is_believed_less_where_he_is_sometimes_wrong() -> None:
    assert weigh(stumbles) > 0.8

    def err(shown: Shown, turn: int) -> bool:
        return stumbles(shown, turn) != (Random(f"{shown}{turn}").random() < 0.05)

    assert 0.5 < weigh(err, 200) < weigh(stumbles, 200)


@pytest.mark.parametrize(
    "reader",
    [
        lambda *_: False,
        lambda *_: True,
        lambda _, turn: turn == 1,
        lambda shown, turn: turn == shown.replies[-1],
        lambda shown, turn: Random(f"{shown}{turn}").random() < 0.3,
        lambda shown, turn: len(shown.turns[turn][0]) % 2 == 0,
        lambda shown, turn: "strange" in shown.turns[turn][0],
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
        assert shown.lender != shown.id
        changed = [turn for turn, text in enumerate(shown.turns) if text != own[shown.id][turn]]
        assert changed == [shown.planted]
        said = [text for other in group for text in other.turns]
        assert said.count(shown.turns[changed[0]]) == 1, "its own dialogue is not shown beside it"
    first = [shown.id for group, _ in asked for shown in group if shown.planted is None]
    assert sorted(first) == sorted(own)


def test_a_dialogue_that_goes_leaves_most_questions_as_they_are_and_one_alone_is_asked_about_once() -> None:
    dialogues = make_dialogues()
    before = {question.digest for _, question in list_questions(dialogues, "Find the turns.")}
    gone = []
    for place in range(0, 80, 10):
        rest = [*dialogues[:place], *dialogues[place + 1 :]]
        gone.append(len(before - {question.digest for _, question in list_questions(rest, "Find the turns.")}))
    assert sum(gone) / len(gone) < len(before) / 3
    ((group, question),) = list_questions(make_dialogues(1), "Find the turns.")
    assert [shown.planted for shown in group] == [None]
    assert question.unit == "t3_0_0"
    assert list_questions([], "Find the turns.") == []


@pytest.mark.parametrize(
    "said",
    [
        '{"dialogues": [{"dialogue": 2, "stumbles": [], "rest": "good"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [], "rest": "fair"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [{"sentence": 6, "why": "torn"}], "rest": "good"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [{"sentence": 0, "why": "torn"}], "rest": "good"}]}',
        '{"dialogues": [{"dialogue": 1, "stumbles": [{"sentence": true, "why": "torn"}], "rest": "good"}]}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_told_and_says_nothing(said: str) -> None:
    group = (Shown("t3_0_0", (("a",), ("b", "c"), ("d",), ("e",))),)
    with pytest.raises(SourceError, match="the answer"):
        read_marks(said, group)
    asked = list_questions(group, "Find the turns.")
    found = gather_marks("model", asked, {asked[0][1].digest: said})
    assert (found.answers, found.unreadable, found.marks) == (1, 1, {})


def test_what_a_reader_has_mended_is_shown_once_more_and_marks_mean_the_same_sentences() -> None:
    shown = Shown("t3_0_0", (("a", "A"), ("b",), ("c",), ("d", "D"), ("e",), ("f",)))
    first = Marks(((0, 1), (1, 0), (3, 0)), reads_well=True)
    mended = show_mended(shown, first, 4)
    assert mended == Shown("t3_0_0", (("a", "c"), ("D",), ("e",), ("f",)), left=((0, 0), (2, 0), (3, 1), (4, 0), (5, 0)))
    asked = [*list_questions([shown], "Find."), *list_questions([mended], "Find.")]
    assert [len(group) for group, _ in asked] == [1, 1], "nothing is planted in it"
    said = {asked[0][1].digest: answer_sentences(2, 3, 5), asked[1][1].digest: answer_sentences(3, rest="bad")}
    found = gather_marks("model", asked, said).marks["t3_0_0"]
    assert found == Marks((*first.stumbles, (3, 1)), reads_well=False)
    assert gather_marks("model", asked, {asked[0][1].digest: said[asked[0][1].digest]}).marks["t3_0_0"] == first
    assert show_mended(shown, Marks((), reads_well=True), 4) is None, "nothing has changed"
    assert show_mended(shown, Marks(((1, 0),), reads_well=False), 4) is None
    assert show_mended(shown, Marks(((1, 0), (5, 0)), reads_well=True), 4) is None, "too little is left"


def test_a_conversation_ends_before_the_first_turn_that_is_gone() -> None:
    def keep(*stumbles: tuple[int, int]) -> list[list[tuple[int, int]]] | None:
        return choose_sentences([2, 1, 1, 2, 1], [1.0] * 4, Marks(stumbles, reads_well=True), 0.9, 3, replied=True)

    whole = [[(0, 0), (0, 1)], [(1, 0)], [(2, 0)], [(3, 0), (3, 1)], [(4, 0)]]
    assert keep() == whole, "the author may have the last word"
    assert keep((0, 1), (3, 0)) == [[(0, 0)], *whole[1:3], [(3, 1)], whole[4]]
    assert keep((3, 0), (3, 1)) == whole[:3]
    assert keep((2, 0)) is None, "two turns are left"
    shown = Shown("t3_0_0", (("a",), ("b",), ("c",), ("d",), ("e",)), replied=True)
    mended = show_mended(shown, Marks(((3, 0),), reads_well=True), 3)
    assert mended == Shown("t3_0_0", (("a",), ("b",), ("c",)), left=((0, 0), (1, 0), (2, 0)), replied=True)


def answer_sentences(*sentences: int, rest: str = "good") -> str:
    stumbles = [{"sentence": sentence, "why": "torn"} for sentence in sentences]
    return json.dumps({"dialogues": [{"dialogue": 1, "stumbles": stumbles, "rest": rest}]})


SCORES = [1.1, 0.2, 2.5, 0.0, 0.4]
"""Of the turns 1 to 5: probabilities of .75, .55, .92, .5 and .6."""


def choose(*stumbles: tuple[int, int], weight: float = 0.9, reads_well: bool = True, min_turns: int = 4) -> str | None:
    """Return what is left of six turns, each with its sentences as letters: speaker 1 says two, speaker 2 one or two."""
    kept = choose_sentences([2, 1, 2, 2, 2, 1], SCORES, Marks(stumbles, reads_well), weight, min_turns)
    return kept and " ".join(
        "".join(["aA", "bB", "cC", "dD", "eE", "fF"][turn][number] for turn, number in turns) for turns in kept
    )


def test_a_reply_goes_by_the_weight_of_the_reader_and_a_turn_of_speaker_1_keeps_a_sentence() -> None:
    assert choose() == "aA b cC dD eE f"
    assert choose((1, 0)) == "aAcC dD eE f"
    assert choose((1, 0), weight=0.3) == "aA b cC dD eE f", "the scorer is surer"
    assert choose((3, 0), (3, 1)) == "aA b cCeE f"
    assert choose((5, 0)) == "aA b cC dD", "nobody replies to the last turn of speaker 1"
    assert choose((1, 0), (5, 0)) is None, "two turns are left"
    assert choose((1, 0), (5, 0), min_turns=2) == "aAcC dD"
    assert choose((3, 0), (0, 1)) == "a b cC D eE f"
    assert choose((2, 0), (2, 1)) == "aA b cC dD eE f", "the reply after it answers them"
    assert choose((2, 0), (2, 1), (1, 0)) == "aA dD eE f"
    assert choose((0, 0), (0, 1), (1, 0)) == "cC dD eE f"
    assert choose((0, 1), weight=0.4) == "aA b cC dD eE f"
    assert choose(reads_well=False) is None
    assert choose(reads_well=False, weight=0.2) == "aA b cC dD eE f"
    short = choose_sentences([1, 1], [1.0], Marks((), True), 0.9, 4)
    assert short == [[(0, 0)], [(1, 0)]], "a dialogue of two turns was one before"
