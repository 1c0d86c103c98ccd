"""Captions of every format of text, by their content and not by their name."""

import pytest

from core.errors import SourceError
from core.subtitles.caption_files import read_cues
from core.subtitles.formats import read_subtitle
from core.text.captions import Cue

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


@pytest.mark.parametrize("name", ["film.srt", "film.vtt", "film.ass", "film.SSA", "film.sub"])
def test_the_content_decides_and_not_the_name(name: str) -> None:
    for text in (SUBRIP, WEB, SUBSTATION, MICRODVD):
        said = [utterance for turn in read_subtitle(name, text.encode()).turns for utterance in turn.utterances]
        assert said == ["Where is the lamp?", "On the pier, I hope."]


def test_fields_of_substation_are_those_of_its_format_line() -> None:
    old = "[Events]\nFormat: Marked, Start, End, Text\nDialogue: Marked=0,0:00:01.50,0:00:04.00,Yes, it is.\n"
    assert read_cues("film.ssa", old) == [Cue(1.5, 4.0, "Yes, it is.")]


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


@pytest.mark.parametrize("rate", ["25 fps", "25.000FPS", "25,0", "25"])
def test_a_rate_of_microdvd_may_have_its_unit(rate: str) -> None:
    assert read_cues("film.sub", f"{{1}}{{1}}{rate}\n{{25}}{{50}}Here.\n") == [Cue(1.0, 2.0, "Here.")]


def test_slashes_of_microdvd_for_italics_are_left_out() -> None:
    assert [cue.text for cue in read_cues("film.sub", "{24}{48}/Where is|/the lamp?\n{48}{72}On the pier and/or\n")] == [
        "Where is\nthe lamp?",
        "On the pier and/or",
    ]


def test_a_drawing_of_substation_lasts_until_it_is_ended() -> None:
    line = r"{\p1}m 0 0 l 10 0 {\c&HFF&}l 10 10{\p0\pos(1,2)} Yes, {\i1}it{\i0} is."
    text = f"[Events]\nDialogue: 0,0:00:01.50,0:00:04.00,Default,,0,0,0,,{line}\n"
    assert read_cues("film.ass", text) == [Cue(1.5, 4.0, "Yes, it is.")]


def test_a_caption_that_says_events_is_no_section_of_substation() -> None:
    text = "1\n00:00:01,500 --> 00:00:04,000\n[events]\n\n2\n00:00:04,000 --> 00:00:06,000\nHere.\n"
    assert [cue.text for cue in read_cues("film.srt", text)] == ["[events]", "Here."]


def test_a_format_that_is_not_known_is_told_to_be_converted() -> None:
    with pytest.raises(SourceError, match=r"no line with times; .* convert them to SubRip \(\.srt\)$"):
        read_cues("film.sub", "[INFORMATION]\n00:04:35.03,00:04:38.82\nHere.\n")
