"""Compares an episode's aligned chunks with gold sentences. A chunk's gold sentences are found by their text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.metrics.alignment_quality import SpanMatch, match_span
from core.transcripts.evaluation.gold import GoldSentence

_SURE = 25  # characters; a longer sentence does not occur in a chunk by accident
_BLOCK = 8  # sentences; twice the longest chunk, so that few chunks span two blocks


@dataclass(frozen=True, slots=True)
class AlignedChunk:
    """A chunk to grade: its text, its span of turns, its confidence, and whether the filter keeps it.

    `start` and `end` are 0-based and inclusive, or None for an unaligned chunk. `score` is the span's expected F1.
    """

    text: str
    start: int | None
    end: int | None
    confidence: float | None
    kept: bool
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedChunk:
    """How well a chunk's span matches the gold turns of its sentences.

    `block` is equal for chunks over neighbouring sentences, which resampling must keep together. `score` is the expected F1.
    `errors` are how many turns the span begins and ends too late (negative: too early), None where nothing was found.
    """

    match: SpanMatch
    block: tuple[str, int]
    confidence: float | None
    kept: bool
    score: float = 0.0
    errors: tuple[int, int] | None = None

    @property
    def right(self) -> bool:
        """Whether the span counts as right: F1 ≥ ½. An aligner's confidence is the probability of this event."""
        return self.match.f1 >= 0.5


@dataclass(frozen=True, slots=True)
class GradedEpisode:
    """An episode's chunks that contain a gold sentence, the number of gold sentences, and how many are found in a chunk."""

    episode: str
    chunks: tuple[GradedChunk, ...]
    sentences: int
    found: int


def grade_episode(episode: str, gold: Sequence[GoldSentence], chunks: Iterable[AlignedChunk]) -> GradedEpisode:
    """Compare an episode's chunks with the gold sentences that they contain.

    A sentence is in a chunk if its letters and digits are, in lower case. A chunk's gold span runs from the first to the last
    turn of its gold sentences. Chunks without gold sentences are left out, and so are sentences that describe no turn. If a chunk
    contains several sentences, those of 25 characters or less do not count unless all are that short: a short sentence can occur
    in a chunk by accident.

    Reference: CRD3, appendix A.1.
    """
    located = [(fold_text(entry.text), entry, place) for place, entry in enumerate(gold) if entry.start is not None]
    found: set[str] = set()
    graded = []
    for chunk in chunks:
        text = fold_text(chunk.text)
        inside = [entry for entry in located if entry[0] in text]
        found.update(folded for folded, _, _ in inside)
        if len(inside) > 1:
            inside = [entry for entry in inside if len(entry[1].text) > _SURE] or inside
        if inside:
            start = min(entry.start for _, entry, _ in inside if entry.start is not None)
            end = max(entry.end for _, entry, _ in inside if entry.end is not None)
            block = (episode, min(place for _, _, place in inside) // _BLOCK)
            errors = None if chunk.start is None or chunk.end is None else (chunk.start - start, chunk.end - end)
            match = match_span(chunk.start, chunk.end, start, end)
            graded.append(GradedChunk(match, block, chunk.confidence, chunk.kept, chunk.score, errors))
    return GradedEpisode(episode, tuple(graded), len({folded for folded, _, _ in located}), len(found))


def fold_text(text: str) -> str:
    """Return a text's letters a–z and digits in lower case, without all other characters."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())
