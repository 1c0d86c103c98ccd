import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.opus_xml import join_tokens, read_opus_xml
from core.subtitles.subtitle import Caption, SubtitleMetadata

LIMITS = SubtitleLimits()
DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<document id="7">
  <s id="1">
    <time id="T1S" value="00:00:01,000" />
    <w id="1.1">Hello</w>
    <w id="1.2">,</w>
    <i><w id="1.3">you</w></i>
    <time id="T1E" value="00:00:02,500" />
    <time id="T2S" value="00:00:02,600" />
    <w alternative="owl" id="1.4">owls</w>
    <w id="1.5">.</w>
  </s>
  <s id="2">
    <w id="2.1">Tom &amp; I</w>
    <time id="T2E" value="00:00:04,000" />
  </s>
  <meta>
    <source><duration>99</duration></source>
    <conversion><tokens>200</tokens><unknown_words>3</unknown_words></conversion>
    <subtitle><language>English</language><cds>1/2</cds><rating>7.5</rating></subtitle>
  </meta>
</document>
"""


def test_sentences_run_from_the_caption_of_the_first_word_to_that_of_the_last_and_metadata_is_read():
    captions, _ = read_opus_xml("7.xml", DOCUMENT.encode(), LIMITS)
    assert captions == [Caption("Hello, you owls.", 1.0, 4.0), Caption("Tom&I", 2.6, 4.0)]
    assert read_opus_xml("7.xml", DOCUMENT.encode(), LIMITS)[1] == SubtitleMetadata("English", (1, 2), 7.5, 0.015)
    found = read_opus_xml("7.xml", b"<document><s>Hi.</s></document>", LIMITS)
    assert found == ([Caption("Hi.", None, None)], SubtitleMetadata())
    text = (
        '<document><s><time id="T1S" value="00:00:-1,-480"/><w>a</w><time id="T1E" value="00:00:02,000"/></s>'
        '<s><time id="T2S" value="00:00:09,000"/><w>b</w><time id="T2E" value="00:00:08,000"/></s></document>'
    )
    assert read_opus_xml("7.xml", text.encode(), LIMITS)[0] == [Caption("a", None, 2.0), Caption("b", 9.0, None)]


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{"&lol" + str(n - 1 or "") + ";"}{"&lol" + str(n - 1 or "") + ";"}">' for n in range(1, 60))
    + "]><document><s>&lol59;</s></document>"
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS.encode(), "entity nesting"),
        (LAUGHS.replace("1.0", '1.0" encoding="utf-16').encode("utf-16"), "entity nesting"),
        (b'<!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><document/>', "document type"),
        (b'<!DOCTYPE document SYSTEM "http://127.0.0.1:9/x.dtd"><document><s>a</s></document>', "document type"),
        (b"<document><s>&unknown;</s></document>", "not well-formed"),
        (b"<document><s>" * 100_000, "not well-formed"),
        (b"<cesAlign/>", "expected an OPUS subtitle <document>"),
        (b"", "not well-formed"),
        (b"<document><s>caf\xe9</s></document>", "not well-formed"),
    ],
)
def test_hostile_and_broken_xml_is_refused_at_once(content, message):
    start = time.process_time()
    with pytest.raises(SourceError, match=rf"7\.xml: .*{message}"):
        read_opus_xml("7.xml", content, LIMITS)
    assert time.process_time() - start < 10


def test_an_external_entity_is_never_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("SWORDFISH", encoding="utf-8")
    content = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]><document><s>&x;</s></document>'
    with pytest.raises(SourceError, match="document type") as caught:
        read_opus_xml("7.xml", content.encode(), LIMITS)
    assert "SWORDFISH" not in str(caught.value)


def test_large_files_bombs_and_too_many_sentences_are_refused():
    content = bytes(17 * 2**20)
    start = time.process_time()
    with pytest.raises(SourceError, match=r"17,825,792 bytes"):
        read_opus_xml("7.xml", content, LIMITS)
    assert time.process_time() - start < 5
    bomb = gzip.compress(b"<document>" + b" <s/>" * 1_000_000, compresslevel=1)
    with pytest.raises(SourceError, match="more than 1,048,576 bytes once decompressed"):
        read_opus_xml("7.xml.gz", bomb[: len(bomb) * 3 // 4], SubtitleLimits(max_decompressed_bytes=2**20))
    with pytest.raises(SourceError, match="more than 10 sentences"):
        read_opus_xml("7.xml", b"<document>" + b"<s>a</s>" * 11 + b"</document>", SubtitleLimits(max_captions=10))


@pytest.mark.parametrize("inside", ["<w " + "a='1' " * 300_000, "<w>" + "Go on. " * 200_000])
def test_a_tag_or_a_text_without_end_is_refused(inside: str) -> None:
    with pytest.raises(SourceError, match="more than 1,048,576 bytes"):
        read_opus_xml("f.xml", f"<document><s>{inside}</s></document>".encode(), LIMITS)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Do n't , please !", "Don't, please!"),
        ("Don 't you 'll he 'S", "Don't you'll he'S"),
        ("I saw 'em , ' cause I 'm here", "I saw 'em, 'cause I'm here"),
        ('He said : " Not now . " Then " go " .', 'He said: "Not now." Then "go".'),
        ('" Hey , you', '"Hey, you'),
        ("( quietly ) $ 5 , 50 %", "(quietly) $5, 50%"),
        ("It was vermin- filled , I mean- Stop !", "It was vermin-filled, I mean- Stop!"),
        ("I can not , I 'm gon na cry ...", "I cannot, I'm gonna cry..."),
        ("I need- - Mary- -", "I need-- Mary--"),
        ("- - You- - I mean , you", "- - You-- I mean, you"),
        ("beat ' em- -", "beat 'em--"),
        ("rock 'n ' roll", "rock 'n' roll"),
        ("", ""),
    ],
)
def test_tokens_become_text_in_normal_spelling(tokens, text):
    assert join_tokens([tokens.split()]) == text


@given(st.lists(st.lists(st.text("aZ'\"-.,!(…♪é", min_size=1, max_size=4), min_size=1, max_size=8), max_size=3))
def test_only_spaces_are_added(lines):
    text = join_tokens(lines)
    assert text.replace(" ", "") == "".join(token for line in lines for token in line)
    assert "  " not in text
    assert text == text.strip()


@pytest.mark.parametrize("tag", [b"<s/>", b"<w>a</w>", b"<time/>"])
def test_more_tags_than_a_film_has_are_refused_before_they_are_read(tag, monkeypatch):
    monkeypatch.setattr("core.subtitles.opus_xml.parse_xml", lambda *_: pytest.fail("it was read"))
    with pytest.raises(SourceError, match="more than 1,000,000 tags"):
        read_opus_xml("7.xml", b"<document>" + tag * 1_000_000 + b"</document>", LIMITS)
