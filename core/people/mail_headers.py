"""Headers of quoted mail, which name people: "On Mon, 3 Jan 2022, Greta Asker wrote:", "From: Greta Asker"."""

import re

from core.people.common_words import is_common

_FIELDS = ("From", "To", "Cc", "CC", "Bcc", "BCC", "Sender", "Reply-To")
_SAYING = ("wrote", "writes", "schrieb")
_MARKS = (*(f"{word}:" for word in (*_FIELDS, *_SAYING)), "schrieb ", ":*")
_LONGEST = 300
_ADDRESS = re.compile(r"\S@\w")
_NAME = re.compile(r"[^\W\d_][\w.'’-]*+(?:,?[ \t]++[^\W\d_][\w.'’-]*+){0,3}")
_WORD = re.compile(r"[^\W\d_]+")


def drop_mail_headers(text: str) -> str:
    """Return a text without the lines of quoted mail that name somebody; other lines that look like such stay.

    A line goes if it has a date or an address, or one to four words in capitals that are not all common words: "From: Greta
    Asker" goes, "From: Home" stays.
    """
    if ":" not in text or not any(mark in text for mark in _MARKS):
        return text
    lines = text.split("\n")
    for place, line in enumerate(lines):
        bare = line.strip(" \t>*")
        if not bare or len(bare) > _LONGEST or ":" not in bare:
            continue
        field, _, value = bare.partition(":")
        speaker, _, said = bare.removesuffix(":").rpartition(" ")
        if field in _FIELDS:
            if _names_somebody(value):
                lines[place] = ""
        elif bare.endswith(":") and (said in _SAYING or " schrieb " in bare):
            before = lines[place - 1].strip(" \t>*") if place else ""
            if not _is_dated(bare) and _is_dated(before) and not before.endswith((".", "!", "?", ":")):
                lines[place - 1] = lines[place] = ""
            elif _is_dated(bare) or _names_somebody(speaker):
                lines[place] = ""
    return "\n".join(lines)


def _is_dated(line: str) -> bool:
    return line.startswith(("On ", "Am ")) and len(line) <= _LONGEST and any(letter.isdigit() for letter in line)


def _names_somebody(said: str) -> bool:
    said = said.strip(" \t*\"'“”")
    words = _WORD.findall(said)
    named = _NAME.fullmatch(said) is not None and all(word[0].isupper() or word in ("de", "van", "von", "der") for word in words)
    return _ADDRESS.search(said) is not None or (named and not all(is_common(word.lower()) for word in words))
