from dataclasses import fields, replace

import numpy as np
import pytest

from core.scripts.config import ScriptsConfig, Weights
from core.scripts.similarities import measure_similarities
from core.scripts.story import Story
from tests.core.scripts.letter import LETTER, HashedTerms, scene, show, tell

NAMES = [entry.name for entry in fields(Weights)]
CONFIG = ScriptsConfig()


def measure(story: Story, *names: str, config: ScriptsConfig = CONFIG) -> dict[str, np.ndarray]:
    return measure_similarities(story, HashedTerms(), names, config)


def test_all_similarities_have_one_shape_and_bm25_prefers_the_same_form() -> None:
    measured = measure(LETTER, *NAMES)
    assert list(measured) == NAMES
    assert all(matrix.shape == (3, 4) and np.isfinite(matrix).all() for matrix in measured.values())
    assert measured["roles"][1, 2] > measured["roles"][1, 1] == 0
    scenes = show("He refused.", "A refusal.", "They refuse.", "Rain falls.", "Wind blows.", "Snow drifts.")
    (row,) = measure(tell(["He refused."], scenes, ()), "bm25")["bm25"]
    assert row[0] > row[2] > row[1] > row[3] == 0
    assert not measure(tell(["And so it was."]), "bm25")["bm25"].any()


def test_shared_people_over_all_people_and_over_those_of_the_sentence() -> None:
    """SumTitles, algorithm 6: Ada and Tobias are named; Ada alone speaks in the first scene, and nobody in the second."""
    scenes = (scene(0, "", "ADA", "Row!"), scene(1), scene(2, "", "TOBIAS", "No."))
    by_names = replace(CONFIG, alignment=replace(CONFIG.alignment, mentions=0.0))
    told = tell(["Ada meets Tobias.", "Rain falls.", "Ada rows."], scenes)
    measured = measure(told, "jac", "osj", config=by_names)
    assert measured["jac"].tolist() == [[0.5, 0, 0.5], [0, 0, 0], [1, 0, 0]]
    assert measured["osj"].tolist() == [[0.5, 0, 0.5], [0, 0, 0], [1, 0, 0]]


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
