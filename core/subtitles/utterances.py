"""From captions to turns: one utterance a turn, no speakers, the times of the captions."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.dialogue import Turn
from core.subtitles.cleaning import clean_caption, find_removal, fold_ellipses, strip_markup
from core.subtitles.config import SubtitleCleaning
from core.subtitles.subtitle import Caption, Removal
from core.text.sentences import split_by_rules

_TERMINAL = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_MAX_JOINED = 1_000  # characters of a sentence put together; files without any punctuation have no longer ones either
_TAIL = 20
_ELLIPSIS = re.compile(r"(?:\.{2,}|…)[\"'”’]*$")
_GOES_ON = re.compile(r"(?:\.{2,}|…)|[\"'“‘]?[^\W\d_A-Z]")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of one speaker in one caption; `opens` where a dash or an earlier sentence says that they begin something."""

    text: str
    raw: str
    start: float | None
    end: float | None
    opens: bool


def make_turns(
    captions: Iterable[Caption], config: SubtitleCleaning, *, join: bool
) -> tuple[tuple[Turn, ...], tuple[Removal, ...]]:
    """Return the turns of a subtitle, one utterance each, and the captions that were removed.

    With `join` (captions of a .srt file) captions are cut into sentences, and a sentence that goes on in the next caption is put
    together; without (sentences of XML) each sentence stays as it is, but for the words of several speakers.
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
        if not speakers:
            removed.append(Removal(caption.text, caption.start, reason or "no words"))
        for turn, words in enumerate(speakers):
            for position, sentence in enumerate(split(words)):
                opens = turn > 0 or position > 0 or _opens_with_dash(text)
                yield _Piece(sentence, caption.text, caption.start, caption.end, opens)


def _opens_with_dash(text: str) -> bool:
    return text.lstrip()[:1] in ("-", "–", "—", "‐") and text.lstrip()[1:2] not in ("-", "–", "—")


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
    """Say whether a sentence goes on in the next caption: it has not ended there or breaks off, and resumes in small letters.

    After a comma it resumes in any letters: OPUS ends a sentence there, but hardly a speaker does.
    """
    if after.opens or before.end is None or after.start is None or after.start - before.end > max_pause:
        return False
    tail = before.text[-_TAIL:]
    if len(before.text) > _MAX_JOINED or (_ELLIPSIS.search(tail) is None and _TERMINAL.search(tail) is not None):
        return False
    return before.text.endswith(",") or _GOES_ON.match(after.text) is not None
