import gzip
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.errors import SourceError
from core.subtitles.config import SubtitleCleaning, SubtitleLimits
from core.subtitles.formats import read_subtitle
from core.subtitles.subtitle import Removal

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


def test_a_subrip_file_gives_one_dialogue_of_anonymous_speakers():
    subtitle = read_subtitle("film.srt", SRT.encode())
    assert texts(subtitle) == TEXTS
    assert [(turn.start, turn.end) for turn in subtitle.turns] == [(1.0, 2.0), (1.0, 4.0), (2.5, 4.0), (11.0, 13.0)]
    assert [turn.number for turn in subtitle.turns] == [0, 1, 2, 3]
    assert all(turn.speakers == () and turn.raw_label == "" for turn in subtitle.turns)
    assert subtitle.turns[1].raw_text == "- Who is at\nthe <i>café</i>?\n- Me, and...\n...a friend. Come in!"
    assert subtitle.removed == (Removal("[thunder]", 9.0, "no words"),)
    assert subtitle.metadata.duration == 13.0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_encoding_gives_the_same_value(encoding, line_end):
    content = SRT.replace("\n", line_end).encode(encoding)
    assert read_subtitle("film.SRT", content) == read_subtitle("film.SRT", SRT.encode())


def test_xml_gives_a_dialogue_too():
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
        ("film.srt", b"00:00:01,000 --> 00:00:02,000\n\n", "no words in 0 captions"),
        ("film.srt", bytes(range(256)) * 9, "NUL"),
        ("film.xml.gz", gzip.compress(b"<document><s>hi</s></document>")[:-9], "cut off"),
        ("film.xml.gz", b"<document/>", "no gzip"),
        ("film.xml", b"<document/>", "no words in 0 captions"),
    ],
)
def test_bad_files_are_refused_with_the_reason(name, content, message):
    with pytest.raises(SourceError, match=rf"{name}: .*{message}"):
        read_subtitle(name, content)


@pytest.mark.parametrize("name", ["film.srt", "film.xml", "film.xml.gz"])
def test_a_file_of_300_megabytes_is_refused_quickly(name):
    content = bytes(300 * 2**20)
    start = time.perf_counter()
    with pytest.raises(SourceError, match="at most 16,777,216 are read"):
        read_subtitle(name, content)
    assert time.perf_counter() - start < 0.1


def test_too_many_captions_are_refused():
    with pytest.raises(SourceError, match="3 captions, and at most 2"):
        read_subtitle("film.srt", b"00:01 --> 00:02\na\n" * 3, limits=SubtitleLimits(max_captions=2))


def test_a_file_without_punctuation_is_read_in_linear_time():
    seconds = {}
    for cues in (2_000, 32_000):
        content = b"00:00:01,000 --> 00:00:02,000\nand so on and on\n\n" * cues
        start = time.process_time()
        turns = read_subtitle("film.srt", content).turns
        seconds[cues] = time.process_time() - start
        assert max(len(turn.text) for turn in turns) < 1_100
    assert seconds[32_000] < 100 * seconds[2_000]  # 16 times as long, and 256 times where it grows with the square


CUES = st.lists(st.tuples(st.integers(0, 59), st.text("aB é,.…!?-\n\"'()[]♪#:<>&;{}\\", max_size=30)), min_size=1, max_size=8)


@given(CUES)
def test_any_captions_give_turns_or_a_source_error(cues):
    content = "".join(f"{n}\n00:00:{start:02},000 --> 00:01:{start:02},500\n{words}\n\n" for n, (start, words) in enumerate(cues))
    with suppress(SourceError):
        subtitle = read_subtitle("film.srt", content.encode())
        assert all(turn.text and turn.text == turn.text.strip() and "\n" not in turn.text for turn in subtitle.turns)
        assert [turn.number for turn in subtitle.turns] == list(range(len(subtitle.turns)))
        assert all(turn.raw_text for turn in subtitle.turns)


@given(CUES)
def test_with_everything_kept_no_letter_is_lost(cues):
    keep = SubtitleCleaning("keep", "keep", "keep", "keep", "keep", "keep")
    cues = [(start, "".join(c for c in words if c.isalpha() or c in " ,.!?\n")) for start, words in cues]
    content = "".join(f"00:00:{start:02},000 --> 00:01:{start:02},500\n{words}x\n\n" for start, words in cues)
    said = "".join(turn.text for turn in read_subtitle("film.srt", content.encode(), keep).turns)
    assert [c for c in said if c.isalpha()] == [c for _, words in cues for c in words + "x" if c.isalpha()]


@given(st.binary(max_size=300), st.sampled_from(["a.srt", "a.xml", "a.xml.gz", "a.sub", ""]))
def test_any_bytes_give_a_subtitle_or_a_source_error(content, name):
    with suppress(SourceError):
        assert read_subtitle(name, content).turns
