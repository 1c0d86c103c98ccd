"""A model's answer: one span of the window that it was shown, or none."""

import pytest

from core.review.judgements import TurnSpan
from core.review.model_reading import measure_trust, read_span


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


def test_trust_needs_rows_agreement_and_a_sure_gain() -> None:
    assert not measure_trust([]).believed
    assert not measure_trust([(1.0, 0.5)] * 19).believed
    assert measure_trust([(1.0, 0.5)] * 20).believed
    assert not measure_trust([(1.0, 1.0)] * 40).believed
    assert not measure_trust([(1.0, 0.2)] * 15 + [(0.3, 0.2)] * 6).believed
