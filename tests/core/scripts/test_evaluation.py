import json

import pytest

from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import describe_agreement, find_sentences, grade_story
from core.scripts.story import GoldLink, Scene, Story

SENTENCES = ("Jack runs.", "Mary “waits” — still.", "They kiss.", "Jack falls.", "They kiss.")
STRICT = (-1, 0, 0, 1, 2, 3)  # the parser's scenes 1 and 2 are one strict scene


def story(unit="fox", sentences=SENTENCES, strict=STRICT):
    scenes = tuple(Scene(index, number, "", (), ()) for index, number in enumerate(strict))
    return Story(unit, "movie", unit, "", scenes, sentences, None)


def links(*scenes):
    return StoryLinks(scenes, (1.0,) * len(scenes), ())


def gold(place, *scenes, sentence=None, source="me"):
    return GoldLink("fox", place, sentence or SENTENCES[place], scenes, source=source)


def test_hits_count_by_the_strict_index():
    graded = grade_story(story(), links(2, 3, 3, 5, 5), [gold(0, 0), gold(1, 2, 3), gold(3, 0, 1)])
    assert (graded.unit, graded.source, graded.unmatched) == ("fox", "me", ())
    assert [link.hit for link in graded.links] == [True, False, False]
    assert [link.distance for link in graded.links] == pytest.approx([0, 1 / 4, 2 / 4])
    counts = graded.counts
    assert (counts.both, counts.ours, counts.gold, counts.cells) == (1, 3, 5, 12)


def test_gold_is_matched_by_its_letters_and_left_out_before_the_first_heading():
    answers = find_sentences(story(), [gold(1, 2, sentence='mary "waits" - still'), gold(3, 1, sentence="Jack falls!")])
    assert answers == {1: (2,), 3: (1,)}
    graded = grade_story(story(), links(0, 0, 0, 0, 0), [gold(0), gold(1, -1), gold(3, -1, 0), gold(0, 1, sentence="Who?")])
    assert graded.unmatched == ("Who?",)
    assert [link.hit for link in graded.links] == [True]  # beside other scenes, −1 counts as a scene


def test_agreement_is_given_in_total_by_source_and_by_story_and_without_gold_there_is_none():
    found = links(1, 3, 3, 5, 5)
    graded = [
        grade_story(story(), found, [gold(0, 0), gold(1, 1)]),
        grade_story(story(), found, [gold(0, 3, source="you")]),
        grade_story(story("goose"), found, [gold(3, 3, source="you")]),
    ]
    agreement = describe_agreement(graded)
    assert agreement["all"]["stories"] == 2
    assert agreement["all"]["rates"]["hit_rate"]["value"] == 0.75
    assert {source: (each["stories"], each["rates"]["links"]) for source, each in agreement["by_source"].items()} == {
        "me": (1, 2), "you": (2, 2),
    }  # fmt: skip
    assert {unit: each["rates"]["links"] for unit, each in agreement["by_story"].items()} == {"fox": 3, "goose": 1}
    assert json.loads(json.dumps(agreement)) == agreement
    graded = grade_story(story(), links(0, 0, 0, 0, 0), [])
    assert (graded.source, graded.links) == ("", ())
    assert describe_agreement([graded])["all"]["rates"] is None
    assert describe_agreement([])["all"] == {
        "stories": 0, "unmatched": 0, "rates": None, "accuracy": None, "iou": None, "paper_precision": None, "recall": None,
        "precision": None, "f1": None,
    }  # fmt: skip
