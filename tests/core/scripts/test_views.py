from core.dialogue import Turn, join_utterances
from core.scripts.scenes import CastMember
from core.scripts.views import (
    join_with_separators,
    join_with_speakers,
    join_with_speakers_and_separators,
    remove_cast_names,
)


def turn(number: int, speaker: str, *utterances: str) -> Turn:
    return Turn(number, (speaker,) if speaker else (), utterances, speaker.upper(), "\n".join(utterances))


TURNS = [turn(0, "Ada Quill", "Mind the", "ladder."), turn(1, "", "A bell rings."), turn(2, "Tom", "Which ladder?")]


def test_each_view_is_as_section_6_3_says() -> None:
    assert join_utterances(TURNS) == "Mind the ladder. A bell rings. Which ladder?"
    assert join_with_speakers(TURNS) == "ADA QUILL: Mind the ladder. A bell rings. TOM: Which ladder?"
    assert join_with_separators(TURNS[:1]) == "[START] Mind the ladder. [END]"
    assert join_with_speakers_and_separators(TURNS[:2]) == (
        "[START] Ada Quill [SEP] Mind the ladder. [END] [START] A bell rings. [END]"
    )


def test_names_of_the_cast_leave_the_synopsis() -> None:
    cast = (CastMember("Ada Quill", ("The Heron",)), CastMember("Tom of the Mill"))
    sentences = ("Ada (The Heron) steals Tom's rope, and Quill laughs.", "Tomorrow Ada Quill leaves the mill.")
    assert remove_cast_names(sentences, cast) == ("steals rope, and laughs.", "Tomorrow leaves the mill.")


def test_titles_and_runs_of_a_name_leave_with_it() -> None:
    cast = (CastMember("Captain Ada Quill Night Heron"),)
    sentences = ("Dr. Quill is the Night Heron at night.", "Her heron sees Captain Quill.")
    assert remove_cast_names(sentences, cast) == ("is the at night.", "Her heron sees.")


def test_a_word_that_the_synopsis_has_in_small_letters_is_no_name() -> None:
    cast = (CastMember("Rose Hill"),)
    sentences = ("Rose Hill picks a rose.", "Rose bushes grow on the hill.")
    assert remove_cast_names(sentences, cast) == ("picks a rose.", "Rose bushes grow on the hill.")


def test_without_a_cast_nothing_is_removed() -> None:
    assert remove_cast_names(("Ada leaves.",), ()) == ("Ada leaves.",)
