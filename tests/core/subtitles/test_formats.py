import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.errors import SourceError
from core.subtitles.config import SubtitleCleaning, SubtitleLimits
from core.subtitles.formats import read_cues, read_subtitle
from core.text.captions import Cue

SRT = """1
00:00:01,000 --> 00:00:02,000
- Who is at
the <i>café</i>?
- Me, and...

2
00:00:02,500 --> 00:00:04,000
...a friend. Come in!

3
00:00:09,000 --> 00:00:10,000
[thunder]

4
00:00:11,000 --> 00:00:12,000
We go to Paris,

5
00:00:12,100 --> 00:00:13,000
Anna and I
"""
TEXTS = ["Who is at the café?", "Me, and... a friend.", "Come in!", "We go to Paris, Anna and I"]


def texts(subtitle):
    return [turn.text for turn in subtitle.turns]


def test_a_subrip_or_xml_file_gives_one_dialogue_of_anonymous_speakers():
    subtitle = read_subtitle("film.srt", SRT.encode())
    assert texts(subtitle) == TEXTS
    assert [(turn.start, turn.end) for turn in subtitle.turns] == [(1.0, 2.0), (1.0, 4.0), (2.5, 4.0), (11.0, 13.0)]
    assert [turn.number for turn in subtitle.turns] == [0, 1, 2, 3]
    assert all(turn.speakers == () and turn.raw_label == "" for turn in subtitle.turns)
    assert subtitle.turns[1].raw_text == "- Who is at\nthe <i>café</i>?\n- Me, and...\n...a friend. Come in!"
    assert subtitle.removed == {"no words": 1}
    xml = '<document><s><time id="T1S" value="00:00:01,000"/>- Who? - Me, <time id="T1E" value="00:00:02,000"/></s></document>'
    assert read_subtitle("1.xml.gz", gzip.compress(xml.encode())).turns == (
        Turn(0, (), ("Who?",), "", "- Who? - Me,", 1.0, 2.0),
        Turn(1, (), ("Me,",), "", "- Who? - Me,", 1.0, 2.0),
    )


def test_a_sentence_continues_only_for_the_same_speaker_and_after_a_short_pause():
    def captions(first, second, pause):
        return f"00:00:01,000 --> 00:00:02,000\n{first}\n\n00:00:{2 + pause:02},000 --> 00:00:20,000\n{second}\n".encode()

    assert texts(read_subtitle("a.srt", captions("I saw", "a cow", 1))) == ["I saw a cow"]
    assert texts(read_subtitle("a.srt", captions("I saw", "a cow", 9))) == ["I saw", "a cow"]
    assert texts(read_subtitle("a.srt", captions("I saw", "- a cow", 1))) == ["I saw", "a cow"]
    assert texts(read_subtitle("a.srt", captions("I sang", "La la la", 1))) == ["I sang", "La la la"]
    assert texts(read_subtitle("a.srt", captions("I saw", "a cow", 9), SubtitleCleaning(max_pause=10))) == ["I saw a cow"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("film.txt", b"hello", "not a subtitle file"),
        ("film.srt", b"", "empty"),
        ("film.srt", b"hello there", "no line with times"),
        ("film.srt", b"00:00:01,000 --> 00:00:02,000\n[door]\n", "no words in 1 captions"),
        ("film.srt", bytes(range(256)) * 9, "NUL"),
        ("film.xml.gz", gzip.compress(b"<document><s>hi</s></document>", mtime=0)[:-9], "cut off"),
        ("film.xml.gz", b"<document/>", "no gzip"),
        ("film.xml", b"<document/>", "no words in 0 captions"),
        ("film.srt", bytes(2**24 + 1), "at most 16,777,216 are read"),
    ],
)
def test_bad_files_are_refused_with_the_reason(name, content, message):
    with pytest.raises(SourceError, match=rf"{name}: .*{message}"):
        read_subtitle(name, content)


def test_too_many_captions_are_refused():
    with pytest.raises(SourceError, match="3 captions, and at most 2"):
        read_subtitle("film.srt", b"00:01 --> 00:02\na\n" * 3, limits=SubtitleLimits(max_captions=2))


def test_a_file_without_punctuation_is_read_in_linear_time():
    seconds = {}
    for cues in (1_000, 8_000):
        content = b"00:00:01,000 --> 00:00:02,000\nand so on and on\n\n" * cues
        start = time.process_time()
        turns = read_subtitle("film.srt", content).turns
        seconds[cues] = time.process_time() - start
        assert max(len(turn.text) for turn in turns) < 1_100
    assert seconds[8_000] < 30 * seconds[1_000]  # 8 times as long, and 64 times where it grows with the square


CUES = st.lists(st.tuples(st.integers(0, 59), st.text("aB é,.…!?-\n\"'()[]♪#:<>&;{}\\", max_size=30)), min_size=1, max_size=8)


@given(CUES)
def test_with_everything_kept_no_letter_is_lost(cues):
    keep = SubtitleCleaning("keep", "keep", "keep", "keep", "keep", "keep")
    cues = [(start, "".join(c for c in words if c.isalpha() or c in " ,.!?\n")) for start, words in cues]
    content = "".join(f"00:00:{start:02},000 --> 00:01:{start:02},500\n{words}x\n\n" for start, words in cues)
    said = "".join(turn.text for turn in read_subtitle("film.srt", content.encode(), keep).turns)
    assert [c for c in said if c.isalpha()] == [c for _, words in cues for c in words + "x" if c.isalpha()]


LAMP = [Cue(1.5, 4.0, "Where is\nthe lamp?"), Cue(4.0, 6.0, "On the pier, I hope.")]
SUBRIP = "1\n00:00:01,500 --> 00:00:04,000\nWhere is\nthe lamp?\n\n2\n00:00:04,000 --> 00:00:06,000\nOn the pier, I hope.\n"
WEB = "WEBVTT\n\n00:01.500 --> 00:04.000 align:start\nWhere is\nthe lamp?\n\n00:04.000 --> 00:06.000\nOn the pier, I hope.\n"
FORMAT = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
SUBSTATION = (
    "[Script Info]\nTitle: The Ferry\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n"
    + FORMAT
    + "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a remark of the maker\n"
    + "Dialogue: 0,0:00:04.00,0:00:06.00,Default,Ben,0,0,0,,On the pier, I hope.\n"
    + "Dialogue: 0,0:00:01.50,0:00:04.00,Default,Anna,0,0,0,,Where is\\Nthe lamp?\n"
    + "Dialogue: 0,0:00:01.50,0:00:04.00,Sign,,0,0,0,,{\\an7\\p1}m 0 0 l 10 0 10 10{\\p0}\n\n[Fonts]\nDialogue: no caption\n"
)
MICRODVD = "{1}{1}25.000\n{37}{100}{y:i}Where is|the lamp?\n{100}{150}On the pier, I hope.\n"


@pytest.mark.parametrize("text", [SUBRIP, WEB, SUBSTATION, MICRODVD], ids=["srt", "vtt", "ass", "sub"])
def test_every_format_gives_the_same_captions(text: str) -> None:
    found = read_cues("film.srt", text)
    assert [cue.text for cue in found] == [cue.text for cue in LAMP]
    for cue, expected in zip(found, LAMP, strict=True):
        assert (cue.start, cue.end) == pytest.approx((expected.start, expected.end), abs=0.03)


def test_frames_of_microdvd_without_a_rate_and_without_ends() -> None:
    first, last = read_cues("film.sub", "{24}{}Where is it?\n{48}{}Here.\n")
    assert (first.start, first.end, last.end) == pytest.approx((1.001, 2.002, 5.002))


@pytest.mark.parametrize("number", ["{1}{24}00.0", "{240}{264}42", "{0}{60}300", "{0}{60}121", "{0}{60}9"])
def test_a_number_that_is_no_rate_is_a_caption(number: str) -> None:
    assert [cue.text for cue in read_cues("film.sub", f"{number}\n{{480}}{{504}}Here.\n")] == [number.rpartition("}")[2], "Here."]


@pytest.mark.parametrize("text", ["[Events]\n" + FORMAT, "[Events]\nDialogue: 0,now,then,Default,,0,0,0,,Yes.\n", "{1}{1}25\n"])
def test_files_without_captions_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(SourceError, match=r"film.ass: no captions with text; expected lines such as"):
        read_cues("film.ass", text)
