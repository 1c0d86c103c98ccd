import pytest

from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.formats import read_captions, read_subtitle
from core.subtitles.subtitle import Caption

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" '
    'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" ttp:tickRate="10000000"><head/><body>{}</body></tt>'
)
BODY = """<div>
  <p begin="00:00:05:05" end="00:00:07:00">Where is
     the <span tts:fontStyle="italic">lamp</span>?<br/>On the pier &amp; lit.</p>
  <p begin="0:01.5" dur="2s">Is the ferry late?</p>
  <p begin="80000000t" end="9.5s"><metadata>A note.</metadata>It always is.</p>
  <p><span begin="10000ms" end="11s">Row.</span><span begin="11s" end="12s">I row!</span></p>
  <p begin="00:01:00.25" end="00:01:02.5"/>
  <p>Without times.</p>
</div>
<div begin="1m"><p begin="1s" end="2s">We are there.</p></div>"""
CAPTIONS = [
    Caption("Is the ferry late?", 1.5, 3.5),
    Caption("Where is the lamp?\nOn the pier & lit.", 5.2, 7.0),
    Caption("It always is.", 8.0, 9.5),
    Caption("Row.", 10.0, 11.0),
    Caption("I row!", 11.0, 12.0),
    Caption("We are there.", 61.0, 62.0),
]


@pytest.mark.parametrize("name", ["film.ttml", "film.DFXP", "film.srt"])
def test_every_caption_has_its_text_and_times(name: str) -> None:
    found = read_captions(name, HEAD.format(BODY).encode(), SubtitleLimits())
    assert [caption.text for caption in found] == [caption.text for caption in CAPTIONS]
    assert [(caption.start, caption.end) for caption in found] == [pytest.approx((each.start, each.end)) for each in CAPTIONS]
    turns = read_subtitle("film.ttml", HEAD.format(BODY).encode()).turns
    assert [turn.text for turn in turns][:3] == ["Is the ferry late?", "Where is the lamp?", "On the pier & lit."]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD.format("<p begin='1s' end='2s'>&a;</p>"), "not well-formed"),
        (f"<!DOCTYPE tt>{HEAD.format('')[39:]}", "has a document type"),
        (f"<!DOCTYPE tt [<!ENTITY a 'aaa'>]>{HEAD.format('')[39:]}", "no line with times"),
        (HEAD.format("<p begin='soon' end='2s'>Row.</p>"), "no captions with text"),
        (HEAD.format("<div>" * 5_000), "not well-formed"),
        (HEAD.format("<p begin='1s' end='2s'>" + "x" * 2**21 + "</p>"), "a line is one paragraph at most"),
    ],
)
def test_hostile_and_damaged_files_are_refused(content: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read_captions("film.ttml", content.encode(), SubtitleLimits())
