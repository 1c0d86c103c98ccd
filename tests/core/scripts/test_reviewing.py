"""Decisions of readers applied to a story's links."""

from core.dialogue import Turn
from core.review.basis import digest_texts, name_basis
from core.review.decisions import Decision
from core.scripts.aligning import Candidate, StoryLinks
from core.scripts.config import FilterConfig, ScriptsConfig
from core.scripts.rows import decide_rows
from core.scripts.story import Scene, Story


def make_scene(number: int) -> Scene:
    words = f"Scene {number} " + "has quite a few words to say " * 8
    return Scene(
        number, number, f"INT. ROOM {number}", tuple(Turn(2 * number + n, ("ANN",), (words,), "ANN", words) for n in (0, 1)), ()
    )


STORY = Story("film", "movie", "Film", "", tuple(map(make_scene, range(4))), ("They meet.", "They part."), None)
LINKS = StoryLinks(
    (0, 2), (0.9, 0.4), (), ((Candidate(0, 0.99, 0.95),), (Candidate(2, 0.3, 0.1), Candidate(3, 0.2, 0.08)))
)  # fmt: skip
CONFIG = ScriptsConfig(filter=FilterConfig(min_probability=0.9, min_completeness=0.0))


def decide(number: int, verdict: str, scenes: tuple[int, ...] | None = None, sentence: str | None = None) -> Decision:
    basis = name_basis(sentence or STORY.sentences[number], digest_texts(turn.text for turn in STORY.list_turns()))
    return Decision(item=f"film_{number:04d}", verdict=verdict, decided_by="people", basis=basis, scenes=scenes)  # type: ignore[arg-type]


def test_a_doubtful_sentence_that_readers_place_is_kept_with_their_scenes() -> None:
    before = {row.id: row for row in decide_rows(STORY, LINKS, CONFIG)}
    assert before["film_0001"].reason == "low-probability"
    after = {row.id: row for row in decide_rows(STORY, LINKS, CONFIG, [decide(1, "correct", (1, 3))])}
    assert (after["film_0001"].scenes, after["film_0001"].reason, after["film_0001"].decided_by) == ((1, 3), None, "people")
    assert after["film_0000"] == before["film_0000"]


def test_an_incomplete_sentence_that_readers_confirm_is_kept_and_states_no_completeness() -> None:
    config = ScriptsConfig(filter=FilterConfig(min_probability=0.0, min_completeness=1.0, min_length_ratio=0.0))
    assert {row.reason for row in decide_rows(STORY, LINKS, config)} == {"incomplete"}
    rows = {row.id: row for row in decide_rows(STORY, LINKS, config, [decide(0, "accept")])}
    assert (rows["film_0000"].reason, rows["film_0000"].completeness) == (None, None)
    assert rows["film_0001"].reason == "incomplete"


def test_a_sentence_moved_to_anothers_scene_joins_its_row() -> None:
    (row,) = decide_rows(STORY, LINKS, CONFIG, [decide(1, "correct", (0,))])
    assert ([each.sentence for each in row.sentences], row.scenes, row.decided_by) == ([0, 1], (0,), "people")


def test_a_rejected_sentence_and_one_told_in_no_scene_make_dropped_rows() -> None:
    for decision in (decide(0, "reject"), decide(0, "correct", ())):
        rows = {row.id: row for row in decide_rows(STORY, LINKS, CONFIG, [decision])}
        assert (rows["film_0000"].reason, rows["film_0000"].decided_by) == ("reviewed", "people")


def test_decisions_about_other_texts_or_scenes_that_are_not_there_change_nothing() -> None:
    stale, beyond = decide(0, "correct", (1,), "They met."), decide(0, "correct", (9,))
    assert decide_rows(STORY, LINKS, CONFIG, [stale, beyond]) == decide_rows(STORY, LINKS, CONFIG)
