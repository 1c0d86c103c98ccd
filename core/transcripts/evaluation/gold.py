"""Reads gold annotations: the turns that each recap sentence describes, as annotators marked them."""

import json
from dataclasses import dataclass
from typing import Any

from core.errors import SourceError

_EXPECTED = 'a JSON list of objects with "text", "turn_start" and "turn_end" (0-based, inclusive; both null: nowhere)'


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A recap sentence with the first and the last turn that it describes, 0-based; both None if it describes no turn.

    Reference: CRD3, appendix A.1.1, step 1.
    """

    text: str
    start: int | None
    end: int | None


def read_gold(name: str, text: str) -> tuple[GoldSentence, ...]:
    """Read an episode's gold sentences from JSON; `name` is the file's name, for messages.

    Raises:
        SourceError: the text is not JSON of the expected form, or a span ends before it starts.
    """
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: not valid JSON ({error}); expected {_EXPECTED}. Correct the file") from error
    if not isinstance(rows, list):
        raise SourceError(f"{name}: found {type(rows).__name__}; expected {_EXPECTED}. Correct the file")
    return tuple(_read_row(f"{name}, entry {place}", row) for place, row in enumerate(rows))


def _read_row(where: str, row: Any) -> GoldSentence:
    if isinstance(row, dict) and isinstance(row.get("text"), str) and "turn_start" in row and "turn_end" in row:
        start, end = row["turn_start"], row["turn_end"]
        if start is None and end is None:
            return GoldSentence(row["text"], None, None)
        if type(start) is int and type(end) is int and 0 <= start <= end:
            return GoldSentence(row["text"], start, end)
    raise SourceError(f"{where}: not a gold sentence; expected {_EXPECTED}. Correct the entry")
