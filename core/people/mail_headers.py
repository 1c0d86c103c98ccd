"""Headers of quoted mail, which name people: "On Mon, 3 Jan 2022, Greta Asker wrote:", "From: Greta Asker"."""

import re

from core.people.common_words import is_common

_SAYING = ("wrote", "writes", "schrieb")
_FIELDS = ("From", "To", "Cc", "Bcc", "CC", "BCC", "Sender", "Reply-To")
_DATED = re.compile(
    r"^[ \t>]*On\b(?=[^\n]{0,300}\d)[^\n]{1,200}(?:\n[^\n]{1,100})?\b(?:wrote|writes):[ \t]*$|"
    r"^[ \t>]*Am\b(?=[^\n]{0,300}\d)[^\n]{1,200}\bschrieb\b[^\n]{0,100}:[ \t]*$",
    re.MULTILINE,
)
_FIELD = re.compile(rf"^[ \t>*]*(?:{'|'.join(_FIELDS)})\*{{0,2}}:\*{{0,2}}[ \t]*([^\n]{{1,300}})$", re.MULTILINE)
_SPEAKER = re.compile(rf"^[ \t>*]*([^\n:]{{1,100}}?)[ \t]+(?:{'|'.join(_SAYING)})[ \t]*:[ \t]*$", re.MULTILINE)
_ADDRESS = re.compile(r"\S@\w")
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?:,?[ \t]+[^\W\d_][\w.'’-]*){0,3}")
_WORD = re.compile(r"[^\W\d_]+")


def drop_mail_headers(text: str) -> str:
    """Return a text without the lines of quoted mail that name somebody; other lines that look like such stay.

    A line goes if it has an address, or one to four words in capitals that are not all common words: "From: Greta Asker" goes,
    "From: My Window" stays.
    """
    if any(f"{word}:" in text for word in _SAYING) or "schrieb" in text:
        text = _DATED.sub("", text)
        text = _SPEAKER.sub(_keep_unless_name, text)
    if any(f"{field}:" in text or f"{field}*" in text for field in _FIELDS):
        text = _FIELD.sub(_keep_unless_name, text)
    return text


def _keep_unless_name(match: re.Match[str]) -> str:
    said = match[1].strip(" \t*\"'“”")
    words = _WORD.findall(said)
    named = _NAME.fullmatch(said) is not None and all(word[0].isupper() or word in ("de", "van", "von", "der") for word in words)
    if _ADDRESS.search(said) or (named and not all(is_common(word.lower()) for word in words)):
        return ""
    return match[0]
