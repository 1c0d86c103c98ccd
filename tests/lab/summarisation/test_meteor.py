"""METEOR's three stages."""

import pytest

from lab.summarisation.meteor import parse_synonyms, score_meteor

INDEX = """  1 This line is of the licence.
boat n 1 1 @ 1 1 02858304
vessel n 2 1 @ 2 1 02858304 04530566
ship n 1 1 @ 1 0 04530566
sailing_ship n 1 1 @ 1 0 04530566
lantern n 1 1 @ 1 1 03640988
"""
WORDNET = parse_synonyms([INDEX])


def test_equal_texts_have_nearly_one_and_foreign_ones_zero() -> None:
    assert score_meteor("the lantern is lit", "the lantern is lit") == pytest.approx(1 - 0.5 / 4**3)
    assert score_meteor("the lantern", "a gull") == 0
    assert score_meteor("", "a gull") == score_meteor("a gull", "") == 0


def test_stems_count_and_synonyms_where_there_is_a_wordnet() -> None:
    assert score_meteor("lanterns burning", "lantern burned") > 0.9
    assert score_meteor("the boat", "the vessel") < score_meteor("the boat", "the vessel", WORDNET)
    assert score_meteor("the boat", "the vessel", WORDNET) == score_meteor("the boat", "the boat")


def test_it_is_the_mean_of_precision_and_recall_less_the_penalty_for_chunks() -> None:
    matches, precision, recall, chunks = 3, 3 / 4, 3 / 5, 2  # "the cat" and "sea"
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    expected = mean * (1 - 0.5 * (chunks / matches) ** 3)
    assert score_meteor("the cat of a sea", "the cat saw sea") == pytest.approx(expected)


def test_words_of_one_synset_are_synonyms_and_no_others() -> None:
    def find(word: str) -> set[str]:
        return {lemma.name() for synset in WORDNET.synsets(word) for lemma in synset.lemmas()}

    assert find("vessel") == {"vessel", "boat", "ship", "sailing_ship"}
    assert find("boat") == {"boat", "vessel"}
    assert find("lantern") == find("licence") == set()
