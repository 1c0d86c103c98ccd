from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.transcripts.dialogues.text_formats import RawTurn, read_captions

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


def test_turns_of_subrip_captions_have_times():
    assert read_captions("tale.srt", SUBRIP) == [
        RawTurn("", "(music)\n", 0.5, 2.0),
        RawTurn("ANNA", " Who has\nthe map?\nI had it.\n", 2.0, 6.0),
        RawTurn("BEN", " Me.</i>\n", 6.0, 8.0),
        RawTurn("ANNA", " Good.\n12\n", 6.0, 3601.0),
        RawTurn("BEN &amp; ANNA", " Go!", 3602.0, 3603.0),
    ]


def test_voice_tags_of_webvtt_are_labels_and_notes_are_not():
    assert read_captions("tale.vtt", WEBVTT) == [
        RawTurn("Anna Ashe", "Who is there?\n", 1.0, 2.5),
        RawTurn("Ben", "Me!</v> ", 2.5, 4.0),
        RawTurn("Anna Ashe", "Come in.\nAnd sit.", 2.5, 5.0),
    ]


def test_refuses_a_file_without_times():
    with pytest.raises(SourceError, match=r"tale\.srt: no line with times; .*-->"):
        read_captions("tale.srt", "ANNA: hello\n")


def test_refuses_captions_without_speaker_labels():
    with pytest.raises(SourceError, match="no speaker labels"):
        read_captions("tale.srt", "1\n00:00:01,000 --> 00:00:02,000\nhello there\n")


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
    spoken = "".join(turn.label + turn.text for turn in turns)
    assert sum(map(str.isalpha, spoken)) == sum(map(str.isalpha, text))
    assert len(turns) == 1 + sum(label != "" for _, label, _ in cues)
    assert all(turn.start is not None and turn.end is not None and 0 <= turn.start <= 9 and 1 <= turn.end <= 10 for turn in turns)


@given(st.text(st.sampled_from("01:,.->\n AB<v "), max_size=200))
def test_any_text_gives_turns_or_a_source_error(text):
    with suppress(SourceError):
        assert read_captions("tale.vtt", text)


def test_a_line_of_rolling_captions_counts_once_and_a_repetition_elsewhere_twice() -> None:
    cues = (("00:01.000", "ANNA: row"), ("00:02.000", "ANNA: row\n{}now"), ("00:03.000", "now\nBEN: why?"))
    text = "WEBVTT\n\n" + "".join(f"{start} --> {start[:-3]}900\n{said}\n\n" for start, said in cues)
    rolling = [turn.text.split() for turn in read_captions("x.vtt", text.replace("{}", "<00:02.500>"))]
    assert rolling == [["row", "<00:02.500>now"], ["why?"]]
    assert [turn.text.split() for turn in read_captions("x.vtt", text.replace("{}", ""))][:2] == [["row"], ["row", "now", "now"]]


def write_rolling(*cues: tuple[int, int, str]) -> str:
    return "WEBVTT\n\n" + "".join(f"00:{start:02}.000 --> 00:{end:02}.000\n{said}\n\n" for start, end, said in cues)


def test_a_line_of_another_voice_does_not_roll() -> None:
    cues = ((1, 2, "<v Anna>Is<00:01.500> it so?"), (2, 3, "<v Ben>Yes."), (3, 4, "<v Anna>Yes."), (4, 5, "Yes.\n<v Ben>Good."))
    turns = read_captions("x.vtt", write_rolling(*cues))
    assert [(turn.label, turn.text.split()) for turn in turns] == [
        ("Anna", ["Is<00:01.500>", "it", "so?"]),
        ("Ben", ["Yes."]),
        ("Anna", ["Yes."]),
        ("Ben", ["Good."]),
    ]


def test_a_line_rolls_on_only_into_the_start_of_the_very_next_cue() -> None:
    after_a_pause = ((1, 2, "ANNA: Ro<00:01.500>w"), (2, 3, "on"), (5, 6, "on"), (6, 7, "BEN: Why?"))
    assert read_captions("x.vtt", write_rolling(*after_a_pause))[0].text.split()[-2:] == ["on", "on"]
    first_line = ((1, 2, "ANNA: Ro<00:01.500>w"), (2, 3, "No\nnot yet"), (3, 4, "No\nBEN: Why?"))
    assert read_captions("x.vtt", write_rolling(*first_line))[0].text.split()[-4:] == ["No", "not", "yet", "No"]
