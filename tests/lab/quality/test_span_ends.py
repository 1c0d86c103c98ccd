"""The figures of how spans begin and end."""

from core.metrics.alignment_quality import SpanMatch
from core.transcripts.evaluation import GradedChunk, GradedEpisode
from lab.quality.span_ends import describe_ends, show_ends


def episode(name: str, *errors: tuple[int, int] | None, kept: bool = True) -> GradedEpisode:
    chunks = tuple(GradedChunk(SpanMatch(1, 2, 2), (name, 0), 0.9, kept, errors=each) for each in errors)
    return GradedEpisode(name, chunks, len(chunks), len(chunks))


def test_shares_count_errors_beyond_two_turns() -> None:
    found = describe_ends([episode("a", (0, -2), (3, -3), None), episode("b", (-3, 9), (2, 2))], kept_only=False)
    assert found is not None
    assert (found.chunks, found.start, found.end) == (4, (2.5, 2.0), (2.5, 4.0))
    shares = {name: value for name, (value, _, _) in found.shares.items()}
    assert shares == {
        "reaches the last turn": 0.75,
        "stops before": 0.25,
        "runs over": 0.25,
        "starts after": 0.25,
        "starts before": 0.25,
        "both right": 0.5,
    }
    assert all(low <= value <= high for value, low, high in found.shares.values())


def test_dropped_chunks_are_left_out_where_only_kept_ones_count() -> None:
    graded = [episode("a", (0, 0)), episode("b", (0, -9), kept=False)]
    kept = describe_ends(graded, kept_only=True)
    assert kept is not None
    assert (kept.chunks, kept.shares["stops before"][0]) == (1, 0)
    assert describe_ends([graded[1]], kept_only=True) is None


def test_the_table_has_a_row_for_each_title() -> None:
    table = show_ends([("now", describe_ends([episode("a", (0, -3))], False)), ("none", None)]).splitlines()
    assert table[2].startswith("| now | 1 | 0, 0.0 | 3, 3.0 | 0.0% (0.0% – 0.0%) | 100.0%")
    assert len({line.count("|") for line in table}) == 1
