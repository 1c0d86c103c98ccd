"""Joins tokens into text: OPUS separates its tokens (`you 'll`, `Hi , all !`), but a dialogue needs normal spelling."""

import re
from collections.abc import Sequence

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


def join_tokens(lines: Sequence[Sequence[str]]) -> str:
    """Join the tokens of one sentence into text. `lines` holds the tokens by caption.

    Straight quotation marks open and close by turns within the sentence.
    """
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
