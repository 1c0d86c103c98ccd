import pytest

from core.errors import SourceError
from core.scripts.synopsis import read_synopsis
from core.text.sentences import split_by_rules


def read(text, **options):
    return read_synopsis("synopsis.txt", text, split_by_rules, **options)


TEXTS = {
    "one sentence a line": (
        "Anna wakes up.\nBen, who is late, runs. \n\nThey meet at 5\xa0o'clock. It rains.\nBoth laugh.[1]",
        ["Anna wakes up.", "Ben, who is late, runs.", "They meet at 5 o'clock. It rains.", "Both laugh.[1]"],
    ),
    "paragraphs": (
        "Anna wakes up. Ben runs. They meet.\n\nIt rains. Both laugh. The end is near.",
        ["Anna wakes up.", "Ben runs.", "They meet.", "It rains.", "Both laugh.", "The end is near."],
    ),
    "hard-wrapped": (
        "Anna wakes up and does\nnot know where she is. Ben\nruns to the barn and\nfinds it.\n\nThey meet in the\nrain.",
        ["Anna wakes up and does not know where she is.", "Ben runs to the barn and finds it.", "They meet in the rain."],
    ),
    "of a wiki": (
        "== Plot ==\nAnna goes.[1] Ben stays.[2][note 3] Dora sings.\nCarl runs.[citation needed] Eve [sic] walks.\n",
        ["Anna goes.", "Ben stays.", "Dora sings.", "Carl runs.", "Eve [sic] walks."],
    ),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_what_a_line_is_is_found_out(kind):
    text, sentences = TEXTS[kind]
    assert list(read(text)) == sentences


@pytest.mark.parametrize("text", [" \n\n", "\u200b\n", "...\n", "== Plot ==\n"])
def test_a_synopsis_without_words_is_refused(text):
    with pytest.raises(SourceError, match=r"synopsis\.txt: the synopsis is empty"):
        read(text)


HALVES = {
    "after a title": (
        "They wait in the barn.\nMr.\nPlum arrives with Dr.\nStone and a map.\nThey leave.\n",
        ["They wait in the barn.", "Mr. Plum arrives with Dr. Stone and a map.", "They leave."],
    ),
    "before a small letter": (
        "They wait in the barn of C.W.\n's father.\nAnna hides an A.V.\nset there.\nThey leave.\nBen stays.\nA dog barks.\n",
        [
            "They wait in the barn of C.W.'s father.", "Anna hides an A.V. set there.", "They leave.", "Ben stays.",
            "A dog barks.",
        ],
    ),
    "all begin small": ("anna waits.\nben sings.\nthey leave.\n", ["anna waits.", "ben sings.", "they leave."]),
    "after initials": (
        "They meet C.W.\nPlum in the barn.\nHe fears the K.O.S.\nThe K.O.S. leave.\n",
        ["They meet C.W. Plum in the barn.", "He fears the K.O.S.", "The K.O.S. leave."],
    ),
    "after a place or a time": (
        "They move to L.A.\nAnna finds work.\nIt is 9 P.M.\nBen calls the F.B.I.\nTom is shot.\n",
        ["They move to L.A.", "Anna finds work.", "It is 9 P.M.", "Ben calls the F.B.I.", "Tom is shot."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", HALVES)
def test_lines_that_stop_inside_a_sentence_are_joined(place):
    text, sentences = HALVES[place]
    assert list(read(text * 2, lines="sentences")) == sentences * 2
    assert len(read(text, lines="sentences", join_lines=False)) == text.count("\n")
