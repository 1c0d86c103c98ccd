"""Cleans captions, with one function per kind of noise. `SubtitleCleaning` says which functions run.

A caption that is removed completely is reported with its reason. Text that is removed from a caption is not reported.
"""

import re
from collections.abc import Iterator
from html import unescape

from core.people.contacts import mask_contacts
from core.subtitles.config import SubtitleCleaning

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>|\{\\[^{}]{0,200}\}|\{[yY]:[^{}]{0,20}\}")
_BREAK = re.compile(r"(?i:<br ?/?>)|\\N")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_ADVERT = re.compile(
    r"""
    \bwww\s?\.\s?\S | \bhttps?\s?:\s?// | \b[a-z0-9-]{2,40}\.(?:com|org|net|tv|info)\b
    | \b(?:sub(?:title)?s?|subtitl(?:ed|ing)|caption(?:s|ed|ing)?|synchroni[sz]ation|sync(?:ed|hed|hroni[sz]ed)?
        | transcript|translat(?:ion|ed)|ripp?(?:ed)?|encoded|uploaded|resync(?:ed)?|timing|corrected|corrections|ocr)
      \s*(?:and\s+\w+\s+)?(?:made\s+|created\s+|provided\s+|sponsored\s+)?(?:by\b|:)
    | \bdownloaded\s+from\b | \bopen\s?subtitles\b | \baddic7ed\b | \ball\s?subs\b | \bsubscene\b
    | \badvertise\s+your\s+product\b | \bsupport\s+us\s+and\s+become\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOTES = "♪♫♬♩🎵🎶"
_MUSIC = re.compile(rf"[{_NOTES}]+|^[^\S\n]*#+(?=\s)|(?<=\s)#+[^\S\n]*$", re.MULTILINE)
_BRACKETS = re.compile(r"\([^()]{0,500}\)|\[[^\[\]]{0,500}\]")
_NAME = r"[A-ZÀ-ÖØ-Þ0-9.'’&-]{0,30}"
_LABEL = re.compile(
    rf"^[A-ZÀ-ÖØ-Þ]{_NAME}(?:[^\S\n][A-ZÀ-ÖØ-Þ0-9#&]{_NAME}){{0,3}}[^\S\n]?(?:\([^()\n]{{0,40}}\)[^\S\n]?)?:(?=\s|$)\s*",
    re.MULTILINE,
)
_NEW_SPEAKER = re.compile(r"(?:^|(?:(?<=[.!?…])|(?<=[.!?…][\"”'’]))[^\S\n]+)[-–—‐](?![-–—\d])\s*(?=\S)", re.MULTILINE)
_DOUBLE_DOTS = re.compile(r"(?<!\.)(\.{3,}+|…)\s++(?:\.{3,}+|…)\s*+")
_WORD = re.compile(r"\w")
_STRAY_BLANK = re.compile(r"(?<=[\w\"”'’]) (?=[!?,;]|\.(?![.\w]))")
_QUOTED_LATE = re.compile(r'(?<![^\s(])" ([^"\s](?:[^"]{0,300}[^"\s])?)"(?=[\s.,;:!?)]|$)')
_QUOTED_LONG = re.compile(r'(?<![^\s(])"([^"\s](?:[^"]{0,300}[^"\s])?) "(?=[\s.,;:!?)]|$)')
_MISREAD_I = re.compile(r"\bl(?=['’](?:m|ll|ve|d)\b)")


def find_removal(text: str, start: float | None, end: float | None, config: SubtitleCleaning) -> str | None:
    """Return the reason for removing a caption completely, or None to keep it."""
    if config.hidden == "remove" and start is not None and start == end:
        return "hidden"
    if config.adverts == "remove" and _ADVERT.search(text) is not None:
        return "advert"
    if config.lyrics == "remove" and _is_sung(text):
        return "lyrics"
    return None


def _is_sung(text: str) -> bool:
    """Tell whether a caption begins and ends with a music sign."""
    text = text.strip(" \n-–—\"'()[]")
    return len(text) > 1 and ((text[0] in _NOTES and text[-1] in _NOTES) or (text.startswith("# ") and text.endswith(" #")))


def strip_markup(text: str) -> str:
    r"""Remove tags, override codes (`<i>`, `{\an8}`) and invisible characters, and replace character references."""
    if "<" in text or "\\" in text or "{" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
        text = text.replace("\\h", " ")
    if "&" in text:
        text = _TAG.sub("", unescape(text))
    return _INVISIBLE.sub("", text)


def clean_caption(text: str, config: SubtitleCleaning) -> Iterator[str]:
    """Yield the cleaned words of each speaker in a caption, one line per speaker; `text` must have no mark-up.

    A speaker without words is left out.
    """
    text = _MUSIC.sub(" ", text)
    if config.sound_descriptions == "remove" and ("(" in text or "[" in text):
        text = _BRACKETS.sub(" ", text)
    text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    bounds = sorted({match.start() for pattern in (_NEW_SPEAKER, _LABEL) for match in pattern.finditer(text)})
    for start, stop in zip([0, *bounds], [*bounds, len(text)], strict=True):
        words = text[start:stop].strip()
        dash = _NEW_SPEAKER.match(words)
        if dash is not None:
            words = words[dash.end() :]
        label = _LABEL.match(words) if config.speaker_labels == "remove" else None
        if label is not None:
            words = words[label.end() :]
        words = mend_scan(" ".join(fold_ellipses(words).split()))
        words = mask_contacts(words) if config.contacts == "mask" else words
        if _WORD.search(words) is not None:
            yield f"- {words}" if dash is not None and config.speaker_dashes == "keep" else words


def fold_ellipses(text: str) -> str:
    """Shorten the double ellipsis of a sentence over two captions: `one... ...two` becomes `one... two`."""
    return _DOUBLE_DOTS.sub(r"\1 ", text)


def mend_scan(text: str) -> str:
    """Mend what reading a film's pictures leaves behind: a letter l for I, and blanks before punctuation and inside quotes.

    `l'm the " King" .` becomes `I'm the "King".` A quotation with blanks at both ends stays: it may be the gap between two.
    """
    text = _QUOTED_LATE.sub(r'"\1"', text)
    text = _QUOTED_LONG.sub(r'"\1"', text)
    return _STRAY_BLANK.sub("", _MISREAD_I.sub("I", text))
