"""Dialogues as JSON: CRD3's cleaned episodes (`TURNS`), and lists of lines with a name, a text and perhaps a time (`lines`)."""

import json
import re
from typing import Any, TypeGuard

from core.errors import SourceError
from core.transcripts.dialogues.cleaning import drop_invisible
from core.transcripts.dialogues.raw_turns import RawTurn

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_dialogue_json(name: str, text: str) -> list[RawTurn]:
    """Return the turns of a JSON dialogue; those of CRD3 come cleaned, with one utterance a line.

    Only what no cleaned text has goes from CRD3's: invisible characters, line breaks inside utterances, and empty utterances.

    Raises:
        SourceError: this is no JSON, or not of either form; the message names the turn.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: no valid JSON ({error}); export the file again") from error
    if isinstance(document, dict) and isinstance(document.get("TURNS"), list):
        return [_read_crd3_turn(name, number, turn) for number, turn in enumerate(document["TURNS"])]
    if isinstance(document, dict) and isinstance(document.get("lines"), list):
        return [_read_line(name, number, line) for number, line in enumerate(document["lines"])]
    raise SourceError(
        f'{name}: JSON without turns; expected {{"TURNS": [{{"NAMES": […], "UTTERANCES": […]}}, …]}} (CRD3) '
        'or {"lines": [{"name": …, "text": …}, …]}'
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
    text = _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", line["text"])
    return RawTurn(_tidy(line["name"]).strip(), text, _read_time(line.get("ts")))


def _tidy(text: str) -> str:
    """Put a text on one line, without invisible characters and halves of characters, which JSON's escapes can write."""
    if text.isprintable():
        return text
    text = drop_invisible(text.replace("\r", "\n")).replace("\n", " ").replace("\t", " ")
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _read_time(stamp: Any) -> float | None:
    """Return seconds for {"h": …, "m": …, "s": …} with numbers or digits; None for anything else."""
    if not isinstance(stamp, dict):
        return None
    parts = [str(stamp.get(unit, 0)) for unit in "hms"]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    return float(hours * 3600 + minutes * 60 + seconds)


def _are_strings(values: Any) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
