"""The words of a speech: parentheticals dropped, hard-wrapped lines joined."""

import re
from collections.abc import Sequence

_REMARK = re.compile(r"\([^()]{0,600}\)|\[[^\[\]]{0,600}\]")
_UNCLOSED = re.compile(r"(?:^|(?<=\s))\([^()\n]{0,200}$|^[^()\n]{0,120}\)", re.MULTILINE)
_OWN_LINE = re.compile(r"(?<=[.!?…\"”'’-])\s*\n\s*\x00\s*\n")
_WRAPPED_WORD = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SPACES = re.compile(r"[\s\x00]+")


def clean_speech(bodies: Sequence[str]) -> tuple[str, ...]:
    """Return the utterances of a speech given as its lines without indentation; empty where it has no words.

    Parentheticals are dropped. One on a line of its own after a complete sentence parts two utterances; everything else is one.
    A word that is broken at a hyphen keeps it. Linear in the length of the text.
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
    """Join the hard-wrapped lines of a paragraph of action."""
    return _SPACES.sub(" ", _WRAPPED_WORD.sub("-", "\n".join(bodies))).strip()
