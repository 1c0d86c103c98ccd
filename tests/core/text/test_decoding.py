import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.text.decoding import TextLimits, decode_text

SPOKEN = "ZOË: Où êtes-vous ?\nBÉA: “Ici”—voilà…\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"])
def test_reads_the_usual_encodings(encoding):
    assert decode_text("scene.txt", SPOKEN.encode(encoding)) == SPOKEN


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xfe\xff", "utf-16-be"), (b"\x00\x00\xfe\xff", "utf-32-be")])
def test_reads_big_endian_text_with_a_mark(mark, encoding):
    assert decode_text("scene.txt", mark + SPOKEN.encode(encoding)) == SPOKEN


def test_line_breaks_become_newlines():
    assert decode_text("scene.txt", b"ANNA: one\r\nBEN: two\rANNA: three\n") == "ANNA: one\nBEN: two\nANNA: three\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \n\t\n", "empty"),
        (b"\x7fELF\x00\x01\x02", "NUL"),
        (bytes(range(1, 32)) * 20, "control characters"),
        (b"\x89PNG\x0d\x1a\x0a" + bytes([1, 2, 3, 200, 255]) * 20, "control bytes"),
        ("АННА: Привет, как дела?\n".encode("cp1251") * 20, "iconv -f cp1251 -t UTF-8"),
        ("ANNA: über Öl, schön\n".encode() * 5 + b"ANNA: \xc3", "broken in 1 place(s), first in line 6"),
        ("ANNA: hello".encode("utf-16")[:-1], "byte order mark says utf-16-le"),
    ],
)
def test_refuses_what_is_not_text_and_says_what_to_do(content, message):
    with pytest.raises(SourceError) as caught:
        decode_text("scene.txt", content)
    assert str(caught.value).startswith("scene.txt: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Old Феррис did that.", "cp1251"), ("Old Φέρρης did that.", "cp1253"), ("Old Ferré and Gisèle's café", "mac-roman")],
)
def test_a_few_foreign_words_in_english_are_not_garbled(text, encoding):
    with pytest.raises(SourceError, match=r"a\.txt: not UTF-8"):
        decode_text("a.txt", (text * 3).encode(encoding))


@pytest.mark.parametrize(
    "text",
    [
        "Ääääh! Öööh! And then she sang to all of us.",
        "une fée créée à Orléans, naïve",
        "Åsa åt blåbär i skogen",
        "EL NIÑO, señor",
        "ANNA: The keys say Öäüß.\nBEN: And nothing else.\n",
        "ANNA: ÀÉÈÙ is what is written there, they say.\n",
        "MCÉWAN: Thank you.\nBEN: Good night, Mr. McÉwan.\n" * 20,
        "une fée créée à Orléans, naïve; ÀÉÈÙ et ÀÉÈÙ\n" + "Où est-elle allée, la fée créée à Orléans ?\n" * 6,
        "Good night, Mr. PetitÉcuyer, and the café is shut.",
    ],
)
def test_western_text_with_many_accents_is_read(text):
    assert decode_text("a.txt", text.encode("cp1252")) == text


DOCUMENTS = {b"%PDF-1.7": "PDF", b"{\\rtf1": "Rich Text", b"PK\x03\x04": "zip", b"\xd0\xcf\x11\xe0": "Word", b"\x1f\x8b": "gzip"}


@pytest.mark.parametrize("beginning", DOCUMENTS)
def test_documents_of_other_programs_are_named(beginning):
    with pytest.raises(SourceError, match=rf"a\.txt: this is .*{DOCUMENTS[beginning]}.*; expected text\. Save it as plain text"):
        decode_text("a.txt", beginning + b"INT. BARN - DAY")


def test_refuses_a_large_file_before_decoding_it():
    with pytest.raises(SourceError, match="101 bytes, but at most 100 are read"):
        decode_text("scene.txt", b"\xff" * 101, TextLimits(max_bytes=100))


def test_refuses_a_long_line_by_its_number():
    with pytest.raises(SourceError, match="line 2 has 1,000,001 characters"):
        decode_text("scene.txt", b"ANNA: hello\nBEN: " + b"a" * 999_996)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_a_source_error(content):
    try:
        text = decode_text("scene.txt", content)
    except SourceError:
        return
    assert text.strip()
    assert "\r" not in text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip))
def test_utf8_is_unchanged_but_for_composed_accents(text):
    assert decode_text("scene.txt", text.encode("utf-8-sig")) == unicodedata.normalize("NFC", text)


def test_subtitles_in_the_encodings_of_the_corpus_are_read(corpora):
    folder = corpora / "subtitles" / "srt_encodings"
    texts = {path.stem: decode_text(path.name, path.read_bytes()) for path in sorted(folder.glob("*.srt"))}
    assert texts["windows-1252"] == texts["utf-8"]
    assert len({text for name, text in texts.items() if name.startswith("bom-utf")}) == 1
