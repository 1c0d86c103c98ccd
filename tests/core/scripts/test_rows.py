from dataclasses import replace

import pytest

from core.dialogue import Turn
from core.review.decisions import Decision
from core.review.judgements import digest_row, digest_texts
from core.scripts.aligning import Candidate, HeardSentence, SceneGroup, StoryLinks
from core.scripts.confidence import SENTENCE
from core.scripts.config import FilterConfig, ScriptsConfig, TablesConfig
from core.scripts.rows import decide_rows, explain_rejects, link_sentences
from core.scripts.story import Scene, Story


def tell(number: int, said: str = "The ferry leaves at seven tonight.") -> Scene:
    return Scene(number, number, "INT. HALL", (Turn(number, ("ADA",), (said,), "ADA", ""),), ())


LENIENT = ScriptsConfig(filter=FilterConfig(several_scenes=0.25, min_probability=0.5, min_completeness=0.0))
STORY = Story("ferry", "movie", "The Ferry", "", tuple(map(tell, range(6))), ("Ada leaves.",) * 4, None)


def link(*posteriors: dict[int, float]) -> StoryLinks:
    """Return the links of sentences with these posteriors by scene."""
    candidates = tuple(tuple(Candidate(scene, value, value) for scene, value in sorted(row.items())) for row in posteriors)
    best = tuple(max(row, key=row.__getitem__) for row in posteriors)
    return StoryLinks(best, tuple(row[scene] for row, scene in zip(posteriors, best, strict=True)), (), candidates)


def test_sentences_that_share_a_scene_are_one_row() -> None:
    links = link({0: 0.9}, {1: 0.6, 2: 0.3}, {2: 0.5, 3: 0.2, 4: 0.3}, {5: 0.99})
    rows = decide_rows(STORY, links, LENIENT)
    found = [(row.id, row.scenes, [each.sentence for each in row.sentences]) for row in rows]
    assert found == [("ferry_0000", (0,), [0]), ("ferry_0001", (1, 2, 4), [1, 2]), ("ferry_0003", (5,), [3])]
    single = ScriptsConfig(filter=FilterConfig(several_scenes=1.0, min_probability=0.4, min_completeness=0.0))
    alone = [row.scenes for row in decide_rows(STORY, links, single) if row.reason is None]
    assert alone == [(0,), (1,), (2,), (5,)]


def test_a_link_that_is_not_sure_adds_a_scene_to_the_row_that_it_is_likeliest_in_and_joins_none() -> None:
    links = link({0: 0.7, 1: 0.2}, {1: 0.18, 2: 0.8}, {2: 0.4, 3: 0.5}, {5: 0.99})
    rows = decide_rows(STORY, links, ScriptsConfig(filter=FilterConfig(min_probability=0.5, min_completeness=0.0)))
    assert [(row.scenes, [each.sentence for each in row.sentences]) for row in rows] == [
        ((0, 1), [0]),  # scene 1 is likelier here than in the next row, which loses it
        ((2, 3), [1, 2]),  # scene 2 is sure for both
        ((5,), [3]),
    ]
    assert [[link.scene for link in each.links] for each in rows[1].sentences] == [[2], [2, 3]]


def test_at_the_ends_of_a_long_script_a_high_posterior_says_less() -> None:
    long = replace(STORY, scenes=tuple(map(tell, range(100))))
    links = link({0: 0.97}, {2: 0.97}, {50: 0.97}, {98: 0.97})  # two scenes are an end of a hundred
    config = ScriptsConfig(filter=FilterConfig(min_completeness=0.0))
    kept = [row.sentences[0].sentence for row in decide_rows(long, links, config) if row.reason is None]
    assert kept == [1, 2]
    short = [row.reason for row in decide_rows(STORY, link({0: 0.97}, {2: 0.97}, {4: 0.97}, {5: 0.97}), config)]
    assert short == [None] * 4  # six scenes have no such ends


def test_a_sentence_that_other_scenes_tell_as_well_is_dropped_as_incomplete() -> None:
    scenes = (tell(0), tell(1, "The bell is in the cellar."), *map(tell, range(2, 6)))
    sentences = ("The ferry leaves.", "The ferry leaves, and Ada rings the bell in the cellar.")
    told = replace(STORY, scenes=scenes, sentences=sentences)
    links, config = link({0: 0.99}, {5: 0.99}), ScriptsConfig(filter=FilterConfig(min_completeness=0.7, min_length_ratio=0.0))
    rows = decide_rows(told, links, config)
    assert [row.reason for row in rows] == [None, "incomplete"]
    assert [row.completeness for row in rows] == [each.completeness for row in rows for each in row.sentences]
    merged = replace(config, tables=TablesConfig(scenes="merged"))
    groups = (SceneGroup(0, 1, 0, (0,)), SceneGroup(1, 6, 5, (1,)))
    assert [row.reason for row in decide_rows(told, replace(links, groups=groups), merged)] == [None, None]


def test_where_a_reader_was_heard_he_tells_how_sure_a_row_is_and_the_curves_the_rest() -> None:
    moved = HeardSentence("m/1", 0.9, 1.0, 0.8, 4, {3: 0.5, 4: 1.0}, 1, {1: 0.6, 2: 0.3, 3: 0.1})
    nowhere = HeardSentence("m/1", 0.9, 0.0, 0.0, None, {}, 2, {2: 0.3})
    links = replace(link({1: 0.06, 3: 0.46, 4: 0.9}, {2: 0.03}, {5: 0.9}), heard={0: moved, 1: nowhere})
    story = replace(STORY, sentences=STORY.sentences[:3])
    first, second, third = link_sentences(story, links, LENIENT)
    assert [each.scene for each in first.links] == [3, 4]
    assert first.probability == pytest.approx(0.9 + 0.1 * SENTENCE(0.1, [3, 4], 6)), "of the aligner alone, scene 3 has .1"
    assert 0.8 < first.completeness < 0.9
    assert second.probability == pytest.approx(0.1 * SENTENCE(0.3, [2], 6))
    assert third == link_sentences(story, replace(links, heard={}), LENIENT)[2]
    assert [each.decided_by for each in (first, second, third)] == ["model m-1", "aligner", "aligner"]
    rows = decide_rows(story, links, ScriptsConfig(filter=FilterConfig(min_probability=0.85, min_length_ratio=0.0)))
    assert [row.reason for row in rows if 1 in {each.sentence for each in row.sentences}] == ["low-probability"]
    assert [row.scenes for row in rows if row.reason is None] == [(3, 4)]


def test_what_the_aligner_alone_holds_for_likely_joins_no_row_where_a_reader_moved_the_sentence() -> None:
    heard = HeardSentence("m", 0.6, 1.0, 0.6, 3, {3: 1.0}, 2, {2: 0.5, 3: 0.0})
    links = replace(link({2: 0.2, 3: 0.6}, {2: 0.9}), heard={0: heard})
    config = ScriptsConfig(filter=FilterConfig(min_probability=0.5, min_completeness=0.0))
    rows = decide_rows(replace(STORY, sentences=STORY.sentences[:2]), links, config)
    assert [(row.scenes, row.decided_by) for row in rows] == [((2,), "aligner"), ((3,), "model m")]


def test_a_run_says_which_setting_dropped_rows() -> None:
    row = {"probability": 0.3, "completeness": 0.4, "turn_count": 0, "length_ratio": 0.5}
    reasons = ("too-few-turns", "low-probability", "shorter-than-summary", "incomplete")
    told = [rejected.describe() for rejected in explain_rejects(FilterConfig(), [row | {"reason": each} for each in reasons])]
    assert told == [
        "1 low-probability: filter.min_probability = 0.9; with 0.3 half of them pass, with 0.3 all",
        "1 incomplete: filter.min_completeness = 0.75; with 0.4 half of them pass, with 0.4 all",
        "1 too-few-turns: filter.min_turns = 1; with 0 half of them pass, with 0 all",
        "1 shorter-than-summary: filter.min_length_ratio = 1.0; with 0.5 half of them pass, with 0.5 all",
    ]


def make_scene(number: int) -> Scene:
    words = f"Scene {number} " + "has quite a few words to say " * 8
    turns = tuple(Turn(2 * number + n, ("ANN",), (words,), "ANN", words) for n in (0, 1))
    return Scene(number, number, f"INT. ROOM {number}", turns, ())


FILM = Story("film", "movie", "Film", "", tuple(map(make_scene, range(4))), ("They meet.", "They part."), None)
FOUND = StoryLinks(
    (0, 2), (0.9, 0.4), (), ((Candidate(0, 0.99, 0.95),), (Candidate(2, 0.3, 0.1), Candidate(3, 0.2, 0.08)))
)  # fmt: skip
SURE = ScriptsConfig(filter=FilterConfig(min_probability=0.9, min_completeness=0.0))


def decide(number: int, verdict: str, scenes: tuple[int, ...] | None = None, sentence: str | None = None) -> Decision:
    digest = digest_row(sentence or FILM.sentences[number], digest_texts(turn.text for turn in FILM.list_turns()))
    return Decision(item=f"film_{number:04d}", verdict=verdict, decided_by="people", digest=digest, scenes=scenes)  # type: ignore[arg-type]


def test_people_confirm_reject_or_place_a_sentence_and_stale_decisions_change_nothing() -> None:
    config = ScriptsConfig(filter=FilterConfig(min_probability=0.0, min_completeness=1.0, min_length_ratio=0.0))
    assert {row.reason for row in decide_rows(FILM, FOUND, config)} == {"incomplete"}
    rows = {row.id: row for row in decide_rows(FILM, FOUND, config, [decide(0, "accept")])}
    assert (rows["film_0000"].reason, rows["film_0000"].completeness) == (None, None)
    assert rows["film_0001"].reason == "incomplete"
    for decision in (decide(0, "reject"), decide(0, "correct", ())):
        rows = {row.id: row for row in decide_rows(FILM, FOUND, SURE, [decision])}
        assert (rows["film_0000"].reason, rows["film_0000"].decided_by) == ("reviewed", "people")
    stale, beyond = decide(0, "correct", (1,), "They met."), decide(0, "correct", (9,))
    assert decide_rows(FILM, FOUND, SURE, [stale, beyond]) == decide_rows(FILM, FOUND, SURE)
