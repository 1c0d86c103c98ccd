"""Locates the span of turns of every sentence of a summary, then aligns each chunk with the span that fits its sentences best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.span_choice import choose_span, expect_f1, find_end, rate_span, span_hull
from core.alignment.spans import Chunk, Span
from core.alignment.summary_outline import SummaryOutline, outline_story
from core.alignment.window_chain import ChainPriors, SpanPosteriors, locate_spans
from core.alignment.window_evidence import TurnTerms
from core.alignment.windows_config import WindowsConfig
from core.text.terms import TermTokenizer

_LEAST = 1.5  # turns: minimum mean of a geometric gap
_MARGIN = 20.0  # turns: minimum mean before the first and after the last sentence, for short dialogues
_PACE = 25.0  # turns per sentence: at this pace, sentences are assumed to leave nothing out
_ELSEWHERE = 1e-3  # added to a peak of 1: the first or last sentence may be far from the dialogue's ends
_FAR_OFF = 0.02  # added to a peak of 1: a part may begin far from its place in an even division
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WindowAlignment:
    """The located sentences of an episode, from which spans of chunks are read.

    `lasting` is the probability with which a sentence's span must last to a turn for the chunk to last to it (1: no matter).
    """

    posteriors: SpanPosteriors
    lasting: float = 1.0

    def cover(self, chunk: Chunk) -> Span:
        """Return the span of a chunk: the one with the highest expected F1 against the hull of its sentences' spans, extended.

        The span of highest expected F1 is short: where a sentence ends is less sure than where it begins, and each turn less
        costs little. So it is extended to the last turn to which one of the sentences lasts with the probability `lasting`.

        The score is the expected F1. Sentences that are more likely unaligned than aligned are ignored. If none is left, the
        chunk is unaligned.
        """
        begun, lasting = self._find_aligned(chunk)
        membership = span_hull(begun, lasting)
        if not membership.any():
            return Span(None, None, 0.0, 0.0)
        start, end, score = choose_span(membership)
        last = find_end(lasting, end, self.lasting)
        if last > end:
            end, score = last, expect_f1(membership, start, last)
        return Span(start, end, score, rate_span(score))

    def cover_each(self) -> list[Span]:
        """Return the span of every sentence."""
        return [self.cover(Chunk(1, 0, place, place, place, "")) for place in range(len(self.posteriors.unaligned))]

    def contributions(self, chunks: Sequence[Chunk]) -> _Floats:
        """Return each turn's contribution (n_turns): every chunk distributes at most 1, by the probabilities of its turns."""
        shares = [self.hull(chunk) for chunk in chunks]
        total: _Floats = np.sum([share / max(share.sum(), 1.0) for share in shares], axis=0, dtype=np.float64)
        return total

    def hull(self, chunk: Chunk) -> _Floats:
        """Return each turn's probability of lying between the chunk's first and last turn (n_turns); all 0 if it is unaligned."""
        return span_hull(*self._find_aligned(chunk))

    def _find_aligned(self, chunk: Chunk) -> tuple[_Floats, _Floats]:
        """Return `begun` and `lasting` of those sentences of the chunk that are more likely aligned than not."""
        rows = slice(chunk.first_sentence, chunk.last_sentence + 1)
        begun, lasting, aligned = (
            self.posteriors.begun[rows],
            self.posteriors.lasting[rows],
            self.posteriors.unaligned[rows] <= 0.5,
        )
        return (begun, lasting) if aligned.all() else (begun[aligned], lasting[aligned])


class WindowAligner:
    """Locates summaries in one dialogue. The dialogue's terms are counted once."""

    def __init__(self, turn_texts: Sequence[str], config: WindowsConfig) -> None:
        """Prepare the turns (at least one)."""
        self._config = config
        self._terms = TurnTerms(turn_texts, TermTokenizer())

    def locate(self, sentences: Sequence[str], outline: SummaryOutline | None = None) -> WindowAlignment:
        """Locate the sentences (at least one) in the turns. Without an `outline`, every sentence has the role "story"."""
        terms = self._terms.code(sentences)
        priors = expect_spans(
            outline or outline_story(sentences), terms.sizes.astype(np.float64), self._terms.words, self._config
        )
        return WindowAlignment(locate_spans(self._terms.weigh(terms, self._config), priors), self._config.end_lasting)


def expect_spans(outline: SummaryOutline, n_terms: _Floats, words: _Floats, config: WindowsConfig) -> ChainPriors:
    """Return the priors of the sentences' spans.

    Args:
        outline: the roles and parts of the sentences.
        n_terms: distinct content terms of each sentence (n_sentences).
        words: content words of each turn (n_turns).
        config: the settings of the windows aligner.
    """
    roles, parts, n_turns = np.array(outline.roles), np.array(outline.parts), words.size
    story = roles == "story"
    retold = (roles == "retold")[:, None]
    passing = words + config.clock_words
    clock = passing / passing.mean()
    pace = np.where(roles == "retold", config.retold_pace, config.aside_pace)
    for part in np.unique(parts[story]):
        told = story & (parts == part)
        covered = config.story_share * n_turns / outline.n_parts / told.sum()
        pace[told] = max(_PACE * (covered / _PACE) ** config.pace_power, 2.0)
    detail = np.ones(len(roles))
    if story.any():
        detail[story] = (n_terms[story] + 1) / np.mean(n_terms[story] + 1)
    gap_shares = np.where(retold, np.array(config.retold_gap_shares), np.array(config.gap_shares))
    gap_means = np.maximum(pace[:, None] * np.array(config.gap_means), _LEAST)
    entries: dict[int, _Floats] = {}
    for part in np.unique(parts[story & (parts > 0)]):
        opener = int(np.argmax(story & (parts == part)))
        gap_shares[opener] = config.part_gap_shares
        gap_means[opener, 1] = max(gap_means[opener, 1], config.part_gap * n_turns)
        entries[opener] = _bell(n_turns, part / outline.n_parts, config.part_spread)
    turns = np.arange(n_turns)
    last = np.exp(-turns[::-1] / max(config.closing * n_turns, _MARGIN)) + _ELSEWHERE
    following = parts[story].max() + 1 if story.any() else outline.n_parts
    if following < outline.n_parts:  # the summary does not tell it: the story's last sentence ends where it begins
        untold = _bell(n_turns, following / outline.n_parts, config.part_spread)
        last = untold if roles[-1] == "story" else untold + last
    return ChainPriors(
        length_shares=np.where(retold, np.array(config.retold_length_shares), np.array(config.length_shares)),
        length_means=np.maximum((pace * detail)[:, None] * np.array(config.length_means), 1.0),
        gap_shares=gap_shares,
        gap_means=gap_means,
        clock=clock,
        unaligned=np.where(roles == "unspoken", config.unspoken_unaligned, config.unaligned),
        first=(np.exp(-turns / max(config.opening * n_turns, _MARGIN)) + _ELSEWHERE) * clock,
        last=last,
        entries=entries,
    )


def _bell(n_turns: int, centre: float, spread: float) -> _Floats:
    """Return the relative probability of each turn, with a peak at `centre`; `centre` and `spread` are shares of all turns."""
    places = (np.arange(n_turns) + 0.5) / n_turns
    bell: _Floats = np.exp(-0.5 * ((places - centre) / spread) ** 2) + _FAR_OFF
    return bell
