import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.scripts.names import CastConfig, CastMatcher, match_people, name_speakers
from core.scripts.story import CastMember, Scene, Story

CAST = (
    CastMember("Ada Lindqvist"),
    CastMember("Tobias Marr", ("The Ferryman",)),
    CastMember('Wilhelmina "Minna" Oake'),
    CastMember("Dr. Oake"),
)


def test_finds_the_member() -> None:
    members = {0: "ADA | Ada Lindqvist | LINDQVISTS", 1: "the ferryman | TOBIAS", 2: "MINNA | OAKE", 3: "Dr Oake", None: "Zed | "}
    for place, names in members.items():
        assert {CastMatcher(CAST, CastConfig()).match(name) for name in names.split(" | ")} == {place}


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
    assert cast[place] == found


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


def test_speakers_get_their_names_from_the_cast() -> None:
    cues = (("MINNA",), ("DR. OAKE",), ("GUARD #1",), ("THE FERRYMAN", "TOBIAS"), (), ("ADA", "GUARD #1"))
    turns = tuple(Turn(number, speakers, ("Yes.",), "RAW", "Yes.") for number, speakers in enumerate(cues))
    story = Story("fox", "movie", "", "", (Scene(0, 0, "INT. BARN", turns, ()),), (), CAST)
    named = list(name_speakers(story, CastConfig()).list_turns())
    assert [turn.speakers for turn in named] == [
        ('Wilhelmina "Minna" Oake',), ("Dr. Oake",), ("GUARD #1",), ("Tobias Marr",), (), ("Ada Lindqvist", "GUARD #1"),
    ]  # fmt: skip
    assert {turn.raw_label for turn in named} == {"RAW"}
    without = Story("fox", "movie", "", "", story.scenes, (), None)
    assert name_speakers(without, CastConfig()) == without


def list_people(*cues: str) -> tuple[CastMember, ...]:
    turns = tuple(Turn(number, (cue,), ("Yes.",), cue, "Yes.") for number, cue in enumerate(cues))
    return match_people(Story("bar", "movie", "", "", (Scene(0, 0, "INT. BAR", turns, ()),), (), CAST), CastConfig())[0]


def test_cues_that_are_roles_join_the_people_by_their_whole_names_only() -> None:
    assert list_people("WAITRESS", "ADA", "WAITRESS", "BUD", "SARAH KING") == (*CAST, CastMember("Waitress"))
    cues = ("PARIS REPORTER", "FIRST DETECTIVE", "SECOND MAN", "ADA'S FATHER")
    people = list_people(*cues)
    assert [member.name for member in people[4:]] == ["Paris Reporter", "First Detective", "Second Man", "Ada's Father"]
    matcher = CastMatcher(people, CastConfig(), 4)
    assert matcher.mentioned("Second, they see Paris. First they leave.") == set()
    assert matcher.mentioned("The Paris Reporter sees Tobias.") == {1, 4}
    assert [matcher.match(cue) for cue in cues] == [4, 5, 6, 7]
