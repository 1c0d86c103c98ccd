"""The input views of SumTitles: how the turns of a dialogue become the text that a model reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

View = Literal["plain", "speakers", "separators", "both"]
START, MIDDLE, END = "[START]", "[SEP]", "[END]"
"""The separator tokens: before an utterance, between speaker and utterance, and after it."""


class Line(NamedTuple):
    """A turn as a model sees it: who speaks ("" where nobody is named), and what is said."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A dialogue with the sentences of the summary that a model should learn to write."""

    lines: tuple[Line, ...]
    sentences: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The summary as one text."""
        return " ".join(self.sentences)


def show_line(line: Line, view: View) -> str:
    """Return one turn as the view shows it; without a speaker's name only the text is shown.

    Reference: SumTitles, section 6.3.
    """
    if view == "plain" or (view == "speakers" and not line.speaker):
        return line.text
    if view == "speakers":
        return f"{line.speaker.upper()}: {line.text}"
    if view == "separators" or not line.speaker:
        return f"{START} {line.text} {END}"
    return f"{START} {line.speaker} {MIDDLE} {line.text} {END}"


def show_dialogue(lines: Sequence[Line], view: View) -> str:
    """Return a dialogue as the view shows it: its turns, joined by one space."""
    return " ".join(show_line(line, view) for line in lines)


def list_separators(view: View) -> tuple[str, ...]:
    """Return the separator tokens that a view uses; a model's tokeniser must know each as one token."""
    return {"plain": (), "speakers": (), "separators": (START, END), "both": (START, MIDDLE, END)}[view]
