"""Whom sentences mean: short made-up synopses, each with one thing to understand."""

import pytest

from core.scripts.mentions import resolve_mentions
from core.scripts.names import CastConfig, CastMatcher, find_actors_names
from core.scripts.people import Recall, find_genders
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
        "Ada Lindqvist": False,
        "Tobias Marr": True,
        "Mr. Osei": True,
        "Mrs. Brandt": False,
        "Ada's Father": True,
    }


def test_genders_by_the_actors_given_name() -> None:
    cast = (CastMember("Kestrel", actor="Susan Pell"), CastMember("Wren"))
    assert list(find_genders(cast, (), (), CastMatcher(cast, CastConfig()))) == [0]
    assert find_genders(cast, (), (), CastMatcher(cast, CastConfig()))[0] < 0


def test_pronouns_go_to_the_last_person_of_their_gender() -> None:
    assert read("Ada meets Tobias at the jetty.", "She asks him for a boat.") == [
        (1, "She", "pronoun", ("Ada Lindqvist",)),
        (1, "him", "pronoun", ("Tobias Marr",)),
    ]


def test_subjects_come_before_others() -> None:
    assert read("Tobias writes to Mr. Osei.", "He waits for months.")[0][3] == ("Tobias Marr",)


def test_an_object_is_not_its_own_subject() -> None:
    assert read("Mr. Osei hires Tobias.", "Mr. Osei warns him.")[-1][1:] == ("him", "pronoun", ("Tobias Marr",))
    assert read("Mr. Osei hires Tobias.", "Mr. Osei calls and warns him.")[-1][3] == ("Tobias Marr",)


def test_a_pronoun_may_come_before_its_name() -> None:
    assert read("Mrs. Brandt leaves.", "After learning that she is ill, Ada goes home.")[0][3] == ("Ada Lindqvist",)


def test_a_stranger_takes_pronouns() -> None:
    """Walter is not in the cast list: `he` is Walter, and nobody of the cast."""
    assert read("Tobias sells the boat.", "Walter rows it home.", "He sinks it.") == []


def test_nobody_is_meant_long_after() -> None:
    assert read("Tobias arrives.", "Rain falls.", "Rain falls.", "Rain falls.", "Rain falls.", "He is seen.") == []


@pytest.mark.parametrize("words", ["They", "The two", "The couple"])
def test_groups_are_the_last_two(words: str) -> None:
    found = read("Mr. Osei rows.", "Ada meets Tobias.", f"{words} dance.")
    assert found == [(2, words, "group", ("Ada Lindqvist", "Tobias Marr"))]


def test_joined_names_are_a_group() -> None:
    assert read("Ada and Tobias hide from Mrs. Brandt.", "They are found.")[0][3] == ("Ada Lindqvist", "Tobias Marr")


def test_people_without_names_take_they() -> None:
    assert read("Ada meets Tobias.", "The guards laugh.", "They leave.") == []
    assert read("Ada meets Tobias at the two gates.") == []


def test_a_role_beside_a_name_is_learned_both_ways() -> None:
    sentences = ("Ada trusts her husband Tobias.", "Rain falls.", "Ada's husband leaves.", "Tobias misses his wife.")
    found = {(number, text): members for number, text, _, members in read(*sentences)}
    assert found[2, "husband"] == ("Tobias Marr",)
    assert found[3, "wife"] == ("Ada Lindqvist",)
    assert read("Ada loves Tobias, her boss.", "Ada's boss shrugs.")[-1][3] == ("Tobias Marr",)


def test_a_role_of_the_cast_list() -> None:
    assert read("Ada visits her father.")[-1] == (0, "father", "role", ("Ada's Father",))
    assert read("The coroner shrugs.") == [(0, "The coroner", "role", ("Coroner",))]


def test_an_unknown_role_is_nobody_of_the_cast() -> None:
    """Tobias's brother is a stranger, and `he` goes to him."""
    assert [each[3] for each in read("Tobias's brother drowns.", "He is buried.")] == []


def test_occupations_by_the_synopsis_and_by_the_script() -> None:
    assert read("Engineer Ada arrives.", "The engineer bows.")[-1][3] == ("Ada Lindqvist",)
    assert read("Rain falls on Engineer Ada.", "The engineer bows.")[-1][3] == ("Ada Lindqvist",)
    assert read("Ada arrives.", "The surgeon bows.")[-1][3] == ("Tobias Marr",)
    assert read("Mrs. Brandt, a retired judge, arrives.", "Ada bows to the judge.")[-1][3] == ("Mrs. Brandt",)


def test_actors_in_brackets_tell_other_names() -> None:
    cast = (CastMember("Maverick", actor="T. Crane"), CastMember("Ada Lindqvist"))
    matcher = CastMatcher(cast, CastConfig())
    found = resolve_mentions(['Pete "Maverick" Moss (T. Crane) flies.', "Moss lands."], cast, (), matcher, {})
    assert [(each.sentence, each.members) for each in found] == [(0, (0,)), (0, (0,)), (1, (0,))]


def test_places_of_extras_are_no_people() -> None:
    cast = (CastMember("Susan Pell"), CastMember("New York Cab Driver"))
    assert read("Susan moves to New York.", "He waits.", cast=cast) == []


def test_a_surname_is_no_role() -> None:
    cast = (CastMember("Sarah King"), CastMember("Anna Hunter"), CastMember("Tobias Marr"))
    matcher = CastMatcher(cast, CastConfig())
    found = resolve_mentions(["Sarah meets Tobias.", "She leaves him."], cast, (), matcher, find_genders(cast, (), (), matcher))
    assert [(each.text, each.members) for each in found] == [("Sarah", (0,)), ("Tobias", (2,)), ("She", (0,)), ("him", (2,))]
    assert read("The hunter shoots Tobias.", cast=cast) == []
    assert [odds < 0 for odds in find_genders(cast, (), (), matcher).values()] == [True, True]
    kin = (CastMember("Anna's Dad"), CastMember("Anna’s Brother"))
    assert [odds > 0 for odds in find_genders(kin, (), (), CastMatcher(kin, CastConfig())).values()] == [True, True]


@pytest.mark.parametrize("verb", ["kiss", "discuss it", "pass the mill"])
def test_a_verb_after_the_two_may_end_in_s(verb: str) -> None:
    assert read("Ada meets Tobias.", f"The two {verb}.")[0][1:] == ("The two", "group", ("Ada Lindqvist", "Tobias Marr"))


def test_the_man_is_somebody_mentioned_lately() -> None:
    scenes = (Scene(0, 0, "INT. HALL", (), ("Mr. Osei, a man of fifty, enters.",)),)
    matcher = CastMatcher(CAST, CastConfig())
    unsaid = resolve_mentions(["A man shoots Tobias.", "The man flees."], CAST, scenes, matcher, {})
    assert [each.members for each in unsaid] == [(1,)]
    said = resolve_mentions(["Mr. Osei shoots Tobias.", "The man flees."], CAST, scenes, matcher, {})
    assert [each.members for each in said] == [(2,), (1,), (2,)]
    assert read("The kid flees.", cast=(CastMember("Kid"),))[0][3] == ("Kid",)


def test_names_that_end_in_s_own_by_a_quote_alone() -> None:
    assert read("Tobias' boss, Mr. Osei, rows.", "Rain falls.", "Tobias's boss sinks.")[-1][3] == ("Mr. Osei",)


@pytest.mark.parametrize("end", ["tightly", "goodbye", "everything", "how to row", "warmly and leaves"])
def test_her_before_an_adverb_is_an_object(end: str) -> None:
    assert read("Mrs. Brandt meets Ada.", f"Mrs. Brandt tells her {end}.")[0][1:] == ("her", "pronoun", ("Ada Lindqvist",))


@pytest.mark.parametrize("owned", ["family", "newly built boat", "elderly", "only boat"])
def test_her_before_what_is_owned_is_no_object(owned: str) -> None:
    assert read("Mrs. Brandt meets Ada.", f"Mrs. Brandt sells her {owned}.")[0][3] == ("Mrs. Brandt",)


def test_long_sentences_without_brackets_are_read_in_one_go() -> None:
    """Work in the square of the length would need a day here."""
    assert without_asides("Ada (x) " + "(" * 1_000_000 + " " * 1_000_000) == "Ada " + "(" * 1_000_000
    cast = (CastMember("Ada", actor="J. Pell"),)
    sentence = "Ada goes on " * 100_000 + "as Kit (J. Pell)"
    assert find_actors_names([sentence], cast, CastMatcher(cast, CastConfig())) == {"kit": 0}
    assert find_genders(cast, (), ["Go on. " * 200_000], CastMatcher(cast, CastConfig())) == {}


def test_of_very_many_people_the_least_mentioned_are_forgotten() -> None:
    recall = Recall(1000, {})
    for member in range(1000):
        recall.add(member, 1.0)
        recall.add(0, 1.0)
    assert len(recall.salience) < 100
    assert {0, 999} <= recall.salience.keys()
