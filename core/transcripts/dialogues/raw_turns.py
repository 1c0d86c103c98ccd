"""A turn as a format reader finds it: the label and the text of the source, not yet resolved or cleaned."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawTurn:
    """What stands between one speaker label and the next.

    `label` is "" for text before the first label. `text` keeps the source's line breaks. `start` and `end` are seconds, None
    where the source has no times. `utterances` are given by formats that were cleaned before (CRD3's JSON) and are then taken
    as they are.
    """

    label: str
    text: str
    start: float | None = None
    end: float | None = None
    utterances: tuple[str, ...] | None = None
