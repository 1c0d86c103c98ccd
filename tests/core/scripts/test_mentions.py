"""Whom sentences mean: short made-up synopses, each with one thing to understand."""

import pytest

from core.scripts.mentions import resolve_mentions
from core.scripts.names import CastConfig, CastMatcher, find_actors_names
from core.scripts.people import find_genders
from core.scripts.scene_texts import without_asides
from core.scripts.story import CastMember, Scene

CAST = (
    CastMember("Ada Lindqvist"),
    CastMember("Tobias Marr"),
    CastMember("Mr. Osei"),
    CastMember("Mrs. Brandt"),
    CastMember("Ada's Father"),
    CastMember("Coroner"),
)
SCENES = (
    Scene(0, 0, "INT. HALL", (), ("Ada pulls off her gloves.", "Tobias wipes his face. He nods.")),
    Scene(1, 1, "INT. COURT", (), ("Tobias, a young surgeon, enters.",)),
)
ADA, TOBIAS, OSEI, BRANDT, FATHER, CORONER = (member.name for member in CAST)


def read(*sentences: str, cast: tuple[CastMember, ...] = CAST) -> list[tuple[int, str, str, tuple[str, ...]]]:
    """Return the mentions that are no names: sentence, words, how, and the names of those meant."""
    matcher = CastMatcher(cast, CastConfig())
    genders = find_genders(cast, SCENES, sentences, matcher)
    found = resolve_mentions(sentences, cast, SCENES, matcher, genders)
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
    "a subject carried on": (("Mr. Osei hires Tobias.", "Mr. Osei calls and warns him."), [("him", TOBIAS)]),
    "before its name": (("Mrs. Brandt leaves.", "After learning that she is ill, Ada goes home."), [("she", ADA)]),
    "a stranger takes pronouns": (("Tobias sells the boat.", "Walter rows it home.", "He sinks it."), []),
    "nobody long after": (("Tobias arrives.", *["Rain falls."] * 4, "He is seen."), []),
    "joined names": (("Ada and Tobias hide from Mrs. Brandt.", "They are found."), [("They", ADA, TOBIAS)]),
    "people without names": (("Ada meets Tobias.", "The guards laugh.", "They leave."), []),
    "what is counted": (("Ada meets Tobias at the two gates.",), []),
    "a verb in ss": (("Ada meets Tobias.", "The two kiss."), [("The two", ADA, TOBIAS)]),
    "another verb in ss": (("Ada meets Tobias.", "The two discuss it."), [("The two", ADA, TOBIAS)]),
    "a role of the cast list": (("Ada visits her father.",), [("her", ADA), ("father", FATHER)]),
    "an occupation of the cast list": (("The coroner shrugs.",), [("The coroner", CORONER)]),
    "an unknown role": (("Tobias's brother drowns.", "He is buried."), []),
    "an occupation before a name": (("Rain falls on Engineer Ada.", "The engineer bows."), [("The engineer", ADA)]),
    "an occupation in the script": (("Ada arrives.", "The surgeon bows."), [("The surgeon", TOBIAS)]),
    "an occupation after a name": (("Mrs. Brandt, a retired judge, arrives.", "Ada bows to the judge."), [("the judge", BRANDT)]),
    "a boss in apposition": (("Ada loves Tobias, her boss.", "Ada's boss shrugs."), [("boss", TOBIAS)]),
    "an owner by a quote alone": (("Tobias' boss, Mr. Osei, rows.", "Tobias's boss sinks."), [("boss", OSEI)]),
}


@pytest.mark.parametrize("case", PRONOUNS)
def test_whom_the_last_sentence_means(case: str) -> None:
    sentences, expected = PRONOUNS[case]
    found = read(*sentences)
    assert [(text, *members) for number, text, _, members in found if number == len(sentences) - 1] == expected


@pytest.mark.parametrize("words", ["They", "The two", "The couple"])
def test_groups_are_the_last_two(words: str) -> None:
    assert read("Mr. Osei rows.", "Ada meets Tobias.", f"{words} dance.") == [(2, words, "group", (ADA, TOBIAS))]


def test_a_role_beside_a_name_is_learned_both_ways() -> None:
    sentences = ("Ada trusts her husband Tobias.", "Rain falls.", "Ada's husband leaves.", "Tobias misses his wife.")
    found = {(number, text): members for number, text, _, members in read(*sentences)}
    assert (found[2, "husband"], found[3, "wife"]) == ((TOBIAS,), (ADA,))


def test_actors_in_brackets_tell_other_names() -> None:
    cast = (CastMember("Maverick", actor="T. Crane"), CastMember("Ada Lindqvist"))
    matcher = CastMatcher(cast, CastConfig())
    found = resolve_mentions(['Pete "Maverick" Moss (T. Crane) flies.', "Moss lands."], cast, (), matcher, {})
    assert [(each.sentence, each.members) for each in found] == [(0, (0,)), (0, (0,)), (1, (0,))]


def test_the_man_is_somebody_mentioned_lately() -> None:
    scenes = (Scene(0, 0, "INT. HALL", (), ("Mr. Osei, a man of fifty, enters.",)),)
    matcher = CastMatcher(CAST, CastConfig())
    unsaid = resolve_mentions(["A man shoots Tobias.", "The man flees."], CAST, scenes, matcher, {})
    assert [each.members for each in unsaid] == [(1,)]
    said = resolve_mentions(["Mr. Osei shoots Tobias.", "The man flees."], CAST, scenes, matcher, {})
    assert [each.members for each in said] == [(2,), (1,), (2,)]
    assert read("The kid flees.", cast=(CastMember("Kid"),))[0][3] == ("Kid",)


@pytest.mark.parametrize(
    ("end", "who"),
    [
        ("tightly", ADA), ("everything", ADA), ("how to row", ADA), ("warmly and leaves", ADA),
        ("family", BRANDT), ("newly built boat", BRANDT), ("only boat", BRANDT),
    ],
)  # fmt: skip
def test_her_is_an_object_before_an_adverb_and_owns_what_follows_otherwise(end: str, who: str) -> None:
    assert read("Mrs. Brandt meets Ada.", f"Mrs. Brandt tells her {end}.")[0][1:] == ("her", "pronoun", (who,))


def test_long_sentences_without_brackets_are_read_in_one_go() -> None:
    """Work in the square of the length would need a day here."""
    assert without_asides("Ada (x) " + "(" * 200_000 + " " * 200_000) == "Ada " + "(" * 200_000
    cast = (CastMember("Ada", actor="J. Pell"),)
    sentence = "Ada goes on " * 20_000 + "as Kit (J. Pell)"
    assert find_actors_names([sentence], cast, CastMatcher(cast, CastConfig())) == {"kit": 0}
    assert find_genders(cast, (), ["Go on. " * 40_000], CastMatcher(cast, CastConfig())) == {}
