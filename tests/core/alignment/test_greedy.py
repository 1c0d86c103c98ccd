import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import literal
from core.alignment.greedy import best_windows
from core.similarity.ngrams import NgramIndex

texts = st.lists(st.lists(st.sampled_from(list("abcde")), max_size=6).map(" ".join), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(texts, texts, st.integers(0, 4))
def test_windows_are_the_literal_ones(turns: list[str], chunks: list[str], window: int) -> None:
    index = NgramIndex(turns, str.split, (1, 2))
    found = best_windows(index.turns, index.code(chunks), window)
    tau = [literal.ngrams(turn.split()) for turn in turns]
    expected = literal.greedy_spans(tau, [literal.ngrams(chunk.split()) for chunk in chunks], window)
    assert [(span.start, span.end, span.score) for span in found] == [best or (None, None, 0.0) for best in expected]


def test_a_window_joins_what_two_turns_share_with_the_chunk() -> None:
    index = NgramIndex(["x", "the duke", "y", "fell down", "z"], str.split, (1, 2))
    (span,) = best_windows(index.turns, index.code(["the duke fell down"]), 14)
    assert (span.start, span.end) == (1, 3)


def test_negative_windows_are_refused() -> None:
    index = NgramIndex(["a"], str.split, (1,))
    with pytest.raises(ValueError, match="window"):
        best_windows(index.turns, index.code(["a"]), -1)
