"""Reads OPUS OpenSubtitles XML (.xml, .xml.gz): sentences with their times, and the file's metadata.

No tree is built: the parser calls a method for every tag. A document type is refused as soon as its name is read, so entities are
never defined, expanded or fetched. OPUS separates its tokens (`you 'll`, `Hi , all !`); a dialogue gets normal spelling.

Reference: Lison, Tiedemann and Kouylekov, "OpenSubtitles2018", LREC 2018.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from lxml import etree

from core.errors import SourceError
from core.subtitles.config import SubtitleLimits
from core.subtitles.subtitle import Caption, SubtitleMetadata
from core.text.captions import parse_stamp
from core.text.decoding import inflate

_PIECE_BYTES = 65_536
_MAX_UNBROKEN_BYTES = 2**20  # without the end of a tag: a real sentence or tag has some hundreds
_MAX_METADATA_CHARACTERS = 200
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
    if len(content) > limits.max_bytes:
        raise SourceError(
            f"{name}: {len(content):,} bytes, and at most {limits.max_bytes:,} are read; is this one film's subtitles?"
        )
    if name.lower().endswith(".gz"):
        pieces: Iterable[bytes] = inflate(name, content, limits.max_decompressed_bytes)
    else:
        pieces = (content[start : start + _PIECE_BYTES] for start in range(0, len(content), _PIECE_BYTES))
    collector = _Collector(name, limits.max_captions)
    target = cast("etree.ParserTarget", collector)  # the stubs expect methods that take bytes, which lxml never passes
    parser = etree.XMLParser(target=target, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        unbroken = 0
        for piece in pieces:
            end = piece.rfind(b">")
            unbroken = len(piece) - end if end >= 0 else unbroken + len(piece)
            if unbroken > _MAX_UNBROKEN_BYTES:
                raise SourceError(
                    f"{name}: a tag or a text of more than {_MAX_UNBROKEN_BYTES:,} bytes; is this one film's subtitles?"
                )
            parser.feed(piece)
        parser.close()
    except etree.XMLSyntaxError as error:
        raise SourceError(
            f"{name}: not well-formed XML ({error.msg}); the file is damaged or cut off, upload it again"
        ) from error
    return collector.captions(), collector.metadata()


@dataclass(slots=True)
class _Sentence:
    """A sentence during parsing: its text pieces by caption, and whether they are tokens or plain text."""

    lines: list[list[str]] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)  # the caption of each line; -1: before the first caption
    tokenised: bool = False

    def add(self, piece: str, block: int) -> None:
        if not self.blocks or self.blocks[-1] != block:
            self.blocks.append(block)
            self.lines.append([])
        self.lines[-1].append(piece)

    def text(self) -> str:
        return join_tokens(self.lines) if self.tokenised else " ".join(" ".join("".join(line).split()) for line in self.lines)


class _Collector:
    """The parser's target: collects sentences, the times of captions and the metadata."""

    def __init__(self, name: str, max_captions: int) -> None:
        self._name = name
        self._max_captions = max_captions
        self._path: list[str] = []
        self._blocks: list[tuple[float | None, float | None]] = []
        self._done: list[tuple[str, int, int]] = []  # text, first and last caption
        self._sentence: _Sentence | None = None
        self._token: list[str] | None = None
        self._facts: dict[str, str] = {}

    def doctype(self, name: str, public: str | None, system: str | None) -> None:  # noqa: ARG002 (lxml calls with these)
        raise SourceError(
            f"{self._name}: has a document type ({name}); expected OPUS subtitles, which have none, and entities are never read. "
            "Remove the <!DOCTYPE …> if these are subtitles"
        )

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self._path and tag != "document":
            raise SourceError(f"{self._name}: the XML is a <{tag}>; expected an OPUS subtitle <document>")
        self._path.append(tag)
        if tag == "s":
            self._sentence = _Sentence()
        elif tag == "w" and self._sentence is not None:
            self._token = []
        elif tag == "time":
            self._mark_time(attributes)

    def end(self, tag: str) -> None:
        self._path.pop()
        if tag == "w" and self._token is not None and self._sentence is not None:
            if token := "".join("".join(self._token).split()):
                if not self._sentence.tokenised:
                    self._sentence = _Sentence(tokenised=True)
                self._sentence.add(token, len(self._blocks) - 1)
            self._token = None
        elif tag == "s" and self._sentence is not None:
            if self._sentence.blocks and (text := self._sentence.text().strip()):
                self._done.append((text, self._sentence.blocks[0], self._sentence.blocks[-1]))
            self._sentence = None
            if len(self._done) > self._max_captions:
                raise SourceError(f"{self._name}: more than {self._max_captions:,} sentences; is this one film's subtitles?")

    def data(self, text: str) -> None:
        if self._token is not None:
            self._token.append(text)
        elif self._sentence is not None:
            if not self._sentence.tokenised and (self._sentence.blocks or not text.isspace()):
                self._sentence.add(text, len(self._blocks) - 1)
        elif (
            self._path[1:2] == ["meta"]
            and len(known := self._facts.get(fact := "/".join(self._path[2:4]), "")) < _MAX_METADATA_CHARACTERS
        ):
            self._facts[fact] = known + text[:_MAX_METADATA_CHARACTERS]

    def close(self) -> None:
        """Do nothing; the parser requires this method."""

    def captions(self) -> list[Caption]:
        times = [*self._blocks, (None, None)]  # index -1 gives a caption without times
        return [_timed(text, times[first][0], times[last][1]) for text, first, last in self._done]

    def metadata(self) -> SubtitleMetadata:
        facts = {fact: value.strip() for fact, value in self._facts.items()}
        cds = _CDS.fullmatch(facts.get("subtitle/cds", ""))
        unknown, tokens = _number(facts.get("conversion/unknown_words")), _number(facts.get("conversion/tokens"))
        return SubtitleMetadata(
            language=facts.get("subtitle/language") or None,
            cds=(int(cds[1]), int(cds[2])) if cds else None,
            rating=_number(facts.get("subtitle/rating")),
            unknown_share=unknown / tokens if unknown is not None and tokens else None,
        )

    def _mark_time(self, attributes: Mapping[str, str]) -> None:
        seconds = parse_stamp(attributes.get("value", "")[:20])
        if attributes.get("id", "").endswith("E") and self._blocks:
            self._blocks[-1] = (self._blocks[-1][0], seconds)
        else:
            self._blocks.append((seconds, None))


def _timed(text: str, start: float | None, end: float | None) -> Caption:
    return Caption(text, start, end if start is None or end is None or end >= start else None)


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and _NUMBER.fullmatch(text) else None


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
