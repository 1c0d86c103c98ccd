"""The kept chunks of graded episodes as looks of a reader, to simulate a review with their gold."""

from collections.abc import Iterable

from core.review.curves import Look
from core.review.priority import guess_errors
from core.transcripts.evaluation.grading import GradedEpisode

LOOKED_AT = ("chunks", "episodes")
"""What a reader of `transcripts` looks at, and what it is of, as a report calls them."""


def list_looks(episodes: Iterable[GradedEpisode]) -> list[Look]:
    """Return the chunks that the filter keeps, counted in turns; an aligner's score is the expected F1 of its span."""
    return [
        Look(
            unit=episode.episode,
            inside=chunk.match.inside,
            found=chunk.match.predicted,
            gold=chunk.match.gold,
            errors=guess_errors(chunk.score, 0, chunk.match.predicted - 1),
            confidence=chunk.confidence,
            turns=chunk.match.predicted,
        )
        for episode in episodes
        for chunk in episode.chunks
        if chunk.kept and chunk.match.predicted
    ]
