import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.scripts.cast_matching import CastConfig, CastMatcher, count_shared
from core.scripts.scenes import CastMember, Scene

CAST = (
    CastMember("Ada Lindqvist"),
    CastMember("Tobias Marr", ("The Ferryman",)),
    CastMember('Wilhelmina "Minna" Oake'),
    CastMember("Dr. Oake"),
)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("ADA", 0),
        ("Ada Lindqvist", 0),
        ("LINDQVISTS", 0),
        ("the ferryman", 1),
        ("TOBIAS", 1),
        ("MINNA", 2),
        ("Zed", None),
        ("", None),
    ],
)
def test_finds_the_member(name: str, place: int | None) -> None:
    assert CastMatcher(CAST, CastConfig()).match(name) == place


def test_ties_go_to_the_first_and_a_better_match_wins() -> None:
    matcher = CastMatcher(CAST, CastConfig())
    assert matcher.match("OAKE") == 2
    assert matcher.match("Dr Oake") == 3


@pytest.mark.parametrize(
    ("cast", "name", "found"),
    [
        (("Mrs. Oake", "Mr. Oake"), "MR. OAKE", "Mr. Oake"),
        (("Mr. Marr",), "MR. MARR", "Mr. Marr"),
        (("Tessa Moor Night Heron",), "NIGHT HERON", "Tessa Moor Night Heron"),
        (("Captain Ada Lindqvist",), "SGT. LINDQVIST", "Captain Ada Lindqvist"),
        (("Ada Lindqvist",), "YOUNG ADA", "Ada Lindqvist"),
        (("Élodie",), "ELODIE", "Élodie"),
        (("T.J.",), "TJ", "T.J."),
        (("Anne-Lise",), "ANNE LISE", "Anne-Lise"),
        (("Ada's Mother", "Ada Lindqvist"), "ADA", "Ada Lindqvist"),
        (("Ada's Mother", "Ada Lindqvist"), "ADA’S MOTHER", "Ada's Mother"),
        (("Hotel Porter", "Porter"), "PORTER", "Porter"),
    ],
)
def test_finds_names_as_scripts_write_them(cast: tuple[str, ...], name: str, found: str) -> None:
    place = CastMatcher([CastMember(member) for member in cast], CastConfig()).match(name)
    assert place is not None
    assert cast[place] == found


def test_without_name_parts_only_full_names_match() -> None:
    config = CastConfig(name_parts=False, least_similarity=0.5)
    assert CastMatcher(CAST, config).match("ADA") is None
    assert CastMatcher(CAST, CastConfig(name_parts=False, least_similarity=0.05)).match("ADA") == 0


@given(st.text("abcd ", max_size=8), st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=4))
def test_equals_jaccard_over_all_names(name: str, names: list[str]) -> None:
    def ngrams(text: str) -> set[str]:
        return {text[i : i + 2] for i in range(max(1, len(text) - 1))} if text else set()

    cast = [CastMember(other) for other in names]
    found = CastMatcher(cast, CastConfig(ngram=2, name_parts=False, least_similarity=0.3)).match(name)
    query = ngrams(" ".join(name.split()))
    values = [len(query & ngrams(other)) / len(query | ngrams(other)) for other in names]
    assert found == (int(np.argmax(values)) if max(values) >= 0.3 else None)


def test_mentions_are_found_in_windows_of_capitalised_words() -> None:
    matcher = CastMatcher(CAST, CastConfig())
    assert matcher.mentioned("The Ferryman's boat brings Ada home to minna.") == {0, 1}
    assert matcher.mentioned("nobody comes") == set()
    assert matcher.mentioned("He—Tobias—and *Ada*/Minna row") == {0, 1, 2}
    assert CastMatcher(CAST, CastConfig(window_lengths=(2,))).mentioned("Ada sleeps, Tobias Marr rows") == {1}


def test_speakers_of_a_scene() -> None:
    scene = Scene(0, 0, "", (Turn(0, ("ADA", "CROWD"), ("Row!",), "ADA, CROWD", "Row!"),), ())
    assert CastMatcher(CAST, CastConfig()).speakers(scene) == {0}


def test_counts_and_empty_denominators() -> None:
    jac, osj = count_shared([{0, 1}, set()], [{1, 2}, set(), {0, 1}], 4)
    assert jac.tolist() == [[1 / 3, 0, 1], [0, 0, 0]]
    assert osj.tolist() == [[0.5, 0, 1], [0, 0, 0]]
    jac, osj = count_shared([set()], [set()], 0)
    assert jac.tolist() == osj.tolist() == [[0]]


@pytest.mark.parametrize("config", [CastConfig(ngram=0), CastConfig(window_lengths=(0,))])
def test_refuses_settings_below_one(config: CastConfig) -> None:
    with pytest.raises(ValueError, match="1 or longer"):
        CastMatcher(CAST, config)
