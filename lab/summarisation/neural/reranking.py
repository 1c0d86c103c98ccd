"""Reranks the candidates of several sentences together, so that a summary repeats few n-grams."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MOST_COMBINATIONS = 1_024
"""Combinations of candidates that are kept after each sentence. With fewer in all, the search is exhaustive."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that a beam search wrote: its words and the sum of their natural log-probabilities."""

    words: tuple[str, ...]
    log_probability: float


def rerank_candidates(beams: Sequence[Sequence[Candidate]], n: int = 2) -> tuple[Candidate, ...]:
    """Return one candidate for each sentence: the combination with the fewest repeated n-grams.

    Ties go to the highest log-probability a word, then to the first candidates. A repeated n-gram counts once for each time it
    occurs after the first. Each beam must have a candidate. Where there are more than `MOST_COMBINATIONS` combinations of the
    first sentences, only the best of them are continued.

    Reference: Chen and Bansal, 2018, section 3.3 ("repetition-avoiding reranking"); n = 2 as in their program.
    """
    kept: list[_Summary] = [_Summary((), Counter(), 0, 0.0, 0)]
    for beam in beams:
        longer = [_extend(summary, place, candidate, n) for summary in kept for place, candidate in enumerate(beam)]
        kept = sorted(longer, key=_rank)[:MOST_COMBINATIONS]
    return tuple(beam[place] for beam, place in zip(beams, kept[0].places, strict=True))


@dataclass(frozen=True, slots=True)
class _Summary:
    places: tuple[int, ...]
    grams: Counter[tuple[str, ...]]
    repeated: int
    log_probability: float
    length: int


def _extend(summary: _Summary, place: int, candidate: Candidate, n: int) -> _Summary:
    own = Counter(tuple(candidate.words[start : start + n]) for start in range(len(candidate.words) - n + 1))
    grams = summary.grams + own
    repeated = sum(count - 1 for count in grams.values())
    log_probability = summary.log_probability + candidate.log_probability
    return _Summary((*summary.places, place), grams, repeated, log_probability, summary.length + len(candidate.words))


def _rank(summary: _Summary) -> tuple[int, float, tuple[int, ...]]:
    return summary.repeated, -summary.log_probability / max(summary.length, 1), summary.places
