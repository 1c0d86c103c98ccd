"""The input views of SumTitles, section 6.3."""

import pytest

from core.scripts.views import Line, View, show_dialogue
from lab.summarisation.neural.loading import list_separators

LINES = [Line("Matt", "The gate opens."), Line("", "A bell rings.")]


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("plain", "The gate opens. A bell rings."),
        ("speakers", "MATT: The gate opens. A bell rings."),
        ("separators", "[START] The gate opens. [END] [START] A bell rings. [END]"),
        ("both", "[START] Matt [SEP] The gate opens. [END] [START] A bell rings. [END]"),
    ],
)
def test_a_dialogue_is_shown_as_the_paper_says(view: View, shown: str) -> None:
    assert show_dialogue(LINES, view) == shown
    assert {word for word in shown.split() if word.startswith("[")} == set(list_separators(view))
