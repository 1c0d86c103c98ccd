"""Sentences are chosen by score, and no trigram twice."""

from lab.summarisation.neural.bertsum import block_trigrams


def test_the_best_sentences_stand_in_their_order() -> None:
    assert block_trigrams(["a b c", "d e f", "g h i"], [0.1, 0.9, 0.5], 2) == (1, 2)


def test_a_sentence_that_repeats_a_trigram_is_passed_over() -> None:
    sentences = ["They open the gate.", "So they open the gate again.", "They open a door."]
    assert block_trigrams(sentences, [0.9, 0.8, 0.1], 2) == (0, 2)


def test_words_decide_and_not_marks_and_case() -> None:
    assert block_trigrams(["They open: THE gate", "they, open the"], [0.1, 0.9], 2) == (1,)


def test_ties_go_to_the_first_and_sentences_without_words_are_left_out() -> None:
    assert block_trigrams(["...", "a b c", "d e f"], [0.9, 0.5, 0.5], 1) == (1,)
    assert block_trigrams([], [], 3) == ()
