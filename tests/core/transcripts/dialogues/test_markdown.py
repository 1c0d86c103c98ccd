import pytest

from core.errors import SourceError
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.text_formats import read_markdown


def turns(text):
    return [(turn.label, turn.text.strip()) for turn in read_markdown("tale.md", text)]


def test_headings_are_labels():
    assert turns("Opening.\n# ANNA\nWe go.  \nNow: all.\n## BEN, CARLA:\nYes.\n") == [
        ("", "Opening."),
        ("ANNA", "We go.  \nNow: all."),
        ("BEN, CARLA", "Yes."),
    ]


def test_bold_labels_are_labels_even_with_headings():
    assert turns("# Part one\n\n**ANNA:** We go.\n\n**BEN**: Yes.\n") == [("", "# Part one"), ("ANNA", "We go."), ("BEN", "Yes.")]


def test_plain_labels_are_labels():
    assert turns("ANNA: We go.\nBEN: Yes.\n") == [("ANNA", "We go."), ("BEN", "Yes.")]


@pytest.mark.parametrize("text", ["Prose only.\n", "# Heading\n## Another\n"])
def test_refuses_text_without_speaker_labels(text):
    with pytest.raises(SourceError, match=r"tale\.md: no speaker labels"):
        read_markdown("tale.md", text)


TIMED = ["- **{}** ({}): {}", "* **{}** [{}]: {}", "**{}** ({}): {}", "- **{} ({}):** {}", "- {} ({}): {}"]


@pytest.mark.parametrize("form", TIMED)
def test_bold_labels_in_a_list_with_a_time_beside_the_name(form):
    said = [("Anna", "00:01:00", "Where is the lamp?"), ("Ben Oak", "00:01:04", "On the pier."), ("Anna", "00:01:09", "Oh.")]
    turns = read_dialogue("a.md", "\n".join(form.format(*turn) for turn in said).encode())
    assert [(turn.speakers, turn.start, turn.utterances) for turn in turns] == [
        (("Anna",), 60.0, ("Where is the lamp?",)),
        (("Ben Oak",), 64.0, ("On the pier.",)),
        (("Anna",), 69.0, ("Oh.",)),
    ]
