from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.transcripts.dialogues.labels import find_labels, label_style
from core.transcripts.dialogues.text_formats import read_plain_text

EPISODE = """\
[tavern noise]

ANNA: We left the harbour at
dawn, and the sea was

calm. Three things:
Storm: a big one.

BEN and CARLA (laughing): No!
-ANNA: Yes.
- BeN: Truly?
D.J. #2: At 7:00, see
http://example.org/x for the
OLD MAP: it is there.
"""


def labels(text):
    return [(turn.label, " ".join(turn.text.split())) for turn in read_plain_text("tale.txt", text)]


def test_splits_hard_wrapped_text_at_its_labels():
    assert labels(EPISODE) == [
        ("", "[tavern noise]"),
        ("ANNA", "We left the harbour at dawn, and the sea was calm. Three things: Storm: a big one."),
        ("BEN and CARLA (laughing)", "No!"),
        ("ANNA", "Yes. - BeN: Truly?"),
        ("D.J. #2", "At 7:00, see http://example.org/x for the"),
        ("OLD MAP", "it is there."),
    ]


def test_a_name_with_a_slip_of_the_shift_key_is_a_label_if_it_also_occurs_in_capitals():
    assert [label for label, _ in labels("BENNO: a\n" * 3 + "BENNo: b\nNPCs: c\nBenno: d\n")] == ["BENNO"] * 3 + ["BENNo"]


def test_a_single_letter_is_a_label_only_if_it_repeats():
    assert labels("ANNA: Either\nA: we go, or we stay.\n") == [("ANNA", "Either A: we go, or we stay.")]
    assert [label for label, _ in labels("Q: Why?\nA: So.\nQ: Really?\nA: Yes.\n")] == ["Q", "A", "Q", "A"]


def test_names_in_title_case_are_labels_if_none_is_in_capitals():
    text = "Anna: We watch Tales of\nFire: the film, as\nalways.\nBen and Old Carla: Yes!\nSo then she says: no.\nAnna: Oh.\n"
    assert labels(text) == [
        ("Anna", "We watch Tales of Fire: the film, as always."),
        ("Ben and Old Carla", "Yes! So then she says: no."),
        ("Anna", "Oh."),
    ]


def test_names_in_other_alphabets_are_labels():
    assert labels("ЗОЯ: Да.\nÉLÉONORE： Oui.\n") == [("ЗОЯ", "Да."), ("ÉLÉONORE", "Oui.")]


@pytest.mark.parametrize("text", ["Just prose, without a name.\n", "at 7:00 and 8:00\nhttp://example.org\n", ":::\n"])
def test_refuses_text_without_labels_and_shows_an_example(text):
    with pytest.raises(SourceError, match=r"^tale\.txt: no speaker labels; .*`ANNA: Where were we\?`"):
        read_plain_text("tale.txt", text)


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("ANNA", "capitals"),
        ("ANNA, BEN, and CARLA", "capitals"),
        ("ALL (except Ben)", "capitals"),
        ("ANNA &amp; BEN", "capitals"),
        ("Old Anna", "title"),
        ("Then he says", "prose"),
        ("ANNA! BEN", "prose"),
        ("(laughs)", "prose"),
    ],
)
def test_style_of_a_label(name, style):
    assert label_style(name) == style


NAMES = st.sampled_from(["ANNA", "BEN AND CARLA", "Dora", "E", "D&amp;D", "VI", "-FAY"])
LINES = st.lists(
    st.tuples(NAMES, st.sampled_from([":", "", ": ", "::", " :"]), st.text(st.characters(codec="utf-8"), max_size=30))
)


@given(LINES)
def test_nothing_is_lost_from_labelled_text(lines):
    text = "".join(name + colon + words + "\n" for name, colon, words in [("ANNA", ": ", "Hi."), *lines])
    turns = read_plain_text("tale.txt", text)
    kept = "".join(turn.label + turn.text for turn in turns)
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


@given(st.text(st.sampled_from("AB:\n -<>v(i)é.7"), max_size=200))
def test_labels_are_in_order_and_do_not_overlap(text):
    found = find_labels(text)
    assert all(label.start < label.end <= len(text) and label.name in text[label.start : label.end] for label in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
