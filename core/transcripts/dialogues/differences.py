"""Shows how cleaning changed a dialogue.

The paper publishes the raw text so that readers can check this (CRD3, section 3.2).
"""

import difflib
import re
from collections.abc import Iterable, Iterator

from core.dialogue import Turn

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def diff_turns(turns: Iterable[Turn]) -> Iterator[str]:
    """Yield a diff from raw to clean text for each changed turn: a header, then `-` and `+` lines.

    Unchanged turns are left out. Indentation and empty lines are not compared. Control characters are shown as U+FFFD, so that
    hostile text cannot send commands to a terminal.
    """
    for turn in turns:
        speakers = ", ".join(turn.speakers)
        raw_lines = [line.strip() for line in turn.raw_text.split("\n") if line.strip()]
        changes = list(difflib.unified_diff(raw_lines, turn.utterances, lineterm="", n=0))[2:]
        if not changes and speakers == turn.raw_label:
            continue
        yield f"@@ turn {turn.number} @@ {_printable(speakers)}"
        if speakers != turn.raw_label:
            yield f"-speaker: {_printable(turn.raw_label)}"
            yield f"+speaker: {_printable(speakers)}"
        yield from (_printable(line) for line in changes if not line.startswith("@@"))


def _printable(line: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", line)
