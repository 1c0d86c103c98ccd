import pytest

from core.text.lemmas import NounDictionary, parse_noun_exceptions, parse_noun_index

INDEX = """  1 This software and database is being provided to you, the LICENSEE, by
wolf n 5 4 @ ~ #m + 5 1 02114100 10769782
dog n 7 5 @ ~ #m #p %p 7 1 02084071
hot_dog n 3 2 @ ~ 3 1 07697537
"""
NOUNS = NounDictionary(
    frozenset({"dog", "wolf", "man", "dragonman", "box", "church", "glass", "gla", "story", "leaf", "wa", "ax", "axis", "axes"}),
    {"wolves": ("wolf",), "axes": ("ax", "axis"), "men": ("man",), "geese": ("goose",)},
)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("dogs", "dog"),
        ("wolves", "wolf"),  # by exception
        ("leaves", "leaf"),  # by the ending -ves
        ("dragonmen", "dragonman"),
        ("boxes", "box"),
        ("churches", "church"),
        ("stories", "story"),
        ("was", "wa"),  # the shortest lemma, although it makes no sense
        ("glass", "glass"),
        ("axes", "ax"),  # the shortest of axes, ax, axis
        ("geese", "geese"),  # its lemma is not in the dictionary
        ("keyleth", "keyleth"),
        ("", ""),
    ],
)
def test_lemma(word: str, lemma: str) -> None:
    assert NOUNS.lemma(word) == lemma


def test_parsers_read_wordnets_files() -> None:
    assert parse_noun_index(INDEX) == {"wolf", "dog", "hot_dog"}
    assert parse_noun_exceptions("wolves wolf\naurar eyrir\naurar eyrar\n\n") == {
        "wolves": ("wolf",),
        "aurar": ("eyrir", "eyrar"),
    }
