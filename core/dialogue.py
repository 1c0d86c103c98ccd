"""The turn of a dialogue, one type for every pipeline; dialogues as text; and the most that a summary of one may hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import SourceError


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what one speaker, or several in chorus, said without interruption.

    `number` is the turn's 0-based position in the dialogue. `speakers` are people (aliases resolved), in the label's order.
    `utterances` are the cleaned lines. `raw_label` and `raw_text` are the source's label and text, with their line breaks.
    `start` and `end` are seconds from the beginning of the recording; they are None if the source has no times.
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
        """The utterances joined by one space, without speaker names (as in CRD3)."""
        return " ".join(self.utterances)


def write_line(speakers: Sequence[str], text: str) -> str:
    """Return a turn as one line: `SPEAKER: text`.

    Joint speakers are separated by commas, in the order of the label (`MATT, LAURA: Yes.`). A turn without a known speaker is its
    text alone. Actions stand in the text as the turn has them. Any run of white space is one space, so no turn has two lines.
    """
    names = ", ".join([" ".join(name.split()) for name in speakers])
    words = " ".join(text.split())
    return f"{names}: {words}".rstrip() if names else words


def write_dialogue(turns: Iterable[tuple[Sequence[str], str]]) -> str:
    """Return turns, each as its speakers and its text, as plain text: one turn a line (`write_line`)."""
    return "\n".join(write_line(speakers, text) for speakers, text in turns)


def join_utterances(turns: Iterable[Turn]) -> str:
    """Return the texts of turns one after the other, without speakers."""
    return " ".join(turn.text for turn in turns)


MOST_SENTENCES = 5_000
"""The longest recap of CRD3 has 492; a synopsis of 16,000 took 8 GB to align."""
MOST_COMPARED = 20_000_000
"""Pairs of a sentence and a turn. Of CRD3's episodes none has more than 1.5 million."""


def check_summary_size(name: str, sentences: int, turns: int) -> None:
    """Refuse a summary that no worker has the memory to align; `name` is its file, `turns` are those of the dialogue.

    Raises:
        SourceError: it has too many sentences, or too many for a dialogue of so many turns.
    """
    if sentences > MOST_SENTENCES:
        raise SourceError(
            f"{name}: {sentences:,} sentences; expected at most {MOST_SENTENCES:,}. Is it the summary of one story? Divide it"
        )
    if sentences * turns > MOST_COMPARED:
        raise SourceError(
            f"{name}: {sentences:,} sentences, and {turns:,} turns in the dialogue; expected at most {MOST_COMPARED:,} pairs of "
            "both. Is this one story? Divide it into parts"
        )
