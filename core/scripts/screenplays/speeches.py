"""Cleans the words of a speech: drops parentheticals and joins hard-wrapped lines."""

import re
from collections.abc import Sequence

_REMARK = re.compile(r"\([^()]{0,600}\)|\[[^\[\]]{0,600}\]")
_UNCLOSED = re.compile(r"(?:^|(?<=\s))\([^()\n]{0,200}$|^[^()\n]{0,120}\)", re.MULTILINE)
_OWN_LINE = re.compile(r"(?<=[.!?…\"”'’-])\s*\n\s*\x00\s*\n")
_WRAPPED_WORD = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SPACES = re.compile(r"[\s\x00]+")


def clean_speech(bodies: Sequence[str]) -> tuple[str, ...]:
    """Return the utterances of a speech; () if it has no words. `bodies` are its lines without indentation.

    Parentheticals are dropped. A parenthetical on a line of its own after a complete sentence separates two utterances. A word
    that is divided at a hyphen keeps the hyphen. Runs in linear time.
    """
    text = "\n".join(bodies)
    if "(" in text or ")" in text or "[" in text:
        text = _REMARK.sub("\x00", text.replace("\x00", " "))
        if "(" in text or ")" in text:
            text = _UNCLOSED.sub("\x00", text)
        parts = _OWN_LINE.split(text)
    else:
        parts = [text]
    utterances = (_SPACES.sub(" ", _WRAPPED_WORD.sub("-", part)).strip() for part in parts)
    return tuple(utterance for utterance in utterances if any(map(str.isalnum, utterance)))


def join_paragraph(bodies: Sequence[str]) -> str:
    """Join the hard-wrapped lines of an action paragraph."""
    return _SPACES.sub(" ", _WRAPPED_WORD.sub("-", "\n".join(bodies))).strip()
