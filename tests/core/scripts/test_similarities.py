from dataclasses import fields, replace

import numpy as np
import pytest

from core.dialogue import Turn
from core.scripts.config import ScriptsConfig, Weights
from core.scripts.scene_texts import clauses, gather, spoken_lines, story_lines, without_asides
from core.scripts.similarities import measure_similarities
from core.scripts.story import Scene, Story
from core.text.sentences import split_by_rules
from tests.core.scripts.letter import LETTER, HashedTerms, scene, show, tell

NAMES = [entry.name for entry in fields(Weights)]
CONFIG = ScriptsConfig()


def measure(story: Story, *names: str, config: ScriptsConfig = CONFIG) -> dict[str, np.ndarray]:
    return measure_similarities(story, HashedTerms(), names, config)


def test_lines_of_each_scene() -> None:
    scenes = (
        Scene(0, 0, "", (Turn(0, ("ADA",), ("Row! Row home.",), "ADA", "Row! Row home."),), ("Rain falls. She waits.",)),
        scene(1, "EXT. SEA"),
    )
    assert spoken_lines(scenes, split_by_rules).texts == ("Row!", "Row home.")
    story = story_lines(scenes, split_by_rules)
    assert story.texts == ("Row!", "Row home.", "Rain falls.", "She waits.")
    assert story.bounds.tolist() == [0, 4, 4]
    assert gather([]).bounds.tolist() == [0]


def test_every_sentence_has_a_clause_without_asides() -> None:
    parts = clauses(["Ada (An Actor) rows to the island, and Tobias burns the letter.", "Tobias leaves.", "And so; but"])
    assert parts.texts == ("Ada rows to the island", "Tobias burns the letter.", "Tobias leaves.", "And so; but")
    assert parts.bounds.tolist() == [0, 2, 3, 4]
    assert without_asides("Ada (An Actor) rows [home].") == "Ada rows."
    assert without_asides("(All of it)") == "(All of it)"


def test_all_similarities_have_one_shape_and_are_finite() -> None:
    measured = measure(LETTER, *NAMES)
    assert list(measured) == NAMES
    assert all(matrix.shape == (3, 4) and np.isfinite(matrix).all() for matrix in measured.values())
    assert measured["location"][0].argmax() in (0, 3)
    assert measured["roles"][1, 2] > measured["roles"][1, 1] == 0


def test_shared_people_over_all_people_and_over_those_of_the_sentence() -> None:
    """SumTitles, algorithm 6: Ada and Tobias are named; Ada alone speaks in the first scene, and nobody in the second."""
    scenes = (scene(0, "", "ADA", "Row!"), scene(1), scene(2, "", "TOBIAS", "No."))
    by_names = replace(CONFIG, alignment=replace(CONFIG.alignment, mentions=0.0))
    told = tell(["Ada meets Tobias.", "Rain falls.", "Ada rows."], scenes)
    measured = measure(told, "jac", "osj", config=by_names)
    assert measured["jac"].tolist() == [[0.5, 0, 0.5], [0, 0, 0], [1, 0, 0]]
    assert measured["osj"].tolist() == [[0.5, 0, 0.5], [0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("cast", [None, ()])
def test_without_a_cast_the_cast_similarities_are_zero(cast: tuple[()] | None) -> None:
    measured = measure(replace(LETTER, cast=cast), "jac", "osj", "roles", "people")
    assert not any(matrix.any() for matrix in measured.values())


def test_masked_similarities_compare_what_happens_whoever_it_is() -> None:
    """Without names, a sentence resembles the scene where somebody does the same, and not another scene of the same person."""
    told = tell(["Ada mends a boat.", "Rain."], show("Ada sleeps.", "Tobias mends a boat.", "Rain falls."))
    masked = ["story_masked", "clause_masked"]
    measured = measure(told, *masked, "story_max")
    assert measured["story_max"][0, 0] > measured["story_max"][0, 2]
    for name in masked:
        assert measured[name][0, 1] > measured["story_max"][0, 1]
        assert measured[name][0].argmax() == 1


def test_a_scene_with_more_of_a_person_has_more_of_people_by_a_bound() -> None:
    turns = [Turn(number, ("ADA",), ("Yes.",), "ADA", "Yes.") for number in range(30)]
    seen = ("Ada rows. Ada sings.", "Tobias waits.")
    scenes = (Scene(0, 0, "", tuple(turns[:1]), ()), Scene(1, 1, "", tuple(turns), ()), Scene(2, 2, "", (), seen))
    (row,) = measure(tell(["Ada mends a boat."], scenes), "people")["people"]
    assert 0 < row[0] < row[2] < row[1] < 2.5 * row[0]
    assert row[2] / row[0] == pytest.approx(2 / 3.5 * 2.5)


def test_bm25_prefers_the_same_form_and_finds_other_forms() -> None:
    scenes = show("He refused.", "A refusal.", "They refuse.", "Rain falls.", "Wind blows.", "Snow drifts.")
    (row,) = measure(tell(["He refused."], scenes, ()), "bm25")["bm25"]
    assert row[0] > row[2] > row[1] > row[3] == 0
    assert not measure(tell(["And so it was."]), "bm25")["bm25"].any()


def test_long_words_do_not_count_more_for_their_letter_ngrams() -> None:
    told = tell(["Rendezvous.", "Fog."], show("Rendezvous.", "Fog.", "Lamp.", "Sea."), ())
    long, short = measure(told, "bm25")["bm25"]
    assert 0 < long[0] < 2 * short[1]


def test_people_who_are_meant_count_less_than_names() -> None:
    told = tell(["Ada mends the lamp.", "She burns it."])
    share = CONFIG.alignment.mentions
    measured = measure(told, "osj", "roles", "people")
    plain = measure(told, "osj", "roles", config=replace(CONFIG, alignment=replace(CONFIG.alignment, mentions=0.0)))
    assert not plain["roles"][1].any()
    assert measured["roles"][1] == pytest.approx(share * measured["roles"][0])
    assert (measured["osj"] >= plain["osj"]).all()
    assert measured["roles"][0] == pytest.approx(plain["roles"][0])
    assert measured["people"][1] == pytest.approx(share * measured["people"][0])


def test_a_place_in_a_cues_role_is_nobody() -> None:
    """The reporter of Paris is not whom the sentence names, so the scene of the two others fits it in full."""
    turns = [Turn(number, (cue,), ("Yes.",), cue, "Yes.") for number, cue in enumerate(("ADA", "TOBIAS", "PARIS REPORTER"))]
    scenes = (Scene(0, 0, "INT. BAR", tuple(turns[:2]), ()), Scene(1, 1, "INT. HALL", tuple(turns[2:]), ()))
    assert measure(tell(["Ada and Tobias fly to Paris."], scenes), "osj")["osj"].tolist() == [[1.0, 0.0]]
