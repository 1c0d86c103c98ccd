import numpy as np
import pytest

from core.rooms.config import CopyConfig
from core.rooms.copies import Copied, Prints, digest_words, find_copies, sign_text

CONFIG = CopyConfig()
HALL = "A long hall leads north past eleven statues of forgotten kings to a door of pale green glass."


def make_prints(unit: str, texts: list[str], documents: list[str] | None = None, closed: set[int] = frozenset()) -> Prints:  # type: ignore[assignment]
    count = len(texts)
    return Prints(
        unit,
        np.array([digest_words(text) for text in texts], np.int64),
        documents or [unit] * count,
        np.linspace(0, 1, count) if count > 1 else np.full(count, 0.5),
        np.array([place not in closed for place in range(count)]),
        {place: sign_text(text, CONFIG) for place, text in enumerate(texts) if place not in closed},
    )


def filler(name: str, count: int = 9) -> list[str]:
    """Return sentences that resemble no other."""
    return [" ".join(f"{name}{number}word{place}" for place in range(9)) for number in range(count)]


def test_of_exact_copies_the_first_that_may_be_passed_on_stays_whatever_case_and_punctuation() -> None:
    first, second = make_prints("a", [HALL]), make_prints("b", ["Something else entirely.", HALL.upper() + "!"])
    assert find_copies([first, second], CONFIG) == [Copied("b", 1, "copy", "a", 0)]
    found = find_copies([make_prints("a", [HALL], closed={0}), make_prints("b", [HALL])], CONFIG)
    assert found == [Copied("a", 0, "copy", "b", 0)]


def test_a_near_copy_is_found_where_near_copies_are_wanted_and_another_sentence_is_not() -> None:
    near = HALL.replace("eleven", "twelve")
    other = "A long hall leads south past a single broken statue to a staircase."
    found = find_copies([make_prints("a", [HALL, other]), make_prints("b", [near])], CopyConfig(near=0.7))
    assert found == [Copied("b", 0, "near copy", "a", 0)]
    found = find_copies([make_prints("a", [HALL]), make_prints("b", [near, HALL])], CopyConfig(near=1.0))
    assert found == [Copied("b", 1, "copy", "a", 0)]


def test_a_greeting_that_recurs_leaves_with_all_its_copies() -> None:
    units = [make_prints(name, ["Hello and welcome to the show", *filler(name)]) for name in "abc"]
    found = find_copies(units, CONFIG)
    told = [(entry.unit, entry.position, entry.reason) for entry in found]
    assert told == [(name, 0, "introduction or sign-off") for name in "abc"]


@pytest.mark.parametrize("place", [4, 5])
def test_what_recurs_in_the_middle_is_a_copy_only(place: int) -> None:
    units = []
    for name in "abc":
        texts = filler(name)
        texts.insert(place, "The door is locked again tonight")
        units.append(make_prints(name, texts))
    assert [(entry.unit, entry.reason) for entry in find_copies(units, CONFIG)] == [("b", "copy"), ("c", "copy")]
