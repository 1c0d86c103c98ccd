"""Compares an episode's aligned chunks with gold sentences, which are found in the chunks by their text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.metrics.span_agreement import SpanMatch, match_span
from core.transcripts.evaluation.gold import GoldSentence

_SURE = 25  # characters of a sentence that stands in a chunk by accident no more
_BLOCK = 8  # sentences: twice the longest chunk, so that few chunks belong to two blocks


@dataclass(frozen=True, slots=True)
class AlignedChunk:
    """What is graded of a chunk: its text, its turns (0-based, inclusive; None: unaligned), and whether the filter keeps it."""

    text: str
    start: int | None
    end: int | None
    confidence: float | None
    kept: bool


@dataclass(frozen=True, slots=True)
class GradedChunk:
    """A chunk's match with the gold turns of its sentences; `block` tells chunks over neighbouring sentences, for resampling."""

    match: SpanMatch
    block: tuple[str, int]
    confidence: float | None
    kept: bool

    @property
    def right(self) -> bool:
        """Whether the span is right: at least as much of the turns of both in common as not (F1 ≥ ½).

        This is the event whose probability an aligner's confidence states.
        """
        return self.match.f1 >= 0.5


@dataclass(frozen=True, slots=True)
class GradedEpisode:
    """An episode's chunks that hold a gold sentence, and how many gold sentences there are, and are found in a chunk."""

    episode: str
    chunks: tuple[GradedChunk, ...]
    sentences: int
    found: int


def grade_episode(episode: str, gold: Sequence[GoldSentence], chunks: Iterable[AlignedChunk]) -> GradedEpisode:
    """Compare the chunks with the gold sentences that stand in them, by their letters and digits in lower case.

    A chunk's gold span runs from the earliest to the latest turn of its sentences. Chunks without gold sentences are left out, as
    are sentences that describe no turn. Where several sentences stand in a chunk, those of 25 characters or less do not count
    unless all are: such a one can stand there by accident.

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
            graded.append(GradedChunk(match_span(chunk.start, chunk.end, start, end), block, chunk.confidence, chunk.kept))
    return GradedEpisode(episode, tuple(graded), len({folded for folded, _, _ in located}), len(found))


def fold_text(text: str) -> str:
    """Return a text's letters a–z and digits, in lower case."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())
