"""Likelihood ratios of each turn and sentence: how much more words they share than by chance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.config import WindowsConfig
from core.compiled import compiled_when_busy
from core.similarity.ngrams import NgramIndex, NgramSets, invert
from core.text.tokens import Tokenizer

_Integers = NDArray[np.int64]
_Floats = NDArray[np.float64]
_MOST = 30.0  # nats: the maximum evidence from one turn


class TurnTerms:
    """The numbered terms of a dialogue's turns, with which sentences are compared. `words` are the terms of each turn."""

    def __init__(self, turns: Sequence[str], tokenize: Tokenizer) -> None:
        """Count the terms of each turn."""
        self._index = NgramIndex(turns, tokenize, (1,))
        self.words = self._index.turns.lengths.astype(np.float64)
        self._turns, self._bounds = invert(self._index.turns, self._index.turns.n_codes)

    def code(self, sentences: Sequence[str]) -> NgramSets:
        """Return the distinct terms of each sentence."""
        return self._index.code(sentences)

    def weigh(self, sentences: NgramSets, config: WindowsConfig) -> "SpanEvidence":
        """Return how much likelier each turn's words are inside a sentence's span than outside it.

        A turn of n content words contains a term with probability 1 − exp(−λ), where λ = f · (n + `chance_words`) and f is the
        term's share of all words in the turns. In the span of a sentence with that term, λ grows by
        κ = `mention` · (n + ½) / (n + `mention_words`). Terms count as independent, so a turn's ratio is the product of
        (1 − e^−(λ+κ)) / (1 − e^−λ) for each term that it shares with the sentence, and e^−κ for each other term of the sentence.
        Only the share `engaged` of a span's turns follows this ratio. The result is raised to the power `trust`.

        Reference: the binary independence model, Robertson and Zaragoza, 2009, section 3.1, with Poisson counts.
        """
        is_said = sentences.codes < self._index.turns.n_codes
        codes, bounds = sentences.codes[is_said], np.append(0, np.cumsum(is_said))[sentences.bounds]
        ratios = np.empty((1 + len(config.engaged), len(bounds) - 1, len(self.words)))
        _weigh(
            ratios,
            self._turns,
            self._bounds,
            self.words,
            codes,
            bounds,
            np.unique(codes),
            np.argsort(np.diff(bounds)),
            np.array([config.edge_mention, config.mention]),
            np.array([config.edge_engaged, *config.engaged]),
            config.mention_words,
            config.trust,
            config.rarity,
            config.chance_words,
        )
        return SpanEvidence(ratios[0], ratios[1:])


@dataclass(frozen=True, slots=True)
class SpanEvidence:
    """Likelihood ratios at a span's first and last turn (n_sentences × n_turns), and inside (components × both)."""

    edge: _Floats
    inside: _Floats


@compiled_when_busy
def _weigh(
    weights: _Floats,
    turns: _Integers,
    bounds: _Integers,
    words: _Floats,
    sentence_codes: _Integers,
    sentence_bounds: _Integers,
    distinct_codes: _Integers,
    by_size: _Integers,
    mention: _Floats,
    engaged: _Floats,
    mention_words: float,
    trust: float,
    rarity: float,
    chance_words: float,
) -> None:
    """Set `weights` to the ratios at the edge (row 0) and inside. The turns with code c are `turns[bounds[c] : bounds[c + 1]]`.

    `distinct_codes` are those of `sentence_codes`. `by_size` are the sentences in ascending order of their number of codes. Both
    come sorted, since numba takes seconds to compile a sort.
    """
    n_kinds, _, n_turns = weights.shape
    expected = np.empty((2, n_turns))  # κ at the edge and inside
    for place in range(2):
        for turn in range(n_turns):
            expected[place, turn] = mention[place] * (words[turn] + 0.5) / (words[turn] + mention_words)
    total = 0.0
    for count in words:
        total += count
    total = max(total, 1.0)
    gains = np.empty((2, turns.size))  # log ratio gained by sharing a code with a turn
    for code in distinct_codes:
        frequency = (bounds[code + 1] - bounds[code] - 1 + rarity) / total
        for at in range(bounds[code], bounds[code + 1]):
            chance = frequency * (words[turns[at]] + chance_words)
            for place in range(2):
                rate = expected[place, turns[at]]
                gains[place, at] = math.log(np.float64(1 - math.exp(-chance - rate)) / (1 - math.exp(-chance))) + rate
    silent, silent_terms = np.empty((n_kinds, n_turns)), -1  # the ratios of turns that share none of `silent_terms` terms
    shared, sharing, seen = np.zeros((2, n_turns)), np.empty(n_turns, np.int64), np.zeros(n_turns, np.bool_)
    for sentence in by_size:
        n_terms = max(sentence_bounds[sentence + 1] - sentence_bounds[sentence], 1)
        if n_terms != silent_terms:
            silent_terms = n_terms
            for kind in range(n_kinds):
                for turn in range(n_turns):
                    ratio = math.exp(-expected[min(kind, 1), turn] * silent_terms)
                    silent[kind, turn] = (1 - engaged[kind] + engaged[kind] * ratio) ** trust
        for kind in range(n_kinds):
            for turn in range(n_turns):
                weights[kind, sentence, turn] = silent[kind, turn]
        n_sharing = 0
        for code in sentence_codes[sentence_bounds[sentence] : sentence_bounds[sentence + 1]]:
            for at in range(bounds[code], bounds[code + 1]):
                turn = turns[at]
                if not seen[turn]:
                    seen[turn] = True
                    sharing[n_sharing] = turn
                    n_sharing += 1
                shared[0, turn] += gains[0, at]
                shared[1, turn] += gains[1, at]
        for turn in sharing[:n_sharing]:
            for kind in range(n_kinds):
                place = min(kind, 1)
                ratio = math.exp(min(shared[place, turn] - expected[place, turn] * silent_terms, _MOST))
                weights[kind, sentence, turn] = (1 - engaged[kind] + engaged[kind] * ratio) ** trust
            shared[0, turn] = shared[1, turn] = 0.0
            seen[turn] = False
