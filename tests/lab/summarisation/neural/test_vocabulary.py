"""Words and their numbers."""

from lab.summarisation.neural.vocabulary import UNKNOWN, join_words, make_vocabulary, split_words


def test_the_most_frequent_words_have_numbers_and_others_get_some_of_their_own() -> None:
    vocabulary = make_vocabulary([["b", "a", "b"], ["c"]], 2)
    assert (vocabulary.words, len(vocabulary)) == (("b", "a"), 6)
    assert vocabulary.number(["a", "z", "b"]) == [5, UNKNOWN, 4]
    others: dict[str, int] = {}
    assert vocabulary.number_with(["z", "a", "y", "z"], others) == [6, 5, 7, 6]
    assert [vocabulary.name(number, list(others)) for number in (4, 6, 7)] == ["b", "z", "y"]


def test_words_are_split_and_joined() -> None:
    words = split_words("Don't open it, Percy!")
    assert words == ["don't", "open", "it", ",", "percy", "!"]
    assert join_words(words) == "don't open it, percy!"
