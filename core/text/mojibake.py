"""Repairs UTF-8 that was read as windows-1252 and saved again (`donâ€™t` for `don’t`), and the escapes of ISO-2022-JP."""

import re
import unicodedata

_CONTINUATION = "".join(bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in range(0x80, 0xC0))
_QUOTES = "»”’“‘…–—"  # behind a capital Ã these may be what they look like
_LETTER = "[" + re.escape("".join(char for char in _CONTINUATION if char not in _QUOTES)) + "]"
_GARBLED = re.compile(f"Â[\xa0-\xbf]|Ã{_LETTER}|[âÂ]€[{re.escape(_CONTINUATION)}�]|â‚¬|ï»¿|ï¬[{re.escape(_CONTINUATION)}]")

_ESCAPED = re.compile(r"\x1b\$[@B](?:[!-~]{2}){1,40}\x1b\([BJ]")

_MAX_ROUNDS = 3  # some text went through the same mistake twice


def repair_mojibake(text: str) -> str:
    """Return the text with the commonest garbled characters repaired: accented letters, quotes, dashes, a byte order mark.

    Only pairs and triples that no text has on purpose are touched. Runs in linear time.
    """
    if not any(mark in text for mark in ("Â", "Ã", "â€", "ï»¿", "ï¬")):
        return text
    for _ in range(_MAX_ROUNDS):
        text, found = _GARBLED.subn(_repair, text)
        if not found:
            break
    return text.removeprefix("\ufeff")


def decode_escapes(text: str) -> str:
    """Return the text with the signs that an old mail program wrote as escapes of ISO-2022-JP: `ESC $B!r ESC (J` is a pound sign.

    Runs in linear time.
    """
    return _ESCAPED.sub(_decode, text) if "\x1b$" in text else text


def _decode(match: re.Match[str]) -> str:
    sign = match[0].replace("\x1b(J", "\x1b(B").encode("ascii").decode("iso2022_jp", "ignore")
    return unicodedata.normalize("NFKC", sign) or match[0]


def _repair(match: re.Match[str]) -> str:
    if match[0] == "Ã\xa0" and match.string[match.start() - 1 : match.start()].isupper():
        return match[0]  # `MANHÃ` and a space that does not break
    if match[0].endswith("\N{REPLACEMENT CHARACTER}"):
        return "”"  # the one quote that windows-1252 cannot hold, and that is lost for that reason
    # An editor's capitals have made Â of the â that opens a quote, a dash or a bullet.
    garbled = match[0].replace("Â€", "â€")
    encoded = b"".join(_encode(char) for char in garbled)
    try:
        return encoded.decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _encode(char: str) -> bytes:
    try:
        return char.encode("windows-1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")  # bytes without a character in windows-1252 were kept as they are
