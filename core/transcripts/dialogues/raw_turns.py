"""A turn as a format reader finds it, before its speaker label is resolved and its text is cleaned."""

from collections.abc import Collection, Iterable, Sequence
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
    runs: list[list[RawTurn]] = []
    for turn in turns:
        if runs and turn.label == runs[-1][0].label and turn.label in labels:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    return [run[0] if len(run) == 1 else _join(run) for run in runs]


def _join(run: Sequence[RawTurn]) -> RawTurn:
    text = "".join(turn.text if turn.text.endswith("\n") else f"{turn.text}\n" for turn in run[:-1]) + run[-1].text
    end = next((turn.end for turn in reversed(run) if turn.end is not None), None)
    return run[0]._replace(text=text, end=end)
