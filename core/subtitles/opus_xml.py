"""Reads OPUS OpenSubtitles XML (.xml, .xml.gz): sentences with their times, and the file's metadata.

OPUS separates its tokens (`you 'll`, `Hi , all !`); a dialogue gets normal spelling.

Reference: Lison, Tiedemann and Kouylekov, "OpenSubtitles2018", LREC 2018.
"""

import re
from collections.abc import Sequence

from lxml import etree

from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.subtitle import Caption, SubtitleMetadata
from core.text.captions import parse_stamp
from core.text.decoding import inflate
from core.text.documents import parse_xml

_MOST_TAGS = 1_000_000  # of a file; each takes some 130 bytes. A feature film has about 30,000
_CDS = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_ATTACH_LEFT = re.compile(r"[.,;:?!…%)\]}»”]+|\.{2,}|--+|n['’]t|['’]", re.IGNORECASE)
_ATTACH_RIGHT = re.compile(r"[(\[{«“¿¡$£€#]+")
_ELLIPSIS = re.compile(r"\.{2,}|…")
_HYPHENATED = re.compile(r"[^\W_]-$")
_BROKEN_OFF = re.compile(r"\w-$")  # OPUS writes `mean--` as `mean-` and `-`
_SUFFIX = re.compile(r"['’]\w+")  # 's 't 'll, also before a word without a space ('tyou)
_WORDS_WITH_APOSTROPHE = frozenset(
    ["'em", "'cause", "'cos", "'coz", "'til", "'till", "'bout", "'round", "'tis", "'twas", "'kay", "'n", "'course", "'scuse"]
)
_TREEBANK_PAIRS = frozenset(
    [("gon", "na"), ("wan", "na"), ("got", "ta"), ("gim", "me"), ("lem", "me"), ("out", "ta"), ("can", "not")]
)


def read_opus_xml(name: str, content: bytes, limits: SubtitleLimits) -> tuple[list[Caption], SubtitleMetadata]:
    """Return the sentences and the metadata of an OPUS file; one whose name ends in `.gz` is decompressed.

    A sentence starts with the caption of its first word and ends with that of its last. Sentences may be tokenised (`<w>`) or
    plain text. A file that is too large, damaged or no subtitle document, or has a document type, is a SourceError.
    """
    most = limits.max_bytes
    if name.lower().endswith(".gz"):
        most = limits.max_decompressed_bytes
        content = b"".join(inflate(name, content, most))
    if content.count(b"<") > _MOST_TAGS:
        raise SourceError(f"{name}: more than {_MOST_TAGS:,} tags; is this one film's subtitles?")
    root = parse_xml(name, content, most)
    if root.tag != "document":
        raise SourceError(f"{name}: the XML is a <{root.tag}>; expected an OPUS subtitle <document>")
    captions = _read_sentences(root)
    if len(captions) > limits.max_captions:
        raise SourceError(f"{name}: more than {limits.max_captions:,} sentences; is this one film's subtitles?")
    return captions, _read_metadata(root)


def _read_sentences(document: "etree._Element") -> list[Caption]:
    times: list[tuple[float | None, float | None]] = []
    sentences: list[tuple[str, int, int]] = []  # text, first and last caption
    inside = False
    tokens: dict[int, list[str]] = {}  # of a sentence by caption, -1: before the first one
    texts: dict[int, list[str]] = {}
    pieces: list[str] = []  # of a token
    for event, element in etree.iterwalk(document, events=("start", "end")):
        if element.tag == "s":
            plain = (" ".join("".join(said).split()) for said in texts.values())
            if event == "end" and (text := join_tokens([*tokens.values()]) if tokens else " ".join(plain)):
                sentences.append((text, min(tokens or texts), max(tokens or texts)))
            inside, tokens, texts = event == "start", {}, {}
        elif element.tag == "time" and event == "start":
            _mark_time(times, element)
        if not inside:
            continue
        caption = len(times) - 1
        if element.tag == "w":
            if event == "end" and (token := "".join("".join(pieces).split())):
                tokens.setdefault(caption, []).append(token)
            pieces = []
        text = (element.text if event == "start" else element.tail) or ""
        pieces.append(text)
        if caption in texts or text.strip():
            texts.setdefault(caption, []).append(text)
    times.append((None, None))  # index -1
    captions = []
    for text, first, last in sentences:
        start, end = times[first][0], times[last][1]
        captions.append(Caption(text, start, end if start is None or end is None or end >= start else None))
    return captions


def _mark_time(times: list[tuple[float | None, float | None]], mark: "etree._Element") -> None:
    """Note the start of a caption, or the end of the last one."""
    seconds = parse_stamp(mark.get("value", "")[:20])
    if mark.get("id", "").endswith("E") and times:
        times[-1] = (times[-1][0], seconds)
    else:
        times.append((seconds, None))


def _read_metadata(document: "etree._Element") -> SubtitleMetadata:
    def tell(fact: str) -> str:
        return document.findtext(f"meta/{fact}", "").strip()

    def count(fact: str) -> float | None:
        return float(told) if _NUMBER.fullmatch(told := tell(fact)) else None

    cds = _CDS.fullmatch(tell("subtitle/cds"))
    unknown, tokens = count("conversion/unknown_words"), count("conversion/tokens")
    return SubtitleMetadata(
        language=tell("subtitle/language") or None,
        cds=(int(cds[1]), int(cds[2])) if cds else None,
        rating=count("subtitle/rating"),
        unknown_share=unknown / tokens if unknown is not None and tokens else None,
    )


def join_tokens(lines: Sequence[Sequence[str]]) -> str:
    """Join the tokens of one sentence, by caption, into text; straight quotation marks open and close by turns."""
    parts: list[str] = []
    previous = ""
    lines = [_join_apostrophes(line) for line in lines]
    last = (len(lines) - 1, len(lines[-1]) - 1) if lines else (0, 0)
    glue = True  # no space between the previous token and this one
    inside_quotes = False
    for number, line in enumerate(lines):
        for position, token in enumerate(line):
            opens_line = position == 0
            if token == '"':
                closes = inside_quotes or (previous != "" and (number, position) == last)
                inside_quotes = not closes
                parts.append(token if glue or (closes and not opens_line) else " " + token)
                glue = not closes
            else:
                glue = glue or (previous.endswith("-") and _HYPHENATED.search(previous) is not None and token[:1].islower())
                breaks_off = token == "-" and _BROKEN_OFF.search(previous) is not None
                tight = glue or (not opens_line and (breaks_off or _attaches_left(previous, token)))
                parts.append(token if tight else " " + token)
                starts_with_dots = (opens_line or (previous == '"' and inside_quotes)) and _ELLIPSIS.fullmatch(token) is not None
                glue = starts_with_dots or _ATTACH_RIGHT.fullmatch(token) is not None
            previous = token
    return "".join(parts)


def _join_apostrophes(line: Sequence[str]) -> Sequence[str]:
    """Join `' cause` to `'cause`, and `' em-` to `'em-`."""
    if "'" not in line:
        return line
    joined: list[str] = []
    for token in line:
        if joined and joined[-1] == "'" and f"'{token.lower().rstrip('-')}" in _WORDS_WITH_APOSTROPHE:
            joined[-1] += token
        else:
            joined.append(token)
    return joined


def _attaches_left(previous: str, token: str) -> bool:
    if _ATTACH_LEFT.fullmatch(token) is not None:
        return True
    if _SUFFIX.fullmatch(token) is not None:
        return previous[-1:].isalpha() and token.lower().replace("’", "'") not in _WORDS_WITH_APOSTROPHE
    return (previous.lower(), token.lower()) in _TREEBANK_PAIRS
