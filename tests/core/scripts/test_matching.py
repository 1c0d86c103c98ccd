import random
from dataclasses import replace

from core.dialogue import Turn
from core.scripts.config import MatchingConfig, ScriptsConfig
from core.scripts.matching import rate_match
from core.scripts.story import CastMember, Scene, Story
from infra.settings import load_config

CONFIG = ScriptsConfig()
CAST = (CastMember("Mabel Finch"), CastMember("Otto Reed"))
N_SCENES = 24


def make_word(chooser: random.Random) -> str:
    return "".join(chooser.choice("bdfgklmnprst") + chooser.choice("aeiou") for _ in range(3))


def make_film(seed: int) -> Story:
    """Return scenes with words of their own between words of all, and a sentence about every second of them."""
    chooser = random.Random(seed)
    common = [make_word(random.Random(0)) for _ in range(10)]
    scenes, sentences = [], []
    for place in range(N_SCENES):
        own = [make_word(chooser) for _ in range(6)]
        speaker = ("MABEL", "OTTO")[place % 2]
        text = " ".join([*own[:4], *chooser.sample(common, 5)])
        scenes.append(
            Scene(place, place, f"INT. {own[4].upper()}", (Turn(place, (speaker,), (text,), speaker, text),), (own[5],))
        )
        if place % 2 == 0:
            sentences.append(f"Mabel Finch finds the {own[0]} and the {own[1]} near a {make_word(chooser)}.")
    return Story("the-fox", "movie", "The Fox", "", tuple(scenes), tuple(sentences), CAST)


def tell(script: int, synopsis: int) -> Story:
    return replace(make_film(script), sentences=make_film(synopsis).sentences)


def test_a_synopsis_fits_its_own_script_and_not_another_with_the_same_cast() -> None:
    for script in range(1, 4):
        for synopsis in range(1, 4):
            match = rate_match(tell(script, synopsis), CONFIG)
            assert (match.score >= CONFIG.matching.least_match) == (script == synopsis), (script, synopsis, match)


def test_few_sentences_few_scenes_and_the_published_profile_are_not_judged() -> None:
    film = tell(1, 2)
    few = replace(film, sentences=film.sentences[:9])
    assert rate_match(few, CONFIG) is None
    assert rate_match(replace(film, scenes=film.scenes[:19]), CONFIG) is None
    assert rate_match(film, load_config(ScriptsConfig, "scripts", "sumtitles")) is None
    assert rate_match(few, replace(CONFIG, matching=MatchingConfig(least_sentences=9))) is not None
