from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.alignment.greedy import best_windows, close_gaps
from core.alignment.spans import Span
from core.similarity.ngrams import NgramIndex
from lab.speed import literal

texts = st.lists(st.lists(st.sampled_from(list("abcde")), max_size=6).map(" ".join), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(texts, texts, st.integers(0, 4))
def test_windows_equal_the_literal_ones(turns: list[str], chunks: list[str], window: int) -> None:
    index = NgramIndex(turns, str.split, (1, 2))
    found = best_windows(index.turns, index.code(chunks), window)
    tau = [literal.ngrams(turn.split()) for turn in turns]
    expected = literal.greedy_spans(tau, [literal.ngrams(chunk.split()) for chunk in chunks], window)
    assert [(span.start, span.end, span.score) for span in found] == [best or (None, None, 0.0) for best in expected]


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 30), st.integers(0, 10)))))
def test_closed_gaps_leave_a_chain_of_spans(windows: list[tuple[int, int] | None]) -> None:
    spans = [Span(None, None, 0.0) if window is None else Span(window[0], sum(window), 1.0) for window in windows]
    closed = close_gaps(spans)
    assert [span.start is None for span in closed] == [span.start is None for span in spans]
    aligned = [(span.start, span.end) for span in closed if span.start is not None and span.end is not None]
    assert all(start <= end for start, end in aligned)
    assert all(after[0] in (before[1], before[1] + 1) for before, after in pairwise(aligned))
    assert max((end for _, end in aligned), default=0) <= max((span.end or 0 for span in spans), default=0)


def test_neighbours_meet_half_way() -> None:
    closed = close_gaps([Span(2, 4, 1.0), Span(9, 12, 1.0), Span(10, 20, 1.0)])
    assert [(span.start, span.end) for span in closed] == [(2, 6), (7, 10), (11, 20)]
