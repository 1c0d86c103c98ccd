"""A turn as a format reader finds it, before its speaker label is resolved and its text is cleaned."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawTurn:
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
