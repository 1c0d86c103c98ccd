import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from core.dialogue import Turn
from core.text.decoding import compose
from core.transcripts.config import CleaningConfig

_DOUBLE_QUOTES = str.maketrans("“”„‟", '""""')
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_SPACES = re.compile(r"[^\S\n]+")
_TAG = re.compile(
    r"</?(?:i|b|u|s|em|strong|font|span|br|p|div|c|v|lang|ruby|rt)(?=[\s>./])[^<>\n]{0,200}>|<\d[\d:.]{3,14}>"
    r"|\{(?:\\[^{}\n]{1,80}|[a-z]{3,20})\}",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_DIRECTION = re.compile(r"\([^()]{0,2000}\)|\[[^\[\]]{0,2000}\]")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{3,}")


def clean_turn(text: str, config: CleaningConfig) -> tuple[str, ...]:
    """Clean the text of a turn and return its utterances: one per non-empty line, as the source breaks lines."""
    if "<" in text or "{" in text or "&" in text:
        text = strip_tags(text)
    if "  " in text or not text.isascii() or not text.replace("\n", " ").isprintable():
        text = unify_characters(text)
    if config.stage_directions == "remove":
        text = _DIRECTION.sub(" ", text)
    if config.onomatopoeia == "shorten":
        text = _DRAWN_OUT.sub(r"\1\1\1", text)
    text = text.strip()
    if "\n" not in text and '"' not in text and text[:1] != ":":
        return (text,) if text else ()  # half of all turns
    lines = [stripped for line in text.split("\n") if (stripped := line.strip())]
    if lines and lines[0][0] == ":":  # the second colon of `NAME:: text`
        lines = [line for line in (lines[0].lstrip(": "), *lines[1:]) if line]
    return tuple(drop_repeated_quotes(lines) if '"' in text else lines)


def count_directions(turns: Iterable[Turn]) -> int:
    """Count the stage directions in turns: what stands in brackets or parentheses."""
    return sum(len(_DIRECTION.findall(turn.text)) for turn in turns)


def strip_tags(text: str) -> str:
    r"""Remove tags (`<i>`, `{\an8}`, `<00:01.500>`) and marks of meeting corpora (`{gap}`); replace references (`&amp;`)."""
    return _ENTITY.sub(lambda match: unescape(match[0]), _TAG.sub("", text))


def unify_characters(text: str) -> str:
    """Compose accents (NFC), straighten double quotes, drop invisible characters and shorten each run of spaces to one."""
    return _SPACES.sub(" ", _INVISIBLE.sub("", compose(text).translate(_DOUBLE_QUOTES)))


def drop_invisible(text: str) -> str:
    """Drop soft hyphens, zero-width, direction and byte-order marks, and control characters except line breaks and tabs."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def drop_repeated_quotes(lines: Sequence[str]) -> list[str]:
    """Drop the quotation mark that some sources repeat on every line of a quotation, and close one that stays open."""
    cleaned = []
    is_open = False
    for line in lines:
        kept = line[1:].lstrip() if is_open and line[0] == '"' else line
        if kept:
            cleaned.append(kept)
            is_open ^= kept.count('"') % 2 == 1
    if is_open and not cleaned[-1].endswith('"'):  # a mark at the end is the source's own slip
        cleaned[-1] += '"'
    return cleaned


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def diff_turns(turns: Iterable[Turn]) -> Iterator[str]:
    """Yield a diff of each changed turn; control characters are shown as U+FFFD, so that hostile text commands no terminal."""
    for turn in turns:
        speakers = ", ".join(turn.speakers)
        raw_lines = [line.strip() for line in turn.raw_text.split("\n") if line.strip()]
        changes = list(difflib.unified_diff(raw_lines, turn.utterances, lineterm="", n=0))[2:]
        if not changes and speakers == turn.raw_label:
            continue
        yield f"@@ turn {turn.number} @@ {_printable(speakers)}"
        if speakers != turn.raw_label:
            yield f"-speaker: {_printable(turn.raw_label)}"
            yield f"+speaker: {_printable(speakers)}"
        yield from (_printable(line) for line in changes if not line.startswith("@@"))


def _printable(line: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", line)
