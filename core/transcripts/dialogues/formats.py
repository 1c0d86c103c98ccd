"""Reads a transcript file of any known format into clean turns."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath

from core.dataset.units import RefusedFile, SourceFile
from core.dialogue import Turn
from core.errors import SourceError
from core.text.decoding import MARKUP, TextLimits, decode_text
from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues.chat_logs import read_chat_page, read_message_log
from core.transcripts.dialogues.cleaning import clean_turn
from core.transcripts.dialogues.json_formats import read_dialogue_json
from core.transcripts.dialogues.labels import LabelRule
from core.transcripts.dialogues.speakers import resolve_speakers, unify_spellings
from core.transcripts.dialogues.text_formats import RawTurn, read_captions, read_markdown, read_plain_text
from core.transcripts.discovery import TRANSCRIPT_TYPES, Discovery, TranscriptFormat
from core.wiki.page_reader import read_wiki_page

_READERS: dict[TranscriptFormat, Callable[[str, str, Collection[str], LabelRule], list[RawTurn]]] = {
    "plain text": lambda name, text, known, rule: read_message_log(text) or read_plain_text(name, text, known, rule),
    "markdown": read_markdown,
    "captions": read_captions,
    "json": read_dialogue_json,
    "page": lambda name, text, known, rule: read_chat_page(text) or _read_page(name, text, known, rule),
}
_FEWEST_SPEAKERS = 2  # of a page: one label alone is a heading
_WORD = re.compile(r"[^\W_]")


def read_dialogue(
    name: str,
    content: bytes,
    config: CleaningConfig | None = None,
    aliases: Mapping[str, tuple[str, ...]] | None = None,
    limits: TextLimits | None = None,
) -> tuple[Turn, ...]:
    """Read one transcript file into clean turns.

    The extension of `name` decides the format. Text before the first speaker label becomes a turn of
    `config.unlabelled_speaker`, or a turn without speakers if that is "". `aliases` are those of `speakers.select_aliases`.

    Raises:
        SourceError: the extension is unknown, the content cannot be decoded, or no named speaker says a word.

    Reference: CRD3, section 3.2.
    """
    config = config or CleaningConfig()
    kind = TRANSCRIPT_TYPES.get(PurePosixPath(name).suffix.lower())
    if kind is None:
        raise SourceError(f"{name}: unknown extension; a transcript is one of {', '.join(TRANSCRIPT_TYPES)}. Convert the file")
    text = decode_text(name, content, limits or (MARKUP if kind in {"json", "page"} else None))
    raw_turns = _READERS[kind](name, text, frozenset(aliases or ()), config.labels)
    if not raw_turns:
        raise SourceError(f"{name}: no turns; expected at least one. Export the file again or remove it")
    speakers = {label: resolve_speakers(label, aliases or {}) for label in dict.fromkeys([turn.label for turn in raw_turns])}
    if config.labels == "learned":
        speakers = unify_spellings(speakers, Counter([turn.label for turn in raw_turns]))
    named = {label for label, people in speakers.items() if people}
    if not named:
        raise SourceError(f"{name}: nobody is named in {len(raw_turns):,} turns; expected speakers. Add them or remove the file")
    if "" in speakers:
        speakers[""] = (config.unlabelled_speaker,) if config.unlabelled_speaker else ()
    turns = tuple(
        Turn(
            number,
            speakers[raw.label],
            clean_turn(raw.text, config) if raw.utterances is None else raw.utterances,
            raw.label,
            raw.text,
            raw.start,
            raw.end,
        )
        for number, raw in enumerate(raw_turns)
    )
    if not any(turn.raw_label in named and any(map(_WORD.search, turn.utterances)) for turn in turns):
        raise SourceError(f"{name}: nobody says a word in {len(turns):,} turns; expected text. Export or remove the file")
    return turns


def _read_page(name: str, text: str, known: Collection[str], rule: LabelRule) -> list[RawTurn]:
    """Return the turns of another saved page: of a wiki, of Google Docs."""
    turns = read_plain_text(name, "\n\n".join(block.text for block in read_wiki_page(name, text).blocks), known, rule)
    if len({turn.label for turn in turns}) < _FEWEST_SPEAKERS:
        raise SourceError(
            f"{name}: no dialogue; expected a chat as DiscordChatExporter, Roll20 or Foundry save it, or a page with paragraphs "
            "`NAME: text`. Save it as plain text"
        )
    return turns


def refuse_unknown(found: Discovery, read: Callable[[SourceFile], bytes]) -> Discovery:
    """Return what was found, with JSON files and pages refused that are no transcript, without waiting for their recap.

    `read` returns the content of a file.
    """
    waiting, refused = [], list(found.refused)
    for unit in found.waiting:
        files = [file for file in unit.files if TRANSCRIPT_TYPES.get(PurePosixPath(file.path).suffix.lower()) in {"json", "page"}]
        try:
            for file in files if unit.missing == "recap" else ():
                read_dialogue(file.path, read(file))
        except SourceError as error:
            refused.append(RefusedFile(unit.files[0].path, str(error)))
        else:
            waiting.append(unit)
    return replace(found, waiting=tuple(waiting), refused=tuple(refused))


def join_parts(parts: Sequence[Sequence[Turn]]) -> tuple[Turn, ...]:
    """Join the transcript parts of one episode. Turn numbers and times continue from one part to the next.

    Each part is taken to begin when the last cue before it ends. Behind a part without times all times are dropped.
    """
    shifted: list[Sequence[Turn]] = []
    offset: float | None = 0.0
    for part in parts:
        shifted.append([_shift(turn, offset) for turn in part] if offset != 0.0 else part)
        ends = [turn.end for turn in shifted[-1] if turn.end is not None]
        offset = max(ends) if ends and offset is not None else None
    if len(parts) == 1:
        return tuple(shifted[0])
    return tuple(replace(turn, number=number) for number, turn in enumerate(chain.from_iterable(shifted)))


def _shift(turn: Turn, offset: float | None) -> Turn:
    """Move a turn's times by `offset` seconds; an offset of None drops the times."""
    if offset is None:
        return replace(turn, start=None, end=None)
    start, end = (None if time is None else time + offset for time in (turn.start, turn.end))
    return replace(turn, start=start, end=end)
