"""Makes turns of captions: cleans them, with one function per kind of noise, and joins the sentences that they divide.

`SubtitleCleaning` says which functions run. Captions that are removed completely are counted by reason.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from core.dialogue import Turn
from core.people.contacts import mask_contacts
from core.people.names import is_common
from core.subtitles.config import SubtitleCleaning
from core.subtitles.subtitle import Caption
from core.text.sentences import split_by_rules

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>|\{\\[^{}]{0,200}\}|\{[yY]:[^{}]{0,20}\}")
_DRAWING = re.compile(r"^[^\S\n]*m (?:-?\d+(?:\.\d+)? ){2}[lbspcnm][\d .lbspcnm-]*$", re.MULTILINE)  # of SubStation Alpha
_BREAK = re.compile(r"(?i:<br ?/?>)|\\N")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_ADVERT = re.compile(
    r"""
    \bwww\s?\.\s?\S | \bhttps?\s?:\s?// | \b[a-z0-9-]{2,40}\.(?:com|org|net|tv|info)\b
    | \b(?:sub(?:title)?s?|subtitl(?:ed|ing)|caption(?:s|ed|ing)?|synchroni[sz]ation|sync(?:ed|hed|hroni[sz]ed)?
        | transcript|translat(?:ion|ed)|ripp?(?:ed)?|encoded|uploaded|resync(?:ed)?|timing|corrected|corrections|ocr)
      \s*(?:and\s+\w+\s+)?(?:made\s+|created\s+|provided\s+|sponsored\s+)?(?:by\b|:)
    | \bdownloaded\s+from\b | \bopen\s?subtitles\b | \baddic7ed\b | \ball\s?subs\b | \bsubscene\b
    | \b(?:captions?|subtitles?|subtitling|subs)\s+(?:were\s+)?(?:paid\s+for|sponsored|funded|supplied|copyright|edited)\b
    | \b(?:re-?sync|rip(?:ped)?|encoded|subs?)\s+(?:for|from)\s+(?:web|blu|hd|dvd|br)-?(?:dl|rip|ray|tv)?\b
    | \b(?:web-?(?:dl|rip)|blu-?ray|bd-?rip|hd-?(?:tv|rip)|dvd-?rip|br-?rip|x26[45]|h\.?26[45]|(?:480|720|1080|2160)p)\b
    | ^\W*english\W{1,4}(?:sdh|cc|subtitles?|captions?)\W*$ | \bclosed[-\s]caption(?:s|ed|ing)\b
    | \b\d\d(?:\.\d+)?\s?fps\b | \bfan-?subs?\b | \b(?:rate|choose)\s+(?:this|the\s+best)\s+sub(?:title)?s?\b
    | \bfollow\s+us\s+on\s+(?:twitter|facebook|instagram)\b
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
_OPENING_DASH = re.compile(r"\s*[-–—‐](?![-–—])")
_DOUBLE_DOTS = re.compile(r"(?<!\.)(\.{3,}+|…)\s++(?:\.{3,}+|…)\s*+")
_WORD = re.compile(r"\w")
_STRAY_BLANK = re.compile(r"(?<=[\w\"”'’]) (?=[!?,;]|\.(?![.\w]))")
_QUOTED_LATE = re.compile(r'(?<![^\s(])" ([^"\s](?:[^"]{0,300}[^"\s])?)"(?=[\s.,;:!?)]|$)')
_TERMINAL = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_MAX_JOINED = 1_000  # characters; bounds joined sentences in files without punctuation
_MAX_RAW = 1_000  # characters; a sentence of a longer caption does not keep all of the caption as its raw text
_TAIL = 20
_ELLIPSIS = re.compile(r"(?:\.{2,}|…)[\"'”’]*$")
_GOES_ON = re.compile(r"(?:\.{2,}|…)|[\"'“‘]?[^\W\d_A-Z]")
_AFTER_I = "am|was|have|had|do|don't|did|didn't|can|can't|could|will|won't|would|think|thought|know|want|need|just|guess|mean"
_MISREAD_I = re.compile(rf"\bl(?=['’](?:m|ll|ve|d)\b)|(?<![^\s\"“-])l(?= (?:{_AFTER_I})\b)")
_MISREAD_C = re.compile(r"\bO(?!hh|o+(?:h+|ps)?\b)[a-z]{3,}")


@dataclass(frozen=True, slots=True)
class _Piece:
    """The words of one speaker in one caption; `opens` if a dash or an earlier sentence shows that a sentence begins here."""

    text: str
    raw: str
    start: float | None
    end: float | None
    opens: bool


def make_turns(captions: Iterable[Caption], config: SubtitleCleaning, *, join: bool) -> tuple[tuple[Turn, ...], Counter[str]]:
    """Return the turns of a subtitle, each with one utterance and no speaker, and the number of removed captions by reason.

    With `join` (for captions in text), captions are split into sentences, and the parts of a sentence over several captions are
    joined. Without `join` (for XML), a caption is one sentence, divided only if it has several speakers.
    """
    removed: Counter[str] = Counter()
    pieces = _clean(captions, config, removed, split_by_rules if join else lambda text: [text])
    if join:
        pieces = _join_sentences(pieces, config.max_pause)
    turns = tuple(Turn(number, (), (piece.text,), "", piece.raw, piece.start, piece.end) for number, piece in enumerate(pieces))
    return turns, removed


def _clean(
    captions: Iterable[Caption], config: SubtitleCleaning, removed: Counter[str], split: Callable[[str], list[str]]
) -> Iterator[_Piece]:
    for caption in captions:
        text = strip_markup(caption.text)
        reason = find_removal(text, caption.start, caption.end, config)
        speakers = list(clean_caption(text, config)) if reason is None else []
        if not speakers:
            removed[reason or "no words"] += 1
            continue
        raw = mask_contacts(caption.text) if config.contacts == "mask" else caption.text
        dash, whole = _OPENING_DASH.match(text) is not None, len(caption.text) <= _MAX_RAW
        for turn, words in enumerate(speakers):
            for position, sentence in enumerate(split(words)):
                opens = turn > 0 or position > 0 or dash
                yield _Piece(sentence, raw if whole else sentence, caption.start, caption.end, opens)


def _join_sentences(pieces: Iterable[_Piece], max_pause: float) -> Iterator[_Piece]:
    current: _Piece | None = None
    for piece in pieces:
        if current is None:
            current = piece
        elif _continues(current, piece, max_pause):
            raw = current.raw if current.raw.endswith(piece.raw) else f"{current.raw}\n{piece.raw}"
            current = _Piece(fold_ellipses(f"{current.text} {piece.text}"), raw, current.start, piece.end, current.opens)
        else:
            yield current
            current = piece
    if current is not None:
        yield current


def _continues(before: _Piece, after: _Piece, max_pause: float) -> bool:
    """Tell whether a sentence continues in the next caption.

    It continues if it has no end mark or breaks off with an ellipsis, and the next caption begins with an ellipsis or a
    lower-case letter. After a comma the next letter may be a capital: OPUS often ends a sentence there, but speakers rarely do.
    """
    if after.opens or before.end is None or after.start is None or after.start - before.end > max_pause:
        return False
    tail = before.text[-_TAIL:]
    if len(before.text) > _MAX_JOINED or (_ELLIPSIS.search(tail) is None and _TERMINAL.search(tail) is not None):
        return False
    return before.text.endswith(",") or _GOES_ON.match(after.text) is not None


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
    r"""Remove tags, codes (`<i>`, `{\an8}`), drawings whose codes a converter dropped (`m 0 0 l 100 0`) and invisible characters.

    Character references are replaced.
    """
    if "<" in text or "\\" in text or "{" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
        text = text.replace("\\h", " ")
    if "&" in text:
        text = _TAG.sub("", unescape(text))
    if text.lstrip().startswith("m ") or "\nm " in text:
        text = _DRAWING.sub("", text)
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
    """Mend what reading a film's pictures leaves behind: l for I, O for C, and blanks before punctuation and inside quotes.

    `l'm " Oalm" .` becomes `I'm "Calm".` A quotation with blanks at both ends stays: it may be the gap between two.
    """
    text = _MISREAD_C.sub(_mend_capital, text)
    text = _QUOTED_LATE.sub(r'"\1"', text)
    return _STRAY_BLANK.sub("", _MISREAD_I.sub("I", text))


def _mend_capital(match: re.Match[str]) -> str:
    """Return a word with C in place of O where only that makes a common word; no common word are oats."""
    word, mended = match[0].lower(), "C" + match[0][1:]
    return mended if is_common(mended.lower()) and not is_common(word) and not word.startswith("oat") else match[0]
