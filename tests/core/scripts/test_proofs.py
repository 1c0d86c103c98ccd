"""The second question about rows: what it shows, what its answers change, and answers that are none."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.dialogue import Turn
from core.errors import SourceError
from core.reading.questions import estimate_tokens
from core.scripts.aligning import link_located, locate_story
from core.scripts.proofs import MOST_TOKENS, Asked, Shown, gather_reading, list_questions, read_proofs
from core.scripts.reading import MOST_WHOLE, REWRITTEN, hear_sentences, write_scene
from core.scripts.reading import list_questions as ask_first
from core.scripts.rows import decide_rows
from core.scripts.story import Scene
from tests.core.scripts.invented import CONFIG, make_film

SENTENCE = "At night Fox gives the goose a hat that he stole in the market."


def test_rows_are_shown_with_their_own_scenes_and_what_is_lacking_leaves_them() -> None:
    story, gold = make_film(7)
    located = locate_story(story, lambda _: np.zeros((0, 1), np.float32), CONFIG)
    assert located.posteriors is not None
    first = ask_first(story, located.posteriors, "Find the scenes.")
    answers = {}
    for window, question in first:
        said = [(sentence, [*({*gold[sentence]} & {*window.scenes})]) for sentence in window.sentences]
        entries = [{"sentence": sentence, "scenes": scenes, "whole": True} for sentence, scenes in said]
        answers[question.digest] = json.dumps({"sentences": entries})
    reading = gather_reading("model", first, {question.digest: "" for _, question in first[:1]}, located)
    assert list_questions(story, located, CONFIG, reading, "Check.") == [], "a further answer may change the rows"
    reading = gather_reading("model", first, answers, located)
    kept = [row for row in decide_rows(story, link_located(located, hear_sentences(reading)), CONFIG) if row.reason is None]
    second = list_questions(story, located, CONFIG, reading, "Check.")
    assert [number for shown, _ in second for number in shown.sentences] == [
        each.sentence for row in kept for each in row.sentences
    ]
    shown = [int(line[1 : line.index("]")]) for _, question in second for line in question.text.splitlines() if line[0:1] == "["]
    assert shown == [scene for row in kept for scene in row.scenes]
    assert all(estimate_tokens(question.text) < MOST_TOKENS * 1.1 for _, question in second)

    (part, lost, *_) = kept
    texts = {number: text for group, _ in second for number, (_, text, _) in group.sentences.items()}
    texts[part.sentences[0].sentence] = half = " ".join(story.sentences[part.sentences[0].sentence].split()[:4])
    texts[lost.sentences[0].sentence] = ""
    for group, question in second:
        entries = [{"sentence": number, "pieces": [], "told": texts[number]} for number in group.sentences]
        answers[question.digest] = json.dumps({"sentences": entries})
    asked: Asked = [*first, *second]
    proved = gather_reading("model", asked, answers, located)
    assert (proved.questions, proved.answers, proved.unreadable) == (len(asked), len(asked), 0)
    assert (proved.weight, proved.votes) == (reading.weight, reading.votes), "the second look says nothing of the reader"
    after = {row.id: row for row in decide_rows(story, link_located(located, hear_sentences(proved)), CONFIG)}
    assert [after[row.id].reason for row in kept[:3]] == [None, "incomplete", None]
    assert [after[row.id].sentences[0].part for row in kept[:3]] == [half, "", ""]


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
    found = read_proofs(json.dumps({"sentences": [entry]}), Shown({2: (SENTENCE, SENTENCE, (3, 4))}))
    assert (found[2].text, found[2].whole) == (part, whole)


@pytest.mark.parametrize(
    "entry",
    [
        {"sentence": 3, "pieces": [], "told": "Fox."},
        {"sentence": 2, "pieces": []},
        {"sentence": 2, "pieces": [{"words": "Fox"}], "told": "Fox."},
        {"sentence": 2, "pieces": [{"words": "Fox", "scene": "the last"}], "told": "Fox."},
        {"sentence": 2, "pieces": 3, "told": "Fox."},
    ],
)
def test_an_answer_that_is_none_is_told(entry: dict[str, object]) -> None:
    with pytest.raises(SourceError, match="sentence"):
        read_proofs(json.dumps({"sentences": [entry]}), Shown({2: (SENTENCE, SENTENCE, (3, 4))}))


def test_a_scene_is_shown_whole_unless_it_is_very_long() -> None:
    turns = tuple(Turn(place, ("ADA",), (f"{place} " + "word " * 200,), "ADA", "") for place in range(10))
    scene = Scene(3, 3, "INT. HALL - NIGHT", turns, ())
    assert write_scene(3, scene, whole=True).count("word") == 2000
    long = write_scene(3, replace(scene, turns=turns * 10), whole=True)
    assert long.count("\n") == 100
    assert estimate_tokens(long) <= MOST_WHOLE
