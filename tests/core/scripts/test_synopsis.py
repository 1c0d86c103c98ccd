import pytest

from core.errors import SourceError
from core.scripts.synopsis import read_synopsis
from core.text.sentences import split_by_rules


def read(text, **options):
    return read_synopsis("synopsis.txt", text, split_by_rules, **options)


def test_one_sentence_a_line():
    lines = ["Anna wakes up.", "Ben, who is late, runs. ", "", "They meet at 5\xa0o'clock. It rains.", "Both laugh."]
    assert read("\n".join(lines)) == (
        "Anna wakes up.",
        "Ben, who is late, runs.",
        "They meet at 5 o'clock. It rains.",
        "Both laugh.",
    )


def test_paragraphs():
    text = "Anna wakes up. Ben runs. They meet.\n\nIt rains. Both laugh. The end is near."
    assert read(text) == ("Anna wakes up.", "Ben runs.", "They meet.", "It rains.", "Both laugh.", "The end is near.")
    assert read("Anna wakes up. Ben runs.") == ("Anna wakes up.", "Ben runs.")


def test_hard_wrapped_text():
    text = "Anna wakes up and does\nnot know where she is. Ben\nruns to the barn and\nfinds it.\n\nThey meet in the\nrain."
    assert read(text) == (
        "Anna wakes up and does not know where she is.",
        "Ben runs to the barn and finds it.",
        "They meet in the rain.",
    )


def test_the_kind_of_line_can_be_set():
    assert read("One. Two.\nThree.", lines="sentences") == ("One. Two.", "Three.")
    assert read("One. Two.\nThree.", lines="paragraphs") == ("One.", "Two.", "Three.")


def test_an_empty_synopsis_is_refused():
    with pytest.raises(SourceError, match=r"synopsis\.txt: the synopsis is empty"):
        read(" \n\n")


def test_footnote_marks_and_headings_of_a_wiki_are_removed():
    text = "== Plot ==\nAnna goes.[1] Ben stays.[2][note 3] Dora sings.\nCarl runs.[citation needed] Eve [sic] walks.\n"
    assert read(text) == ("Anna goes.", "Ben stays.", "Dora sings.", "Carl runs.", "Eve [sic] walks.")


def test_lines_that_are_sentences_are_unchanged():
    assert read("Anna goes.[1]\nBen stays.\nCarl runs.\n") == ("Anna goes.[1]", "Ben stays.", "Carl runs.")


@pytest.mark.parametrize("text", ["\u200b\n", "...\n", "== Plot ==\n"])
def test_a_synopsis_without_words_is_empty(text):
    with pytest.raises(SourceError, match="the synopsis is empty"):
        read(text)


def test_a_line_that_stops_after_a_title_goes_on_in_the_next() -> None:
    text = "They wait in the barn.\nMr.\nPlum arrives with Dr.\nStone and a map.\nThey leave.\n"
    assert read_synopsis("film", text, split_by_rules, "sentences") == (
        "They wait in the barn.",
        "Mr. Plum arrives with Dr. Stone and a map.",
        "They leave.",
    )
    assert len(read_synopsis("film", text, split_by_rules, "sentences", join_lines=False)) == 5


def test_a_line_that_begins_small_goes_on_with_the_line_before() -> None:
    text = "They wait in the barn of C.W.\n's father.\nAnna hides an A.V.\nset there.\nThey leave.\nBen stays.\nA dog barks.\n"
    joined = (
        "They wait in the barn of C.W.'s father.",
        "Anna hides an A.V. set there.",
        "They leave.",
        "Ben stays.",
        "A dog barks.",
    )
    assert read_synopsis("film", text * 2, split_by_rules, "sentences") == joined * 2


def test_where_sentences_begin_small_none_is_joined() -> None:
    text = "anna waits.\nben sings.\nthey leave.\n"
    assert len(read_synopsis("film", text, split_by_rules, "sentences")) == 3


def test_a_name_goes_on_after_initials_and_a_sentence_begins_there() -> None:
    text = "They meet C.W.\nPlum in the barn.\nHe fears the K.O.S.\nThe K.O.S. leave.\n"
    joined = ("They meet C.W. Plum in the barn.", "He fears the K.O.S.", "The K.O.S. leave.")
    assert read_synopsis("film", text, split_by_rules, "sentences") == joined


def test_a_place_or_a_time_in_letters_ends_a_sentence() -> None:
    text = "They move to L.A.\nAnna finds work.\nIt is 9 P.M.\nBen calls the F.B.I.\nTom is shot.\n"
    assert read_synopsis("film", text, split_by_rules, "sentences") == tuple(text.splitlines())


def test_many_halves_are_joined_in_linear_time() -> None:
    assert len(read_synopsis("film", "B.C.\n" * 80_000, split_by_rules, "sentences")) == 1
