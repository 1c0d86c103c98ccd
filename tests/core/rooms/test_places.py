from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rooms.places import PLAIN, WORDS, PlaceWeights, hash_words, parse_weights, rate_sentences, write_weights
from core.rooms.score import Part
from infra.models.room_words import read_place_weights

PACKAGED = parse_weights(read_place_weights())
NOTHING = PlaceWeights(np.zeros(WORDS), np.zeros(len(PLAIN)), speech=0.0, written=0.0)


def rate(text: str, spoken: bool = True, weights: PlaceWeights = PACKAGED) -> float:
    return rate_sentences([text], [()], [spoken], weights)[0]


def test_a_description_is_likelier_than_talk_about_the_same_things() -> None:
    described = (
        "A narrow stone corridor opens into a round chamber with a low, cracked ceiling.",
        "The courtyard is paved with broken millstones, and a dry fountain fills its middle.",  # outdoors too
    )
    talk = (
        "Did you guys check the ceiling of this chamber before I opened the door?",
        "We should walk to the fountain, shall we?",
    )
    assert min(map(rate, described)) > 0.25 > 0.05 > max(map(rate, talk))


def test_each_kind_of_weight_counts() -> None:
    text = "Moss covers the wall."
    plain = np.zeros(len(PLAIN))
    plain[PLAIN.index("wall")] = 2.0
    words = np.zeros(WORDS)
    words[hash_words("moss")[0]] = 3.0
    assert rate(text, weights=NOTHING) == 0.5
    assert rate(text, weights=replace(NOTHING, speech=-1.0)) == pytest.approx(1 / (1 + np.exp(1)), abs=1e-4)
    assert rate(text, spoken=False, weights=replace(NOTHING, speech=-1.0)) == 0.5
    assert rate(text, weights=replace(NOTHING, words=words)) == pytest.approx(1 / (1 + np.exp(-3 / 5**0.5)), abs=1e-4)
    weights = replace(NOTHING, plain=plain)
    assert rate_sentences([text], [(Part("wall", 1),)], [True], weights) == [pytest.approx(0.8, abs=1e-3)]  # 2 · log 2


def test_weights_are_the_same_after_they_were_written_and_hashes_on_every_machine() -> None:
    again = parse_weights(write_weights(PACKAGED))
    assert (again.words == PACKAGED.words).all()
    assert (again.plain == PACKAGED.plain).all()
    assert (again.speech, again.written) == (PACKAGED.speech, PACKAGED.written)
    assert hash_words("The door, the DOOR.") == hash_words("the door , .")
    assert hash_words("door") == (5_165,)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_text_has_a_probability(texts: list[str]) -> None:
    found = rate_sentences(texts, [()] * len(texts), [True] * len(texts), PACKAGED)
    assert len(found) == len(texts)
    assert all(0 <= value <= 1 for value in found)
