import pytest

from core.scripts.mentions import resolve_mentions
from core.scripts.names import CastConfig, CastMatcher, find_actors_names
from core.scripts.people import find_genders
from core.scripts.scene_texts import without_asides
from core.scripts.story import CastMember, Scene

CAST = tuple(map(CastMember, ("Ada Lindqvist", "Tobias Marr", "Mr. Osei", "Mrs. Brandt", "Ada's Father")))
SCENES = (Scene(0, 0, "INT. HALL", (), ("Ada pulls off her gloves.", "Tobias wipes his face. He nods.")),)
ADA, TOBIAS, OSEI, BRANDT, FATHER = (member.name for member in CAST)


def read(*sentences: str, cast: tuple[CastMember, ...] = CAST) -> list[tuple[int, str, str, tuple[str, ...]]]:
    """Return the mentions that are no names: sentence, words, how, and the names of those meant."""
    matcher = CastMatcher(cast, CastConfig())
    genders = find_genders(cast, SCENES, sentences, matcher)
    found = resolve_mentions(sentences, cast, matcher, genders)
    return [
        (each.sentence, each.text, each.how, tuple(cast[m].name for m in each.members)) for each in found if each.how != "name"
    ]


def test_genders_by_titles_kin_and_pronouns_of_the_action() -> None:
    genders = find_genders(CAST, SCENES, [], CastMatcher(CAST, CastConfig()))
    assert {CAST[place].name: odds > 0 for place, odds in genders.items()} == {
        ADA: False, TOBIAS: True, OSEI: True, BRANDT: False, FATHER: True,
    }  # fmt: skip


PRONOUNS = {
    "the last person of the gender": (
        ("Ada meets Tobias at the jetty.", "She asks him for a boat."),
        [("She", ADA), ("him", TOBIAS)],
    ),
    "subjects before others": (("Tobias writes to Mr. Osei.", "He waits for months."), [("He", TOBIAS)]),
    "an object is not its own subject": (("Mr. Osei hires Tobias.", "Mr. Osei warns him."), [("him", TOBIAS)]),
    "nobody long after": (("Tobias arrives.", *["Rain falls."] * 4, "He is seen."), []),
    "joined names": (("Ada and Tobias hide from Mrs. Brandt.", "They are found."), [("They", ADA, TOBIAS)]),
    "people without names": (("Ada meets Tobias.", "The guards laugh.", "They leave."), []),
    "a verb in ss": (("Ada meets Tobias.", "The two kiss."), [("The two", ADA, TOBIAS)]),
    "another verb in ss": (("Ada meets Tobias.", "The two discuss it."), [("The two", ADA, TOBIAS)]),
}


@pytest.mark.parametrize("case", PRONOUNS)
def test_whom_the_last_sentence_means(case: str) -> None:
    sentences, expected = PRONOUNS[case]
    found = read(*sentences)
    assert [(text, *members) for number, text, _, members in found if number == len(sentences) - 1] == expected


@pytest.mark.parametrize("words", ["They", "The two", "The couple"])
def test_groups_are_the_last_two(words: str) -> None:
    assert read("Mr. Osei rows.", "Ada meets Tobias.", f"{words} dance.") == [(2, words, "group", (ADA, TOBIAS))]


def test_actors_in_brackets_tell_other_names() -> None:
    cast = (CastMember("Maverick", actor="T. Crane"), CastMember("Ada Lindqvist"))
    matcher = CastMatcher(cast, CastConfig())
    found = resolve_mentions(['Pete "Maverick" Moss (T. Crane) flies.', "Moss lands."], cast, matcher, {})
    assert [(each.sentence, each.members) for each in found] == [(0, (0,)), (0, (0,)), (1, (0,))]


@pytest.mark.parametrize(("end", "who"), [("everything", ADA), ("how to row", ADA), ("family", BRANDT), ("only boat", BRANDT)])
def test_her_is_an_object_before_some_words_and_owns_what_follows_otherwise(end: str, who: str) -> None:
    assert read("Mrs. Brandt meets Ada.", f"Mrs. Brandt tells her {end}.")[0][1:] == ("her", "pronoun", (who,))


def test_long_sentences_without_brackets_are_read_in_one_go() -> None:
    """Work in the square of the length would need a day here."""
    assert without_asides("Ada (x) " + "(" * 200_000 + " " * 200_000) == "Ada " + "(" * 200_000
    cast = (CastMember("Ada", actor="J. Pell"),)
    sentence = "Ada goes on " * 20_000 + "as Kit (J. Pell)"
    assert find_actors_names([sentence], cast, CastMatcher(cast, CastConfig())) == {"kit": 0}
    assert find_genders(cast, (), ["Go on. " * 40_000], CastMatcher(cast, CastConfig())) == {}
