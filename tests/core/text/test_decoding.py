import gzip
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.text.decoding import TextLimits, decode_escapes, decode_text, inflate, mend_text, repair_mojibake

SPOKEN = "ZOË: Où êtes-vous ?\nBÉA: “Ici”—voilà…\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"])
def test_reads_the_usual_encodings(encoding):
    assert decode_text("scene.txt", SPOKEN.encode(encoding)) == SPOKEN


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


def test_refuses_a_large_file_before_decoding_it_and_a_long_line_by_its_number():
    with pytest.raises(SourceError, match="101 bytes, but at most 100 are read"):
        decode_text("scene.txt", b"\xff" * 101, TextLimits(max_bytes=100))
    with pytest.raises(SourceError, match="line 2 has 1,000,001 characters"):
        decode_text("scene.txt", b"ANNA: hello\nBEN: " + b"a" * 999_996)


@pytest.mark.parametrize(
    ("damaged", "mended"),
    [
        ("plain", "plain"),
        ("cafe\u0301", "caf\u00e9"),
        ("a \ud83d door", "a \ufffd door"),
        ("\udc00\udc00\ud83d", "\ufffd\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),  # two halves, each from its own escape
        ("\u00e9\ud83d\u0301", "\u00e9\ufffd\u0301"),
    ],
)
def test_halves_and_parts_of_letters(damaged: str, mended: str) -> None:
    assert mend_text(damaged) == mended


@given(st.text(st.characters(), max_size=30))
def test_any_text_becomes_composed_utf8_and_stays_so(text: str) -> None:
    mended = mend_text(text)
    mended.encode("utf-8")
    assert unicodedata.is_normalized("NFC", mended)
    assert mend_text(mended) == mended


@pytest.mark.parametrize(
    "text", ["don’t", "‘til then", "“Well,” she said – “no…”", "café à la crème", "naïve — 20 °C", "Não, obrigado", "• ANNA"]
)
def test_what_was_garbled_is_repaired(text):
    garbled = "".join(char if char.isascii() else garble(char) for char in text)
    assert garbled != text
    assert repair_mojibake(garbled) == text


def garble(char):
    return (
        char.encode().decode("windows-1252", "replace").replace("\N{REPLACEMENT CHARACTER}", "\x9d" if char == "”" else "\ufffd")
    )


def test_lost_bytes_and_escapes_of_a_mail_program_become_signs():
    assert repair_mojibake("ï»¿He said â€œnoâ€\N{REPLACEMENT CHARACTER}.") == "He said “no”."
    assert repair_mojibake("Â€¢ ANNA") == "• ANNA"
    assert repair_mojibake("IÃ¢â‚¬Â¢ know") == "I• know"  # garbled twice
    assert decode_escapes("a \x1b$B!r\x1b(J20 note") == "a £20 note"
    assert decode_escapes("\x1b$B!r20 \x1b$Bzz\x1b(B") == "\x1b$B!r20 \x1b$Bzz\x1b(B"


@pytest.mark.parametrize("text", ["SÃO PAULO", "CAFÉ» dit-elle", "«Où?» Â", "IRMÃ» disse", "MANHÃ\xa0CEDO", "château", "5 € â"])
def test_what_only_looks_garbled_stays(text):
    assert repair_mojibake(text) == text


def read(content, max_bytes=1_000_000):
    return b"".join(inflate("a.gz", content, max_bytes))


@given(st.integers(0, 60))
def test_a_file_cut_off_anywhere_is_refused(length):
    content = gzip.compress(bytes(range(250)) * 4, mtime=0)
    assert length < len(content)
    with pytest.raises(SourceError, match=r"cut off|empty|damaged"):
        read(content[:length])


def test_damage_other_files_and_more_than_the_limit_are_refused():
    content = bytearray(gzip.compress(b"tale" * 100))
    content[-6] ^= 1
    for damaged in (bytes(content), b"plain text", gzip.compress(b"a") + b"rest"):
        with pytest.raises(SourceError, match="damaged or no gzip file"):
            read(damaged)
    assert len(read(gzip.compress(bytes(1000)), 1000)) == 1000
    with pytest.raises(SourceError, match="more than 999 bytes once decompressed"):
        read(gzip.compress(bytes(1000)), 999)
    pieces = inflate("a.gz", gzip.compress(bytes(50_000_000)), 200_000)
    assert all(len(piece) <= 65_536 for _, piece in zip(range(3), pieces, strict=False))
