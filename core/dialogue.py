"""A dialogue as fabula keeps it: the same turns in every pipeline."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what one speaker, or several in chorus, said without interruption.

    `number` is 0-based and counts within the dialogue. `speakers` are people (aliases resolved), in the label's order.
    `utterances` are the cleaned lines; `text` joins them with one space. `raw_label` and `raw_text` are what the source
    had, line breaks included. `start` and `end` are seconds from the beginning of the recording, None where the source has none.
    """

    number: int
    speakers: tuple[str, ...]
    utterances: tuple[str, ...]
    raw_label: str
    raw_text: str
    start: float | None = None
    end: float | None = None

    @property
    def text(self) -> str:
        """The turn's words as one line (CRD3: the utterances joined by one space; names are not part of it)."""
        return " ".join(self.utterances)


def join_utterances(turns: Iterable[Turn]) -> str:
    """Return the texts of turns one after the other, without speakers."""
    return " ".join(turn.text for turn in turns)
