"""Makes text of bytes: decompressed, decoded, with composed accents, and with what other programs garbled repaired.

UTF-8 is decoded, UTF-16 and UTF-32 with a byte order mark, and windows-1252 if plausible. All else is refused. Accents are
composed (NFC) in linear time, while Python sorts a run of combining marks in quadratic time.
"""

import codecs
import re
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from gzip import GzipFile
from io import BytesIO

from core.errors import SourceError
from core.text.pdf_documents import read_pdf
from core.text.word_documents import read_word_document

MAX_MARKS = 200
"""The longest run of combining marks that is sorted as a whole. A letter of real text has at most a dozen marks."""

_FOREIGN = re.compile(rb"[\x80-\xff]{%d,}" % (2 * MAX_MARKS))  # bytes of UTF-8; searched in a third of the time
_RUN = re.compile(rf"[^\w\x00-\x7f]{{{MAX_MARKS},}}")


def compose(text: str) -> str:
    """Return a text in NFC. A run of more than `MAX_MARKS` combining marks is composed in pieces of that length."""
    if text.isascii() or _FOREIGN.search(text.encode("utf-8", "surrogatepass")) is None or _RUN.search(text) is None:
        return unicodedata.normalize("NFC", text)
    pieces: list[str] = []
    start = 0
    for run in _RUN.finditer(text):
        for cut in range(run.start() + MAX_MARKS, run.end(), MAX_MARKS):
            pieces.append(unicodedata.normalize("NFC", text[start:cut]))
            start = cut
    return "".join((*pieces, unicodedata.normalize("NFC", text[start:])))


_HALF = re.compile("[\ud800-\udfff]")


def mend_text(text: str) -> str:
    """Return a text composed (NFC); each half of a surrogate pair becomes U+FFFD, and two halves that fit one character."""
    if text.isascii():
        return text
    if _HALF.search(text) is not None:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return compose(text)


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

    Accents are composed (NFC), here once for all that is read: `É` of one character and of two are the same letter. The text of a
    Word document (.docx) is that of its paragraphs, that of a PDF file that of its pages.

    Raises:
        SourceError: the file is empty, larger than `limits`, binary, or in an encoding that cannot be read reliably.
    """
    limits = limits or TextLimits()
    if len(content) > limits.max_bytes:
        size, most = len(content), limits.max_bytes
        raise SourceError(f"{name}: {size:,} bytes, but at most {most:,} are read; split the file (EPISODE-1, EPISODE-2, …)")
    if name.lower().endswith(".docx"):
        content = read_word_document(name, content, limits.max_bytes).encode()
    elif name.lower().endswith(".pdf"):
        content = read_pdf(name, content, limits.max_bytes).encode("utf-8", "replace")
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
                place = f"its byte order mark says {encoding}, but byte {error.start + len(mark):,} does not fit"
                raise SourceError(f"{name}: {place}; the file is damaged or cut off: export it again as UTF-8") from error
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
        place = f"its UTF-8 is broken in {broken:,} place(s), first in line {line:,} (byte {error.start:,})"
        raise SourceError(f"{name}: {place}; the file is damaged or cut off: export it again as UTF-8") from error
    with suppress(UnicodeDecodeError):
        text = content.decode("windows-1252")
        if _is_western(text):
            return text
    guess = _guess_encoding(content)
    if guess is None:
        raise SourceError(f"{name}: not UTF-8, and no other encoding fits; export it again as UTF-8") from error
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
    from charset_normalizer import from_bytes  # takes 50 ms, and few files need it

    foreign = b"\n".join(line for line in content.split(b"\n") if not line.isascii())
    best = from_bytes(foreign[:_SAMPLE_BYTES]).best()
    return best.encoding if best is not None else None


def _check_line_lengths(name: str, text: str, limit: int) -> None:
    for number, line in enumerate(text.split("\n") if len(text) > limit else (), start=1):
        if len(line) > limit:
            found = f"line {number:,} has {len(line):,} characters, but at most {limit:,} are read"
            raise SourceError(f"{name}: {found}; a line is one paragraph at most. Is this a transcript?")


_CONTINUATION = "".join(bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in range(0x80, 0xC0))
_QUOTES = "»”’“‘…–—"  # behind a capital Ã these may be what they look like
_LETTER = "[" + re.escape("".join(char for char in _CONTINUATION if char not in _QUOTES)) + "]"
_GARBLED = re.compile(f"Â[\xa0-\xbf]|Ã{_LETTER}|[âÂ]€[{re.escape(_CONTINUATION)}�]|â‚¬|ï»¿|ï¬[{re.escape(_CONTINUATION)}]")

_ESCAPED_SIGNS = re.compile(r"\x1b\$[@B](?:[!-~]{2}){1,40}\x1b\([BJ]")

_MAX_ROUNDS = 3  # some text went through the same mistake twice


def repair_mojibake(text: str) -> str:
    """Repair the commonest garbled characters in linear time; only pairs and triples that no text has on purpose are touched."""
    if not any(mark in text for mark in ("Â", "Ã", "â€", "ï»¿", "ï¬")):
        return text
    for _ in range(_MAX_ROUNDS):
        text, found = _GARBLED.subn(_repair, text)
        if not found:
            break
    return text.removeprefix("\ufeff")


def decode_escapes(text: str) -> str:
    """Return the text with the escapes of ISO-2022-JP by which an old mail program wrote signs: `ESC $B!r ESC (J` is a pound."""
    return _ESCAPED_SIGNS.sub(_decode_sign, text) if "\x1b$" in text else text


def _decode_sign(match: re.Match[str]) -> str:
    sign = match[0].replace("\x1b(J", "\x1b(B").encode("ascii").decode("iso2022_jp", "ignore")
    return unicodedata.normalize("NFKC", sign) or match[0]


def _repair(match: re.Match[str]) -> str:
    if match[0] == "Ã\xa0" and match.string[match.start() - 1 : match.start()].isupper():
        return match[0]  # `MANHÃ` and a space that does not break
    if match[0].endswith("\N{REPLACEMENT CHARACTER}"):
        return "”"  # the one quote that windows-1252 cannot hold, and that is lost for that reason
    garbled = match[0].replace("Â€", "â€")  # an editor's capitals have made Â of the â that opens a quote, a dash or a bullet
    try:
        return b"".join(map(_encode, garbled)).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _encode(char: str) -> bytes:
    try:
        return char.encode("windows-1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")  # bytes without a character in windows-1252 were kept as they are


_PIECE_BYTES = 65_536


def inflate(name: str, content: bytes, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed content of the gzip file `name` in pieces of at most 64 KiB, so that no small file fills the memory.

    Raises:
        SourceError: the file is not gzip, cut off or damaged, or it has more than `max_bytes` once decompressed.
    """
    if not content:
        raise SourceError(f"{name}: the gzip file is empty; upload it again")
    total = 0
    with GzipFile(fileobj=BytesIO(content)) as file:
        while True:
            try:
                piece = file.read(_PIECE_BYTES)
            except EOFError as error:
                raise SourceError(f"{name}: the gzip file is cut off after {total:,} bytes; upload it again") from error
            except (OSError, zlib.error) as error:
                raise SourceError(f"{name}: damaged or no gzip file ({error}); upload it again") from error
            if not piece:
                return
            total += len(piece)
            if total > max_bytes:
                found = f"more than {max_bytes:,} bytes once decompressed ({len(content):,} compressed)"
                raise SourceError(f"{name}: {found}; is this the right file? If so, raise the limit in the settings")
            yield piece


MOST_VALUES = 2**24
"""Values in a file, nulls among them: each takes some 64 bytes of memory, and a few bytes of a file may stand for millions."""


def count_values(values: int) -> None:
    """Raise ValueError where a file has more values than `MOST_VALUES`."""
    if values > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES:,} values; divide it")


def bound_values(content: bytes, signs: bytes = b",{[\n") -> None:
    """Check, before JSON is parsed, that it has no more than `MOST_VALUES` values: each has one of the signs beside it.

    Raises:
        ValueError: it has more.
    """
    count_values(sum(content.count(sign) for sign in signs))


_FRONT_MATTER = re.compile(
    r"\A\s*+---[^\S\n]*+\n(?:(?!---[^\S\n]*$)(?:[\w-]{1,40}:|[-# \t])[^\n]*+\n|\n)*+---[^\S\n]*(?:\n|\Z)", re.MULTILINE
)


def drop_front_matter(text: str) -> str:
    """Drop the fields between two lines `---` at the top of a text, as programs read them that make sites of Markdown."""
    return _FRONT_MATTER.sub("", text)
