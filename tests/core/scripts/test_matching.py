"""Scripts and synopses of different films are told from those of one film."""

import random
from dataclasses import replace

import pytest

from core.dialogue import Turn
from core.errors import SourceError
from core.scripts.config import MatchingConfig, default_config, sumtitles_config
from core.scripts.matching import check_match, rate_match
from core.scripts.scenes import CastMember, Scene

CONFIG = default_config()
CAST = (CastMember("Mabel Finch"), CastMember("Otto Reed"))
N_SCENES = 24


def make_word(chooser: random.Random) -> str:
    return "".join(chooser.choice("bdfgklmnprst") + chooser.choice("aeiou") for _ in range(3))


def make_film(seed: int) -> tuple[list[Scene], list[str]]:
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
    return scenes, sentences


def test_a_synopsis_fits_its_own_script_and_not_another_with_the_same_cast() -> None:
    least = CONFIG.matching.least_match
    films = [make_film(seed) for seed in (1, 2, 3)]
    for at, (scenes, _) in enumerate(films):
        for told, (_, sentences) in enumerate(films):
            match = rate_match(scenes, sentences, CAST, CONFIG)
            assert match is not None
            assert (match.score >= least) == (at == told), (at, told, match)


def test_the_order_of_the_sentences_counts() -> None:
    scenes, sentences = make_film(1)
    told, reversed_ = (rate_match(scenes, rows, CAST, CONFIG) for rows in (sentences, sentences[::-1]))
    assert told is not None
    assert reversed_ is not None
    assert told.words == pytest.approx(reversed_.words)
    assert told.order > 0.5 > reversed_.order


def test_the_message_has_both_figures_and_the_setting() -> None:
    (scenes, _), (_, sentences) = make_film(1), make_film(2)
    match = rate_match(scenes, sentences, CAST, CONFIG)
    assert match is not None
    with pytest.raises(SourceError) as raised:
        check_match("the-fox", "the-fox/synopsis.txt", scenes, sentences, CAST, CONFIG)
    for part in ("the-fox/synopsis.txt", f"{match.order:.2f}", f"{match.words:.0%}", "expected 1.45", "matching.least_match"):
        assert part in str(raised.value)


def test_few_sentences_few_scenes_and_the_published_profile_are_not_judged() -> None:
    (scenes, _), (_, sentences) = make_film(1), make_film(2)
    assert rate_match(scenes, sentences[:9], CAST, CONFIG) is None
    assert rate_match(scenes[:19], sentences, CAST, CONFIG) is None
    assert rate_match(scenes, sentences, CAST, sumtitles_config()) is None
    lower = replace(CONFIG, matching=MatchingConfig(least_sentences=9))
    assert rate_match(scenes, sentences[:9], CAST, lower) is not None
