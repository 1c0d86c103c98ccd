import numpy as np
import pytest

from core.errors import ConfigError
from core.scripts.config import ScriptsConfig
from core.scripts.similarities import measure_similarities, named_weights
from lab.fitting.weights import GoldMovie, tune
from tests.core.scripts.letter import LETTER, HashedTerms

CONFIG = ScriptsConfig().alignment


def gold_movie(name: str) -> GoldMovie:
    measured = measure_similarities(LETTER, HashedTerms(), named_weights(CONFIG.weights), ScriptsConfig())
    return GoldMovie(name, "made-up", measured, np.arange(4), 4, {0: (0,), 1: (2,), 2: (2, 3)})


def test_tuning_judges_only_the_other_movies_and_is_reproducible() -> None:
    movies = [gold_movie("first"), gold_movie("second")]
    tuned = tune(movies, ["first"], CONFIG, ["bm25", "people"], max_rounds=2)
    assert list(tuned.links) == ["second"]
    assert all(link.hit for link in tuned.links["second"])
    assert tuned.weights.story_max == CONFIG.weights.story_max
    assert tuned == tune(movies, ["first"], CONFIG, ["bm25", "people"], max_rounds=2)


@pytest.mark.parametrize(("chosen", "names"), [(["third"], ["bm25"]), ([], ["bm25"]), (["first"], ["jac"])])
def test_tuning_refuses_unknown_movies_and_weights_of_zero(chosen: list[str], names: list[str]) -> None:
    with pytest.raises(ConfigError):
        tune([gold_movie("first")], chosen, CONFIG, names)
