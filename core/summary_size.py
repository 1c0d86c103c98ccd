"""The most that a summary may hold: aligners compare every sentence with every turn, and every sentence with every other."""

from core.errors import SourceError

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
