"""Aligns every sentence of a summary with its span of turns, then chunks of sentences with the span that covers theirs best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.confidence import rate_span
from core.alignment.outline import Role
from core.alignment.span_choice import choose_span, span_hull
from core.alignment.spans import Chunk, Span
from core.alignment.window_chain import ChainPriors, SpanPosteriors, locate_spans
from core.alignment.window_evidence import TurnTerms
from core.alignment.windows_config import WindowsConfig
from core.text.terms import content_terms

_LEAST = 1.5  # turns: the mean of a geometric gap, however short the pace
_MARGIN = 20.0  # turns: what may stand before the first and after the last sentence of a short dialogue
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WindowAlignment:
    """Where an episode's sentences are; `ratios` (n_sentences × n_turns) is what the turns say for it."""

    posteriors: SpanPosteriors
    ratios: _Floats

    def cover(self, chunk: Chunk) -> Span:
        """Return the span for a chunk: the one with the highest expected F1 against the hull of its sentences' spans.

        The score is the expected F1; the chunk is left unaligned where its sentences are more likely told by no turn.
        """
        rows = slice(chunk.first_sentence, chunk.last_sentence + 1)
        unaligned = float(self.posteriors.unaligned[rows].prod())
        membership = self.hull(chunk)
        if unaligned > 0.5 or not membership.any():
            return Span(None, None, 0.0, 0.0)
        start, end, score = choose_span(membership)
        return Span(start, end, score, rate_span(score))

    def cover_each(self) -> list[Span]:
        """Return the span of every sentence."""
        return [self.cover(Chunk(1, 0, place, place, place, "")) for place in range(len(self.posteriors.unaligned))]

    def contributions(self, chunks: Sequence[Chunk]) -> _Floats:
        """Return what each turn gives to the chunks (n_turns): every chunk shares out 1 in all by its turns' probabilities."""
        shares = [self.hull(chunk) for chunk in chunks]
        total: _Floats = np.sum([share / max(share.sum(), 1.0) for share in shares], axis=0, dtype=np.float64)
        return total

    def hull(self, chunk: Chunk) -> _Floats:
        """Return each turn's probability to lie between the chunk's first and last turn (n_turns)."""
        return span_hull(self.posteriors.begun, self.posteriors.lasting, chunk.first_sentence, chunk.last_sentence)


class WindowAligner:
    """Locates summaries in one dialogue, whose terms it counts once."""

    def __init__(self, turn_texts: Sequence[str], config: WindowsConfig) -> None:
        """Prepare the turns (at least one)."""
        self._config = config
        self._terms = TurnTerms([content_terms(text) for text in turn_texts])

    def locate(self, sentences: Sequence[str], roles: Sequence[Role] | None = None) -> WindowAlignment:
        """Locate the sentences (at least one) in the turns; without `roles` they all tell the story."""
        ratios = self._terms.weigh([content_terms(sentence) for sentence in sentences], self._config)
        priors = expect_spans(roles or ["story"] * len(sentences), self._terms.words, self._config)
        return WindowAlignment(locate_spans(ratios, priors), ratios)


def expect_spans(roles: Sequence[Role], words: _Floats, config: WindowsConfig) -> ChainPriors:
    """Return what is expected of the sentences' spans by their roles, for turns of so many content words each (n_turns)."""
    kinds, n_turns = np.array(roles), words.size
    passing = words + config.clock_words
    story = config.story_share * n_turns / max(int((kinds == "story").sum()), 1)
    pace = np.select([kinds == "retold", kinds == "aside"], [config.retold_pace, config.aside_pace], max(story, 2.0))[:, None]
    retold = (kinds == "retold")[:, None]
    lengths = np.hstack([np.ones_like(pace), pace * np.array(config.length_means)])
    return ChainPriors(
        length_shares=np.where(retold, np.array(config.retold_length_shares), np.array(config.length_shares)),
        length_means=np.maximum(lengths, 1.0),
        gap_shares=np.where(retold, np.array(config.retold_gap_shares), np.array(config.gap_shares)),
        gap_means=np.maximum(pace * np.array(config.gap_means), _LEAST),
        shareable=words / (words + config.shared_words),
        clock=passing / passing.mean(),
        unaligned=config.unaligned,
        opening=max(config.opening * n_turns, _MARGIN),
        closing=max(config.closing * n_turns, _MARGIN),
    )
