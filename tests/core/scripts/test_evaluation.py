import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import describe_agreement, find_sentences, grade_story
from core.scripts.json_files import read_gold
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


def test_sentences_are_matched_by_their_letters():
    answers = find_sentences(story(), [gold(1, 2, sentence='mary "waits" - still'), gold(3, 1, sentence="Jack falls!")])
    assert answers == {1: (2,), 3: (1,)}


def test_gold_that_is_a_part_of_one_sentence_has_its_place_there():
    halves = Story(
        "fox", "movie", "Fox", "", story().scenes, ("They meet. And the fox goes home to its den.", "They meet again."), ()
    )
    whole = [GoldLink("fox", 1, "and the fox goes home to its den.", (2,)), GoldLink("fox", 0, "They meet", (1,))]
    assert find_sentences(halves, whole) == {0: (2,)}  # a part of a few letters could be of any sentence


def test_the_index_in_the_gold_decides_between_equal_sentences():
    assert find_sentences(story(), [gold(4, 3)]) == {4: (3,)}
    assert find_sentences(story(), [gold(2, 1), gold(4, 3)]) == {2: (1,), 4: (3,)}
    assert find_sentences(story(), [GoldLink("fox", 9, "They kiss.", (3,))]) == {2: (3,)}


def test_gold_without_a_scene_after_the_first_heading_is_left_out():
    graded = grade_story(story(), links(0, 0, 0, 0, 0), [gold(0), gold(1, -1), gold(3, -1, 0), gold(0, 1, sentence="Who?")])
    assert graded.unmatched == ("Who?",)
    assert [link.hit for link in graded.links] == [True]  # beside other scenes, −1 counts as a scene


def test_a_story_without_gold_has_no_rates():
    graded = grade_story(story(), links(0, 0, 0, 0, 0), [])
    assert (graded.source, graded.links) == ("", ())
    assert describe_agreement([graded])["all"]["rates"] is None
    assert describe_agreement([])["all"] == {
        "stories": 0, "unmatched": 0, "rates": None, "accuracy": None, "iou": None, "paper_precision": None, "recall": None,
        "precision": None, "f1": None,
    }  # fmt: skip


def test_agreement_is_given_in_total_by_source_and_by_story():
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


SCENE = st.integers(-9, 50) | st.booleans() | st.none() | st.text(max_size=2)


@given(
    st.lists(st.tuples(st.sampled_from([*SENTENCES, "Who?", "…"]), st.lists(SCENE, max_size=4), st.integers(-2, 9)), max_size=8),
    st.tuples(*[st.integers(0, 5)] * 5),
)
def test_a_story_can_be_graded_with_any_gold(rows, scenes):
    text = "\n".join(json.dumps({"movie_id": "fox", "sent": s, "scene_idx": found, "sent_idx": n}) for s, found, n in rows)
    graded = grade_story(story(), links(*scenes), read_gold("gold.jsonl", text))
    assert len(graded.links) <= len(SENTENCES)
    assert all(0 <= link.distance <= 1.1 and link.hit == (link.distance == 0) for link in graded.links)
