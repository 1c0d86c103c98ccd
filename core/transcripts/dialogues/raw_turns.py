"""A turn as a format reader finds it, before its speaker label is resolved and its text is cleaned."""

from collections.abc import Collection, Iterable
from typing import NamedTuple


class RawTurn(NamedTuple):
    """One speaker label and the text up to the next label.

    `label` is "" for text before the first label. `text` keeps the source's line breaks. `start` and `end` are in seconds, or
    None where the source has no times. `utterances` is set by formats whose text is cleaned already (CRD3's JSON), and replaces
    cleaning.
    """

    label: str
    text: str
    start: float | None = None
    end: float | None = None
    utterances: tuple[str, ...] | None = None


def join_repeated(turns: Iterable[RawTurn], labels: Collection[str]) -> list[RawTurn]:
    """Join successive turns with the same label, where it is one of `labels`: programs label every sentence or caption anew."""
    if not labels:
        return list(turns)
    joined: list[RawTurn] = []
    for turn in turns:
        last = joined[-1] if joined else None
        if last is None or turn.label != last.label or turn.label not in labels:
            joined.append(turn)
        else:
            gap = "" if last.text.endswith("\n") else "\n"
            joined[-1] = last._replace(text=last.text + gap + turn.text, end=turn.end if turn.end is not None else last.end)
    return joined
