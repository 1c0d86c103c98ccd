"""Reads JSON dialogues: CRD3's cleaned episodes (`TURNS`), lists of `lines` with name, text and time, and speech recognition."""

import json
from typing import Any, TypeGuard

from core.errors import SourceError
from core.text.decoding import mend_text
from core.transcripts.dialogues.cleaning import drop_invisible
from core.transcripts.dialogues.raw_turns import RawTurn
from core.transcripts.dialogues.speech_json import read_speech_json


def read_dialogue_json(name: str, text: str) -> list[RawTurn]:
    """Read the turns of a JSON dialogue.

    CRD3's turns are cleaned already, so their utterances are taken over. Only invisible characters, line breaks inside utterances
    and empty utterances are dropped.

    Raises:
        SourceError: the text is not JSON or has neither form. If one turn is malformed, the message names it.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: not valid JSON ({error}); export the file again") from error
    if isinstance(document, dict) and isinstance(document.get("TURNS"), list):
        return [_read_crd3_turn(name, number, turn) for number, turn in enumerate(document["TURNS"])]
    if isinstance(document, dict) and isinstance(document.get("lines"), list):
        return [_read_line(name, number, line) for number, line in enumerate(document["lines"])]
    if isinstance(document, dict) and (turns := read_speech_json(name, document)) is not None:
        return turns
    raise SourceError(
        f'{name}: JSON without turns; expected {{"TURNS": [{{"NAMES": […], "UTTERANCES": […]}}, …]}} (CRD3), '
        '{"lines": [{"name": …, "text": …}, …]}, or what Whisper, WhisperX, Amazon Transcribe or Deepgram write. '
        "Export the file again in one of these forms"
    )


def _read_crd3_turn(name: str, number: int, turn: Any) -> RawTurn:
    names = turn.get("NAMES") if isinstance(turn, dict) else None
    utterances = turn.get("UTTERANCES") if isinstance(turn, dict) else None
    if not _are_strings(names) or not _are_strings(utterances):
        raise SourceError(f"{name}: turn {number} of TURNS is malformed; expected NAMES and UTTERANCES, both lists of strings")
    lines = [line for utterance in utterances if (line := _tidy(utterance)) and not line.isspace()]
    return RawTurn(", ".join(map(_tidy, names)), "\n".join(lines), utterances=tuple(lines))


def _read_line(name: str, number: int, line: Any) -> RawTurn:
    if not isinstance(line, dict) or not _are_strings([line.get("name"), line.get("text")]):
        raise SourceError(f"{name}: line {number} of lines is malformed; expected an object with the strings name and text")
    return RawTurn(_tidy(line["name"]).strip(), mend_text(line["text"]), _read_time(line.get("ts")))


def _tidy(text: str) -> str:
    """Put a text on one line, mend it and drop invisible characters."""
    text = mend_text(text)
    if text.isprintable():
        return text
    return drop_invisible(text.replace("\r", "\n")).replace("\n", " ").replace("\t", " ")


def _read_time(stamp: Any) -> float | None:
    """Convert {"h": …, "m": …, "s": …} to seconds. The values may be numbers or strings of digits; anything else gives None."""
    if not isinstance(stamp, dict):
        return None
    parts = [str(stamp.get(unit, 0)) for unit in "hms"]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    return float(hours * 3600 + minutes * 60 + seconds)


def _are_strings(values: Any) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
