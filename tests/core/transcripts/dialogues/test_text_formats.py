from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.text_formats import RawTurn, read_captions, read_markdown, read_plain_text

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


def test_splits_hard_wrapped_text_at_its_labels_and_at_single_letters_that_repeat():
    assert labels(EPISODE) == [
        ("", "[tavern noise]"),
        ("ANNA", "We left the harbour at dawn, and the sea was calm. Three things: Storm: a big one."),
        ("BEN and CARLA (laughing)", "No!"),
        ("ANNA", "Yes. - BeN: Truly?"),
        ("D.J. #2", "At 7:00, see http://example.org/x for the"),
        ("OLD MAP", "it is there."),
    ]
    assert labels("ANNA: Either\nA: we go, or we stay.\n") == [("ANNA", "Either A: we go, or we stay.")]
    assert [label for label, _ in labels("Q: Why?\nA: So.\nQ: Really?\nA: Yes.\n")] == ["Q", "A", "Q", "A"]


@pytest.mark.parametrize("text", ["Just prose, without a name.\n", "at 7:00 and 8:00\nhttp://example.org\n", ":::\n"])
def test_refuses_text_without_labels_and_shows_an_example(text):
    with pytest.raises(SourceError, match=r"^tale\.txt: no speaker labels; .*`ANNA: Where were we\?`"):
        read_plain_text("tale.txt", text)


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


def turns(text):
    return [(turn.label, turn.text.strip()) for turn in read_markdown("tale.md", text)]


def test_backslashes_before_marks_are_dropped():
    text = "**Anna:** Wait\\! \\[laughter\\] A \\*star\\*.\n\n**Ben:** Where\\?\n\n**Anna:** C:\\new\n"
    assert turns(text) == [("Anna", "Wait! [laughter] A *star*."), ("Ben", "Where?"), ("Anna", "C:\\new")]


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


SUBRIP = """\
1
00:00:00,500 --> 00:00:02,000
(music)

2
00:00:02,000 --> 00:00:04,250
ANNA: Who has
the map?

3
00:00:04,250 --> 00:00:06,000
I had it.

4
00:00:06,000 --> 00:00:08,000 X1:10
<i>BEN: Me.</i>
- ANNA: Good.

5
01:00:00,000 --> 01:00:01,000
12

6
01:00:02,000 --> 01:00:03,000
BEN &amp; ANNA: Go!
"""

WEBVTT = """\
WEBVTT
Kind: captions

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.500 align:start
<v Anna Ashe>Who is there?

NOTE BEN: never said this

00:02.500 --> 00:04.000
<v.loud Ben>Me!</v> <v Anna Ashe>Come in.

00:04.000 --> 00:05.000
And sit.
"""


def test_turns_of_captions_have_times_and_voice_tags_are_labels():
    assert read_captions("tale.srt", SUBRIP) == [
        RawTurn("", "(music)\n", 0.5, 2.0),
        RawTurn("ANNA", " Who has\nthe map?\nI had it.\n", 2.0, 6.0),
        RawTurn("BEN", " Me.</i>\n", 6.0, 8.0),
        RawTurn("ANNA", " Good.\n12\n", 6.0, 3601.0),
        RawTurn("BEN &amp; ANNA", " Go!", 3602.0, 3603.0),
    ]
    assert read_captions("tale.vtt", WEBVTT) == [
        RawTurn("Anna Ashe", "Who is there?\n", 1.0, 2.5),
        RawTurn("Ben", "Me!</v> ", 2.5, 4.0),
        RawTurn("Anna Ashe", "Come in.\nAnd sit.", 2.5, 5.0),
    ]


CUES = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(["ANNA: ", "- BEN: ", ""]), st.text("abc é,.\n-", max_size=20)), min_size=1
)


@given(CUES)
def test_no_letter_is_lost_and_times_come_from_the_cues(cues):
    text = "1\n00:00:00,000 --> 00:00:01,000\nANNA: hi\n" + "".join(
        f"\n{number}\n00:00:{start:02},000 --> 00:00:{start + 1:02},000\n{label}{words}x\n"
        for number, (start, label, words) in enumerate(cues, start=2)
    )
    turns = read_captions("tale.srt", text)
    labels = ["ANNA", *(label.strip("- :") for _, label, _ in cues if label)]
    if len(labels) >= 0.9 * (len(cues) + 1):  # a program labelled every cue: successive ones are one turn
        labels = [label for label, _ in groupby(labels)]
    letters = sum(map(str.isalpha, text)) - sum(len(label.strip("- :")) for _, label, _ in cues) - len("ANNA")
    assert sum(sum(map(str.isalpha, turn.text)) for turn in turns) == letters
    assert [turn.label for turn in turns] == labels
    assert all(turn.start is not None and turn.end is not None and 0 <= turn.start <= 9 and 1 <= turn.end <= 10 for turn in turns)


def test_a_line_of_rolling_captions_counts_once_into_the_start_of_the_very_next_cue() -> None:
    cues = (("00:01.000", "ANNA: row"), ("00:02.000", "ANNA: row\n{}now"), ("00:03.000", "now\nBEN: why?"))
    text = "WEBVTT\n\n" + "".join(f"{start} --> {start[:-3]}900\n{said}\n\n" for start, said in cues)
    rolling = [turn.text.split() for turn in read_captions("x.vtt", text.replace("{}", "<00:02.500>"))]
    assert rolling == [["row", "<00:02.500>now"], ["why?"]]
    assert [turn.text.split() for turn in read_captions("x.vtt", text.replace("{}", ""))][:2] == [["row"], ["row", "now", "now"]]
    after_a_pause = ((1, 2, "ANNA: Ro<00:01.500>w"), (2, 3, "on"), (5, 6, "on"), (6, 7, "BEN: Why?"))
    assert read_captions("x.vtt", write_rolling(*after_a_pause))[0].text.split()[-2:] == ["on", "on"]
    first_line = ((1, 2, "ANNA: Ro<00:01.500>w"), (2, 3, "No\nnot yet"), (3, 4, "No\nBEN: Why?"))
    assert read_captions("x.vtt", write_rolling(*first_line))[0].text.split()[-4:] == ["No", "not", "yet", "No"]


def write_rolling(*cues: tuple[int, int, str]) -> str:
    return "WEBVTT\n\n" + "".join(f"00:{start:02}.000 --> 00:{end:02}.000\n{said}\n\n" for start, end, said in cues)


def test_headings_above_labels_are_titles_and_those_that_recur_speakers():
    head = "---\ntitle: Boats\nguests:\n- Anna\n---\n\n# Boats at dawn\n\n## Part one\n\n"
    turns = read_markdown("tale.md", f"{head}Anna Ashe (00:00:00):\nGo.\n\n## Part two\n\nBen (00:00:04):\nNo.\n")
    assert [(turn.label, turn.text.strip(), turn.start) for turn in turns] == [("Anna Ashe", "Go.", 0), ("Ben", "No.", 4)]
    turns = read_markdown("tale.md", "### Anna\n\nGo.\n\n### Ben\n\nNote: it is dark.\n\n### Anna\n\nGo all the same.\n")
    assert [turn.label for turn in turns] == ["Anna", "Ben", "Anna"]
    with pytest.raises(SourceError, match="no speaker labels"):
        read_markdown("tale.md", "# Boats\n\n## Dawn\n\nThe ferry leaves.\n")
