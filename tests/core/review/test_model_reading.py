"""A model's answer: one span of the window that it was shown, or none."""

import pytest

from core.review.judgements import TurnSpan
from core.review.model_reading import read_span


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        '{"start": 1}',
        '{"start": 9, "end": 3}',
        '{"start": "1", "end": "2"}',
        '{"start": 1, "end": 99}',
        '{"start": true, "end": 2}',
        '{"start": 1, "end": 2} or {"start": 3, "end": 4}',
        '{"start": null, "end": 4}',
        "{" * 5_000,
        '{"start": ' + "[" * 4_900 + "]" * 4_900 + ', "end": 2}',
    ],
)
def test_an_answer_that_names_no_one_span_of_the_window_is_refused(answer: str) -> None:
    with pytest.raises(Exception, match="found"):
        read_span(answer, 0, 20)


def test_a_span_is_read_also_from_words_around_it() -> None:
    assert read_span('Sure!\n```json\n{"start": 3, "end": 5}\n```', 0, 20) == TurnSpan(3, 5)
    assert read_span('{"start": null, "end": null}', 0, 20) == TurnSpan(None, None)
