"""Makes turns from captions: one utterance per turn, without speakers, with the captions' times."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.dialogue import Turn
from core.people.contacts import mask_contacts
from core.subtitles.cleaning import clean_caption, find_removal, fold_ellipses, strip_markup
from core.subtitles.config import SubtitleCleaning
from core.subtitles.subtitle import Caption, Removal
from core.text.sentences import split_by_rules

_TERMINAL = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_MAX_JOINED = 1_000  # characters; bounds joined sentences in files without punctuation
_MAX_RAW = 1_000  # characters; a sentence of a longer caption does not keep all of the caption as its raw text
_TAIL = 20
_ELLIPSIS = re.compile(r"(?:\.{2,}|…)[\"'”’]*$")
_GOES_ON = re.compile(r"(?:\.{2,}|…)|[\"'“‘]?[^\W\d_A-Z]")


@dataclass(frozen=True, slots=True)
class _Piece:
    """The words of one speaker in one caption; `opens` if a dash or an earlier sentence shows that a sentence begins here."""

    text: str
    raw: str
    start: float | None
    end: float | None
    opens: bool


def make_turns(
    captions: Iterable[Caption], config: SubtitleCleaning, *, join: bool
) -> tuple[tuple[Turn, ...], tuple[Removal, ...]]:
    """Return the turns of a subtitle, with one utterance each, and the removed captions.

    With `join` (for captions in text), captions are split into sentences, and the parts of a sentence over several captions are
    joined.
    Without `join` (for XML), each caption is one sentence, and is divided only if it has several speakers.
    """
    removed: list[Removal] = []
    pieces = _clean(captions, config, removed, split_by_rules if join else _as_it_is)
    if join:
        pieces = _join_sentences(pieces, config.max_pause)
    turns = tuple(Turn(number, (), (piece.text,), "", piece.raw, piece.start, piece.end) for number, piece in enumerate(pieces))
    return turns, tuple(removed)


def _as_it_is(text: str) -> list[str]:
    return [text]


def _clean(
    captions: Iterable[Caption], config: SubtitleCleaning, removed: list[Removal], split: Callable[[str], list[str]]
) -> Iterator[_Piece]:
    for caption in captions:
        text = strip_markup(caption.text)
        reason = find_removal(text, caption.start, caption.end, config)
        speakers = list(clean_caption(text, config)) if reason is None else []
        raw = mask_contacts(caption.text) if config.contacts == "mask" else caption.text
        if not speakers:
            removed.append(Removal(raw, caption.start, reason or "no words"))
        dash, whole = _opens_with_dash(text), len(caption.text) <= _MAX_RAW
        for turn, words in enumerate(speakers):
            for position, sentence in enumerate(split(words)):
                opens = turn > 0 or position > 0 or dash
                yield _Piece(sentence, raw if whole else sentence, caption.start, caption.end, opens)


def _opens_with_dash(text: str) -> bool:
    text = text.lstrip()[:2]
    return text[:1] in ("-", "–", "—", "‐") and text[1:2] not in ("-", "–", "—")


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
