"""The second question about rows: what it shows, what its answers change, and answers that are none."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from core.dialogue import Turn
from core.errors import SourceError
from core.reading.questions import Question, estimate_tokens
from core.scripts.aligning import LocatedStory, link_located, locate_story
from core.scripts.proofs import FAR, MOST_TOKENS, PLANTED, Shown, gather_reading, list_questions, read_proofs
from core.scripts.reading import MOST_WHOLE, REWRITTEN, StoryReading, hear_sentences, write_scene
from core.scripts.reading import list_questions as ask_first
from core.scripts.rows import SceneRow, decide_rows
from core.scripts.story import Scene, Story
from tests.core.scripts.invented import CONFIG, make_film

SENTENCE = "At night Fox gives the goose a hat that he stole in the market."


Answerer = Callable[[int, str, tuple[int, ...]], str]
"""Returns what an answer says is told of a sentence, by its number, its text as it is shown and its scenes."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A story, where its sentences are, what a reader has said first, and the second questions."""

    story: Story
    located: LocatedStory
    first: StoryReading
    second: Sequence[tuple[Shown, Question]]

    def answer(self, tell: Answerer) -> StoryReading:
        """Return the reading after the second questions; "" stands for no piece in the scenes."""
        answers = {}
        for shown, question in self.second:
            told = {number: (own, tell(number, text, own)) for number, (_, text, own) in shown.sentences.items()}
            entries = [
                {"sentence": number, "pieces": [{"words": "", "scene": own[0] if text else -1}], "told": text}
                for number, (own, text) in told.items()
            ]
            answers[question.digest] = json.dumps({"sentences": entries})
        second = gather_reading("model", self.second, answers, self.located)
        return replace(self.first, proofs=second.proofs, caught=second.caught)

    def decide(self, reading: StoryReading) -> dict[str, SceneRow]:
        """Return the rows by id."""
        return {row.id: row for row in decide_rows(self.story, link_located(self.located, hear_sentences(reading)), CONFIG)}


@pytest.fixture(scope="module")
def asking() -> Asking:
    story, gold = make_film(7)
    located = locate_story(story, lambda _: np.zeros((0, 1), np.float32), CONFIG)
    assert located.posteriors is not None
    first = ask_first(story, located.posteriors, "Find the scenes.")
    answers = {}
    for window, question in first:
        said = [(sentence, [*({*gold[sentence]} & {*window.scenes})]) for sentence in window.sentences]
        entries = [{"sentence": sentence, "scenes": scenes, "whole": True} for sentence, scenes in said]
        answers[question.digest] = json.dumps({"sentences": entries})
    some = gather_reading("model", first, dict([*answers.items()][1:]), located)
    assert list_questions(story, located, CONFIG, some, "Check.") == [], "a further answer may change the rows"
    reading = gather_reading("model", first, answers, located)
    return Asking(story, located, reading, list_questions(story, located, CONFIG, reading, "Check."))


def test_rows_are_shown_with_their_own_scenes_and_some_sentences_with_a_foreign_one(asking: Asking) -> None:
    kept = [row for row in asking.decide(asking.first).values() if row.reason is None]
    shown = {number: part for shown, _ in asking.second for number, part in shown.sentences.items()}
    n_sentences = len(asking.story.sentences)
    assert [number for number in shown if number < n_sentences] == [each.sentence for row in kept for each in row.sentences]
    assert sum(number >= n_sentences for number in shown) == PLANTED
    for number, (sentence, _, (scene, *_)) in shown.items():
        if number >= n_sentences:
            assert sentence == asking.story.sentences[number - n_sentences]
            assert all(abs(scene - other) >= FAR for told in asking.first.votes[number - n_sentences] for other in told.scenes)
    for _, question in asking.second:
        assert estimate_tokens(question.text) < MOST_TOKENS * 1.3
        assert {*question.about} <= {*asking.story.sentences}


def test_nothing_is_asked_about_sentences_of_which_an_answer_said_nothing_or_where_none_can_be_planted(asking: Asking) -> None:
    silent = min(asking.second[0][0].sentences)
    votes = {number: said for number, said in asking.first.votes.items() if number != silent}
    fewer = replace(asking.first, votes=votes)
    asked = list_questions(asking.story, asking.located, CONFIG, fewer, "Check.")
    assert asked
    assert all(silent not in shown.sentences for shown, _ in asked)
    short = replace(asking.story, scenes=tuple(replace(scene, narration=()) for scene in asking.story.scenes))
    assert list_questions(short, asking.located, CONFIG, asking.first, "Check.") == []


def test_what_is_lacking_leaves_the_rows(asking: Asking) -> None:
    n_sentences = len(asking.story.sentences)
    (part, lost, same) = [row for row in asking.decide(asking.first).values() if row.reason is None][:3]
    half = " ".join(asking.story.sentences[part.sentences[0].sentence].split()[:4])
    changed = {part.sentences[0].sentence: half, lost.sentences[0].sentence: ""}
    proved = asking.answer(lambda number, text, _: "" if number >= n_sentences else changed.get(number, text))
    assert proved.caught == (True,) * PLANTED
    after = asking.decide(proved)
    assert [after[row.id].reason for row in (part, lost, same)] == [None, "incomplete", None]
    assert [after[row.id].sentences[0].part for row in (part, lost, same)] == [half, "", ""]


@pytest.mark.parametrize(
    "tell",
    [
        lambda _, text, __: text,
        lambda *_: "",
        lambda number, text, _: text if Random(number).random() < 0.5 else "",
        lambda _, text, __: " ".join(text.split()[:4]),
    ],
    ids=["always-all", "always-nothing", "chance", "always-half"],
)
def test_a_reader_who_does_not_look_is_not_heard(asking: Asking, tell: Answerer) -> None:
    assert asking.decide(asking.answer(tell)) == asking.decide(asking.first)


@pytest.mark.parametrize(
    ("pieces", "told", "part", "whole"),
    [
        ([3, 3, 4], SENTENCE, "", 1.0),
        ([3, 3, -1], "At night Fox gives the goose a hat.", "At night Fox gives the goose a hat.", 1.0),
        ([3, 3, -1], SENTENCE, "", REWRITTEN),  # something is lacking, and nothing is left out
        ([3, 3, -1], "Fox gives the goose a coat.", "", 0.5 * REWRITTEN),
        ([3, 3], "Fox gives the goose a coat.", "", REWRITTEN),
        ([3, 5], SENTENCE, "", REWRITTEN),  # the scene is not one of the sentence's
        ([-1, -1], "", "", 0.0),
    ],
)
def test_a_second_look_takes_words_away_or_the_sentence(pieces: list[int], told: str, part: str, whole: float) -> None:
    entry = {"sentence": 2, "pieces": [{"words": "Fox", "scene": scene} for scene in pieces], "told": told}
    found = read_proofs(json.dumps({"sentences": [entry]}), Shown({2: (SENTENCE, SENTENCE, (3, 4))}, 9))
    assert (found[2].text, found[2].whole) == (part, whole)


@pytest.mark.parametrize(
    "entry",
    [
        {"sentence": 3, "pieces": [], "told": "Fox."},
        {"sentence": 2, "pieces": []},
        {"sentence": 2, "pieces": [{"words": "Fox"}], "told": "Fox."},
        {"sentence": 2, "pieces": [{"words": "Fox", "scene": "the last"}], "told": "Fox."},
        {"sentence": 2, "pieces": [{"words": "Fox", "scene": float("inf")}], "told": "Fox."},
        {"sentence": 2, "pieces": [3], "told": "Fox."},
        {"sentence": 2, "pieces": 3, "told": "Fox."},
    ],
)
def test_an_answer_that_is_none_is_told(entry: dict[str, object]) -> None:
    with pytest.raises(SourceError, match="sentence"):
        read_proofs(json.dumps({"sentences": [entry]}), Shown({2: (SENTENCE, SENTENCE, (3, 4))}, 9))


def test_a_scene_is_shown_whole_unless_it_is_very_long() -> None:
    turns = tuple(Turn(place, ("ADA",), (f"{place} " + "word " * 200,), "ADA", "") for place in range(10))
    scene = Scene(3, 3, "INT. HALL - NIGHT", turns, ())
    assert write_scene(3, scene, whole=True).count("word") == 2000
    long = write_scene(3, replace(scene, turns=turns * 10), whole=True)
    assert long.count("\n") == 100
    assert estimate_tokens(long) <= MOST_WHOLE
