"""Decodes text: UTF-8, UTF-16 and UTF-32 with a byte order mark, and windows-1252 if plausible. All else is refused."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from core.errors import SourceError
from core.text.composition import compose

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DOCUMENTS = (
    (b"%PDF-", "a PDF file"),
    (b"{\\rtf", "a file of Rich Text Format"),
    (b"PK\x03\x04", "a zip archive, as Word and LibreOffice write them"),
    (b"\xd0\xcf\x11\xe0", "a document of old Word"),
    (b"\x1f\x8b", "compressed by gzip"),
)
"""How files of other programs begin, whatever their extension says."""
_CONTROL_BYTES = bytes((*range(9), 11, *range(14, 32)))
_MAX_CONTROL_SHARE = 0.001  # text has none, but a stray escape in a long transcript is no reason to refuse it
_SAMPLE_BYTES = 16_384  # bytes from which another encoding is guessed

# Accented letters as western text hardly ever has them: four in a row, of three kinds (they are Cyrillic or Greek), and a capital
# after a small letter (it is an accented small letter of Mac Roman), but for names such as McÉwan.
_ACCENTED_RUN = re.compile(r"[À-ÖØ-öø-ÿŠšŽžŸ]{4,}")
_CAPITAL_INSIDE = re.compile(r"(?<=[a-z])(?<!\bMc)(?<!\bMac)[À-ÖØ-ÞŠŽŸ]")
_FEWEST_IN_RUNS = 6  # letters, from which runs are words of another alphabet: a cry of four is none
_MAX_IN_RUNS = 0.2  # of the accented letters
_FEWEST_CAPITALS_INSIDE = 3  # one or two are slips of the shift key
# The characters of windows-1252 above ASCII in western European text. Letters occur inside words, the others between words.
_WESTERN = re.compile(r"[\x00-\x7fÀ-ÖØ-öø-ÿŒœŠšŽžŸƒªº‘’‚“”„–—…•·€™©®°«»¿¡£¥§¢±²³¹¼½¾´¨¸¶†‡‰‹›¦µ\xa0\xad]*")
_SYMBOL_IN_WORD = re.compile(r"[^\W\d_][‚„•€™©®«»¿¡£¥§¢±²³¹¼½¾¨¸¶†‡‰‹›¦µ][^\W\d_]")
_MAX_CAPITALS_INSIDE = 0.2  # of the accented letters
_MAX_ACCENTED_SHARE = 0.3  # of the letters; a higher share means another alphabet in the wrong encoding


@dataclass(frozen=True, slots=True)
class TextLimits:
    """Size limits of an input text. A four-hour episode has about 250,000 bytes and lines of 50 to 5,000 characters."""

    max_bytes: int = 64 * 2**20
    max_line_characters: int = 1_000_000


MARKUP = TextLimits(max_line_characters=64 * 2**20)
"""Limits of JSON and HTML: programs write them on one line."""


def decode_text(name: str, content: bytes, limits: TextLimits | None = None) -> str:
    r"""Return the content of the file `name` as text, with `\n` for line breaks and without a byte order mark.

    Accents are composed (NFC), here once for all that is read: `É` of one character and of two are the same letter.

    Raises:
        SourceError: the file is empty, larger than `limits`, binary, or in an encoding that cannot be read reliably.
    """
    limits = limits or TextLimits()
    if len(content) > limits.max_bytes:
        raise SourceError(
            f"{name}: {len(content):,} bytes, but at most {limits.max_bytes:,} are read; "
            "split the file into parts (EPISODE-1, EPISODE-2, …) or check that it is a transcript"
        )
    for beginning, kind in _DOCUMENTS:
        if content.startswith(beginning):
            raise SourceError(f"{name}: this is {kind}; expected text. Save it as plain text in UTF-8")
    text = compose(_decode(name, content).replace("\r\n", "\n").replace("\r", "\n"))
    if not text or text.isspace():
        raise SourceError(f"{name}: the file is empty; expected text. Remove it or upload it again")
    if (controls := _count_controls(text.encode("utf-8", "surrogatepass"))) > _MAX_CONTROL_SHARE * len(text):
        raise SourceError(f"{name}: {controls:,} control characters in {len(text):,}; expected text. Is this a binary file?")
    _check_line_lengths(name, text, limits.max_line_characters)
    return text


def _decode(name: str, content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise SourceError(
                    f"{name}: its byte order mark says {encoding}, but byte {error.start + len(mark):,} does not fit; "
                    "the file is damaged or cut off: export it again as UTF-8"
                ) from error
    if b"\0" in content:
        raise SourceError(f"{name}: NUL bytes; expected text. Is this a binary file, or UTF-16 without a mark? Save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_western(name, content, error)


def _decode_western(name: str, content: bytes, error: UnicodeDecodeError) -> str:
    """Return `content` as windows-1252 text if that is plausible; `error` says why it is not UTF-8."""
    if _count_controls(content) > _MAX_CONTROL_SHARE * len(content):
        raise SourceError(f"{name}: not UTF-8, and many control bytes; expected text. Is this a binary file?") from error
    lenient = content.decode("utf-8", errors="replace")
    broken = lenient.count("\N{REPLACEMENT CHARACTER}")
    if broken < sum(len(run) for run in re.findall(r"[^\x00-\x7f�]+", lenient)):
        line = content.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"{name}: its UTF-8 is broken in {broken:,} place(s), first in line {line:,} (byte {error.start:,}); "
            "the file is damaged or cut off: export it again as UTF-8"
        ) from error
    try:
        text = content.decode("windows-1252")
    except UnicodeDecodeError:
        text = ""
    if text and _is_western(text):
        return text
    guess = _guess_encoding(content)
    if guess is None:
        raise SourceError(
            f"{name}: not UTF-8, and no other encoding fits; expected text in UTF-8. Export it again as UTF-8"
        ) from error
    raise SourceError(
        f"{name}: not UTF-8 but probably {guess}; a wrong guess garbles names, so convert it: iconv -f {guess} -t UTF-8 IN > OUT"
    ) from error


def _count_controls(content: bytes) -> int:
    """Count control characters in bytes that extend ASCII (UTF-8, windows-1252)."""
    return len(content) - len(content.translate(None, _CONTROL_BYTES))


def _is_western(text: str) -> bool:
    """Tell whether text decoded as windows-1252 looks like a western European language."""
    if _WESTERN.fullmatch(text) is None or _SYMBOL_IN_WORD.search(text) is not None:
        return False
    letters = len(re.findall(r"[^\W\d_]", text))
    accented = len(re.findall(r"[À-ÖØ-öø-ÿŒœŠšŽžŸ]", text))
    in_runs = sum(len(run) for run in _ACCENTED_RUN.findall(text) if len(set(run.lower())) > 2)
    if in_runs >= _FEWEST_IN_RUNS and in_runs > _MAX_IN_RUNS * accented:
        return False
    inside = len(_CAPITAL_INSIDE.findall(text))
    if inside >= _FEWEST_CAPITALS_INSIDE and inside > _MAX_CAPITALS_INSIDE * accented:
        return False
    return accented <= _MAX_ACCENTED_SHARE * letters


def _guess_encoding(content: bytes) -> str | None:
    """Return the likeliest encoding of the first lines that are not ASCII, or None."""
    foreign = b"\n".join(line for line in content.split(b"\n") if not line.isascii())
    best = from_bytes(foreign[:_SAMPLE_BYTES]).best()
    return best.encoding if best is not None else None


def _check_line_lengths(name: str, text: str, limit: int) -> None:
    if len(text) <= limit:
        return
    lines = text.split("\n")
    if max(map(len, lines)) <= limit:
        return
    for number, line in enumerate(lines, start=1):
        if len(line) > limit:
            raise SourceError(
                f"{name}: line {number:,} has {len(line):,} characters, but at most {limit:,} are read; "
                "a line of a transcript is one paragraph at most. Is this a transcript?"
            )
