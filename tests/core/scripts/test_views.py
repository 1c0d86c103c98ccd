import pytest

from core.dialogue import Turn, join_utterances
from core.scripts.story import CastMember, Scene
from core.scripts.views import join_with_action, list_elements, list_lines, remove_names, show_dialogue


def turn(number: int, speaker: str, *utterances: str) -> Turn:
    return Turn(number, (speaker,) if speaker else (), utterances, speaker.upper(), "\n".join(utterances))


TURNS = [turn(0, "Ada Quill", "Mind the", "ladder."), turn(1, "", "A bell rings."), turn(2, "Tom", "Which ladder?")]


def test_views_follow_section_6_3_and_action_stands_where_the_script_has_it() -> None:
    assert join_utterances(TURNS) == "Mind the ladder. A bell rings. Which ladder?"
    assert show_dialogue(list_lines(TURNS), "speakers") == "ADA QUILL: Mind the ladder. A bell rings. TOM: Which ladder?"
    assert show_dialogue(list_lines(TURNS[:1]), "separators") == "[START] Mind the ladder. [END]"
    found = show_dialogue(list_lines(TURNS[:2]), "both")
    assert found == "[START] Ada Quill [SEP] Mind the ladder. [END] [START] A bell rings. [END]"
    scene = Scene(0, 0, "INT. BARN", tuple(TURNS[:2]), ("Hay.", "Rain.", "Dark."), (0, 1, 2), ("Mind the (beat) ladder.", ""))
    found = list_elements([scene])
    assert [each.kind for each in found] == ["heading", "action", "speech", "action", "speech", "action"]
    assert join_with_action(found) == "[INT. BARN] [Hay.] ADA QUILL: Mind the (beat) ladder. [Rain.] A bell rings. [Dark.]"
    unplaced = list_elements([Scene(0, 0, "", tuple(TURNS[:1]), ("Hay.",))])
    assert [(each.kind, each.text) for each in unplaced] == [("action", "Hay."), ("speech", "Mind the ladder.")]


def test_cast_names_are_removed_from_the_synopsis() -> None:
    cast = (CastMember("Ada Quill", ("The Heron",)), CastMember("Tom of the Mill"))
    sentences = ("Ada (The Heron) steals Tom's rope, and Quill laughs.", "Tomorrow Ada Quill leaves the mill.")
    assert remove_names(sentences, cast, frozenset()) == ("steals rope, and laughs.", "Tomorrow leaves the mill.")


NAMED = (CastMember("Will Turner"), CastMember("Mark Oak"), CastMember("Rose Hill"))


@pytest.mark.parametrize(
    ("sentence", "without"),
    [
        ("Will she come?", "Will she come?"),
        ("Mark my words.", "Mark my words."),
        ("Will opens the door.", "opens the door."),
        ("Will Turner leaves, and Mark follows.", "leaves, and follows."),
        ("Rose's boat sinks.", "boat sinks."),
        ("They meet at the Hill.", "They meet at the Hill."),
        ("He asks: “Will you?”", "He asks: “Will you?”"),
        ("Oak is late.", "is late."),
    ],
)
def test_only_what_stands_as_a_name_is_removed(sentence: str, without: str) -> None:
    assert remove_names([sentence], NAMED, frozenset({"will", "hill", "rose"})) == (without,)
