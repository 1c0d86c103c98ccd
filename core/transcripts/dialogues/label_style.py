"""Tells how a candidate for a speaker label is written: in capitals, capitalised, in a script without case, or as prose."""

import re
import unicodedata
from functools import lru_cache
from html import unescape
from typing import Literal

from core.transcripts.dialogues.candidates import is_machine_made

Style = Literal["capitals", "title", "particles", "caseless", "machine", "prose"]

_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_SMALL_WORDS = re.compile(r"\b(?:and|except|but|as|of|the|with|for|minus)\b")
_FORBIDDEN = re.compile(r"[^\w\s.,'’&/+#()-]|_")
_TITLE = re.compile(r"[^\W\d_a-z][^\s,&/]*(?:(?:\s*[,&/]\s*|\s+)(?:and\s+)?(?:[^\W\d_a-z][^\s,&/]*|#?\d+))*")
_PARTICLES = re.compile(
    r"\b(?:a|af|al|an|and|as|at|av|bar|ben|bey|bin|bint|but|by|d|da|das|de|dei|del|della|den|der|des|di|do|dos|du|e|el|except|"
    r"for|from|i|ibn|ibnu|im|in|la|las|le|les|los|minus|mac|mc|no|o|of|on|or|pasha|san|ten|ter|the|to|und|van|vom|von|vs|with|"
    r"without|y|zu|zum|zur|étal|и|де|фон|ван)\b[.'’]?"
)
_MAX_TITLE_WORDS = 8
_MAX_CAPITALS_WORDS = 16
_MAX_PROSE_WORDS = 5
_CLAUSE = re.compile(
    r"\b(?:i|you|he|she|it|we|they|and|but|or|so|then|that|this|these|those|what|which|who|when|where|why|how|if|because|"
    r"is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|says?|said|ask(?:s|ed)?|repl(?:y|ies|ied)|"
    r"answer(?:s|ed)?|thinks?|thought|shout(?:s|ed)?|reads?|goes)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def label_style(name: str) -> Style:
    """Tell how a candidate for a label is written, without its remarks in parentheses or brackets.

    "capitals" and "title" may have small words (`ANNA and BEN`, `ALL except BEN`). "particles" is a title with small words inside
    the name (`Ludwig van Beethoven`, `Queen of Hearts`). "caseless" has letters of scripts without case (`李雷`). "machine" is
    a name that a program gave (`SPEAKER_00`). Everything else is "prose".
    """
    if is_machine_made(name):
        return "machine"
    if "&" in name:
        name = unescape(name)
    if not name.isascii():  # marks of vowels and tones are no letters for regular expressions
        name = "".join(character for character in name if not unicodedata.category(character).startswith("M"))
    if "[" in name:
        name = _BRACKETS.sub(" ", name).strip()
    words = _SMALL_WORDS.sub(" ", _REMARK.sub(" ", name)) if not name.isupper() else name
    if not words.strip() or _FORBIDDEN.search(name) is not None:
        return "prose"
    if words.isupper():
        return "capitals" if len(words.split()) <= _MAX_CAPITALS_WORDS else "prose"
    title = _REMARK.sub("", name).strip()
    if len(title.split()) > _MAX_TITLE_WORDS:
        return "prose"
    if title.lower() == title.upper():
        return "caseless"
    if _TITLE.fullmatch(title) is not None:
        return "title"
    return "particles" if _is_name_with_particles(title) else "prose"


def _is_name_with_particles(title: str) -> bool:
    """Tell whether a text is capitalised but for small words, at least one of them, and ends in a capitalised word."""
    last = title.split()[-1]
    if last[0].islower():
        return False
    rest = " ".join(_PARTICLES.sub(" ", title).split()).strip(" ,&/")
    return bool(rest) and _TITLE.fullmatch(rest) is not None


def is_speech_tag(name: str) -> bool:
    """Tell whether a text before a colon is a clause of prose (`Then he says`) or too long to be a name."""
    return len(name.split()) > _MAX_PROSE_WORDS or any(mark in name for mark in '!?;"“”…') or _CLAUSE.search(name) is not None
