"""Summaries that no worker could align are refused before anything is aligned."""

import pytest

from core.errors import SourceError
from core.summary_size import MOST_COMPARED, MOST_SENTENCES, check_summary_size


def test_the_longest_summary_of_the_longest_dialogue_passes() -> None:
    check_summary_size("recap.md", MOST_SENTENCES, MOST_COMPARED // MOST_SENTENCES)


@pytest.mark.parametrize(
    ("sentences", "turns", "message"),
    [(MOST_SENTENCES + 1, 1, "recap.md: 5,001 sentences; expected at most 5,000"), (100, 200_001, "200,001 turns")],
)
def test_a_longer_one_is_refused_with_its_figures(sentences: int, turns: int, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        check_summary_size("recap.md", sentences, turns)
