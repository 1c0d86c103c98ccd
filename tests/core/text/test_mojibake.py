import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.mojibake import decode_escapes, repair_mojibake


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


def test_a_quote_that_lost_its_last_byte_and_a_byte_order_mark():
    assert repair_mojibake("ï»¿He said â€œnoâ€\N{REPLACEMENT CHARACTER}.") == "He said “no”."
    assert repair_mojibake("Â€¢ ANNA") == "• ANNA"
    assert repair_mojibake("IÃ¢â‚¬Â¢ know") == "I• know"  # garbled twice


@pytest.mark.parametrize("text", ["SÃO PAULO", "CAFÉ» dit-elle", "«Où?» Â", "IRMÃ» disse", "MANHÃ\xa0CEDO", "château", "5 € â"])
def test_what_only_looks_garbled_stays(text):
    assert repair_mojibake(text) == text


@given(st.text(alphabet="aâÂÃ€©\xa0ï»¿\x9d¬‚"))
def test_any_text_is_repaired_without_an_error(text):
    assert len(repair_mojibake(text)) <= len(text)


def test_escapes_of_a_mail_program_become_signs():
    assert decode_escapes("a \x1b$B!r\x1b(J20 note") == "a £20 note"
    assert decode_escapes("\x1b$B!r20 \x1b$Bzz\x1b(B") == "\x1b$B!r20 \x1b$Bzz\x1b(B"
